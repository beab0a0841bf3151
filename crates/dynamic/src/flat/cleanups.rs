//! The cleanups of a tree that halts have left running: the second children of `finally` nodes, which run although these do not, or wait.
//!
//! A memory says so in the second word of the `finally`. Below such a cleanup, nodes run as below a running node.

use bt_core::NodeId;
use bt_core::engine::{KeptState, any_left};

use crate::flat::FlatTree;
use crate::flat::memory::LoadedMemory;
use crate::flat::node::LoadedNode;
use crate::flat::op::NodeOp;
use crate::flat::region::Runs;
use crate::nodes::shape::Shapes;

/// The index of the body in the children of a `finally`.
pub(crate) const BODY: usize = 0;
/// The index of the cleanup.
pub(crate) const CLEANUP: usize = 1;
/// The index of the word that says whether a halt has left the cleanup: 0, [`RUNS`], [`WAITS`] or [`IS_DUE`].
pub(crate) const LEFT: usize = 1;
/// The cleanup is running.
pub(crate) const RUNS: u64 = 1;
/// The cleanup starts when those in the body have ended.
pub(crate) const WAITS: u64 = 2;
/// The cleanup is running, and is due in the next tick.
pub(crate) const IS_DUE: u64 = 3;

impl NodeOp {
    /// Returns `true` for a `finally` whose cleanup a halt has left: it is running, or waits. `words` are those of the node.
    pub(crate) fn is_left(&self, words: &[u64]) -> bool {
        matches!(self, NodeOp::Finally) && words[LEFT] != 0
    }
}

impl LoadedNode {
    /// Returns `true` for a `finally` whose cleanup a halt has left: it is running, or waits. `words` are those of a memory.
    pub(crate) fn is_left(&self, words: &[u64]) -> bool {
        self.op.is_left(&words[self.first_word as usize..])
    }

    /// Returns `true` for a `finally` whose cleanup a halt has left, and which waits for those in the body. `words` are those of a memory.
    pub(crate) fn is_waiting(&self, words: &[u64]) -> bool {
        matches!(self.op, NodeOp::Finally) && words[self.first_word as usize + LEFT] == WAITS
    }
}

impl FlatTree {
    /// Returns `true` if there can be cleanups in the tree that continue after a halt.
    #[inline]
    pub(crate) fn cleans_up(&self) -> bool {
        self.nodes[0].cleans_up
    }

    /// Returns the index of the cleanup of a `finally`.
    pub(crate) fn cleanup_of(&self, finally: &LoadedNode) -> usize {
        self.children_of(finally)[CLEANUP] as usize
    }

    /// Returns the end of the cleanup that is this node if a halt has left it running, otherwise 0.
    pub(crate) fn left_end(&self, index: usize, words: &[u64]) -> usize {
        let node = &self.nodes[index];
        let above = &self.nodes[node.place.parent as usize];
        if above.is_left(words) && self.cleanup_of(above) == index { node.end as usize } else { 0 }
    }

    /// Returns the running children of a node that belong to its run.
    pub(crate) fn running_children<'a>(
        &'a self,
        node: &'a LoadedNode,
        words: &'a [u64],
    ) -> impl Iterator<Item = usize> + use<'a> {
        let children = self.children_of(node).iter().map(|child| *child as usize);
        children.filter(|child| self.nodes[*child].place.is_open(words) && self.left_end(*child, words) == 0)
    }

    /// Returns `true` if a halt has left a cleanup in a node running. The memory belongs to this tree.
    pub(crate) fn is_left_in(&self, index: usize, memory: &LoadedMemory, shapes: &dyn Shapes) -> bool {
        let node = &self.nodes[index];
        if !node.cleans_up {
            return false;
        }
        match (&node.op, node.slot) {
            (NodeOp::Leaf(leaf), Some(slot)) => {
                let (leaf, slot) = (shapes.leaf(*leaf), &memory.slots[slot as usize]);
                any_left(|visitor| leaf.walk(NodeId::ROOT, false, KeptState::from(slot), visitor))
            }
            _ => node.is_left(&memory.words) || self.is_left_below(node, memory, shapes),
        }
    }

    /// Returns `true` if a halt has left a cleanup below a node running. The memory belongs to this tree.
    pub(crate) fn is_left_below(&self, node: &LoadedNode, memory: &LoadedMemory, shapes: &dyn Shapes) -> bool {
        self.children_of(node).iter().any(|child| self.is_left_in(*child as usize, memory, shapes))
    }

    /// Clears what runs if the tree does not run, as after a panic, except in cleanups that are left. Clears also what cannot be: a save may have been edited.
    pub(crate) fn repair(&self, is_open: bool, words: &mut [u64]) {
        if !is_open && !self.cleans_up() {
            return words[..self.run_words.count()].fill(0);
        }
        // Regions contain one of their steps.
        for (region, word) in (0..self.run_words.regions).zip(&mut *words) {
            let step = usize::try_from(word.wrapping_sub(1)).ok().and_then(|step| self.nodes.get(step));
            if !step.is_some_and(|step| step.place.runs == Runs::Step { region }) {
                *word = 0;
            }
        }
        if !self.cleans_up() {
            return;
        }
        self.set_ended(0, words);
        if !is_open {
            self.clear_run(0, words);
        }
    }

    /// Sets what is left of cleanups that are left and do not run: 0 or [`WAITS`].
    pub(crate) fn set_ended(&self, left: u64, words: &mut [u64]) {
        for node in &self.nodes {
            if node.is_left(words) && !node.is_waiting(words) && !self.nodes[self.cleanup_of(node)].place.is_open(words)
            {
                words[node.first_word as usize + LEFT] = left;
            }
        }
    }

    /// Stores that no node in this subtree runs, except in cleanups that are left.
    pub(crate) fn clear_run(&self, index: usize, words: &mut [u64]) {
        let (mut next, end) = (index, self.nodes[index].end as usize);
        while next < end {
            let left = self.left_end(next, words);
            if left == 0 {
                self.nodes[next].place.set_open(false, words);
            }
            next = left.max(next + 1);
        }
    }
}
