//! The return types of actions.

use crate::clock::Shift;
use crate::error::OnError;
use crate::id::NodeId;
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
    fn into_step(self, at: NodeId, ctx: &mut C) -> Step<Self::Open>;
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
            fn into_step(self, _: NodeId, _: &mut C) -> Step<$open> {
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
    fn into_step(self, at: NodeId, ctx: &mut C) -> Step<R::Open> {
        match self {
            Some(answer) => answer.into_step(at, ctx),
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
    fn into_step(self, at: NodeId, ctx: &mut C) -> Step<R::Open> {
        match self {
            Ok(answer) => answer.into_step(at, ctx),
            Err(error) => {
                visit::received(at);
                ctx.on_error(at, error);
                Step::Done(Outcome::Error)
            }
        }
    }
}
