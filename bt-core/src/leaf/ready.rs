//! The leaves of this crate.

use core::fmt;
use core::time::Duration;

use bt_words::{Returns, Word};

use crate::argument::{Argument, ArgumentIn, IntoArgument, fault};
use crate::clock::{Clock, Length, Moment, Until};
use crate::describe::{Kind, Param, Visitor};
use crate::id::NodeId;
use crate::node::{Node, NodeShape, Visit};
use crate::observer::Observer;
use crate::outcomes::Outcomes;
use crate::status::{Never, Outcome, Step};
use crate::visit;
use crate::wake::{Foreseen, Wake, WakeVisit};
use crate::walk::{NodeState, StateVisitor};

/// Creates a leaf that succeeds at once.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for (): selector { fail, succeed } };
/// assert_eq!(tree.tick(&mut (), &mut tree.memory()), Status::Success);
/// ```
pub const fn succeed() -> Succeed {
    Succeed
}

/// Creates a leaf that fails at once.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for (): selector { fail, run } };
/// assert_eq!(tree.tick(&mut (), &mut tree.memory()), Status::Running);
/// ```
pub const fn fail() -> Fail {
    Fail
}

/// Creates a leaf that runs until it is halted.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for (): selector { fail, run } };
/// assert_eq!(tree.tick(&mut (), &mut tree.memory()), Status::Running);
/// ```
pub const fn run() -> Run {
    Run
}

/// Creates a leaf that returns `Error`, which ends the whole tree at once unless a decorator handles it.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for bool: selector { sequence { |broken: &bool| *broken, error }, succeed } };
/// assert_eq!(tree.tick(&mut true, &mut tree.memory()), Status::Error);
/// ```
pub const fn error() -> Fault {
    Fault
}

/// Creates a leaf that runs for the given time, then succeeds. Requires a [`Clock`].
///
/// The time starts in the tick that starts the leaf. It can be a function of the context, a variable, or random: see
/// [`IntoArgument`]. See [`Clock`] for an example.
///
/// ```
/// # use bt_core::prelude::*;
/// # struct Npc { patience: Duration, now: Duration }
/// # impl Clock for Npc { fn now(&self) -> Duration { self.now } }
/// let tree = tree! { for Npc: wait(|npc: &Npc| npc.patience) };
/// let (mut npc, mut memory) = (Npc { patience: secs(0.5), now: secs(0) }, tree.memory());
/// assert_eq!(tree.tick(&mut npc, &mut memory), Status::Running);
/// npc.now = millis(500);
/// assert_eq!(tree.tick(&mut npc, &mut memory), Status::Success);
/// ```
pub fn wait<A: IntoArgument<Duration, M>, M>(time: A) -> Wait<A::Argument> {
    Wait { time: Length::new(time.into_argument()) }
}

/// Returns the statuses that a leaf of the vocabulary can return.
const fn returns(word: Word) -> Outcomes {
    let Returns::These(statuses) = word.row().returns else { panic!("the word is not a leaf") };
    statuses
}

macro_rules! constant_leaves {
    ($($(#[$doc:meta])+ $leaf:ident, $word:ident, $outcome:ident;)+) => {$(
        $(#[$doc])+
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $leaf;

        impl NodeShape for $leaf {
            type Open = Never;
            type Kept = ();
            const RETURNS: Outcomes = returns(Word::$word);
            const RESTARTS: bool = true;

            fn describe(&self, visitor: &mut dyn Visitor) {
                visitor.leaf::<Self>(Kind::Action, Word::$word.name(), &[]);
            }
        }

        impl<C: ?Sized> Node<C> for $leaf {
            #[inline(always)]
            fn start<O: Observer>(&self, _: NodeId, (): &mut (), _: &mut Visit<'_, C, O>) -> Step<Never> {
                Step::Done(Outcome::$outcome)
            }

            #[inline]
            fn foresee(&self, (): &(), _: &mut C, _: bool) -> Foreseen {
                Some((Outcome::$outcome, Wake::Event))
            }
        }
    )+};
}

constant_leaves! {
    /// The leaf created by [`succeed`].
    Succeed, Succeed, Success;
    /// The leaf created by [`fail`].
    Fail, Fail, Failure;
    /// The leaf created by [`error`].
    Fault, Error, Error;
}

/// The leaf created by [`run`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run;

impl NodeShape for Run {
    type Open = ();
    type Kept = ();
    const RETURNS: Outcomes = returns(Word::Run);
    const RESTARTS: bool = true;

    fn describe(&self, visitor: &mut dyn Visitor) {
        visitor.leaf::<Self>(Kind::Action, Word::Run.name(), &[]);
    }
}

impl<C: ?Sized> Node<C> for Run {
    #[inline(always)]
    fn start<O: Observer>(&self, _: NodeId, (): &mut (), _: &mut Visit<'_, C, O>) -> Step<()> {
        Step::Running(())
    }

    fn open_replaced(&self, _: NodeId, (): &mut (), _: &mut Visit<'_, C, ()>) -> Option<()> {
        Some(())
    }

    #[inline]
    fn wake(&self, (): &(), (): &(), _: &mut WakeVisit<'_, C>) -> Wake {
        Wake::Event
    }
}

/// The leaf created by [`wait`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wait<A> {
    time: Length<A>,
}

impl<A: Argument<Duration>> Wait<A> {
    /// Returns the time.
    #[doc(hidden)]
    pub const fn time(&self) -> &Length<A> {
        &self.time
    }

    /// Calls `show` with the reason why the leaf has returned `Error`.
    #[doc(hidden)]
    pub fn reason<C: ?Sized>(&self, ctx: &C, show: &mut dyn FnMut(&dyn fmt::Display))
    where
        A: ArgumentIn<C, Duration>,
    {
        fault(self.time.argument(), Word::Wait.row().params[0].name, ctx, show);
    }

    /// Calls `show` with the parameters of the leaf.
    #[doc(hidden)]
    pub fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new(Word::Wait.row().params[0].name, &self.time)]);
    }
}

impl<A: Argument<Duration>> NodeShape for Wait<A> {
    /// The time at which the wait is over.
    type Open = Until<A::Drawn>;
    type Kept = ();
    const RETURNS: Outcomes = returns(Word::Wait).or(Outcomes::ERROR.only_if(A::CAN_FAIL));

    fn walk(&self, at: NodeId, state: NodeState<'_, Self::Open, ()>, visitor: &mut dyn StateVisitor) {
        state.visit_timed(at, visitor, |until, (), by| {
            if let Some(until) = until {
                until.shift(by);
            }
        });
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        self.params(&mut |params| visitor.leaf::<Self>(Kind::Action, Word::Wait.name(), params));
    }
}

impl<C: ?Sized + Clock, A: ArgumentIn<C, Duration>> Node<C> for Wait<A> {
    #[inline]
    fn start<O: Observer>(&self, at: NodeId, (): &mut (), visit: &mut Visit<'_, C, O>) -> Step<Self::Open> {
        let Some(length) = self.time.draw(visit.ctx) else {
            if visit::explains::<O>() {
                let Visit { ctx, observer } = visit;
                self.reason(ctx, &mut |reason| visit::explain(at, reason, *observer));
            }
            return Step::Done(Outcome::Error);
        };
        if self.time.nanos(&length) == 0 {
            Step::Done(Outcome::Success)
        } else {
            Step::Running(Until::of(&self.time, length, Moment::now(visit.ctx)))
        }
    }

    #[inline]
    fn resume<O: Observer>(
        &self,
        _: NodeId,
        until: &mut Self::Open,
        (): &mut (),
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()> {
        if until.is_over(&self.time, Moment::now(visit.ctx)) { Step::Done(Outcome::Success) } else { Step::Running(()) }
    }

    fn open_replaced(&self, _: NodeId, (): &mut (), visit: &mut Visit<'_, C, ()>) -> Option<Self::Open> {
        let length = self.time.draw(visit.ctx)?;
        Some(Until::of(&self.time, length, Moment::now(visit.ctx)))
    }

    #[inline]
    fn wake(&self, until: &Self::Open, (): &(), _: &mut WakeVisit<'_, C>) -> Wake {
        Wake::At(until.end.time())
    }
}
