//! The agents of a herd at one time, to which the herd can go back.

use alloc::vec::Vec;
use core::fmt;

use crate::herd::{Herd, Slot};
use crate::memory::Memory;
use crate::tree::Tree;

/// The agents of a [`Herd`] and their memories at one time, without the tree. Created by [`Herd::memories`], for a
/// [`Rewind`](crate::Rewind) of the whole herd.
pub struct HerdMemories<N: Tree> {
    pub(crate) memories: Vec<Memory<N>>,
    pub(crate) places: Vec<Slot>,
    pub(crate) free: Vec<u32>,
    pub(crate) newest: u32,
}

impl<N: Tree> HerdMemories<N> {
    /// Returns the size on the heap in bytes, without the allocations of the memories themselves.
    pub const fn heap_bytes(&self) -> usize {
        self.memories.capacity() * size_of::<Memory<N>>()
            + self.places.capacity() * size_of::<Slot>()
            + self.free.capacity() * size_of::<u32>()
    }
}

impl<N: Tree> Clone for HerdMemories<N> {
    fn clone(&self) -> Self {
        let Self { memories, places, free, newest } = self;
        Self { memories: memories.clone(), places: places.clone(), free: free.clone(), newest: *newest }
    }
}

impl<N: Tree> fmt::Debug for HerdMemories<N> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let agents = self.places.iter().filter(|place| place.is_taken()).count();
        out.debug_struct("HerdMemories").field("agents", &agents).finish_non_exhaustive()
    }
}

impl<N: Tree> Herd<N> {
    /// Returns a copy of the memories of all agents. [`set_memories`](Self::set_memories) goes back to them.
    ///
    /// ```
    /// use bt_core::Rewind;
    /// use bt_core::prelude::*;
    ///
    /// let mut herd = Herd::new(tree! { for u32: mem_sequence { |n: &mut u32| *n += 1, run } });
    /// herd.grow(3);
    /// let mut contexts = vec![0; 3];
    /// let mut rewind = Rewind::new(100_000).weigh(|(memories, contexts): &(bt_core::HerdMemories<_>, Vec<u32>)| {
    ///     memories.heap_bytes() + contexts.capacity() * size_of::<u32>()
    /// });
    /// for tick in 0..10 {
    ///     rewind.store(tick, secs(tick), || (herd.memories(), contexts.clone()));
    ///     herd.tick_all(&mut contexts);
    /// }
    ///
    /// let (memories, before) = rewind.rewind_to(0).expect("tick 0 is stored").state.clone();
    /// herd.set_memories(memories);
    /// contexts = before;
    /// assert_eq!(contexts, [0, 0, 0]);
    /// assert!(herd.ids().all(|agent| !herd.memory(agent).unwrap().is_running()));
    /// ```
    pub fn memories(&self) -> HerdMemories<N> {
        let Self { memories, places, free, newest, .. } = self;
        HerdMemories { memories: memories.clone(), places: places.clone(), free: free.clone(), newest: *newest }
    }

    /// Replaces all agents and their memories, for example by earlier ones. All agents are due, and no running node is
    /// closed.
    ///
    /// Ids of agents from before [`memories`](Self::memories) was called are valid again. Ids of agents that were added to
    /// this herd since then are invalid, and stay invalid.
    pub fn set_memories(&mut self, memories: HerdMemories<N>) {
        let HerdMemories { memories, places, free, newest } = memories;
        let retired = (0..).zip(&places).filter(|(_, place)| !place.is_free() && !place.is_taken());
        self.retired = retired.map(|(index, _)| index).collect();
        self.memories = memories;
        self.places = places;
        self.free = free;
        self.newest = self.newest.max(newest);
        self.schedule.due.clear();
    }
}
