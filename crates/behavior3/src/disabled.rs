//! The property `disabled`: the node and what is below it are as if they were not there.

use std::collections::HashSet;
use std::sync::Arc;

use bt_words::{Arity, ParamType, Word, file_forms};
use serde_json::{Map, Value};

use crate::args::Arg;
use crate::diagnostic::Fault;
use crate::format::{Project, TreeSpec};
use crate::kind::{Kinds, NodeKind};
use crate::spec::NodeSpec;

/// The name of the property.
pub const NAME: &str = "disabled";

impl NodeSpec {
    /// Returns `true` if it has the property `"disabled": true`. The node and those below it are no part of the checked tree.
    ///
    /// ```
    /// use bt_behavior3::{NodeNames, Project};
    ///
    /// let text = r#"{ "root": "1", "nodes": {
    ///     "1": { "name": "Priority", "children": ["2", "3"] },
    ///     "2": { "name": "not_yet_written", "properties": { "disabled": true } },
    ///     "3": { "name": "Wait", "properties": { "milliseconds": 500 } }
    /// } }"#;
    /// let project = Project::read(text)?;
    /// assert!(project.trees[0].nodes[1].1.is_disabled());
    /// assert_eq!(project.check(None, &NodeNames::default()).unwrap().nodes.len(), 2);
    /// # Ok::<(), bt_behavior3::ReadError>(())
    /// ```
    pub fn is_disabled(&self) -> bool {
        let older = self.parameters.as_ref().and_then(|block| block.get(NAME));
        self.properties.get(NAME).or(older) == Some(&Value::Bool(true))
    }
}

impl TreeSpec {
    /// Returns the ids of the nodes that are [disabled](NodeSpec::is_disabled), and of those below them.
    pub fn disabled(&self) -> HashSet<&str> {
        let tops = self.nodes.iter().filter(|(_, node)| node.is_disabled());
        self.reached_from(tops.map(|(id, _)| id.as_str()))
    }

    /// Returns the tree without the nodes that are [disabled](Self::disabled), and without their weights, scores and cases.
    #[must_use]
    pub fn without_disabled(&self) -> Self {
        let disabled = self.disabled();
        let mut tree = self.clone();
        tree.nodes.retain(|(id, _)| !disabled.contains(id.as_str()));
        for (_, node) in &mut tree.nodes {
            let children: Vec<_> = node.children().map(|child| disabled.contains(child)).collect();
            if children.contains(&true) {
                let node = Arc::make_mut(node);
                // An error in them is found by the check.
                let _ = remove_entries(&node.name, &mut node.properties, &children);
                node.child = node.child.take().filter(|child| !disabled.contains(child.as_str()));
                node.children.iter_mut().for_each(|below| below.retain(|child| !disabled.contains(child.as_str())));
            }
        }
        tree
    }
}

impl Project {
    /// Returns `true` if any node is disabled.
    pub(crate) fn has_disabled(&self) -> bool {
        self.trees.iter().flat_map(|tree| &tree.nodes).any(|(_, node)| node.is_disabled())
    }
}

/// Removes the entries of disabled children from the properties of a node that has one for each child. `children` says which are disabled. Returns an error
/// if there is not an entry for each.
pub(crate) fn remove_entries(name: &str, properties: &mut Map<String, Value>, children: &[bool]) -> Option<Fault> {
    for (property, ty) in lists(name) {
        let Some(Value::Array(entries)) = properties.get_mut(property) else { continue };
        let count = if ty == ParamType::Cases { children.len().saturating_sub(1) } else { children.len() };
        if entries.len() != count {
            let found = entries.len();
            let reason =
                format!("property `{property}`: expected {count} entries, also for disabled children, found {found}");
            return Some(Fault::of(property, reason));
        }
        let mut is_disabled = children.iter();
        entries.retain(|_| is_disabled.next() == Some(&false));
    }
    None
}

/// Returns the properties that have an entry for each child.
pub fn lists(name: &str) -> impl Iterator<Item = (&'static str, ParamType)> {
    let params = Word::of_file(name).map_or(&[][..], |word| word.row().params);
    params.iter().filter(|param| param.ty.is_of_children()).map(|param| (param.name, param.ty))
}

/// Returns the error for a node that has to have a child that is disabled. `children` says which are.
pub(crate) fn missing(name: &str, children: &[bool]) -> Option<&'static str> {
    let has = |arity| file_forms(name).any(|form| form.words.iter().any(|word| word.row().arity() == arity));
    let has_branches = || has(Arity::Branches);
    let has_cases = || lists(name).any(|(_, ty)| ty == ParamType::Cases);
    match *children {
        [true, ..] if has_branches() => Some("the condition is disabled; help: disable the whole node"),
        [_, true, ..] if has_branches() => {
            Some("the node for a condition that succeeds is disabled; help: disable the whole node")
        }
        [true, _] if has(Arity::BodyAndCleanup) => Some("the body is disabled; help: disable the whole node"),
        [_, true] if has(Arity::BodyAndCleanup) => Some("the cleanup is disabled; help: disable the whole node"),
        [.., true] if has_cases() => {
            Some("the last child, for any other value, is disabled; help: disable the whole node")
        }
        _ => None,
    }
}

/// Takes from `all` the arguments that have an entry for each child, also for disabled ones.
pub(crate) fn with_entries_of(kinds: &mut Kinds, all: Kinds) {
    fn args(kind: &mut NodeKind) -> impl Iterator<Item = &mut Option<Arg>> {
        let args = if let NodeKind::Word(_, args) = kind { args.0.as_mut_slice() } else { &mut [] };
        args.iter_mut()
    }
    let Kinds { first, inner } = all;
    for (mut all, kind) in std::iter::once(first).chain(inner).zip(kinds.iter_mut()) {
        for (all, arg) in args(&mut all).zip(args(kind)) {
            if matches!(all, Some(Arg::Weights(_) | Arg::Scores(_) | Arg::Cases(_))) {
                *arg = all.take();
            }
        }
    }
}
