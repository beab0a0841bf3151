//! Which tree a memory is of.

use std::sync::{Arc, Weak};

use crate::memory::DynMemory;
use crate::tree::DynTree;

/// Which tree a memory is of.
pub(crate) enum MemoryOwner<C: ?Sized> {
    /// The one that was asked.
    This,
    /// One that was in its place before.
    Before(Arc<DynTree<C>>),
    /// None that is known.
    Unknown,
}

impl<C: ?Sized> DynTree<C> {
    /// Which tree a memory is of.
    pub(crate) fn owner_of(&self, kept: &DynMemory) -> MemoryOwner<C> {
        let fits = kept.words.len() == self.words && kept.slots.len() == self.slots;
        if fits && kept.version == self.version {
            return MemoryOwner::This;
        }
        let before = self.before.iter().filter_map(Weak::upgrade).find(|before| before.version == kept.version);
        match before {
            Some(before) => MemoryOwner::Before(before),
            // A save from before the program was started.
            None if kept.loaded && fits && kept.structure == self.structure => MemoryOwner::This,
            None => MemoryOwner::Unknown,
        }
    }
}
