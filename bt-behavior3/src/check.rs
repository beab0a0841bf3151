//! From a file to a tree in which nothing is wrong. Everything that is wrong is told.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use bt_words::{Arity, ParamType, Role, is_file_name};
use serde_json::{Map, Value};

use crate::checked::{Checked, Node};
use crate::fault::{Fault, Short};
use crate::format::{NodeSpec, Project, TreeSpec};
use crate::kind::{NodeKind, kinds};
use crate::names::Names;
use crate::properties::Properties;

/// How deep a tree may be. A tick goes down a tree by calls, so this bounds its stack.
pub const MOST_LEVELS: usize = 200;
/// How many nodes a tree may have, with those of the trees in it.
pub const MOST_NODES: usize = 1 << 18;
/// How much text a tree may have, with that of the trees in it, each as often as it stands there: bytes.
const MOST_TEXT: usize = 64 << 20;
/// So many faults are told at most.
const MOST_FAULTS: usize = 100;

impl Project {
    /// The tree with this id or title, with the trees that are nodes in it; without one, the tree that was open last in the editor, or the first.
    ///
    /// # Errors
    ///
    /// All that is wrong with it, as far as it can be told.
    pub fn check(&self, which: Option<&str>, names: &Names) -> Result<Checked, Vec<Fault>> {
        let fault = |reason| vec![Fault { id: String::new(), title: String::new(), reason }];
        let tree = self.tree(which).ok_or_else(|| match which {
            Some(which) => fault(format!("there is no tree `{}`", Short(which))),
            None => fault("there is no tree in the project".to_owned()),
        })?;
        self.check_tree(tree, names)
    }

    /// One of the project's trees, with the trees that are nodes in it.
    ///
    /// # Errors
    ///
    /// All that is wrong with it, as far as it can be told.
    pub fn check_tree(&self, tree: &TreeSpec, names: &Names) -> Result<Checked, Vec<Fault>> {
        let trees = self.trees.iter().rev().map(|tree| (tree.id.as_str(), tree));
        let mut checker = Checker {
            names,
            indices: HashMap::new(),
            trees: trees.filter(|(id, _)| !id.is_empty()).collect(),
            categories: self.declared().filter_map(|node| Some((node.name.as_str(), node.category()?))).collect(),
            nodes: Vec::new(),
            text: 0,
            faults: Vec::new(),
        };
        for name in names.hiding() {
            let reason = format!("`{}` means something in files already: give your own another name", Short(name));
            checker.tree_fault(tree, &reason);
        }
        let same_id = |other: &&TreeSpec| !other.id.is_empty() && other.id == tree.id;
        if self.trees.iter().filter(same_id).count() > 1 {
            checker.tree_fault(tree, &format!("another tree has the id `{}` too", Short(&tree.id)));
        }
        checker.tree(tree);
        if checker.faults.is_empty() {
            checker.faults = crate::machine::check(&checker.nodes, names);
        }
        if checker.faults.is_empty() {
            let TreeSpec { id, properties, custom_nodes, more, .. } = tree;
            let header = TreeSpec {
                id: id.clone(),
                properties: properties.clone(),
                custom_nodes: custom_nodes.clone(),
                more: more.clone(),
                ..TreeSpec::default()
            };
            return Ok(Checked { title: tree.title().to_owned(), tree: header, nodes: checker.nodes });
        }
        checker.faults.truncate(MOST_FAULTS);
        Err(checker.faults)
    }
}

impl TreeSpec {
    /// The nodes that are not connected with the root. They are ignored when the tree is loaded.
    pub fn unconnected(&self) -> Vec<Fault> {
        let nodes: HashMap<&str, &NodeSpec> = self.nodes.iter().map(|(id, node)| (id.as_str(), node)).collect();
        let (mut reached, mut next) = (HashSet::new(), Vec::from_iter(self.root.as_deref()));
        while let Some(id) = next.pop() {
            if reached.insert(id) {
                next.extend(nodes.get(id).into_iter().flat_map(|node| children(node)));
            }
        }
        let loose = self.nodes.iter().filter(|(id, _)| !reached.contains(id.as_str()));
        let fault = |(id, node): &(String, NodeSpec)| {
            let title = if node.title().is_empty() { &node.name } else { node.title() };
            Fault { id: id.clone(), title: title.to_owned(), reason: "it is not connected with the root".to_owned() }
        };
        loose.map(fault).collect()
    }
}

struct Checker<'a> {
    names: &'a Names,
    /// Of each tree that was met, by its place in memory: its nodes by id.
    indices: HashMap<*const TreeSpec, HashMap<&'a str, &'a NodeSpec>>,
    /// The trees by id.
    trees: HashMap<&'a str, &'a TreeSpec>,
    /// What the file's own nodes are, by name.
    categories: HashMap<&'a str, &'a str>,
    nodes: Vec<Node>,
    text: usize,
    faults: Vec<Fault>,
}

/// The properties of a node, with those that older files call otherwise.
type Given<'a> = Cow<'a, Map<String, Value>>;

/// A node that has still to be visited.
struct Visit<'a> {
    tree: &'a TreeSpec,
    id: &'a str,
    parent: Option<usize>,
    level: usize,
    /// The ids of the nodes that lead to its tree.
    prefix: String,
    /// The nodes that it is in, and the trees, to find cycles.
    above: Option<std::rc::Rc<Above<'a>>>,
}

struct Above<'a> {
    tree: *const TreeSpec,
    id: &'a str,
    next: Option<std::rc::Rc<Above<'a>>>,
}

impl<'a> Checker<'a> {
    fn fault(&mut self, id: &str, node: Option<&NodeSpec>, reason: String) {
        if self.faults.len() < MOST_FAULTS {
            let title = node.map_or("", |node| if node.title().is_empty() { node.name.as_str() } else { node.title() });
            self.faults.push(Fault { id: id.to_owned(), title: title.to_owned(), reason });
        }
    }

    fn tree_fault(&mut self, tree: &TreeSpec, reason: &str) {
        if self.faults.len() < MOST_FAULTS {
            self.faults.push(Fault { id: String::new(), title: tree.title().to_owned(), reason: reason.to_owned() });
        }
    }

    /// The nodes of a tree by id; the first time, what is wrong with the ids, and with nodes of two parents.
    fn index(&mut self, tree: &'a TreeSpec) {
        let place = std::ptr::from_ref(tree);
        if self.indices.contains_key(&place) {
            return;
        }
        let mut index = HashMap::new();
        for (id, node) in &tree.nodes {
            if !node.id.is_empty() && node.id != *id {
                self.fault(id, Some(node), format!("it says that its id is `{}`", Short(&node.id)));
            }
            if index.insert(id.as_str(), node).is_some() {
                self.fault(id, Some(node), "there are several nodes with this id".to_owned());
            }
        }
        let mut parents: HashMap<&str, &str> = HashMap::new();
        for (id, node) in &tree.nodes {
            for child in children(node) {
                if let Some(first) = parents.insert(child, id) {
                    let (first, second) = (Short(first), Short(id));
                    self.fault(
                        child,
                        index.get(child).copied(),
                        format!("it hangs under two nodes, {first} and {second}; a node has one parent: copy it"),
                    );
                }
            }
        }
        self.indices.insert(place, index);
    }

    /// Goes through a tree without calling itself: a file may be as deep as it likes.
    fn tree(&mut self, tree: &'a TreeSpec) {
        let Some(root) = tree.root.as_deref().filter(|root| !root.is_empty()) else {
            return self.tree_fault(tree, "it has no root");
        };
        let mut visits = vec![Visit { tree, id: root, parent: None, level: 1, prefix: String::new(), above: None }];
        while let Some(visit) = visits.pop() {
            if self.faults.len() >= MOST_FAULTS {
                return;
            }
            if self.nodes.len() >= MOST_NODES {
                return self.tree_fault(tree, &format!("it has more than {MOST_NODES} nodes"));
            }
            if self.text > MOST_TEXT {
                return self
                    .tree_fault(tree, &format!("it has more than {MOST_TEXT} bytes of text, with the trees in it"));
            }
            self.visit(visit, &mut visits);
        }
    }

    fn visit(&mut self, visit: Visit<'a>, visits: &mut Vec<Visit<'a>>) {
        let Visit { tree, id, parent, level, prefix, above } = visit;
        self.index(tree);
        let place = std::ptr::from_ref(tree);
        let Some(node) = self.indices.get(&place).and_then(|index| index.get(id)).copied() else {
            let (from, role) =
                parent.map_or((String::new(), "root"), |parent| (self.nodes[parent].id.clone(), "child"));
            return self.fault(&from, None, format!("its {role} `{}` is not in the file", Short(id)));
        };
        let mut up = above.as_deref();
        while let Some(one) = up {
            if one.tree == place && one.id == id {
                return self.fault(id, Some(node), "it is below itself".to_owned());
            }
            up = one.next.as_deref();
        }
        if level > MOST_LEVELS {
            return self.fault(id, Some(node), format!("it is deeper than {MOST_LEVELS} levels"));
        }
        let above = Some(std::rc::Rc::new(Above { tree: place, id, next: above }));
        let path = format!("{prefix}{id}");

        let is_known = is_file_name(&node.name) || self.names.takes(&node.name).is_some();
        if let Some(inner) = self.trees.get(node.name.as_str()).copied().filter(|_| !is_known) {
            let Some(root) = inner.root.as_deref().filter(|root| !root.is_empty()) else {
                return self.tree_fault(inner, "it has no root");
            };
            if children(node).next().is_some() {
                self.fault(id, Some(node), "it is a tree, and takes no children".to_owned());
            }
            if let Some(name) = node.properties.keys().chain(node.parameters().into_iter().flat_map(Map::keys)).next() {
                let reason = format!("no property `{}`: it is a tree, and has none", Short(name));
                self.fault(id, Some(node), reason);
            }
            self.text += path.len();
            return visits.push(Visit {
                tree: inner,
                id: root,
                parent,
                level: level + 1,
                prefix: format!("{path}/"),
                above,
            });
        }

        let Some((kinds, properties)) = self.kinds(&path, node) else { return };
        let parent = Some(self.push(&path, node, kinds, &properties, parent));
        let below: Vec<_> = children(node).collect();
        let next = |id| Visit { tree, id, parent, level: level + 1, prefix: prefix.clone(), above: above.clone() };
        visits.extend(below.into_iter().rev().map(next));
    }

    /// What a node is, outermost first; `None` if its name is unknown.
    fn kinds(&mut self, path: &str, node: &'a NodeSpec) -> Option<(Vec<NodeKind>, Given<'a>)> {
        let count = children(node).count();
        let properties = self.properties(path, node);
        let (takes, kinds) = if let Some(takes) = self.names.takes(&node.name) {
            (takes, vec![NodeKind::Own])
        } else {
            let given = Properties::new(&properties);
            let Some(known) = kinds(&node.name, &given, count) else {
                let suggestion = self.names.suggestion(&node.name);
                self.fault(path, Some(node), format!("no node is called `{}`{suggestion}", Short(&node.name)));
                return None;
            };
            for reason in given.faults() {
                self.fault(path, Some(node), reason);
            }
            known
        };
        let fault = match (takes, count) {
            (Arity::Zero, 1..) => Some("it is a leaf, and takes no children".to_owned()),
            (Arity::One, 0) => Some("it needs a child".to_owned()),
            (Arity::One, 2..) => Some(format!("it takes one child, not {count}")),
            (Arity::Many, 0) => Some("it needs at least one child".to_owned()),
            _ => None,
        };
        if let Some(reason) = fault {
            self.fault(path, Some(node), reason);
        }
        // The conditions of transitions are checked with the machine.
        let attached = kinds.iter().flat_map(NodeKind::attached_leaves).filter(|leaf| leaf.role != Role::Guard);
        for leaf in attached.filter(|leaf| self.names.takes(leaf.name) != Some(Arity::Zero)) {
            let property = kinds.iter().find_map(|kind| property_of(kind, leaf.role)).unwrap_or_default();
            let (name, instead) = (Short(leaf.name), self.names.no_leaf(leaf.name));
            let reason = format!("the property `{property}` should be the name of a leaf, not `{name}`{instead}");
            self.fault(path, Some(node), reason);
        }
        Some((kinds, properties))
    }

    /// The properties of a node. Older files have them, or some of them, as `parameters`.
    fn properties(&mut self, path: &str, node: &'a NodeSpec) -> Given<'a> {
        let Some(block) = node.more.get("parameters") else { return Cow::Borrowed(&node.properties) };
        let Some(parameters) = node.parameters() else {
            let value = block.to_string();
            self.fault(
                path,
                Some(node),
                format!("its `parameters` should be names with values, not `{}`", Short(&value)),
            );
            return Cow::Borrowed(&node.properties);
        };
        let mut all = node.properties.clone();
        for (name, value) in parameters {
            match all.get(name) {
                Some(given) if given != value => {
                    let reason =
                        format!("`{}` is among its `properties` and its `parameters`, with other values", Short(name));
                    self.fault(path, Some(node), reason);
                }
                Some(_) => {}
                None => _ = all.insert(name.clone(), value.clone()),
            }
        }
        Cow::Owned(all)
    }

    /// Adds a node for each word, one below the other. Returns the index of the last.
    fn push(
        &mut self,
        path: &str,
        node: &NodeSpec,
        kinds: Vec<NodeKind>,
        properties: &Map<String, Value>,
        parent: Option<usize>,
    ) -> usize {
        let mut parent = parent;
        let is_condition = self.categories.get(node.name.as_str()).copied().or(node.category()) == Some("condition");
        for (index, kind) in kinds.into_iter().enumerate() {
            let this = self.nodes.len();
            if let Some(parent) = parent {
                self.nodes[parent].children.push(this);
            }
            // Where a name stands for several words, the inner ones have ids after its own.
            let id = if index == 0 { path.to_owned() } else { format!("{path}/{index}") };
            let title = (index == 0 && !node.title().is_empty() && node.title() != node.name)
                .then(|| filled(node.title(), properties));
            self.text += id.len()
                + title.as_ref().map_or(0, String::len)
                + properties.iter().map(|(name, value)| name.len() + size(value)).sum::<usize>();
            let mut more = node.more.clone();
            // They are among the properties now.
            more.remove("parameters");
            self.text += more.iter().map(|(name, value)| name.len() + size(value)).sum::<usize>();
            self.nodes.push(Node {
                id,
                origin: path.to_owned(),
                more,
                name: node.name.clone(),
                title,
                kind,
                properties: properties.clone(),
                is_condition,
                parent,
                children: Vec::new(),
            });
            parent = Some(this);
        }
        parent.unwrap_or(0)
    }
}

/// The property in which a node names its leaf of this role.
fn property_of(kind: &NodeKind, role: Role) -> Option<&'static str> {
    let params = kind.word()?.row().params;
    params.iter().find(|param| param.ty == ParamType::Leaf(role)).map(|param| param.name)
}

/// A title in which the editor has the names of properties, `Wait <milliseconds>ms`, with their values.
fn filled(title: &str, properties: &Map<String, Value>) -> String {
    let mut out = String::new();
    let mut rest = title;
    while let Some((before, after)) = rest.split_once('<') {
        out += before;
        let filled = after.split_once('>').and_then(|(name, after)| Some((properties.get(name)?, after)));
        if let Some((value, after)) = filled {
            out += &value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            rest = after;
        } else {
            out.push('<');
            rest = after;
        }
    }
    out + rest
}

/// About how much text a value takes. (`serde_json` reads no value that is nested more than 128 times.)
fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(values) => values.iter().map(size).sum(),
        Value::Object(values) => values.iter().map(|(name, value)| name.len() + size(value)).sum(),
        _ => 8,
    }
}

/// The children of a node, whichever way the file has them.
fn children(node: &NodeSpec) -> impl Iterator<Item = &str> {
    node.children.iter().flatten().map(String::as_str).chain(node.child.as_deref())
}
