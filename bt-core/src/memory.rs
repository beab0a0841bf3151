//! The state of one agent in one tree.

use core::fmt;

use crate::node::NodeShape;

/// The state of one agent in one tree: a plain value of a few bytes, created by [`Tree::memory`](crate::Tree::memory).
///
/// A memory holds two kinds of state. The *open* state of a node ([`NodeShape::Open`]) exists while the node runs. The
/// *kept* state of a node ([`NodeShape::Kept`]) is kept across runs; only a few nodes have one, such as `limit` and
/// `cooldown`.
///
/// A memory contains no pointers into the tree, so it can be cloned, moved and stored anywhere. One tree serves any
/// number of memories. A composite other than a parallel has at most one running child, so its open state is an `enum`
/// over its children, not a `struct`. A tree of nine plain leaves needs one byte.
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
/// # Dropping
///
/// Dropping a memory calls no leaf, because a memory does not have the context: `close` is not called for the running
/// nodes. Call [`Tree::halt`](crate::Tree::halt) before the memory of an agent whose leaves clean up is dropped. If the tree contains
/// [`finally`](crate::keywords::finally), then call [`Tree::clean_up`](crate::Tree::clean_up) until it returns `false`.
///
/// # Panics in leaves
///
/// A panic in a leaf, a condition or a decorator passes through [`tick`](crate::Tree::tick). If it is caught (by
/// [`std::panic::catch_unwind`], a thread or an engine), the memory is still valid: no node is running in it, and the
/// next tick starts a new run.
///
/// The interrupted run is lost:
///
/// - Running leaves are not closed, so changes of the context that their `close` would have undone remain.
/// - An observer receives no end of the tick.
///
/// [Cleanups](crate::keywords::finally) that a halt has left running stay as they were. If such a cleanup panics, only it ends, and the run
/// of the tree continues in the next tick.
///
/// State that nodes keep across runs (the count of a `limit`, the time of a `cooldown`) remains as it was at the panic.
/// In a [`Herd`](crate::Herd), the memories of the other agents are not affected. The same holds for panics in
/// [`Tree::halt`](crate::Tree::halt) and [`StateMachine::to`](crate::machine::StateMachine::to).
///
/// [`std::panic::catch_unwind`]: https://doc.rust-lang.org/std/panic/fn.catch_unwind.html
pub struct Memory<N: NodeShape + ?Sized> {
    pub(crate) open: Option<N::Open>,
    pub(crate) kept: N::Kept,
}

impl<N: NodeShape + ?Sized> Memory<N> {
    /// Returns the memory of an agent that has not been ticked yet.
    pub fn new() -> Self {
        Self { open: None, kept: N::Kept::default() }
    }

    /// Returns `true` if the tree was running after the last tick.
    pub const fn is_running(&self) -> bool {
        self.open.is_some()
    }

    /// Clears all state, including state kept across runs (`limit`, `cooldown`, `run_once`).
    ///
    /// Running nodes are not closed, because there is no context to close them with. [Halt](crate::Tree::halt) the tree
    /// first, and let its [cleanups](crate::Tree::clean_up) end.
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

/// Borrows the open state for the time of a tick, and clears it if a panic ends the tick: the state left by a panic
/// cannot be resumed.
pub struct Ticking<'a, O> {
    /// The open state; `None` if the node is not running.
    pub open: &'a mut Option<O>,
    armed: bool,
}

impl<'a, O> Ticking<'a, O> {
    /// Borrows the open state. `armed` is `false` if no state can be open: then a panic need not clear anything.
    #[inline(always)]
    pub const fn new(open: &'a mut Option<O>, armed: bool) -> Self {
        Self { open, armed }
    }

    /// Ends the guarded section: the tick has ended without a panic.
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
