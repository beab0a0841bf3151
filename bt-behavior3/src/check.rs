//! Checks a file and builds a valid tree. Reports all errors.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use bt_words::{Arity, ParamType, Role, is_file_name};
use serde_json::{Map, Value};

use crate::checked::{Checked, Node};
use crate::diagnostic::{Diagnostic, Short, wrong_children};
use crate::format::{Project, TreeSpec};
use crate::index::{Entry, Index};
use crate::kind::{NodeKind, kinds};
use crate::names::NodeNames;
use crate::ports::{Ports, TooLarge, size};
use crate::properties::Properties;
use crate::source::Source;
use crate::spec::NodeSpec;

/// The maximum depth of a tree. A tick visits a tree recursively, so this limits the stack.
pub const MAX_LEVELS: usize = 200;
/// The maximum number of nodes of a tree, including nested trees.
pub const MAX_NODES: usize = 1 << 18;
/// The maximum amount of text of a tree in bytes, including each use of a nested tree.
const MAX_TEXT: usize = 64 << 20;
/// The maximum size of the values that the properties of a nested tree put into the properties of one node, in bytes.
const MAX_PORTS: usize = 1 << 20;
/// The maximum number of errors that are reported.
const MAX_DIAGNOSTICS: usize = 100;

impl Project {
    /// Checks the tree with this id or title, including nested trees. `None` selects the tree that was open last in the editor, or the first.
    ///
    /// # Errors
    ///
    /// Returns all errors that can be determined.
    pub fn check(&self, which: Option<&str>, names: &NodeNames) -> Result<Checked, Vec<Diagnostic>> {
        let error = |reason| vec![Diagnostic { id: String::new(), title: String::new(), reason }];
        let tree = self.tree(which).ok_or_else(|| match which {
            Some(which) => error(format!("unknown tree `{}`", Short(which))),
            None => error("the project has no trees".to_owned()),
        })?;
        self.check_tree(tree, names)
    }

    /// Checks a tree of the project, including nested trees.
    ///
    /// # Errors
    ///
    /// Returns all errors that can be determined.
    pub fn check_tree(&self, tree: &TreeSpec, names: &NodeNames) -> Result<Checked, Vec<Diagnostic>> {
        let trees = self.trees.iter().rev().map(|tree| (tree.id.as_str(), tree));
        let mut checker = Checker {
            names,
            indices: HashMap::new(),
            above: Vec::new(),
            trees: trees.filter(|(id, _)| !id.is_empty()).collect(),
            categories: self.declared().filter_map(|node| Some((node.name.as_str(), node.category()?))).collect(),
            nodes: Vec::with_capacity(tree.nodes.len().min(MAX_NODES)),
            text: 0,
            diagnostics: Vec::new(),
        };
        for name in names.hiding() {
            let reason = format!("`{}` is a built-in name; help: rename your node", Short(name));
            checker.report_tree(tree, &reason);
        }
        let same_id = |other: &&TreeSpec| !other.id.is_empty() && other.id == tree.id;
        if self.trees.iter().filter(same_id).count() > 1 {
            checker.report_tree(tree, &format!("duplicate tree id `{}`", Short(&tree.id)));
        }
        checker.tree(tree);
        let of_machines = crate::machine::check(&checker.nodes, names, &checker.diagnostics);
        checker.diagnostics.extend(of_machines);
        // A node with an error may be the one that writes a variable.
        if checker.diagnostics.is_empty() {
            checker.diagnostics = crate::locals::check(&checker.nodes);
        }
        if checker.diagnostics.is_empty() {
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
        if checker.diagnostics.len() >= MAX_DIAGNOSTICS {
            checker.diagnostics.truncate(MAX_DIAGNOSTICS);
            let reason = format!("no more than {MAX_DIAGNOSTICS} errors are reported");
            checker.diagnostics.push(Diagnostic { id: String::new(), title: String::new(), reason });
        }
        Err(checker.diagnostics)
    }
}

impl TreeSpec {
    /// Returns an error for each part that is not connected to the root, at its topmost node. These nodes are ignored when the tree is loaded.
    /// Returns none if there is no root.
    pub fn unconnected(&self) -> Vec<Diagnostic> {
        let nodes: HashMap<&str, &NodeSpec> = self.nodes.iter().map(|(id, node)| (id.as_str(), &**node)).collect();
        let mut reached = HashSet::new();
        // Returns how many nodes are reached that were not before.
        let mut reach = |from: &str| {
            let (before, mut next) = (reached.len(), vec![from]);
            while let Some(id) = next.pop() {
                let found = nodes.get_key_value(id).filter(|(id, _)| reached.insert(**id));
                next.extend(found.into_iter().flat_map(|(_, node)| node.children()));
            }
            reached.len() - before
        };
        // A root that is missing is an error of its own.
        if self.root.as_deref().map(&mut reach).unwrap_or_default() == 0 {
            return Vec::new();
        }
        let below: HashSet<_> = self.nodes.iter().flat_map(|(_, node)| node.children()).collect();
        // In a circle, no node is the topmost.
        let (tops, others): (Vec<_>, Vec<_>) = self.nodes.iter().partition(|(id, _)| !below.contains(id.as_str()));
        let parts = tops.into_iter().chain(others).map(|(id, node)| (id, node, reach(id)));
        let error = |(id, node, count): (&String, &Arc<NodeSpec>, usize)| {
            let with = match count {
                0 => return None,
                1 => String::new(),
                2 => ", with 1 node below it".to_owned(),
                _ => format!(", with {} nodes below it", count - 1),
            };
            Some(node.diagnostic(id, format!("not connected to the root{with}")))
        };
        parts.filter_map(error).collect()
    }
}

struct Checker<'a> {
    names: &'a NodeNames,
    /// The nodes by id, for each visited tree by its address.
    indices: HashMap<*const TreeSpec, Rc<Index<'a>>>,
    /// The node that is visited and the nodes above it, the root first.
    above: Vec<&'a Entry>,
    /// The trees by id.
    trees: HashMap<&'a str, &'a TreeSpec>,
    /// The categories of custom nodes, by name.
    categories: HashMap<&'a str, &'a str>,
    nodes: Vec<Node>,
    text: usize,
    diagnostics: Vec<Diagnostic>,
}

/// The properties of a node, including those that older files have under another name.
type Given<'a> = Cow<'a, Map<String, Value>>;

/// A node that is still to be visited.
struct Visit<'a> {
    /// The nodes of its tree.
    index: Rc<Index<'a>>,
    id: &'a str,
    parent: Option<usize>,
    level: usize,
    /// The ids of the nodes that contain its tree.
    prefix: Rc<str>,
    /// The properties of its tree, if the tree is nested.
    ports: Option<Rc<Ports>>,
}

impl<'a> Checker<'a> {
    fn report(&mut self, id: &str, node: Option<&NodeSpec>, reason: String) {
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            let diagnostic = match node {
                Some(node) => node.diagnostic(id, reason),
                None => Diagnostic { id: id.to_owned(), title: String::new(), reason },
            };
            self.diagnostics.push(diagnostic);
        }
    }

    fn report_tree(&mut self, tree: &TreeSpec, reason: &str) {
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            self.diagnostics.push(Diagnostic {
                id: String::new(),
                title: tree.title().to_owned(),
                reason: reason.to_owned(),
            });
        }
    }

    /// Returns the nodes of a tree by id. Reports the errors in their ids when the tree is first visited.
    fn index(&mut self, tree: &'a TreeSpec) -> Rc<Index<'a>> {
        let address = std::ptr::from_ref(tree);
        if let Some(index) = self.indices.get(&address) {
            return index.clone();
        }
        let mut errors = Vec::new();
        let index = Rc::new(Index::new(tree, &mut errors));
        let left = MAX_DIAGNOSTICS.saturating_sub(self.diagnostics.len());
        self.diagnostics.extend(errors.into_iter().take(left));
        self.indices.insert(address, index.clone());
        index
    }

    /// Visits a tree without recursion, since a file may have any depth.
    fn tree(&mut self, tree: &'a TreeSpec) {
        let Some(root) = tree.root.as_deref().filter(|root| !root.is_empty()) else {
            return self.report_tree(tree, "missing root");
        };
        let index = self.index(tree);
        let mut visits = vec![Visit { index, id: root, parent: None, level: 1, prefix: Rc::from(""), ports: None }];
        while let Some(visit) = visits.pop() {
            if self.diagnostics.len() >= MAX_DIAGNOSTICS {
                return;
            }
            if self.nodes.len() >= MAX_NODES {
                return self.report_tree(tree, &format!("too many nodes: the limit is {MAX_NODES}"));
            }
            if self.text > MAX_TEXT {
                return self.report_tree(tree, &format!("too much text: the limit is {MAX_TEXT} bytes"));
            }
            self.visit(visit, &mut visits);
        }
    }

    fn visit(&mut self, visit: Visit<'a>, visits: &mut Vec<Visit<'a>>) {
        let Visit { index, id, parent, level, prefix, ports } = visit;
        let Some(entry) = index.get(id) else {
            let (from, role) =
                parent.map_or((String::new(), "root"), |parent| (self.nodes[parent].id.clone(), "child"));
            return self.report(&from, None, format!("{role} `{}` is not in the file", Short(id)));
        };
        let node = &entry.1;
        // The nodes above come first in a depth-first order.
        self.above.truncate(level - 1);
        if self.above.iter().any(|above| std::ptr::eq(*above, entry)) {
            return self.report(id, Some(node), "cycle: the node is below itself".to_owned());
        }
        if level > MAX_LEVELS {
            return self.report(id, Some(node), format!("tree too deep: the limit is {MAX_LEVELS} levels"));
        }
        self.above.push(entry);
        let path = [&*prefix, id].concat();

        let is_known = |name: &str| is_file_name(name) || self.names.arity(name).is_some();
        if let Some(inner) = self.trees.get(node.name.as_str()).copied().filter(|_| !is_known(&node.name)) {
            let Some(root) = inner.root.as_deref().filter(|root| !root.is_empty()) else {
                return self.report_tree(inner, "missing root");
            };
            if node.children().next().is_some() {
                self.report(id, Some(node), "a nested tree takes no children".to_owned());
            }
            let given = self.properties(&path, node, ports.as_deref());
            let (inner_ports, errors) = Ports::new(&inner.properties, &given, format!("{path}/"));
            for reason in errors {
                self.report(id, Some(node), reason);
            }
            self.text += path.len();
            return visits.push(Visit {
                index: self.index(inner),
                id: root,
                parent,
                level: level + 1,
                prefix: format!("{path}/").into(),
                ports: Some(Rc::new(inner_ports)),
            });
        }

        let Some((kinds, properties)) = self.kinds(&path, node, ports.as_deref()) else { return };
        let parent = Some(self.push(path, node, kinds, properties, parent));
        let first = visits.len();
        let below = node.children().map(|id| Visit {
            index: index.clone(),
            id,
            parent,
            level: level + 1,
            prefix: prefix.clone(),
            ports: ports.clone(),
        });
        visits.extend(below);
        visits[first..].reverse();
    }

    /// Returns the kinds of a node, outermost first; `None` if its name is unknown.
    fn kinds(&mut self, path: &str, node: &'a NodeSpec, ports: Option<&Ports>) -> Option<(Vec<NodeKind>, Given<'a>)> {
        let count = node.children().count();
        let properties = self.properties(path, node, ports);
        let (arity, kinds) = if let Some(arity) = self.names.arity(&node.name) {
            (arity, vec![NodeKind::Own])
        } else {
            let given = Properties::new(&properties);
            let Some(known) = kinds(&node.name, &given, count) else {
                let suggestion = self.names.suggestion(&node.name);
                self.report(path, Some(node), format!("unknown node `{}`{suggestion}", Short(&node.name)));
                return None;
            };
            for reason in given.diagnostics() {
                self.report(path, Some(node), reason);
            }
            known
        };
        match arity.count() {
            None if count > 0 => {
                self.report(path, Some(node), format!("expected no children for a leaf, found {count}"));
            }
            None => {}
            Some(takes) => {
                if let Some(reason) = wrong_children(takes, count) {
                    self.report(path, Some(node), reason);
                }
            }
        }
        // The conditions of transitions are checked with the machine.
        let attached = kinds.iter().flat_map(NodeKind::attached_leaves).filter(|leaf| leaf.role != Role::Guard);
        for leaf in attached.filter(|leaf| self.names.arity(leaf.name) != Some(Arity::Zero)) {
            let property = kinds.iter().find_map(|kind| property_of(kind, leaf.role)).unwrap_or_default();
            let (name, help) = (Short(leaf.name), self.names.no_leaf(leaf.name));
            let reason = format!("property `{property}`: expected the name of a leaf, found `{name}`{help}");
            self.report(path, Some(node), reason);
        }
        for args in kinds.iter().map(NodeKind::args) {
            for source in args.sources() {
                let expected = args.amounts().find(|(amount, _)| *amount == source).map(|(_, expected)| expected);
                if let Source::Registered(name) = source
                    && let Some(reason) = self.names.no_value(name, expected)
                {
                    self.report(path, Some(node), reason);
                }
            }
        }
        Some((kinds, properties))
    }

    /// Returns the properties of a node, with the values of the properties of its tree.
    fn properties(&mut self, path: &str, node: &'a NodeSpec, ports: Option<&Ports>) -> Given<'a> {
        let written = self.written(path, node);
        let Some(ports) = ports else { return written };
        let mut budget = MAX_PORTS;
        match ports.resolve(&written, &mut budget) {
            Ok(properties) => Cow::Owned(properties),
            Err(TooLarge) => {
                let reason = format!("too much text: the limit is {MAX_PORTS} bytes for the properties of a node");
                self.report(path, Some(node), reason);
                written
            }
        }
    }

    /// Returns the properties of a node as written. Older files have some or all of them as `parameters`.
    fn written(&mut self, path: &str, node: &'a NodeSpec) -> Given<'a> {
        let Some(block) = &node.parameters else { return Cow::Borrowed(&node.properties) };
        let Some(parameters) = block.as_object() else {
            let value = block.to_string();
            self.report(
                path,
                Some(node),
                format!("`parameters`: expected names with values, found `{}`", Short(&value)),
            );
            return Cow::Borrowed(&node.properties);
        };
        let mut all = node.properties.clone();
        for (name, value) in parameters {
            match all.get(name) {
                Some(given) if given != value => {
                    let reason = format!("conflicting values for `{}` in `properties` and `parameters`", Short(name));
                    self.report(path, Some(node), reason);
                }
                Some(_) => {}
                None => _ = all.insert(name.clone(), value.clone()),
            }
        }
        Cow::Owned(all)
    }

    /// Adds a node for each word, each as the child of the one before. Returns the index of the last.
    fn push(
        &mut self,
        path: String,
        node: &Arc<NodeSpec>,
        kinds: Vec<NodeKind>,
        properties: Given<'_>,
        parent: Option<usize>,
    ) -> usize {
        let mut parent = parent;
        let origin = path.len();
        let is_condition = match self.categories.get(node.name.as_str()) {
            Some(category) => *category == "condition",
            None => node.category().is_some_and(|category| category == "condition"),
        };
        let title = node.title();
        let mut title = (!title.is_empty() && title != node.name).then(|| filled(&title, &properties));
        let text = properties.iter().map(|(name, value)| name.len() + size(value)).sum::<usize>() + node.more.len();
        let mut resolved = match properties {
            Cow::Borrowed(_) => None,
            Cow::Owned(properties) => Some(properties),
        };
        let last = kinds.len() - 1;
        for (index, kind) in kinds.into_iter().enumerate() {
            let this = self.nodes.len();
            if let Some(parent) = parent {
                self.nodes[parent].children.push(this);
            }
            // If a name means several words, the ids of the inner nodes extend its own.
            let id = if index == 0 { path.clone() } else { format!("{path}/{index}") };
            let title = title.take();
            self.text += id.len() + title.as_ref().map_or(0, String::len) + text;
            self.nodes.push(Node {
                id,
                spec: node.clone(),
                title,
                kind,
                is_condition,
                parent,
                children: Vec::new(),
                origin,
                resolved: if index == last { resolved.take() } else { resolved.clone() },
            });
            parent = Some(this);
        }
        parent.unwrap_or(0)
    }
}

/// Returns the property in which a node names its leaf with this role.
fn property_of(kind: &NodeKind, role: Role) -> Option<&'static str> {
    let params = kind.word()?.row().params;
    params.iter().find(|param| param.ty == ParamType::Leaf(role)).map(|param| param.name)
}

/// Returns a title with the values of properties: the editor writes `Wait <milliseconds>ms`.
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
