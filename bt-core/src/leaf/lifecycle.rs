//! Leaves with the full lifecycle: open, tick, close, enter, exit.

use crate::clock::Shift;
use crate::describe::{Info, Kind, Name, Visitor, short_name};
use crate::id::NodeId;
use crate::node::{Node, NodeShape, Visit};
use crate::observe::Observer;
use crate::outcomes::Outcomes;
use crate::status::{End, Status, Step};

/// What of a [`Leaf`] does not depend on the context. [`#[leaf]`](macro@crate::leaf) writes it from the `impl Leaf` block.
pub trait LeafShape {
    /// What the leaf remembers while it is running.
    type Open: Clone + Send + Sync + 'static;
    /// Which statuses it can ever give. With debug assertions a leaf that returns another one panics; without them one that runs where it must not is halted at once.
    const CAN: Outcomes = Outcomes::ANY;

    /// How it is called in descriptions: by the type's name, unless told otherwise.
    fn name(&self) -> &str {
        short_name::<Self>()
    }

    /// Arity times that it stores over to another clock: see [`Shift`].
    fn shift(&self, open: &mut Self::Open, by: Shift) {
        let _ = (open, by);
    }
}

/// A leaf with the lifecycle of Behavior3JS: `open` when a run starts, `tick` each tick, `close` when the run is over,
/// `enter` and `exit` around every visit.
///
/// Write it under [`#[leaf]`](macro@crate::leaf), which puts `type Open` (and `const CAN`, if you give it) where they belong:
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
///     type Open = Duration;                                     // when it began
///     fn open(&self, npc: &mut Npc) -> Duration {
///         npc.talking = true;
///         npc.now()
///     }
///     fn tick(&self, began: &mut Duration, npc: &mut Npc) -> Status {
///         if npc.now() - *began < self.takes { Status::Running } else { Status::Success }
///     }
///     fn close(&self, _: &mut Duration, npc: &mut Npc, _: End) {
///         npc.talking = false;                                  // also when halted
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
/// A leaf that takes over is opened and ticked first; then the leaf that was running is closed. So a `close` that clears what its `open` has set undoes what the new leaf has just set: the
/// animation stops, the velocity is zero. Clear it only if it is still yours:
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
/// assert_eq!(npc.animation, Animation::Strike);             // set by the new leaf, left alone by the old one
/// tree.halt(&mut npc, &mut memory);
/// assert_eq!(npc.animation, Animation::Idle);
/// ```
///
/// What is added and taken away again (`hp += 100`, `hp -= 100`) needs no such care. The states of a [`machine`](crate::keywords::machine) go the other way round: a state is left,
/// its node halted and its `exit:` done, before the next state is entered.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a leaf over `{C}`",
    label = "not a leaf over `{C}`",
    note = "add `#[leaf] impl Leaf<{C}> for {Self} {{ … }}`"
)]
pub trait Leaf<C: ?Sized>: LeafShape {
    /// A visit begins. Called every tick, before anything else.
    fn enter(&self, ctx: &mut C) {
        let _ = ctx;
    }

    /// A run begins: makes what the leaf remembers until the run is over.
    fn open(&self, ctx: &mut C) -> Self::Open;

    /// One tick of a run.
    fn tick(&self, open: &mut Self::Open, ctx: &mut C) -> Status;

    /// The run is over: the leaf ended, or was halted.
    fn close(&self, open: &mut Self::Open, ctx: &mut C, end: End) {
        let _ = (open, ctx, end);
    }

    /// A visit is over. Called every tick, after everything else; not when halted.
    fn exit(&self, ctx: &mut C, status: Status) {
        let _ = (ctx, status);
    }
}

/// A [`Leaf`] as a node.
#[derive(Clone, Copy, Debug)]
pub struct LeafNode<T>(pub(crate) T);

impl<T: LeafShape> NodeShape for LeafNode<T> {
    type Open = T::Open;
    type Kept = ();
    const CAN: Outcomes = T::CAN;

    fn shift_times(&self, open: Option<&mut T::Open>, (): &mut (), by: Shift) {
        if let Some(open) = open {
            self.0.shift(open, by);
        }
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        let name = Name::Known(self.0.name());
        visitor.leaf::<Self>(&Info { kind: Kind::Action, name, can: Self::CAN, params: &[] });
    }
}

impl<T: LeafShape> LeafNode<T> {
    /// One visit after `enter`: tick, close if that was the end, exit.
    #[inline(always)]
    fn visit<C: ?Sized>(&self, open: &mut T::Open, ctx: &mut C) -> Step<()>
    where
        T: Leaf<C>,
    {
        let status = self.0.tick(open, ctx);
        debug_assert!(
            T::CAN.meets(status.into()),
            "the leaf `{}` returned {status:?}, but its `const CAN` is {}",
            self.0.name(),
            T::CAN
        );
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

    #[inline]
    fn interrupt<O: Observer>(&self, _: NodeId, open: &mut T::Open, (): &mut (), visit: &mut Visit<'_, C, O>) {
        self.0.close(open, visit.ctx, End::Halted);
    }
}
