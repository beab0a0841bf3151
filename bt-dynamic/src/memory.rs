//! The state of an agent in a loaded tree.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::error::RunError;
use bt_core::engine::ErasedState;

/// The state of an agent in a [`LoadedTree`](crate::LoadedTree): a bit for each node, words for nodes that count or measure time, and the states of leaves.
/// It allocates in the first tick, and when a leaf with state first runs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct LoadedMemory {
    pub(crate) words: Vec<u64>,
    pub(crate) slots: Vec<ErasedState>,
    /// The version of its tree; 0 if new.
    pub(crate) version: u64,
    /// The fingerprint of its tree. If the version is unknown, a loaded memory with the same structure is resumed: for example after a restart of the program with
    /// other values in the file.
    pub(crate) structure: u64,
    /// Whether it was loaded from a save.
    #[serde(skip, default = "yes")]
    pub(crate) loaded: bool,
    /// The error of the last tick.
    #[serde(skip)]
    pub(crate) error: Option<Box<RunError>>,
}

impl LoadedMemory {
    /// Returns `true` if the node at this index is running.
    pub(crate) fn is_open(&self, index: usize) -> bool {
        self.words[index / 64] >> (index % 64) & 1 == 1
    }

    /// Returns the first of these nodes that is running.
    pub(crate) fn first_open(&self, nodes: Range<usize>) -> Option<usize> {
        let mut first = nodes.start;
        while first < nodes.end {
            let running = self.words[first / 64] >> (first % 64);
            if running != 0 {
                let index = first + running.trailing_zeros() as usize;
                return (index < nodes.end).then_some(index);
            }
            first = (first / 64 + 1) * 64;
        }
        None
    }

    /// Returns the last of these nodes that is running.
    pub(crate) fn last_open(&self, nodes: Range<usize>) -> Option<usize> {
        let mut end = nodes.end;
        while end > nodes.start {
            let word = (end - 1) / 64;
            let running = self.words[word] << (63 - (end - 1) % 64);
            if running != 0 {
                let index = end - 1 - running.leading_zeros() as usize;
                return (index >= nodes.start).then_some(index);
            }
            end = word * 64;
        }
        None
    }
}

const fn yes() -> bool {
    true
}
