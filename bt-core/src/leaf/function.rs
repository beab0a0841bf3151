//! Plain functions and closures as leaves.

use core::marker::PhantomData;

use crate::describe::{Kind, Visitor};
use crate::id::NodeId;
use crate::leaf::{ActionOutput, ActionOutputIn, OutputState};
use crate::node::{Node, NodeShape, Visit};
use crate::observer::Observer;
use crate::outcomes::Outcomes;
use crate::status::{Never, Outcome, Step};
use crate::wake::{Foreseen, Wake, WakeVisit};
use crate::walk::{NodeState, StateVisitor};

/// The return type of a function that only reads the context `C`: `bool`.
#[diagnostic::on_unimplemented(
    message = "a function of `&{C}` cannot return `{Self}`",
    label = "returns `{Self}` but takes `&{C}`",
    note = "a condition takes `&{C}` and returns `bool`",
    note = "an action takes `&mut {C}`"
)]
pub trait ConditionOutput<C: ?Sized> {
    /// Returns `true` if the condition holds.
    fn holds(self) -> bool;
}

#[diagnostic::do_not_recommend]
impl<C: ?Sized> ConditionOutput<C> for bool {
    #[inline(always)]
    fn holds(self) -> bool {
        self
    }
}

/// A function `fn(&C) -> bool` as a leaf: it only reads the context, and never returns `Running`.
#[derive(Clone, Copy)]
pub struct Condition<F>(pub(crate) F);

impl<F> NodeShape for Condition<F> {
    type Open = Never;
    type Kept = ();
    const RETURNS: Outcomes = Outcomes::SUCCESS.or(Outcomes::FAILURE);
    const RESTARTS: bool = true;

    fn describe(&self, visitor: &mut dyn Visitor) {
        visitor.function::<F, (Self::Open, Self::Kept)>(Kind::Condition, Self::RETURNS);
    }
}

impl<C: ?Sized, R: ConditionOutput<C>, F: Fn(&C) -> R> Node<C> for Condition<F> {
    #[inline(always)]
    fn start<O: Observer>(&self, _: NodeId, (): &mut (), visit: &mut Visit<'_, C, O>) -> Step<Never> {
        Step::Done(Outcome::from((self.0)(visit.ctx).holds()))
    }

    #[inline]
    fn foresee(&self, (): &(), ctx: &mut C, event: bool) -> Foreseen {
        // It could change with time, so it need not be evaluated.
        event.then(|| (Outcome::from((self.0)(ctx).holds()), Wake::Event))
    }
}

/// A function `fn(&mut C) -> R` as a leaf. `R` is an [`ActionOutput`].
pub struct Action<F, R>(F, PhantomData<fn() -> R>);

impl<F, R> Action<F, R> {
    pub(crate) const fn new(function: F) -> Self {
        Self(function, PhantomData)
    }
}

impl<F: Clone, R> Clone for Action<F, R> {
    fn clone(&self) -> Self {
        Self::new(self.0.clone())
    }
}

impl<F: Copy, R> Copy for Action<F, R> {}

impl<F, R: ActionOutput> NodeShape for Action<F, R> {
    type Open = R::Open;
    type Kept = ();
    const RETURNS: Outcomes = R::RETURNS;
    const RESTARTS: bool = true;

    fn walk(&self, at: NodeId, state: NodeState<'_, R::Open, ()>, visitor: &mut dyn StateVisitor) {
        state.visit_timed(at, visitor, |open, (), by| {
            if let Some(open) = open {
                open.shift(by);
            }
        });
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        visitor.function::<F, (Self::Open, Self::Kept)>(Kind::Action, Self::RETURNS);
    }
}

impl<C: ?Sized, R: ActionOutputIn<C>, F: Fn(&mut C) -> R> Node<C> for Action<F, R> {
    #[inline(always)]
    fn start<O: Observer>(&self, at: NodeId, (): &mut (), visit: &mut Visit<'_, C, O>) -> Step<R::Open> {
        (self.0)(visit.ctx).into_step(at, visit)
    }

    fn open_replaced(&self, _: NodeId, (): &mut (), _: &mut Visit<'_, C, ()>) -> Option<R::Open> {
        R::running()
    }

    #[inline]
    fn wake(&self, open: &R::Open, (): &(), visit: &mut WakeVisit<'_, C>) -> Wake {
        open.wake(visit)
    }
}
