//! What one agent remembers of one tree.

use core::fmt;

use crate::node::NodeShape;

/// What one agent remembers of one tree: a plain value of a few bytes, made by [`Tree::memory`](crate::Tree::memory).
///
/// Nothing in it points into the tree, so it can be cloned, moved and stored anywhere; one tree serves as many memories as
/// you like. It is a sum over the tree's nodes, since only one child of a composite runs at a time: a tree of nine plain leaves
/// needs one byte.
///
/// ```
/// use bt_core::prelude::*;
///
/// let tree = tree! { for u32: mem_sequence { wait_for_even, |n: &mut u32| *n += 1 } };
/// fn wait_for_even(n: &mut u32) -> Status {
///     if *n % 2 == 0 { Status::Success } else { Status::Running }
/// }
///
/// let mut memory = tree.memory();
/// assert_eq!(tree.tick(&mut 7, &mut memory), Status::Running);
/// assert!(memory.is_running());
/// assert_eq!(size_of_val(&memory), 1);
///
/// let mut copy = memory.clone();
/// assert_eq!(tree.tick(&mut 8, &mut copy), Status::Success);
/// assert!(memory.is_running() && !copy.is_running());
/// ```
///
/// # Panics in leaves
///
/// A panic in a leaf, a condition or a decorator passes through [`tick`](crate::Tree::tick). If it is caught ([`std::panic::catch_unwind`], a thread's end, an engine), the memory can be used:
/// nothing is running in it, and the next tick begins a new run. What is lost is the run: leaves that were open are not closed, so what their `close` would have taken back is left in
/// the context, and an observer sees no end of that tick. What nodes keep across runs (the count of a `limit`, the time of a `cooldown`) stays as it was at the panic. In a
/// [`Herd`](crate::Herd) the memories of the other agents are not concerned. The same holds for [`Tree::halt`](crate::Tree::halt) and
/// [`StateMachine::to`](crate::StateMachine::to).
///
/// [`std::panic::catch_unwind`]: https://doc.rust-lang.org/std/panic/fn.catch_unwind.html
pub struct Memory<N: NodeShape + ?Sized> {
    pub(crate) open: Option<N::Open>,
    pub(crate) kept: N::Kept,
}

impl<N: NodeShape + ?Sized> Memory<N> {
    /// The memory of an agent that has not ticked yet.
    pub fn new() -> Self {
        Self { open: None, kept: N::Kept::default() }
    }

    /// Whether the tree was running after the last tick.
    pub const fn is_running(&self) -> bool {
        self.open.is_some()
    }

    /// Forgets everything, also what survives runs (`limit`, `cooldown`, `run_once`).
    ///
    /// Open nodes are not closed, since there is no context to close them with: [`halt`](crate::Tree::halt) the tree before.
    pub fn reset(&mut self) {
        *self = Self::new();
    }
}

impl<N: NodeShape + ?Sized> Default for Memory<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<N: NodeShape + ?Sized> Clone for Memory<N> {
    fn clone(&self) -> Self {
        Self { open: self.open.clone(), kept: self.kept.clone() }
    }
}

impl<N: NodeShape + ?Sized> fmt::Debug for Memory<N> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Memory").field("running", &self.is_running()).finish_non_exhaustive()
    }
}

/// What is open, for the time of a tick. Where a panic ends the tick, nothing is open afterwards: what the panic has left is in no state to go on from.
pub struct Ticking<'a, O> {
    /// What is open.
    pub open: &'a mut Option<O>,
    armed: bool,
}

impl<'a, O> Ticking<'a, O> {
    /// `armed` says whether anything may be open.
    #[inline(always)]
    pub const fn new(open: &'a mut Option<O>, armed: bool) -> Self {
        Self { open, armed }
    }

    /// The tick is over without a panic.
    #[inline(always)]
    pub fn done(self) {
        core::mem::forget(self);
    }
}

impl<O> Drop for Ticking<'_, O> {
    #[inline]
    fn drop(&mut self) {
        if self.armed {
            *self.open = None;
        }
    }
}
