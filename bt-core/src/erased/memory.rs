//! The memories of erased trees.

use alloc::boxed::Box;
use core::any::Any;
use core::fmt;

use crate::memory::Memory;
use crate::node::NodeShape;

#[cfg(feature = "serde")]
use {
    super::state::{ErasedState, SavableMemory},
    crate::save::Save,
    serde::{Deserialize, Serialize},
};

/// The memory of an erased tree: [`BoxMemory`] or, if it must be part of saves, `SaveMemory`.
#[doc(hidden)]
pub trait ErasedMemory<N: NodeShape + ?Sized>: Default + Clone + Send + Sync + 'static {
    /// Returns `true` if no tree has run yet.
    fn is_empty(&self) -> bool;
    /// Returns the memory of this tree; `None` if the tree has not run yet, or not since the memory was loaded.
    fn get(&self) -> Option<&Memory<N>>;
    /// Returns the memory of this tree, as [`get`](Self::get) does.
    fn existing(&mut self) -> Option<&mut Memory<N>>;
    /// Returns the memory of this tree. Creates it if the tree has not run yet.
    fn get_mut(&mut self) -> &mut Memory<N>;
}

/// The memory of an erased tree, in an allocation of its own. Empty until the tree runs for the first time.
#[derive(Default)]
pub struct BoxMemory(Option<Box<dyn AnyMemory>>);

trait AnyMemory: Any + Send + Sync {
    fn clone_box(&self) -> Box<dyn AnyMemory>;
}

impl<N: NodeShape + 'static> AnyMemory for Memory<N> {
    fn clone_box(&self) -> Box<dyn AnyMemory> {
        Box::new(self.clone())
    }
}

impl Clone for BoxMemory {
    fn clone(&self) -> Self {
        Self(self.0.as_ref().map(|memory| (**memory).clone_box()))
    }
}

impl fmt::Debug for BoxMemory {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("BoxMemory").field("empty", &self.0.is_none()).finish_non_exhaustive()
    }
}

impl<N: NodeShape + 'static> ErasedMemory<N> for BoxMemory {
    fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    fn get(&self) -> Option<&Memory<N>> {
        let memory: &dyn Any = &**self.0.as_ref()?;
        memory.downcast_ref()
    }

    #[inline]
    fn existing(&mut self) -> Option<&mut Memory<N>> {
        let memory: &mut dyn Any = &mut **self.0.as_mut()?;
        memory.downcast_mut()
    }

    #[cold]
    fn get_mut(&mut self) -> &mut Memory<N> {
        // The memory of another tree cannot be used.
        if ErasedMemory::<N>::get(self).is_none() {
            self.0 = None;
        }
        let memory: &mut dyn Any = &mut **self.0.get_or_insert_with(|| Box::new(Memory::<N>::new()));
        memory.downcast_mut().expect("the memory was created for this tree")
    }
}

/// The memory of an erased tree that can be saved: `BoxNode<Npc, SaveMemory>`, `Brain<Npc, SaveMemory>`. The type erases
/// only trees that implement [`Save`].
///
/// It is saved in a form that any serde format can hold. A loaded memory is read when its tree is next used. State that
/// cannot be read then, as in an edited save, counts as new.
#[cfg(feature = "serde")]
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SaveMemory(ErasedState);

#[cfg(feature = "serde")]
impl<N: Save + 'static> ErasedMemory<N> for SaveMemory {
    fn is_empty(&self) -> bool {
        matches!(self.0, ErasedState::Empty)
    }

    fn get(&self) -> Option<&Memory<N>> {
        self.0.get::<SavableMemory<N>>().map(|memory| &memory.0)
    }

    fn existing(&mut self) -> Option<&mut Memory<N>> {
        self.0.get_mut::<SavableMemory<N>>().map(|memory| &mut memory.0)
    }

    #[cold]
    fn get_mut(&mut self) -> &mut Memory<N> {
        &mut self.0.state::<SavableMemory<N>>().0
    }
}
