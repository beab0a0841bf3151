//! Finds the leaves whose states cannot be copied.

use bt_core::describe::{Info, SourceNode, Visitor};
use bt_core::{NodeId, NodeShape};

/// Returns the leaves of a tree that run futures.
pub(crate) fn futures_in<N: NodeShape>(tree: &N) -> Vec<NodeId> {
    let mut finder = Finder { nodes: 0, is_future: false, found: Vec::new() };
    tree.describe(&mut finder);
    finder.found
}

struct Finder {
    /// The number of nodes so far.
    nodes: u32,
    /// Whether the next node runs a future.
    is_future: bool,
    found: Vec<NodeId>,
}

impl Visitor for Finder {
    fn place(&mut self, _: &'static SourceNode) {}

    fn future(&mut self) {
        self.is_future = true;
    }

    fn enter(&mut self, _: &Info<'_>) -> &'static [SourceNode] {
        if std::mem::take(&mut self.is_future) {
            self.found.push(NodeId::new(self.nodes));
        }
        self.nodes += 1;
        &[]
    }

    fn leave(&mut self) {}
}
