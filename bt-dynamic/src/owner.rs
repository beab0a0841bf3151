//! The tree that a memory belongs to.

use std::sync::Arc;

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
        // A loop, because iterators are compiled for each context.
        for before in &self.before {
            if let Some(before) = before.upgrade()
                && before.flat.version == kept.version
            {
                return MemoryOwner::Before(before);
            }
        }
        // A save of an earlier run of the program.
        let is_saved = kept.loaded && fits && kept.structure == self.flat.structure;
        if is_saved { MemoryOwner::This } else { MemoryOwner::Unknown }
    }
}
