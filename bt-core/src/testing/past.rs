//! The earlier ticks of a test.

use core::time::Duration;

use crate::memory::Memory;
use crate::observe::Statuses;
use crate::rewind::Rewind;
use crate::testing::replacements::Replacements;
use crate::tree::Tree;

/// The maximum number of bytes of all stored ticks.
const BYTES: usize = 64 << 20;

/// The stored ticks, and how a context is copied: only a test that stores ticks needs a context that is `Clone`.
pub(super) struct Past<N: Tree, C> {
    ticks: Rewind<Before<N, C>>,
    copy: fn(&C) -> C,
}

/// The state before a tick.
pub(super) struct Before<N: Tree, C> {
    pub(super) ctx: C,
    pub(super) memory: Memory<N>,
    pub(super) statuses: Statuses,
    pub(super) replacements: Replacements,
}

impl<N: Tree, C> Before<N, C> {
    fn copied(
        copy: fn(&C) -> C,
        ctx: &C,
        memory: &Memory<N>,
        statuses: &Statuses,
        replacements: &Replacements,
    ) -> Self {
        let (memory, statuses, replacements) = (memory.clone(), statuses.clone(), replacements.clone());
        Self { ctx: copy(ctx), memory, statuses, replacements }
    }
}

impl<N: Tree, C> Past<N, C> {
    pub(super) const fn new(copy: fn(&C) -> C) -> Self {
        let heap_bytes = |before: &Before<N, C>| before.statuses.heap_bytes() + before.replacements.heap_bytes();
        Self { ticks: Rewind::new(BYTES).weigh(heap_bytes), copy }
    }

    /// Returns the stored ticks of a test. Panics if it stores none.
    #[track_caller]
    pub(super) fn of<T>(past: Option<T>) -> T {
        match past {
            Some(past) => past,
            None => panic!("no ticks are stored\nhelp: create the test with `.with_rewind()`"),
        }
    }

    pub(super) fn store(
        &mut self,
        tick: u64,
        ctx: &C,
        memory: &Memory<N>,
        statuses: &Statuses,
        replacements: &Replacements,
    ) {
        let copy = self.copy;
        self.ticks.store(tick, Duration::ZERO, || Before::copied(copy, ctx, memory, statuses, replacements));
    }

    /// Returns the state before a tick.
    #[track_caller]
    pub(super) fn at(&self, tick: u64) -> &Before<N, C> {
        match self.ticks.at(tick) {
            Some(found) if found.tick == tick => &found.state,
            _ => match self.ticks.ticks() {
                Some(stored) => panic!("tick {tick} is not stored; stored: {} to {}", stored.start(), stored.end()),
                None => panic!("tick {tick} is not stored, because the test has not ticked yet"),
            },
        }
    }

    /// Returns a copy of the state before a tick, and forgets the later ones.
    #[track_caller]
    pub(super) fn rewind_to(&mut self, tick: u64) -> Before<N, C> {
        let Before { ctx, memory, statuses, replacements } = self.at(tick);
        let before = Before::copied(self.copy, ctx, memory, statuses, replacements);
        self.ticks.rewind_to(tick);
        before
    }
}
