//! Checks a file and builds a valid tree. Reports all errors.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::rc::Rc;
use std::sync::Arc;

use bt_words::{MAX_LEVELS, Outcomes, ParamType, Role, TOO_DEEP, Word, did_you_mean, is_behavior3};
use serde_json::{Map, Value};

use crate::checked::{Checked, Node};
use crate::diagnostic::{Diagnostic, Fault, Short, wrong_children};
use crate::disabled::{NAME, missing, remove_entries, with_entries_of};
use crate::format::{Project, TreeSpec};
use crate::index::{Entry, Index};
use crate::kind::{Kinds, NodeKind, kinds};
use crate::names::NodeNames;
use crate::ports::{Ports, Unresolved, size};
use crate::reading::Reading;
use crate::size::{MAX_NODES, Size};
use crate::source::Source;
use crate::spec::NodeSpec;
use crate::trees::Trees;

/// The maximum size of the values that the properties of a nested tree put into the properties of one node, in bytes.
const MAX_PORTS: usize = 1 << 20;
/// The maximum number of names in a message.
const MAX_NAMES: usize = 20;
/// The maximum number of errors that are reported.
const MAX_DIAGNOSTICS: usize = 100;

impl Project {
    /// Checks the tree with this id or title, including nested trees. `None` selects the tree that was open last in the editor, or the first.
    ///
    /// # Errors
    ///
    /// Returns all errors that can be determined.
    pub fn check(&self, which: Option<&str>, names: &NodeNames) -> Result<Checked, Vec<Diagnostic>> {
        let error = |reason| vec![Diagnostic::of_tree("", reason)];
        let tree = self.tree(which).ok_or_else(|| match which {
            Some(which) => error(format!("unknown tree `{}`{}", Short(which), self.meant(which))),
            None => error("the project has no trees".to_owned()),
        })?;
        Checker::new(&mut Trees::new(self, names), false).check(tree, &mut { MAX_NODES })
    }

    /// Returns the end of the message about an unknown tree: the trees that there are.
    fn meant(&self, which: &str) -> String {
        let names = || self.trees.iter().map(TreeSpec::shown_title).filter(|name| !name.is_empty());
        match did_you_mean(which, names()) {
            meant if !meant.is_empty() => meant,
            _ if names().next().is_none() => "; note: the tree of the file has no name".to_owned(),
            _ => {
                let shown: Vec<_> = names().take(MAX_NAMES).map(|name| format!("`{}`", Short(name))).collect();
                let more = if names().count() > MAX_NAMES { ", …" } else { "" };
                format!("; note: the trees are {}{more}", shown.join(", "))
            }
        }
    }

    /// Checks all trees, each including its nested trees, as the iterator advances. All trees together may have [`MAX_NODES`]
    /// nodes, including each use of a nested tree. A tree that exceeds the rest of this limit is an error.
    pub fn check_all<'a>(
        &'a self,
        names: &'a NodeNames,
    ) -> impl Iterator<Item = (&'a TreeSpec, Result<Checked, Vec<Diagnostic>>)> {
        self.checked_all(names, false)
    }

    /// Checks all trees, and returns them with their disabled nodes if `keeps_disabled`: to be written, without the nodes of nested trees.
    pub(crate) fn checked_all<'a>(
        &'a self,
        names: &'a NodeNames,
        keeps_disabled: bool,
    ) -> impl Iterator<Item = (&'a TreeSpec, Result<Checked, Vec<Diagnostic>>)> {
        let (mut trees, mut left) = (Trees::new(self, names), MAX_NODES);
        self.trees.iter().map(move |tree| (tree, Checker::new(&mut trees, keeps_disabled).check(tree, &mut left)))
    }
}

/// Checks one tree.
struct Checker<'a, 't> {
    trees: &'t mut Trees<'a>,
    /// Whether the tree is checked with its disabled nodes, and without the nodes of nested trees.
    keeps_disabled: bool,
    /// The addresses of the tree and of the nested trees that were visited.
    visited: HashSet<*const TreeSpec>,
    /// The node that is visited and the nodes above it, the root first.
    above: Vec<&'a Entry>,
    nodes: Vec<Node>,
    /// Whether there is a machine or a state among the nodes.
    has_machines: bool,
    /// Whether a node can be one of a nested tree.
    has_paths: bool,
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
    /// Its place; `None` if it is not in the file.
    at: Option<usize>,
    parent: Option<usize>,
    level: usize,
    /// The ids of the nodes that contain its tree.
    prefix: Rc<str>,
    /// The properties of its tree, if the tree is nested.
    ports: Option<Rc<Ports>>,
}

impl<'a, 't> Checker<'a, 't> {
    fn new(trees: &'t mut Trees<'a>, keeps_disabled: bool) -> Self {
        let (visited, above, nodes) = (HashSet::new(), Vec::new(), Vec::new());
        Self {
            trees,
            keeps_disabled,
            visited,
            above,
            nodes,
            has_machines: false,
            has_paths: false,
            text: 0,
            diagnostics: Vec::new(),
        }
    }

    /// Checks a tree, which may have as many nodes as are `left`.
    fn check(mut self, tree: &'a TreeSpec, left: &mut usize) -> Result<Checked, Vec<Diagnostic>> {
        for name in self.trees.names.hiding() {
            let reason = format!("`{}` is a built-in name; help: rename your node", Short(name));
            self.report_tree(tree, &reason);
        }
        if self.trees.is_duplicate(tree) {
            self.report_tree(tree, &format!("duplicate tree id `{}`", Short(&tree.id)));
        }
        let size = self.trees.size(tree);
        if let Some(reason) = self.trees.too_large(size) {
            self.report_tree(tree, &reason);
        } else if size.nodes > *left {
            let reason = format!(
                "not checked: the trees before it have {MAX_NODES} nodes with all nested trees; help: check this tree alone"
            );
            self.report_tree(tree, &reason);
        } else {
            *left -= size.nodes;
            self.nodes.reserve(size.nodes);
            self.tree(tree);
        }
        // What is between nodes concerns those that are enabled.
        if !self.keeps_disabled {
            if self.has_machines {
                let of_machines = crate::machine::check(&self.nodes, self.trees.names, &self.diagnostics);
                self.diagnostics.extend(of_machines);
            }
            // A node with an error may be the one that writes a variable.
            if self.diagnostics.is_empty() && self.has_paths {
                self.diagnostics = crate::locals::check(&self.nodes, self.trees.names);
            }
        }
        if self.diagnostics.is_empty() {
            let TreeSpec { id, properties, custom_nodes, more, .. } = tree;
            let header = TreeSpec {
                id: id.clone(),
                properties: properties.clone(),
                custom_nodes: custom_nodes.clone(),
                more: more.clone(),
                ..TreeSpec::default()
            };
            let warnings = if self.keeps_disabled {
                Vec::new()
            } else {
                crate::analysis::analyze(&mut self.nodes, self.trees.names)
            };
            return Ok(Checked { title: tree.title().to_owned(), tree: header, nodes: self.nodes, warnings });
        }
        if self.diagnostics.len() >= MAX_DIAGNOSTICS {
            self.diagnostics.truncate(MAX_DIAGNOSTICS);
            let reason = format!("no more than {MAX_DIAGNOSTICS} errors are reported");
            self.diagnostics.push(Diagnostic::of_tree("", reason));
        }
        Err(self.diagnostics)
    }

    fn report(&mut self, id: &str, node: Option<&NodeSpec>, fault: impl Into<Fault>) {
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            let diagnostic = match node {
                Some(node) => node.diagnostic(id, fault),
                None => Diagnostic { id: id.to_owned(), ..Diagnostic::of_tree("", fault.into().reason) },
            };
            // A nested tree is visited at each use of it.
            let is_new = |other: &Diagnostic| (other.place, &other.reason) != (diagnostic.place, &diagnostic.reason);
            if diagnostic.place.is_none() || self.diagnostics.iter().all(is_new) {
                self.diagnostics.push(diagnostic);
            }
        }
    }

    fn report_tree(&mut self, tree: &TreeSpec, reason: &str) {
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            self.diagnostics.push(Diagnostic::of_tree(tree.title(), reason.to_owned()));
        }
    }

    /// Returns the nodes of a tree by id. Reports the errors in their ids when the tree is first visited.
    fn index(&mut self, tree: &'a TreeSpec) -> Rc<Index<'a>> {
        let index = self.trees.index(tree);
        if self.visited.insert(std::ptr::from_ref(tree)) {
            let left = MAX_DIAGNOSTICS.saturating_sub(self.diagnostics.len());
            self.diagnostics.extend(index.errors.iter().take(left).cloned());
        }
        index
    }

    /// Visits a tree without recursion, since a file may have any depth.
    fn tree(&mut self, tree: &'a TreeSpec) {
        let Some(root) = tree.root.as_deref().filter(|root| !root.is_empty()) else {
            return self.report_tree(tree, "missing root");
        };
        let index = self.index(tree);
        let at = index.at(root);
        let mut visits = vec![Visit { index, id: root, at, parent: None, level: 1, prefix: Rc::from(""), ports: None }];
        while let Some(visit) = visits.pop() {
            if self.diagnostics.len() >= MAX_DIAGNOSTICS {
                return;
            }
            // Names with several words, paths and the values of properties are not counted before.
            let size = Size { nodes: self.nodes.len(), text: self.text };
            if let Some(reason) = self.trees.too_large(size) {
                return self.report_tree(tree, &reason);
            }
            self.visit(visit, &mut visits);
        }
    }

    fn visit(&mut self, visit: Visit<'a>, visits: &mut Vec<Visit<'a>>) {
        let Visit { index, id, at, parent, level, prefix, ports } = visit;
        let Some(at) = at else {
            let (from, role) =
                parent.map_or((String::new(), "root"), |parent| (self.nodes[parent].id.clone(), "child"));
            return self.report(&from, None, format!("{role} `{}` is not in the file", Short(id)));
        };
        let entry = index.node(at);
        let node = &entry.1;
        // The nodes above come first in a depth-first order.
        self.above.truncate(level - 1);
        if self.above.iter().any(|above| std::ptr::eq(*above, entry)) {
            return match parent.and_then(|parent| self.cycle(parent, node)) {
                Some((at, reason)) if self.diagnostics.iter().all(|known| known.reason != reason) => {
                    let (id, spec) = (self.nodes[at].id.clone(), self.nodes[at].spec.clone());
                    self.report(&id, Some(&spec), reason);
                }
                Some(_) => {}
                None => self.report(id, Some(node), "cycle: the node is below itself".to_owned()),
            };
        }
        if level > MAX_LEVELS {
            return self.report(id, Some(node), TOO_DEEP.to_owned());
        }
        self.above.push(entry);
        // Others are not visited.
        if index.is_disabled(Some(at)) && !self.keeps_disabled {
            return self.report(id, Some(node), "the root is disabled, so the tree has no nodes".to_owned());
        }
        let disabled = index.disabled_children(at);
        let path = if prefix.is_empty() { id.to_owned() } else { [&*prefix, id].concat() };

        if let Some(inner) = self.trees.nested(&node.name) {
            let Some(root) = inner.root.as_deref().filter(|root| !root.is_empty()) else {
                return self.report_tree(inner, "missing root");
            };
            if node.children().count() > disabled.iter().filter(|is_disabled| **is_disabled).count() {
                self.report(id, Some(node), "a nested tree takes no children".to_owned());
            }
            let mut given = self.properties(&path, node, ports.as_deref());
            let allow = allowed(&mut given);
            let (inner_ports, errors) = Ports::new(&inner.properties, &given, format!("{path}/"));
            for fault in errors {
                self.report(id, Some(node), fault);
            }
            self.text += inner_ports.size();
            let prefix = format!("{path}/").into();
            let kind = NodeKind::Tree(inner.shown_title().to_owned());
            let parent = Some(self.push(path, node, Kinds::one(kind), given, allow, parent));
            if self.keeps_disabled {
                return;
            }
            let (index, ports) = (self.index(inner), Some(Rc::new(inner_ports)));
            let at = index.at(root);
            return visits.push(Visit { index, id: root, at, parent, level: level + 1, prefix, ports });
        }

        let mut properties = self.properties(&path, node, ports.as_deref());
        let allow = allowed(&mut properties);
        let all = (self.keeps_disabled && !disabled.is_empty()).then(|| properties.clone());
        if !disabled.is_empty()
            && let Some(fault) = remove_entries(&node.name, properties.to_mut(), &disabled)
        {
            return self.report(&path, Some(node), fault);
        }
        let Some(mut found) = self.kinds(&path, node, &properties, &disabled) else { return };
        if let Some((_, all)) = all.and_then(|all| kinds(&node.name, &Reading::new(&all, false), disabled.len())) {
            with_entries_of(&mut found, all);
        }
        let parent = Some(self.push(path, node, found, properties, allow, parent));
        let first = visits.len();
        let below = index.children(at).filter(|(_, child)| self.keeps_disabled || !index.is_disabled(*child)).map(
            |(id, at)| Visit {
                index: index.clone(),
                id,
                at,
                parent,
                level: level + 1,
                prefix: prefix.clone(),
                ports: ports.clone(),
            },
        );
        visits.extend(below);
        visits[first..].reverse();
    }

    /// Returns the error of trees that contain each other, below whose last use is a node again, and the use that has it: whichever tree is checked, that in
    /// the first of them in the file. `None` if the node is below itself in its tree.
    fn cycle(&self, last: usize, again: &Arc<NodeSpec>) -> Option<(usize, String)> {
        let mut uses = Vec::new();
        for index in std::iter::successors(Some(last), |index| self.nodes[*index].parent) {
            let node = &self.nodes[index];
            if let NodeKind::Tree(name) = &node.kind {
                uses.push((index, self.trees.nested(node.name()), format!("`{}`", Short(name))));
            }
            if Arc::ptr_eq(&node.spec, again) {
                break;
            }
        }
        // Each use is in the tree of the one before it.
        uses.reverse();
        let first = (0..uses.len()).min_by_key(|at| uses[*at].1.map(std::ptr::from_ref))?;
        uses.rotate_left(first + 1);
        let names: Vec<_> = uses.iter().map(|(.., name)| name.as_str()).collect();
        let (tree, others) = (names.last()?, names.join(", which contains "));
        Some((uses[0].0, format!("cycle: tree {tree} contains {others}")))
    }

    /// Returns the kinds of a node, outermost first; `None` if its name is unknown.
    fn kinds(&mut self, path: &str, node: &'a NodeSpec, properties: &Given<'a>, disabled: &[bool]) -> Option<Kinds> {
        let without = disabled.iter().filter(|is_disabled| **is_disabled).count();
        let count = node.children().count() - without;
        let (arity, kinds) = if let Some(arity) = self.trees.names.arity_with(&node.name, count) {
            (arity, Kinds::one(NodeKind::Own))
        } else {
            // In a text, only the names of Behavior3 have times without a unit.
            let given = Reading::new(properties, node.place.is_some() && !is_behavior3(&node.name));
            let Some(known) = kinds(&node.name, &given, count) else {
                let suggestion = self.trees.names.suggestion(&node.name);
                self.report(path, Some(node), format!("unknown node `{}`{suggestion}", Short(&node.name)));
                return None;
            };
            for fault in given.diagnostics() {
                self.report(path, Some(node), fault);
            }
            known
        };
        match arity.count() {
            None if count > 0 => {
                let help = if node.name == Word::Wait.name() { "; help: `delay` waits before its child" } else { "" };
                self.report(path, Some(node), format!("expected no children for a leaf, found {count}{help}"));
            }
            None => {}
            Some(takes) => {
                if let Some(reason) = missing(&node.name, disabled) {
                    self.report(path, Some(node), reason.to_owned());
                } else if let Some(mut reason) = wrong_children(takes, count) {
                    let _ = match without {
                        0 => Ok(()),
                        1 => write!(reason, "; note: 1 child is disabled"),
                        _ => write!(reason, "; note: {without} children are disabled"),
                    };
                    self.report(path, Some(node), reason);
                }
            }
        }
        // The conditions of transitions are checked with the machine.
        let attached = kinds.iter().flat_map(NodeKind::attached_leaves).filter(|leaf| leaf.role != Role::Guard);
        for leaf in attached.filter(|leaf| !self.trees.names.is_leaf(leaf.name)) {
            let param = |kind: &NodeKind| kind.word()?.row().param(ParamType::Leaf(leaf.role));
            let property = kinds.iter().find_map(param).map_or("", |param| param.name);
            let (name, help) = (Short(leaf.name), self.trees.names.no_leaf(leaf.name));
            let reason = format!("property `{property}`: expected the name of a leaf, found `{name}`{help}");
            self.report(path, Some(node), Fault::of(property, reason));
        }
        for kind in kinds.iter() {
            let args = kind.args();
            for source in args.sources() {
                let expected = args.amounts().find(|(amount, _)| *amount == source).map(|(_, expected)| expected);
                if let Source::Registered(name) = source
                    && let Some(reason) = self.trees.names.no_value(name, expected)
                {
                    self.report(path, Some(node), kind.fault_of_source(source, reason));
                }
            }
        }
        Some(kinds)
    }

    /// Returns the properties of a node, with the values of the properties of its tree.
    fn properties(&mut self, path: &str, node: &'a NodeSpec, ports: Option<&Ports>) -> Given<'a> {
        let written = self.written(path, node);
        let Some(ports) = ports else { return written };
        let mut budget = MAX_PORTS;
        let is_script = |property: &str| self.trees.names.is_script(&node.name, property);
        match ports.resolve(&written, is_script, &mut budget) {
            Ok(properties) => Cow::Owned(properties),
            Err(unresolved) => {
                let reason = match unresolved {
                    Unresolved::TooLarge => {
                        format!("too much text: the limit is {MAX_PORTS} bytes for the properties of a node")
                    }
                    Unresolved::Quote(name) => {
                        format!("the value of `{}` contains a quote, which text in a script cannot", Short(&name))
                    }
                };
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
        let mut all = Map::clone(&node.properties);
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
        kinds: Kinds,
        properties: Given<'_>,
        allow: Option<Box<Value>>,
        parent: Option<usize>,
    ) -> usize {
        let (mut parent, mut path) = (parent, path);
        let origin = path.len();
        let is_condition = match self.trees.category(&node.name) {
            Some(category) => category == "condition",
            None => node.category().is_some_and(|category| category == "condition"),
        };
        let title = node.title();
        // The editor gives the node of a nested tree the tree's title.
        let name = if let NodeKind::Tree(name) = &kinds.first { name } else { &node.name };
        let mut title = (!title.is_empty() && title != *name).then(|| filled(&title, &properties));
        let text = properties.iter().map(|(name, value)| name.len() + size(value)).sum::<usize>() + node.more.len();
        let mut resolved = match properties {
            Cow::Borrowed(_) => None,
            Cow::Owned(properties) => Some(Box::new(properties)),
        };
        let last = kinds.inner.len();
        for (index, kind) in std::iter::once(kinds.first).chain(kinds.inner).enumerate() {
            let this = self.nodes.len();
            if let Some(parent) = parent {
                self.nodes[parent].children.push(this);
            }
            // If a name means several words, the ids of the inner nodes extend its own.
            let id = match index {
                0 if last == 0 => std::mem::take(&mut path),
                0 => path.clone(),
                _ => format!("{path}/{index}"),
            };
            let title = title.take();
            self.has_machines |= matches!(kind.word(), Some(Word::Machine | Word::State));
            self.has_paths |= id.contains('/');
            self.text += id.len() + title.as_ref().map_or(0, String::len) + text;
            self.nodes.push(Node {
                id,
                spec: node.clone(),
                title,
                kind,
                is_condition,
                parent,
                children: if index == last { Vec::with_capacity(node.children().count()) } else { Vec::new() },
                returns: Outcomes::ANY,
                allow: allow.clone(),
                origin,
                resolved: if index == last { resolved.take() } else { resolved.clone() },
            });
            parent = Some(this);
        }
        parent.unwrap_or(0)
    }
}

/// Takes the property with the lints that a node allows, and removes the one that disables it.
fn allowed(properties: &mut Given<'_>) -> Option<Box<Value>> {
    if properties.get(NAME).is_some_and(Value::is_boolean) {
        properties.to_mut().remove(NAME);
    }
    crate::allow::given(properties)?;
    properties.to_mut().remove(crate::allow::NAME).map(Box::new)
}

/// Returns a title with the values of properties: the editor writes `Wait <milliseconds>ms`.
fn filled(title: &str, properties: &Map<String, Value>) -> String {
    let mut out = String::new();
    let mut rest = title;
    while let Some((before, after)) = rest.split_once('<') {
        out += before;
        let filled = after.split_once('>').and_then(|(name, after)| Some((properties.get(name)?, after)));
        if let Some((value, after)) = filled {
            // Otherwise a title with many uses of a long value would be far longer than its file.
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            out += &Short(&value).to_string();
            rest = after;
        } else {
            out.push('<');
            rest = after;
        }
    }
    out + rest
}
