//! The leaves of this crate.

use core::time::Duration;

use bt_words::{Returns, Word};

use crate::clock::{Clock, Shift, after, is_due};
use crate::describe::{Info, Kind, Name, Param, Visitor};
use crate::id::NodeId;
use crate::node::{Node, NodeShape, Visit};
use crate::observe::Observer;
use crate::outcomes::Outcomes;
use crate::status::{Never, Outcome, Step};

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
/// The time starts in the tick that starts the leaf. See [`Clock`] for an example.
pub const fn wait(time: Duration) -> Wait {
    Wait { time }
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
            const CAN: Outcomes = returns(Word::$word);
            const RESTARTS: bool = true;

            fn describe(&self, visitor: &mut dyn Visitor) {
                visitor.leaf::<Self>(&Info { kind: Kind::Action, name: Name::Known(Word::$word.name()), can: Self::CAN, params: &[] });
            }
        }

        impl<C: ?Sized> Node<C> for $leaf {
            #[inline(always)]
            fn start<O: Observer>(&self, _: NodeId, (): &mut (), _: &mut Visit<'_, C, O>) -> Step<Never> {
                Step::Done(Outcome::$outcome)
            }

            #[inline(always)]
            fn resume<O: Observer>(&self, _: NodeId, open: &mut Never, (): &mut (), _: &mut Visit<'_, C, O>) -> Step<()> {
                match *open {}
            }

            #[inline(always)]
            fn interrupt<O: Observer>(&self, _: NodeId, open: &mut Never, (): &mut (), _: &mut Visit<'_, C, O>) {
                match *open {}
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
    const CAN: Outcomes = returns(Word::Run);
    const RESTARTS: bool = true;

    fn describe(&self, visitor: &mut dyn Visitor) {
        visitor.leaf::<Self>(&Info {
            kind: Kind::Action,
            name: Name::Known(Word::Run.name()),
            can: Self::CAN,
            params: &[],
        });
    }
}

impl<C: ?Sized> Node<C> for Run {
    #[inline(always)]
    fn start<O: Observer>(&self, _: NodeId, (): &mut (), _: &mut Visit<'_, C, O>) -> Step<()> {
        Step::Running(())
    }

    #[inline(always)]
    fn resume<O: Observer>(&self, _: NodeId, (): &mut (), (): &mut (), _: &mut Visit<'_, C, O>) -> Step<()> {
        Step::Running(())
    }

    fn stand_in(&self, (): &mut (), _: &mut Visit<'_, C, ()>) -> Option<()> {
        Some(())
    }

    #[inline(always)]
    fn interrupt<O: Observer>(&self, _: NodeId, (): &mut (), (): &mut (), _: &mut Visit<'_, C, O>) {}
}

/// The leaf created by [`wait`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wait {
    time: Duration,
}

impl NodeShape for Wait {
    /// The time at which the wait is over.
    type Open = Duration;
    type Kept = ();
    const CAN: Outcomes = returns(Word::Wait);

    fn shift_times(&self, open: Option<&mut Duration>, (): &mut (), by: Shift) {
        if let Some(end) = open {
            *end = by.time(*end);
        }
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        let params = &[Param::new(Word::Wait.row().params[0].name, &self.time)];
        visitor.leaf::<Self>(&Info {
            kind: Kind::Action,
            name: Name::Known(Word::Wait.name()),
            can: Self::CAN,
            params,
        });
    }
}

impl<C: ?Sized + Clock> Node<C> for Wait {
    #[inline]
    fn start<O: Observer>(&self, _: NodeId, (): &mut (), visit: &mut Visit<'_, C, O>) -> Step<Duration> {
        if self.time.is_zero() {
            Step::Done(Outcome::Success)
        } else {
            Step::Running(after(visit.ctx.now(), self.time))
        }
    }

    #[inline]
    fn resume<O: Observer>(&self, _: NodeId, end: &mut Duration, (): &mut (), visit: &mut Visit<'_, C, O>) -> Step<()> {
        if is_due(end, self.time, visit.ctx.now()) { Step::Done(Outcome::Success) } else { Step::Running(()) }
    }

    fn stand_in(&self, (): &mut (), visit: &mut Visit<'_, C, ()>) -> Option<Duration> {
        Some(after(visit.ctx.now(), self.time))
    }

    #[inline]
    fn interrupt<O: Observer>(&self, _: NodeId, _: &mut Duration, (): &mut (), _: &mut Visit<'_, C, O>) {}
}
