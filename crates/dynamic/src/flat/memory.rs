//! The state of an agent in a loaded tree.

use serde::{Deserialize, Serialize};

use crate::error::RunError;
use bt_core::engine::ErasedState;

/// The state of an agent in a [`LoadedTree`](crate::LoadedTree): a bit or a number for what runs, words for nodes that count or measure time, and the states of leaves.
/// A memory allocates in the first tick, and when a leaf with state first runs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct LoadedMemory {
    pub(crate) words: Vec<u64>,
    pub(crate) slots: Vec<ErasedState>,
    /// The version of its tree; 0 if new.
    pub(crate) version: u64,
    /// The fingerprint of its tree. If the version is unknown, a loaded memory with the same structure is resumed: for example after a restart of the program with
    /// other values in the file.
    pub(crate) structure: u64,
    /// The version of its tree, which is even, if the next tick can start a run at once; one more if it can resume one; 0 if that has to be checked first: while
    /// a tick runs, after a panic or an error, and in a save.
    #[serde(skip)]
    pub(crate) ready: u64,
    /// Whether it was loaded from a save.
    #[serde(skip, default = "yes")]
    pub(crate) loaded: bool,
    /// Whether a halt can have left a cleanup running: whether there is one in its tree, or that is not known.
    #[serde(skip, default = "yes")]
    pub(crate) cleans_up: bool,
    /// The error of the last tick.
    #[serde(skip)]
    pub(crate) error: Option<Box<RunError>>,
}

const fn yes() -> bool {
    true
}
