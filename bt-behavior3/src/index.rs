//! The nodes of a tree in a file, by id.

use std::collections::HashMap;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Short};
use crate::format::TreeSpec;
use crate::spec::NodeSpec;

/// A node of a file, with the id under which the file has it.
pub(crate) type Entry = (String, Arc<NodeSpec>);

/// The nodes of a tree, by id.
pub(crate) struct Index<'a> {
    nodes: &'a [Entry],
    by_id: HashMap<&'a str, usize>,
    /// The places of the children of all nodes, in order; `None` for a child that is not in the file.
    children: Vec<Option<usize>>,
    /// The end of the children of each node.
    ends: Vec<usize>,
    /// An error for each invalid id and each node with two parents.
    pub(crate) errors: Vec<Diagnostic>,
}

impl<'a> Index<'a> {
    /// Returns the index of a tree.
    pub(crate) fn new(tree: &'a TreeSpec) -> Self {
        let mut errors = Vec::new();
        let count = tree.nodes.len();
        let mut index = Self {
            nodes: &tree.nodes,
            by_id: HashMap::with_capacity(count),
            children: Vec::with_capacity(count),
            ends: Vec::with_capacity(count),
            errors: Vec::new(),
        };
        for (at, (id, node)) in tree.nodes.iter().enumerate() {
            if !node.id.is_empty() && node.id != *id {
                let reason = format!("mismatched id: expected `{}`, found `{}`", Short(id), Short(&node.id));
                errors.push(node.diagnostic(id, reason));
            }
            if index.by_id.insert(id, at).is_some() {
                errors.push(node.diagnostic(id, "duplicate node id".to_owned()));
            }
        }
        let mut parents: Vec<Option<&str>> = vec![None; count];
        let is_unique = index.by_id.len() == count;
        for (at, (id, node)) in tree.nodes.iter().enumerate() {
            // Most files list nodes in pre-order.
            let mut next = at + 1;
            for child in node.children() {
                let is_next = is_unique && tree.nodes.get(next).is_some_and(|(id, _)| id == child);
                let at = if is_next { Some(next) } else { index.at(child) };
                next = at.map_or(next, |at| at + 1);
                index.children.push(at);
                let Some(at) = at else { continue };
                if let Some(first) = parents[at].replace(id) {
                    let (first, second) = (Short(first), Short(id));
                    let reason = format!("expected one parent, found {first} and {second}; help: duplicate the node");
                    errors.push(index.nodes[at].1.diagnostic(child, reason));
                }
            }
            index.ends.push(index.children.len());
        }
        Self { errors, ..index }
    }

    /// Returns the place of the node with this id.
    pub(crate) fn at(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    /// Returns the node at a place.
    pub(crate) fn node(&self, at: usize) -> &'a Entry {
        &self.nodes[at]
    }

    /// Returns `true` if the node at a place is disabled.
    pub(crate) fn is_disabled(&self, at: Option<usize>) -> bool {
        at.is_some_and(|at| self.nodes[at].1.is_disabled())
    }

    /// Returns for each child of the node at a place whether it is disabled; empty if none is.
    pub(crate) fn disabled_children(&self, at: usize) -> Vec<bool> {
        if !self.children(at).any(|(_, child)| self.is_disabled(child)) {
            return Vec::new();
        }
        self.children(at).map(|(_, child)| self.is_disabled(child)).collect()
    }

    /// Returns the ids of the children of the node at a place, also of disabled ones, and the places of those that are in the file.
    pub(crate) fn children(&self, at: usize) -> impl Iterator<Item = (&'a str, Option<usize>)> {
        let first = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.nodes[at].1.children().zip(self.children[first..self.ends[at]].iter().copied())
    }
}
