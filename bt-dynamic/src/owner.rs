//! The tree that a memory belongs to.

use std::sync::{Arc, Weak};

use crate::memory::DynMemory;
use crate::tree::DynTreeOf;
use bt_core::Contexts;

/// The tree that a memory belongs to.
pub(crate) enum MemoryOwner<F: Contexts> {
    /// The current tree.
    This,
    /// A previous tree.
    Before(Arc<DynTreeOf<F>>),
    /// An unknown tree.
    Unknown,
}

impl<F: Contexts> DynTreeOf<F> {
    /// Returns `true` if a memory has the size of this tree's memories.
    pub(crate) fn fits(&self, kept: &DynMemory) -> bool {
        kept.words.len() == self.words && kept.slots.len() == self.slots
    }

    /// Returns the tree that a memory belongs to.
    pub(crate) fn owner_of(&self, kept: &DynMemory) -> MemoryOwner<F> {
        let fits = self.fits(kept);
        if fits && kept.version == self.version {
            return MemoryOwner::This;
        }
        let before = self.before.iter().filter_map(Weak::upgrade).find(|before| before.version == kept.version);
        match before {
            Some(before) => MemoryOwner::Before(before),
            // A save of an earlier run of the program.
            None if kept.loaded && fits && kept.structure == self.structure => MemoryOwner::This,
            None => MemoryOwner::Unknown,
        }
    }
}
