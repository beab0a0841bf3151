//! The leaves that come with the crate.

use core::time::Duration;

use crate::clock::{Clock, Shift, after, is_due};
use crate::describe::{Info, Kind, Name, Param, Visitor};
use crate::id::NodeId;
use crate::node::{Node, NodeShape, Visit};
use crate::observe::Observer;
use crate::outcomes::Outcomes;
use crate::status::{Never, Outcome, Step};

/// A leaf that succeeds at once.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for (): selector { fail, succeed } };
/// assert_eq!(tree.tick(&mut (), &mut tree.memory()), Status::Success);
/// ```
pub const fn succeed() -> Succeed {
    Succeed
}

/// A leaf that fails at once.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for (): selector { fail, run } };
/// assert_eq!(tree.tick(&mut (), &mut tree.memory()), Status::Running);
/// ```
pub const fn fail() -> Fail {
    Fail
}

/// A leaf that runs until it is halted.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for (): selector { fail, run } };
/// assert_eq!(tree.tick(&mut (), &mut tree.memory()), Status::Running);
/// ```
pub const fn run() -> Run {
    Run
}

/// A leaf that answers `Error`: it ends the whole tree at once.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for bool: selector { sequence { |broken: &bool| *broken, error }, succeed } };
/// assert_eq!(tree.tick(&mut true, &mut tree.memory()), Status::Error);
/// ```
pub const fn error() -> Fault {
    Fault
}

/// A leaf that runs for so long and then succeeds; needs a [`Clock`].
///
/// The time counts from the tick that starts it. See [`Clock`] for an example.
pub const fn wait(time: Duration) -> Wait {
    Wait { time }
}

macro_rules! constant_leaves {
    ($($(#[$doc:meta])+ $leaf:ident, $name:literal, $outcome:ident, $can:expr;)+) => {$(
        $(#[$doc])+
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $leaf;

        impl NodeShape for $leaf {
            type Open = Never;
            type Kept = ();
            const CAN: Outcomes = $can;
            const RESTARTS: bool = true;

            fn describe(&self, visitor: &mut dyn Visitor) {
                visitor.leaf::<Self>(&Info { kind: Kind::Action, name: Name::Known($name), can: Self::CAN, params: &[] });
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
    /// The leaf [`succeed`].
    Succeed, "succeed", Success, Outcomes::SUCCESS;
    /// The leaf [`fail`].
    Fail, "fail", Failure, Outcomes::FAILURE;
    /// The leaf [`error`].
    Fault, "error", Error, Outcomes::ERROR;
}

/// The leaf [`run`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run;

impl NodeShape for Run {
    type Open = ();
    type Kept = ();
    const CAN: Outcomes = Outcomes::RUNNING;
    const RESTARTS: bool = true;

    fn describe(&self, visitor: &mut dyn Visitor) {
        visitor.leaf::<Self>(&Info { kind: Kind::Action, name: Name::Known("run"), can: Self::CAN, params: &[] });
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

    #[inline(always)]
    fn interrupt<O: Observer>(&self, _: NodeId, (): &mut (), (): &mut (), _: &mut Visit<'_, C, O>) {}
}

/// The leaf [`wait`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wait {
    time: Duration,
}

impl NodeShape for Wait {
    /// When the time is over.
    type Open = Duration;
    type Kept = ();
    const CAN: Outcomes = Outcomes::SUCCESS.or(Outcomes::RUNNING);

    fn shift_times(&self, open: Option<&mut Duration>, (): &mut (), by: Shift) {
        if let Some(end) = open {
            *end = by.time(*end);
        }
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        let params = &[Param::new("time", &self.time)];
        visitor.leaf::<Self>(&Info { kind: Kind::Action, name: Name::Known("wait"), can: Self::CAN, params });
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

    #[inline]
    fn interrupt<O: Observer>(&self, _: NodeId, _: &mut Duration, (): &mut (), _: &mut Visit<'_, C, O>) {}
}
