//! The tree that a memory belongs to.

use std::sync::{Arc, Weak};

use crate::flat::memory::LoadedMemory;
use crate::tree::LoadedTreeOf;
use bt_core::Contexts;

/// The tree that a memory belongs to.
pub(crate) enum MemoryOwner<F: Contexts> {
    /// The current tree.
    This,
    /// A previous tree.
    Before(Arc<LoadedTreeOf<F>>),
    /// An unknown tree.
    Unknown,
}

impl<F: Contexts> LoadedTreeOf<F> {
    /// Returns the tree that a memory belongs to.
    pub(crate) fn owner_of(&self, kept: &LoadedMemory) -> MemoryOwner<F> {
        let fits = self.flat.fits(kept);
        if fits && kept.version == self.flat.version {
            return MemoryOwner::This;
        }
        let before = self.before.iter().filter_map(Weak::upgrade).find(|before| before.flat.version == kept.version);
        match before {
            Some(before) => MemoryOwner::Before(before),
            // A save of an earlier run of the program.
            None if kept.loaded && fits && kept.structure == self.flat.structure => MemoryOwner::This,
            None => MemoryOwner::Unknown,
        }
    }
}
