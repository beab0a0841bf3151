//! The return types of actions.

use core::fmt;

use crate::clock::Shift;
use crate::error::{OnError, OnFailure};
use crate::id::NodeId;
use crate::node::Visit;
use crate::observer::Observer;
use crate::outcomes::Outcomes;
use crate::status::{Never, Outcome, Status, Step};
use crate::visit;
use crate::wake::{Wake, WakeVisit};

/// A type that an action can return. It determines whether the action can be running.
///
/// | type | meaning |
/// |---|---|
/// | `()` | success |
/// | `bool` | success or failure |
/// | [`Outcome`] | this outcome |
/// | [`Status`] | this status |
/// | [`Step<Wake>`](Step) | an outcome, or running until the next tick, a time or an event: see [`Wake`] |
/// | `Option<R>` | `None` is failure; `Some(output)` is the status of `output` |
/// | `Result<R, E>` | `Err` is passed to the context ([`OnError`]) and is `Error`; `Ok(output)` is the status of `output` |
/// | [`Fails<R, E>`](Fails) | `Err` is passed to the context ([`OnFailure`]) and is failure; `Ok(output)` is the status of `output` |
#[diagnostic::on_unimplemented(
    message = "an action cannot return `{Self}`",
    label = "not a return type of an action",
    note = "an action returns `Status`, `Outcome`, `bool`, `()` or `Step<Wake>`, or an `Option` or `Result` of one of them"
)]
pub trait ActionOutput {
    /// The state of the running leaf.
    #[doc(hidden)]
    type Open: OutputState;
    /// The statuses that the output can mean.
    #[doc(hidden)]
    const RETURNS: Outcomes;
    /// Returns the state of a running leaf; `None` if the output cannot be `Running`.
    #[doc(hidden)]
    fn running() -> Option<Self::Open>;
}

/// The state of a running action: [`Never`] if the action cannot be running, [`Wake`] if it returns when it continues, a
/// [`Task`](crate::task::Task) if it returns a future, or else `()`.
#[expect(unused_variables, reason = "the defaults ignore their arguments")]
pub trait OutputState: Clone + Send + Sync + 'static {
    /// Returns when the action has to be ticked again.
    #[inline]
    fn wake<C: ?Sized>(&self, visit: &mut WakeVisit<'_, C>) -> Wake {
        Wake::Next
    }
    /// Converts the time to another clock.
    fn shift(&mut self, by: Shift) {}
}

impl OutputState for Never {}

impl OutputState for () {}

impl OutputState for Wake {
    #[inline]
    fn wake<C: ?Sized>(&self, _: &mut WakeVisit<'_, C>) -> Wake {
        *self
    }

    fn shift(&mut self, by: Shift) {
        if let Self::At(time) = self {
            *time = by.time(*time);
        }
    }
}

/// An [`ActionOutput`] in a tree over the context `C`. For `Result`, the context must accept the error.
#[diagnostic::on_unimplemented(
    message = "an action cannot return `{Self}`",
    label = "not a return type of an action",
    note = "an action returns `Status`, `Outcome`, `bool`, `()` or `Step<Wake>`, or an `Option` or `Result` of one of them"
)]
pub trait ActionOutputIn<C: ?Sized>: ActionOutput {
    /// Returns the step that corresponds to this output.
    fn into_step<O: Observer>(self, at: NodeId, visit: &mut Visit<'_, C, O>) -> Step<Self::Open>;
}

macro_rules! answers {
    ($($answer:ty => $open:ty, $running:expr, $returns:expr, $into_step:expr;)+) => {$(
        impl ActionOutput for $answer {
            type Open = $open;
            const RETURNS: Outcomes = $returns;

            #[inline(always)]
            fn running() -> Option<$open> {
                $running
            }
        }

        impl<C: ?Sized> ActionOutputIn<C> for $answer {
            #[inline(always)]
            fn into_step<O: Observer>(self, _: NodeId, _: &mut Visit<'_, C, O>) -> Step<$open> {
                $into_step(self)
            }
        }
    )+};
}

const ENDS: Outcomes = Outcomes::SUCCESS.or(Outcomes::FAILURE);

answers! {
    () => Never, None, Outcomes::SUCCESS, |()| Step::Done(Outcome::Success);
    bool => Never, None, ENDS, |success| Step::Done(Outcome::from(success));
    Outcome => Never, None, ENDS.or(Outcomes::ERROR), Step::Done;
    Status => (), Some(()), Outcomes::ANY, Step::from;
    Step<Wake> => Wake, Some(Wake::Next), Outcomes::ANY, |step| step;
}

impl<R: ActionOutput> ActionOutput for Option<R> {
    type Open = R::Open;
    const RETURNS: Outcomes = R::RETURNS.or(Outcomes::FAILURE);

    #[inline(always)]
    fn running() -> Option<R::Open> {
        R::running()
    }
}

impl<C: ?Sized, R: ActionOutputIn<C>> ActionOutputIn<C> for Option<R> {
    #[inline(always)]
    fn into_step<O: Observer>(self, at: NodeId, visit: &mut Visit<'_, C, O>) -> Step<R::Open> {
        match self {
            Some(answer) => answer.into_step(at, visit),
            None => Step::Done(Outcome::Failure),
        }
    }
}

impl<R: ActionOutput, E> ActionOutput for Result<R, E> {
    type Open = R::Open;
    const RETURNS: Outcomes = R::RETURNS.or(Outcomes::ERROR);

    #[inline(always)]
    fn running() -> Option<R::Open> {
        R::running()
    }
}

impl<C: ?Sized + OnError<E>, R: ActionOutputIn<C>, E> ActionOutputIn<C> for Result<R, E> {
    #[inline(always)]
    fn into_step<O: Observer>(self, at: NodeId, visit: &mut Visit<'_, C, O>) -> Step<R::Open> {
        match self {
            Ok(answer) => answer.into_step(at, visit),
            Err(error) => {
                visit::received(at);
                visit.ctx.on_error(at, error);
                Step::Done(Outcome::Error)
            }
        }
    }
}

/// The output of an action whose `Err` is a failure with a reason, such as one after which `retry` makes sense.
///
/// The reason is passed to observers ([`Observer::failure`]), so that it is part of logs and recordings, and to the context
/// ([`OnFailure`]), whose conditions can decide by it what is tried next. The status is `Failure`. `Ok(output)` is the status of
/// `output`.
///
/// `#[action(fails)]` wraps what a function returns, so that it can use `?`:
///
/// ```
/// use bt_core::prelude::*;
/// use bt_core::OnFailure;
///
/// #[derive(Clone, Copy, PartialEq, Debug)]
/// enum Missed { Slipped, OutOfReach }
///
/// impl std::fmt::Display for Missed {
///     fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { write!(out, "{self:?}") }
/// }
///
/// struct Arm { tries: u32, missed: Option<Missed> }
///
/// impl OnFailure<Missed> for Arm {
///     fn on_failure(&mut self, _: NodeId, reason: Missed) { self.missed = Some(reason) }
/// }
///
/// fn close_gripper(arm: &mut Arm) -> Result<(), Missed> {
///     arm.tries += 1;
///     if arm.tries < 3 { Err(Missed::Slipped) } else { Err(Missed::OutOfReach) }
/// }
///
/// #[action(fails)]
/// fn grasp(arm: &mut Arm) -> Result<(), Missed> {
///     close_gripper(arm)?;
///     Ok(())
/// }
///
/// #[condition]
/// fn missed(arm: &Arm, reason: Missed) -> bool { arm.missed == Some(reason) }
///
/// // Tries again while the gripper slips. An error ends the `retry` for any other reason.
/// let tree = tree! { retry(5) { selector { grasp(), sequence { !missed(Missed::Slipped), error } } } };
/// let mut arm = Arm { tries: 0, missed: None };
/// assert_eq!(tree.tick(&mut arm, &mut tree.memory()), Status::Error);
/// assert_eq!(arm.tries, 3);
/// ```
///
/// A function or a closure without the attribute returns `Fails(result)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fails<R, E>(pub Result<R, E>);

impl<R: ActionOutput, E> ActionOutput for Fails<R, E> {
    type Open = R::Open;
    const RETURNS: Outcomes = R::RETURNS.or(Outcomes::FAILURE);

    #[inline(always)]
    fn running() -> Option<R::Open> {
        R::running()
    }
}

impl<C: ?Sized + OnFailure<E>, R: ActionOutputIn<C>, E: fmt::Display> ActionOutputIn<C> for Fails<R, E> {
    #[inline(always)]
    fn into_step<O: Observer>(self, at: NodeId, visit: &mut Visit<'_, C, O>) -> Step<R::Open> {
        match self.0 {
            Ok(answer) => answer.into_step(at, visit),
            Err(reason) => {
                if O::ON {
                    visit.observer.failure(at, &reason);
                }
                visit.ctx.on_failure(at, reason);
                Step::Done(Outcome::Failure)
            }
        }
    }
}

/// A `Result` that is returned by an `#[action(fails)]`.
#[diagnostic::on_unimplemented(
    message = "an `#[action(fails)]` cannot return `{Self}`",
    label = "not a `Result`",
    note = "the action returns `Result<R, E>`, and `Err` is a failure with a reason"
)]
#[doc(hidden)]
pub trait Fallible {
    /// The output of the action.
    type Fails;
    /// Returns the output of the action.
    fn fails(self) -> Self::Fails;
}

impl<R, E> Fallible for Result<R, E> {
    type Fails = Fails<R, E>;

    #[inline(always)]
    fn fails(self) -> Fails<R, E> {
        Fails(self)
    }
}
