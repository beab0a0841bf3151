//! The nodes of a tree in a file, by id.

use std::collections::HashMap;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Short};
use crate::format::TreeSpec;
use crate::size::Size;
use crate::spec::NodeSpec;

/// A node of a file, with the id under which the file has it.
pub(crate) type Entry = (String, Arc<NodeSpec>);

/// The nodes of a tree, by id.
pub(crate) struct Index<'a> {
    nodes: &'a [Entry],
    by_id: HashMap<&'a str, usize>,
    /// The places of the children of all nodes, in order; `None` for a child that is not in the file.
    children: Vec<Option<usize>>,
    facts: Vec<NodeFacts>,
    /// The size of all nodes.
    pub(crate) size: Size,
    has_disabled: bool,
    /// An error for each invalid id and each node with two parents.
    pub(crate) errors: Vec<Diagnostic>,
}

/// What several steps of a check need of a node, which is far from the others in memory.
struct NodeFacts {
    /// The end of its children in the list of all children.
    end: usize,
    size: Size,
    is_disabled: bool,
}

impl<'a> Index<'a> {
    /// Returns the index of a tree.
    pub(crate) fn new(tree: &'a TreeSpec) -> Self {
        let count = tree.nodes.len();
        let mut index = Self {
            nodes: &tree.nodes,
            by_id: HashMap::with_capacity(count),
            children: Vec::with_capacity(count),
            facts: Vec::with_capacity(count),
            size: Size::default(),
            has_disabled: false,
            errors: Vec::new(),
        };
        let mut duplicates = Vec::new();
        for (at, (id, _)) in tree.nodes.iter().enumerate() {
            if index.by_id.insert(id, at).is_some() {
                duplicates.push(at);
            }
        }
        let (mut parents, mut of_parents) = (vec![None; count], Vec::new());
        for (at, (id, node)) in tree.nodes.iter().enumerate() {
            if !node.id.is_empty() && node.id != *id {
                let reason = format!("mismatched id: expected `{}`, found `{}`", Short(id), Short(&node.id));
                index.errors.push(node.diagnostic(id, reason));
            }
            if duplicates.binary_search(&at).is_ok() {
                index.errors.push(node.diagnostic(id, "duplicate node id".to_owned()));
            }
            // Most files list nodes in pre-order.
            let mut next = at + 1;
            for child in node.children() {
                let is_next = duplicates.is_empty() && tree.nodes.get(next).is_some_and(|(id, _)| id == child);
                let place = if is_next { Some(next) } else { index.at(child) };
                next = place.map_or(next, |place| place + 1);
                index.children.push(place);
                let Some(place) = place else { continue };
                if let Some(first) = parents[place].replace(at) {
                    let (parent, second) = (Short(&tree.nodes[first].0), Short(id));
                    let reason = if first == at {
                        format!("listed twice as a child of {parent}; help: duplicate the node")
                    } else {
                        format!("expected one parent, found {parent} and {second}; help: duplicate the node")
                    };
                    of_parents.push(tree.nodes[place].1.diagnostic(child, reason));
                }
            }
            let facts =
                NodeFacts { end: index.children.len(), size: Size::of(id, node), is_disabled: node.is_disabled() };
            index.size += facts.size;
            index.has_disabled |= facts.is_disabled;
            index.facts.push(facts);
        }
        index.errors.append(&mut of_parents);
        index
    }

    /// Returns the place of the node with this id.
    pub(crate) fn at(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    /// Returns the node at a place.
    pub(crate) fn node(&self, at: usize) -> &'a Entry {
        &self.nodes[at]
    }

    /// Returns the size of the node at a place.
    pub(crate) fn size_of(&self, at: usize) -> Size {
        self.facts[at].size
    }

    /// Returns `true` if the node at a place is disabled.
    pub(crate) fn is_disabled(&self, at: Option<usize>) -> bool {
        at.is_some_and(|at| self.facts[at].is_disabled)
    }

    /// Returns for each child of the node at a place whether it is disabled; empty if none is.
    pub(crate) fn disabled_children(&self, at: usize) -> Vec<bool> {
        let places = self.places(at).iter();
        if !self.has_disabled || !places.clone().any(|child| self.is_disabled(*child)) {
            return Vec::new();
        }
        places.map(|child| self.is_disabled(*child)).collect()
    }

    /// Returns the ids of the children of the node at a place, also of disabled ones, and the places of those that are in the file.
    pub(crate) fn children(&self, at: usize) -> impl Iterator<Item = (&'a str, Option<usize>)> {
        self.nodes[at].1.children().zip(self.places(at).iter().copied())
    }

    /// Returns the places of the children of the node at a place; `None` for those that are not in the file.
    pub(crate) fn places(&self, at: usize) -> &[Option<usize>] {
        let first = at.checked_sub(1).map_or(0, |before| self.facts[before].end);
        &self.children[first..self.facts[at].end]
    }
}
