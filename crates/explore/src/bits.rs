//! A set of nodes.

use bt_core::NodeId;

/// A set of nodes of one tree.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Nodes(Vec<u64>);

impl Nodes {
    /// Returns an empty set for a tree of this many nodes.
    pub(crate) fn new(nodes: usize) -> Self {
        Self(vec![0; nodes.div_ceil(64)])
    }

    pub(crate) fn has(&self, node: NodeId) -> bool {
        self.0[node.index() / 64] >> (node.index() % 64) & 1 == 1
    }

    #[inline]
    pub(crate) fn insert(&mut self, node: NodeId) {
        self.0[node.index() / 64] |= 1 << (node.index() % 64);
    }

    #[inline]
    pub(crate) fn remove(&mut self, node: NodeId) {
        self.0[node.index() / 64] &= !(1 << (node.index() % 64));
    }

    /// Becomes equal to another set, without an allocation.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.0.clone_from(&other.0);
    }
}
