//! The nodes of a tree as a list.

use std::sync::Arc;

use crate::edit::node::{Node, Tree};

/// A node, with the indices of those around it.
pub(super) struct Flat<'a> {
    pub(super) node: &'a Arc<Node>,
    pub(super) parent: Option<usize>,
    pub(super) children: Vec<usize>,
}

/// Returns the nodes of a tree in the order of the text: first those that the root reaches.
pub(super) fn flatten(tree: &Tree) -> Vec<Flat<'_>> {
    let mut all: Vec<Flat<'_>> = Vec::new();
    let mut left: Vec<(&Arc<Node>, Option<usize>)> =
        tree.root.iter().chain(&tree.loose).rev().map(|node| (node, None)).collect();
    while let Some((node, parent)) = left.pop() {
        let at = all.len();
        if let Some(parent) = parent {
            all[parent].children.push(at);
        }
        all.push(Flat { node, parent, children: Vec::new() });
        let below: Vec<_> = node.children().map(|child| (child, Some(at))).collect();
        left.extend(below.into_iter().rev());
    }
    all
}
