//! A tree and the memory of one agent in a box.

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::fmt;

use crate::clock::Shift;
use crate::describe::Description;
use crate::memory::Memory;
use crate::node::Node;
use crate::observe::{DynObserver, Observer, WithDyn, as_dyn};
use crate::status::Status;
use crate::tree::Tree;

/// A shared tree together with the memory of one agent, with its type erased.
///
/// Use it for struct fields, components and collections, where the type of a tree cannot be named. It costs a virtual
/// call per tick. Agents with different trees over the same context have the same type of brain.
///
/// ```
/// use bt_core::prelude::*;
/// use std::sync::Arc;
///
/// struct Npc { hunger: u32, brain: Brain<u32> }
///
/// let graze = Arc::new(tree! { for u32: |hunger: &mut u32| *hunger -= 1 });
/// let sleep = Arc::new(tree! { for u32: run });
/// let mut npcs = [
///     Npc { hunger: 5, brain: Brain::new(&graze) },
///     Npc { hunger: 5, brain: Brain::new(&graze) },
///     Npc { hunger: 5, brain: Brain::new(&sleep) },
/// ];
/// for npc in &mut npcs {
///     npc.brain.tick(&mut npc.hunger);
/// }
/// assert_eq!(npcs.map(|npc| npc.hunger), [4, 4, 5]);
/// ```
///
/// Dropping a brain closes no running node, as for a [`Memory`]: call [`halt`](Self::halt) first.
pub struct Brain<C: ?Sized>(Box<dyn DynBrain<C>>);

/// The object-safe interface of a [`Brain`] over one context type.
///
/// For a context that borrows, a `Brain<Ctx<'_>>` would be fixed to one lifetime. Store a [`TypedBrain`] or a
/// `Box<dyn for<'w> DynBrain<Ctx<'w>>>` instead.
pub trait DynBrain<C: ?Sized>: Send + Sync {
    /// Ticks the tree once and returns its status.
    fn tick(&mut self, ctx: &mut C) -> Status;
    /// Halts all running nodes, deepest first.
    fn halt(&mut self, ctx: &mut C);
    /// Returns `true` if the tree was running after the last tick.
    fn is_running(&self) -> bool;
    /// Clears all state. See [`Memory::reset`].
    fn reset(&mut self);
    /// Returns a description of the tree.
    fn description(&self) -> Description;
    /// Converts the times stored in the memory to another clock. See [`Shift`].
    fn shift(&mut self, by: Shift);
    #[doc(hidden)]
    fn tick_dyn(&mut self, ctx: &mut C, observer: Option<&mut dyn DynObserver>) -> Status;
}

/// A shared tree together with the memory of one agent, with its type known. A [`Brain`] contains one in its box.
pub struct TypedBrain<N: Tree> {
    tree: Arc<N>,
    memory: Memory<N>,
}

impl<N: Tree> TypedBrain<N> {
    /// Creates the brain of an agent that has not been ticked yet.
    pub fn new(tree: &Arc<N>) -> Self {
        Self { tree: Arc::clone(tree), memory: Memory::new() }
    }
}

impl<C: ?Sized, N: Node<C> + Send + Sync> DynBrain<C> for TypedBrain<N> {
    fn tick(&mut self, ctx: &mut C) -> Status {
        (*self.tree).tick(ctx, &mut self.memory)
    }

    fn halt(&mut self, ctx: &mut C) {
        (*self.tree).halt(ctx, &mut self.memory);
    }

    fn is_running(&self) -> bool {
        self.memory.is_running()
    }

    fn reset(&mut self) {
        self.memory.reset();
    }

    fn description(&self) -> Description {
        (*self.tree).description()
    }

    fn shift(&mut self, by: Shift) {
        (*self.tree).shift(&mut self.memory, by);
    }

    fn tick_dyn(&mut self, ctx: &mut C, observer: Option<&mut dyn DynObserver>) -> Status {
        match observer {
            Some(observer) => (*self.tree).tick_with(ctx, &mut self.memory, &mut WithDyn(observer)),
            None => (*self.tree).tick(ctx, &mut self.memory),
        }
    }
}

impl<C: ?Sized> Brain<C> {
    /// Creates the brain of an agent that has not been ticked yet.
    pub fn new<N: Node<C> + Send + Sync + 'static>(tree: &Arc<N>) -> Self {
        Self(Box::new(TypedBrain::new(tree)))
    }

    /// Ticks the tree once and returns its status.
    pub fn tick(&mut self, ctx: &mut C) -> Status {
        self.0.tick(ctx)
    }

    /// Ticks the tree once and reports the events of the tick to an observer.
    pub fn tick_with<O: Observer>(&mut self, ctx: &mut C, observer: &mut O) -> Status {
        self.0.tick_dyn(ctx, as_dyn(observer))
    }

    /// Halts all running nodes, deepest first.
    pub fn halt(&mut self, ctx: &mut C) {
        self.0.halt(ctx);
    }

    /// Returns `true` if the tree was running after the last tick.
    pub fn is_running(&self) -> bool {
        self.0.is_running()
    }

    /// Clears all state, including state kept across runs. See [`Memory::reset`].
    pub fn reset(&mut self) {
        self.0.reset();
    }

    /// Converts the times stored in the memory to another clock. See [`Shift`].
    pub fn shift(&mut self, by: Shift) {
        self.0.shift(by);
    }

    /// Returns a description of the tree.
    pub fn description(&self) -> Description {
        self.0.description()
    }
}

impl<C: ?Sized> fmt::Debug for Brain<C> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Brain").field("running", &self.is_running()).finish_non_exhaustive()
    }
}
