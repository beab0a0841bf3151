//! Leaves with the full lifecycle: open, tick, close, enter, exit.

use crate::clock::Shift;
use crate::describe::{Kind, Param, Visitor, short_name};
use crate::id::NodeId;
use crate::node::{Node, NodeShape, Visit};
use crate::observer::Observer;
use crate::outcomes::Outcomes;
use crate::stated::check_stated;
use crate::status::{End, Interrupt, Status, Step};
use crate::wake::{Wake, WakeVisit};
use crate::walk::{NodeState, StateVisitor};

/// The context-independent part of a [`Leaf`]. [`#[leaf]`](macro@crate::leaf) generates it from the `impl Leaf` block.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a leaf",
    label = "not a leaf",
    note = "write `#[leaf]` before `impl Leaf<…> for {Self}`"
)]
#[expect(unused_variables, reason = "the defaults ignore their arguments")]
pub trait LeafShape {
    /// The state of the leaf while it runs. [`Leaf::open`] creates it when a run starts; it is dropped when the run
    /// ends. A leaf has no state that is kept across runs.
    type Open: Clone + Send + Sync + 'static;
    /// The statuses that this leaf can return.
    ///
    /// With debug assertions, a leaf that returns another status panics. Without them, it is halted at once where a
    /// node must not be running (a guard, an `enter:` or `exit:` action, the action of a `service`).
    const RETURNS: Outcomes = Outcomes::ANY;
    /// The documentation of the leaf, for the palettes of editors. `#[leaf]` takes it from the documentation of the impl block.
    const DOC: &'static str = "";

    /// Returns when the running leaf has to be ticked again. Until then, a tick would change nothing: neither the
    /// leaf nor the context. The default is the next tick.
    ///
    /// ```
    /// use bt_core::Wake;
    /// use bt_core::prelude::*;
    ///
    /// struct Npc { now: Duration }
    ///
    /// struct Cook;
    ///
    /// #[leaf]
    /// impl Leaf<Npc> for Cook {
    ///     type Open = Duration;                                     // when the meal is ready
    ///     fn wake(&self, ready: &Duration) -> Wake { Wake::At(*ready) }
    ///     fn open(&self, npc: &mut Npc) -> Duration { npc.now + secs(60) }
    ///     fn tick(&self, ready: &mut Duration, npc: &mut Npc) -> Status {
    ///         if npc.now < *ready { Status::Running } else { Status::Success }
    ///     }
    /// }
    ///
    /// let tree = tree! { for Npc: Cook };
    /// let mut memory = tree.memory();
    /// let mut npc = Npc { now: secs(5) };
    /// let status = tree.tick(&mut npc, &mut memory);
    /// assert_eq!(tree.due(status, &memory, &mut npc), Wake::At(secs(65)));
    /// ```
    fn wake(&self, open: &Self::Open) -> Wake {
        Wake::Next
    }

    /// Returns the name of the leaf in descriptions. The default is the name of the type.
    fn name(&self) -> &str {
        short_name::<Self>()
    }

    /// Converts the times stored by the leaf to another clock. See [`Shift`].
    fn shift(&self, open: &mut Self::Open, by: Shift) {}

    /// Calls `show` with the parameters of the leaf, for descriptions and files.
    ///
    /// ```
    /// use bt_core::describe::Param;
    /// use bt_core::prelude::*;
    ///
    /// struct Talk { time: Duration }
    ///
    /// #[leaf]
    /// impl Leaf<u32> for Talk {
    ///     fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) { show(&[Param::new("time", &self.time)]) }
    ///     fn tick(&self, (): &mut (), words: &mut u32) -> Status { *words += 1; Status::Running }
    /// }
    ///
    /// let tree = tree! { for u32: (Talk { time: secs(5) }) };
    /// assert_eq!(tree.description().to_string(), "Talk(time: 5s)\n");
    /// ```
    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[]);
    }
}

/// A leaf with the lifecycle of Behavior3JS.
///
/// In each tick the methods are called in this order:
///
/// 1. [`enter`](Self::enter)
/// 2. [`open`](Self::open), if a run starts
/// 3. [`tick`](Self::tick)
/// 4. [`close`](Self::close), if the run has ended
/// 5. [`exit`](Self::exit)
///
/// If the leaf is halted, only `close` is called.
///
/// Implement the trait with [`#[leaf]`](macro@crate::leaf), which accepts `type Open` and the other items of
/// [`LeafShape`] in the same block:
///
/// ```
/// use bt_core::prelude::*;
///
/// struct Npc { now: Duration, talking: bool }
/// impl Clock for Npc { fn now(&self) -> Duration { self.now } }
///
/// struct Talk { takes: Duration }
///
/// #[leaf]
/// impl Leaf<Npc> for Talk {
///     type Open = Duration;                                     // the start time
///     fn open(&self, npc: &mut Npc) -> Duration {
///         npc.talking = true;
///         npc.now()
///     }
///     fn tick(&self, began: &mut Duration, npc: &mut Npc) -> Status {
///         if npc.now() - *began < self.takes { Status::Running } else { Status::Success }
///     }
///     fn close(&self, _: &mut Duration, npc: &mut Npc, _: End) {
///         npc.talking = false;                                  // also if halted
///     }
/// }
///
/// let tree = tree! { for Npc: (Talk { takes: secs(5) }) };
/// let (mut npc, mut memory) = (Npc { now: secs(0), talking: false }, tree.memory());
/// assert_eq!(tree.tick(&mut npc, &mut memory), Status::Running);
/// assert!(npc.talking);
/// tree.halt(&mut npc, &mut memory);
/// assert!(!npc.talking);
/// ```
///
/// # When another leaf takes over
///
/// The other leaf is opened and ticked first. Then the leaf that was running is closed. So a `close`
/// that resets what its `open` has set can undo what the new leaf has just set: the animation stops, the velocity is
/// zero. Reset a value only if it still has the value that this leaf has set:
///
/// ```
/// use bt_core::prelude::*;
///
/// #[derive(Clone, Copy, PartialEq, Debug)]
/// enum Animation { Idle, Walk, Strike }
///
/// struct Npc { enemy: bool, animation: Animation }
///
/// struct Play(Animation);
///
/// #[leaf]
/// impl Leaf<Npc> for Play {
///     fn open(&self, npc: &mut Npc) { npc.animation = self.0 }
///     fn tick(&self, _: &mut (), _: &mut Npc) -> Status { Status::Running }
///     fn close(&self, _: &mut (), npc: &mut Npc, _: End) {
///         if npc.animation == self.0 { npc.animation = Animation::Idle }
///     }
/// }
///
/// let tree = tree! {
///     for Npc: selector { sequence { |npc: &Npc| npc.enemy, (Play(Animation::Strike)) } (Play(Animation::Walk)) }
/// };
/// let (mut npc, mut memory) = (Npc { enemy: false, animation: Animation::Idle }, tree.memory());
/// tree.tick(&mut npc, &mut memory);
/// npc.enemy = true;
/// tree.tick(&mut npc, &mut memory);
/// assert_eq!(npc.animation, Animation::Strike);             // set by the new leaf, not cleared by the old one
/// tree.halt(&mut npc, &mut memory);
/// assert_eq!(npc.animation, Animation::Idle);
/// ```
///
/// A change relative to the present value (`hp += 100`, `hp -= 100`) needs no such check. The states of a
/// [`machine`](crate::keywords::machine) use the opposite order: the node of a state is halted and its `exit:` action
/// runs before the next state is entered.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a leaf over `{C}`",
    label = "not a leaf over `{C}`",
    note = "add `#[leaf] impl Leaf<{C}> for {Self} {{ … }}`"
)]
#[expect(unused_variables, reason = "the defaults ignore their arguments")]
pub trait Leaf<C: ?Sized>: LeafShape {
    /// Called at the start of every tick, before all other methods. A halt does not call it.
    fn enter(&self, ctx: &mut C) {}

    /// Called when a run starts; returns the state of the leaf for this run. [`#[leaf]`](macro@crate::leaf) adds a method
    /// that returns the default state if it is omitted.
    fn open(&self, ctx: &mut C) -> Self::Open;

    /// Called in each tick of a run; returns the status of the leaf.
    fn tick(&self, open: &mut Self::Open, ctx: &mut C) -> Status;

    /// Called when the leaf has ended or was halted.
    fn close(&self, open: &mut Self::Open, ctx: &mut C, end: End) {}

    /// Called when the tree is [paused](crate::Tree::pause) while the leaf is running.
    fn pause(&self, open: &mut Self::Open, ctx: &mut C) {}

    /// Called when the tree is [unpaused](crate::Tree::unpause) while the leaf is running.
    fn unpause(&self, open: &mut Self::Open, ctx: &mut C) {}

    /// Called at the end of every tick, after all other methods. A halt does not call it.
    fn exit(&self, ctx: &mut C, status: Status) {}
}

/// A [`Leaf`] as a node.
#[derive(Clone, Copy, Debug)]
pub struct LeafNode<T>(pub(crate) T);

impl<T: LeafShape> NodeShape for LeafNode<T> {
    type Open = T::Open;
    type Kept = ();
    const RETURNS: Outcomes = T::RETURNS;
    const DOC: &'static str = T::DOC;

    fn walk(&self, at: NodeId, state: NodeState<'_, T::Open, ()>, visitor: &mut dyn StateVisitor) {
        state.visit_timed(at, visitor, |open, (), by| {
            if let Some(open) = open {
                self.0.shift(open, by);
            }
        });
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        self.0.params(&mut |params| visitor.leaf::<Self>(Kind::Action, self.0.name(), params));
    }
}

impl<T: LeafShape> LeafNode<T> {
    /// Completes a visit after `enter`: ticks, closes if the run is over, exits.
    #[inline(always)]
    fn visit<C: ?Sized>(&self, open: &mut T::Open, ctx: &mut C) -> Step<()>
    where
        T: Leaf<C>,
    {
        let status = self.0.tick(open, ctx);
        check_stated("leaf", || self.0.name(), status, T::RETURNS);
        let step = Step::from(status);
        if let Step::Done(outcome) = step {
            self.0.close(open, ctx, outcome.into());
        }
        self.0.exit(ctx, status);
        step
    }
}

impl<C: ?Sized, T: Leaf<C>> Node<C> for LeafNode<T> {
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn start<O: Observer>(&self, _: NodeId, (): &mut (), visit: &mut Visit<'_, C, O>) -> Step<T::Open> {
        self.0.enter(visit.ctx);
        let mut open = self.0.open(visit.ctx);
        self.visit(&mut open, visit.ctx).map(|()| open)
    }

    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn resume<O: Observer>(&self, _: NodeId, open: &mut T::Open, (): &mut (), visit: &mut Visit<'_, C, O>) -> Step<()> {
        self.0.enter(visit.ctx);
        self.visit(open, visit.ctx)
    }

    fn open_replaced(&self, _: NodeId, (): &mut (), visit: &mut Visit<'_, C, ()>) -> Option<T::Open> {
        Some(self.0.open(visit.ctx))
    }

    #[inline]
    fn interrupt<O: Observer>(
        &self,
        _: NodeId,
        open: &mut T::Open,
        (): &mut (),
        how: Interrupt,
        visit: &mut Visit<'_, C, O>,
    ) {
        match how {
            Interrupt::Halt(cause) => self.0.close(open, visit.ctx, End::Halted(cause)),
            Interrupt::Pause => self.0.pause(open, visit.ctx),
            Interrupt::Unpause => self.0.unpause(open, visit.ctx),
        }
    }

    #[inline]
    fn wake(&self, open: &T::Open, (): &(), _: &mut WakeVisit<'_, C>) -> Wake {
        self.0.wake(open)
    }
}
