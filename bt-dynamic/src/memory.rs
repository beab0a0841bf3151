//! What an agent remembers of a loaded tree.

use serde::{Deserialize, Serialize};

use crate::error::RunError;
use crate::slot::Slot;

/// What an agent remembers of a [`DynTree`](crate::DynTree): a bit for each node, a word for each that counts or measures time, and the states of leaves that have some.
/// It allocates in the first tick, and when a leaf with a state first runs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct DynMemory {
    pub(crate) words: Vec<u64>,
    pub(crate) slots: Vec<Slot>,
    /// The version of the tree that it is of; 0 where it is new.
    pub(crate) version: u64,
    /// The fingerprint of that tree: where the version is not known, as after a restart of the program with other values in the file, a memory of the same structure goes on.
    pub(crate) structure: u64,
    /// Whether it comes of a save.
    #[serde(skip, default = "yes")]
    pub(crate) loaded: bool,
    /// What went wrong in the last tick.
    #[serde(skip)]
    pub(crate) error: Option<Box<RunError>>,
}

impl DynMemory {
    /// Whether the node of this index is running.
    pub(crate) fn is_open(&self, index: usize) -> bool {
        self.words[index / 64] >> (index % 64) & 1 == 1
    }
}

const fn yes() -> bool {
    true
}
