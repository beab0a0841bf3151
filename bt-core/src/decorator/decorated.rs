//! The node that all decorators share.

use crate::decorator::policy::{AfterChild, Decorator, DecoratorShape, Gate, goes_on};
use crate::describe::{Info, Kind, Name, SourceNode, StateType, Visitor};
use crate::facts::{Facts, Lints};
use crate::id::NodeId;
use crate::node::{Node, NodeShape, Visit, one_more};
use crate::observer::Observer;
use crate::outcomes::Outcomes;
use crate::stated::{check_stated, is_checked};
use crate::status::{CleanUp, Interrupt, Outcome, Status, Step};
use crate::visit;
use crate::wake::{Foreseen, Wake, WakeVisit};
use crate::walk::{NodeState, StateVisitor, each_way};

/// A child under the policy of a decorator.
#[derive(Clone, Copy, Debug)]
pub struct Decorated<P, N> {
    pub(crate) policy: P,
    child: N,
}

/// Puts a child under a policy. Functions that are used as decorators in a tree return the result. See [`Decorator`].
pub const fn decorate<P: DecoratorShape, N>(policy: P, child: N) -> Decorated<P, N> {
    Decorated { policy, child }
}

/// The open state of a decorator and its child.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DecoratedOpen<S, Pause, Open> {
    policy: S,
    child: Child<Pause, Open>,
}

/// The state of the child of a running decorator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Child<Pause, Open> {
    /// The child is running.
    Running(Open),
    /// The child is not running. It will be started in a later tick.
    Paused(Pause),
}

impl<P: DecoratorShape, N: NodeShape> NodeShape for Decorated<P, N> {
    type Open = DecoratedOpen<P::Open, P::Pause, N::Open>;
    type Kept = (P::Kept, N::Kept);
    const RETURNS: Outcomes = P::RETURNS.of(N::RETURNS);
    const FACTS: Facts = Facts::above(Self::RETURNS, Lints::of(P::REQUIRES, N::RETURNS).broken(P::BROKEN), &N::FACTS);
    const COUNT: Option<u32> = one_more(N::COUNT);
    const RESTARTS: bool = P::RESTARTS && N::RESTARTS;

    #[inline]
    fn count(&self) -> u32 {
        1 + self.child.count()
    }

    fn walk(&self, at: NodeId, state: NodeState<'_, Self::Open, Self::Kept>, visitor: &mut dyn StateVisitor) {
        each_way!(state, |open, (kept, below)| {
            let (open, child) = match open {
                Some(DecoratedOpen { policy, child: Child::Running(child) }) => (Some(policy), Some(child)),
                Some(DecoratedOpen { policy, child: Child::Paused(_) }) => (Some(policy), None),
                None => (None, None),
            };
            let own = NodeState::from((open, kept));
            own.visit_timed(at, visitor, |open, kept, by| self.policy.shift(open, kept, by));
            self.child.walk(at.first_child(), (child, below).into(), visitor);
        });
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        visitor.state(StateType::of::<(P::Open, P::Kept)>());
        let mut sources: &[SourceNode] = &[];
        self.policy.params(&mut |params| {
            let name = Name::Known(self.policy.name());
            sources = visitor.enter(&Info { kind: Kind::Decorator, name, returns: Self::RETURNS, params });
        });
        visitor.child(sources, 0, &self.child);
        visitor.leave();
    }
}

impl<C: ?Sized, P: Decorator<C>, N: Node<C>> Node<C> for Decorated<P, N> {
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn start<O: Observer>(&self, at: NodeId, kept: &mut Self::Kept, visit: &mut Visit<'_, C, O>) -> Step<Self::Open> {
        if P::FORGETS {
            visit::cleanups(&self.child, at.first_child(), &mut kept.1, CleanUp::Interrupt(Interrupt::ENDED), visit);
            kept.1 = N::Kept::default();
        }
        let mut policy = P::Open::default();
        match self.policy.open(&mut policy, &mut kept.0, visit.ctx) {
            Gate::Go => {}
            Gate::Pause(pause) => {
                self.check::<O>(Status::Running, Outcomes::NONE);
                return Step::Running(DecoratedOpen { policy, child: Child::Paused(pause) });
            }
            Gate::End(outcome) => {
                self.check::<O>(outcome, Outcomes::NONE);
                self.explain(at, outcome, visit);
                return Step::Done(outcome);
            }
        }
        loop {
            match visit::start(&self.child, at.first_child(), &mut kept.1, visit) {
                Step::Running(opened) => {
                    let mut open = DecoratedOpen { policy, child: Child::Running(opened) };
                    return self.goes_on(at, &mut open, kept, visit).map(|()| open);
                }
                Step::Done(outcome) => match self.after(at, outcome, (&mut policy, &mut kept.0), visit) {
                    AfterChild::End(outcome) => return Step::Done(outcome),
                    AfterChild::Again => {}
                    AfterChild::Later(pause) => {
                        return Step::Running(DecoratedOpen { policy, child: Child::Paused(pause) });
                    }
                },
            }
        }
    }

    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn resume<O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()> {
        match self.policy.resume(&mut open.policy, &mut kept.0, visit.ctx) {
            Gate::Go => {}
            Gate::Pause(_) => {
                self.check::<O>(Status::Running, Outcomes::NONE);
                return Step::Running(());
            }
            Gate::End(outcome) => {
                self.check::<O>(outcome, Outcomes::NONE);
                self.explain(at, outcome, visit);
                self.interrupt_child(at, open, kept, Interrupt::Halt(P::CAUSE), visit);
                self.policy.close(&mut open.policy, &mut kept.0, visit.ctx, outcome.into());
                return Step::Done(outcome);
            }
        }
        let mut ended = false;
        loop {
            let child = at.first_child();
            let step = match &mut open.child {
                Child::Running(running) if !ended => visit::resume(&self.child, child, running, &mut kept.1, visit),
                _ => visit::start(&self.child, child, &mut kept.1, visit)
                    .map(|opened| open.child = Child::Running(opened)),
            };
            match step {
                Step::Running(()) => return self.goes_on(at, open, kept, visit),
                Step::Done(outcome) => match self.after(at, outcome, (&mut open.policy, &mut kept.0), visit) {
                    AfterChild::End(outcome) => return Step::Done(outcome),
                    AfterChild::Again => ended = true,
                    AfterChild::Later(pause) => {
                        open.child = Child::Paused(pause);
                        return Step::Running(());
                    }
                },
            }
        }
    }

    #[inline]
    fn interrupt<O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        kept: &mut Self::Kept,
        how: Interrupt,
        visit: &mut Visit<'_, C, O>,
    ) {
        self.interrupt_child(at, open, kept, how, visit);
        if let Some(end) = how.end() {
            self.policy.close(&mut open.policy, &mut kept.0, visit.ctx, end);
        }
    }

    fn visit_cleanups<O: Observer>(
        &self,
        at: NodeId,
        kept: &mut Self::Kept,
        how: CleanUp,
        visit: &mut Visit<'_, C, O>,
    ) {
        visit::cleanups(&self.child, at.first_child(), &mut kept.1, how, visit);
    }

    fn wake_cleanups(&self, kept: &Self::Kept, visit: &mut WakeVisit<'_, C>) -> Wake {
        visit::wake_of_cleanups(&self.child, &kept.1, visit)
    }

    #[inline]
    fn wake(&self, open: &Self::Open, kept: &Self::Kept, visit: &mut WakeVisit<'_, C>) -> Wake {
        let child = match &open.child {
            Child::Running(child) => Some(self.child.wake(child, &kept.1, visit)),
            Child::Paused(_) => goes_on::<P>(|| self.child.foresee(&kept.1, visit.ctx, false)),
        };
        self.policy.wake(&open.policy, &kept.0, child)
    }

    #[inline]
    fn foresee(&self, kept: &Self::Kept, ctx: &mut C, event: bool) -> Foreseen {
        if !self.policy.can_foresee(&kept.0, ctx) {
            return None;
        }
        self.policy.foresee(&kept.0, &mut || self.child.foresee(&kept.1, ctx, event || P::BY_EVENT))
    }
}

impl<P: DecoratorShape, N: NodeShape> Decorated<P, N> {
    /// Panics with debug assertions if the policy does not state that the node can return this status. `child` is what the child has returned.
    #[inline(always)]
    fn check<O: Observer>(&self, status: impl Into<Status>, child: Outcomes) {
        // A constant block, so that debug builds have no code for it either.
        if const { !is_checked::<(P::Open, P::Kept)>(P::WORD) } {
            return;
        }
        // An observer can replace the statuses of the child, and a node of the user can return what it does not state.
        let stated = P::RETURNS.of(if O::ON { Outcomes::ANY } else { N::RETURNS.or(child) });
        check_stated("decorator", || self.policy.name(), status.into(), stated);
    }

    /// Calls [`Decorator::running`] for a child that is running, and ends the run if the policy returns an outcome.
    #[inline(always)]
    fn goes_on<C: ?Sized, O: Observer>(
        &self,
        at: NodeId,
        open: &mut DecoratedOpen<P::Open, P::Pause, N::Open>,
        kept: &mut (P::Kept, N::Kept),
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()>
    where
        P: Decorator<C>,
        N: Node<C>,
    {
        let Some(outcome) = self.policy.running(&mut open.policy, &mut kept.0, visit.ctx) else {
            self.check::<O>(Status::Running, Outcomes::RUNNING);
            return Step::Running(());
        };
        self.check::<O>(outcome, Outcomes::RUNNING);
        self.explain(at, outcome, visit);
        self.interrupt_child(at, open, kept, Interrupt::Halt(P::CAUSE), visit);
        self.policy.close(&mut open.policy, &mut kept.0, visit.ctx, outcome.into());
        Step::Done(outcome)
    }

    /// Passes the reason of an error that the policy has decided on to the observer.
    #[inline(always)]
    fn explain<C: ?Sized, O: Observer>(&self, at: NodeId, outcome: Outcome, visit: &mut Visit<'_, C, O>)
    where
        P: Decorator<C>,
    {
        if visit::explains::<O>() && outcome == Outcome::Error {
            let Visit { ctx, observer } = visit;
            self.policy.reason(ctx, &mut |reason| visit::explain(at, reason, *observer));
        }
    }

    /// Calls the policy with an outcome of the child, and closes the policy if that ends the run.
    #[inline(always)]
    fn after<C: ?Sized, O: Observer>(
        &self,
        at: NodeId,
        child: Outcome,
        (open, kept): (&mut P::Open, &mut P::Kept),
        visit: &mut Visit<'_, C, O>,
    ) -> AfterChild<P::Pause>
    where
        P: Decorator<C>,
    {
        let has_failed = child == Outcome::Error;
        let next = if has_failed {
            AfterChild::End(self.policy.error(open, kept, visit.ctx))
        } else {
            self.policy.end(child, open, kept, visit.ctx)
        };
        let child = child.set();
        match &next {
            AfterChild::End(outcome) => {
                self.check::<O>(*outcome, child);
                // The reason for an error of the child is not the policy's.
                if !has_failed {
                    self.explain(at, *outcome, visit);
                }
                self.policy.close(open, kept, visit.ctx, (*outcome).into());
            }
            AfterChild::Again => {}
            AfterChild::Later(_) => self.check::<O>(Status::Running, child),
        }
        next
    }

    #[inline(always)]
    fn interrupt_child<C: ?Sized, O: Observer>(
        &self,
        at: NodeId,
        open: &mut DecoratedOpen<P::Open, P::Pause, N::Open>,
        kept: &mut (P::Kept, N::Kept),
        how: Interrupt,
        visit: &mut Visit<'_, C, O>,
    ) where
        N: Node<C>,
    {
        if let Child::Running(running) = &mut open.child {
            visit::interrupt(&self.child, at.first_child(), running, &mut kept.1, how, visit);
        }
    }
}
