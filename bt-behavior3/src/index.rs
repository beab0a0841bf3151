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
    /// An error for each invalid id and each node with two parents.
    pub(crate) errors: Vec<Diagnostic>,
}

impl<'a> Index<'a> {
    /// Returns the index of a tree.
    pub(crate) fn new(tree: &'a TreeSpec) -> Self {
        let mut errors = Vec::new();
        let mut index =
            Self { nodes: &tree.nodes, by_id: HashMap::with_capacity(tree.nodes.len()), errors: Vec::new() };
        for (at, (id, node)) in tree.nodes.iter().enumerate() {
            if !node.id.is_empty() && node.id != *id {
                let reason = format!("mismatched id: expected `{}`, found `{}`", Short(id), Short(&node.id));
                errors.push(node.diagnostic(id, reason));
            }
            if index.by_id.insert(id, at).is_some() {
                errors.push(node.diagnostic(id, "duplicate node id".to_owned()));
            }
        }
        let mut parents: Vec<Option<&str>> = vec![None; tree.nodes.len()];
        for (id, node) in &tree.nodes {
            for child in node.children() {
                let Some(at) = index.by_id.get(child) else { continue };
                if let Some(first) = parents[*at].replace(id) {
                    let (first, second) = (Short(first), Short(id));
                    let reason = format!("expected one parent, found {first} and {second}; help: duplicate the node");
                    errors.push(index.nodes[*at].1.diagnostic(child, reason));
                }
            }
        }
        Self { errors, ..index }
    }

    /// Returns the node with this id.
    pub(crate) fn get(&self, id: &str) -> Option<&'a Entry> {
        self.nodes.get(*self.by_id.get(id)?)
    }
}
