//! A node of a loaded tree.

use std::ops::Range;

use crate::flat::op::NodeOp;
use crate::flat::region::Place;

/// A node of a loaded tree.
pub(crate) struct LoadedNode {
    pub(crate) op: NodeOp,
    pub(crate) place: Place,
    /// Its id relative to the root's. (A leaf may be a tree with several ids.)
    pub(crate) at: u32,
    /// The index after the last node below it.
    pub(crate) end: u32,
    /// The range of its children in the concatenated list.
    pub(crate) children: Range<u32>,
    /// The index of its first word.
    pub(crate) first_word: u32,
    /// The number of its words.
    pub(crate) words: u32,
    /// Its slot, if it has one.
    pub(crate) slot: Option<u32>,
    /// Whether a cleanup in it can continue after a halt.
    pub(crate) cleans_up: bool,
}

impl LoadedNode {
    /// Returns its children in the list of those of all nodes.
    pub(crate) fn children_in<'c>(&self, all: &'c [u32]) -> &'c [u32] {
        &all[self.children.start as usize..self.children.end as usize]
    }

    /// Returns its own slot and those of its attached leaves.
    pub(crate) fn slots(&self) -> impl Iterator<Item = u32> {
        self.slot.into_iter().chain(self.op.attachments().filter_map(|attachment| attachment.slot))
    }
}
