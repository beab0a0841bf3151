//! The rules of decorators: when a policy or an action is called, and what follows.

use core::fmt;
use core::time::Duration;

use crate::argument::ArgumentIn;
use crate::clock::{Clock, Length, Moment, Until};
use crate::decorator::policy::{AfterChild, Decorator, Gate};
use crate::status::{Outcome, Status};

/// The child of a decorator.
pub trait OnlyChild<C: ?Sized> {
    /// Ticks the child: resumes its run, or starts one.
    fn tick(&mut self, ctx: &mut C) -> Status;
    /// Halts the child if it is running.
    fn halt(&mut self, ctx: &mut C);
    /// Returns `true` if the child may be started again in this tick. If not, the decorator ends with `Error`.
    fn may_restart(&mut self, ctx: &mut C) -> bool;
    /// Reports why the decorator cannot start.
    fn explain(&mut self, reason: &dyn fmt::Display);
}

/// Ticks a decorator, with a new state if `opening`.
#[inline]
pub fn tick_decorator<C: ?Sized, P: Decorator<C>>(
    policy: &P,
    opening: bool,
    (open, kept): (&mut P::Open, &mut P::Kept),
    child: &mut (impl OnlyChild<C> + ?Sized),
    ctx: &mut C,
) -> Status {
    let gate = if opening {
        *open = P::Open::default();
        policy.open(open, kept, ctx)
    } else {
        policy.resume(open, kept, ctx)
    };
    let outcome = match gate {
        Gate::Go => loop {
            let outcome = match child.tick(ctx) {
                Status::Success => Outcome::Success,
                Status::Failure => Outcome::Failure,
                Status::Error => break policy.error(open, kept, ctx),
                Status::Running => {
                    let Some(outcome) = policy.running(open, kept, ctx) else { return Status::Running };
                    child.halt(ctx);
                    break outcome;
                }
            };
            match policy.end(outcome, open, kept, ctx) {
                AfterChild::End(outcome) => break outcome,
                AfterChild::Later(_) => return Status::Running,
                AfterChild::Again if child.may_restart(ctx) => {}
                AfterChild::Again => break Outcome::Error,
            }
        },
        Gate::Pause(_) => return Status::Running,
        // The run has not begun, so it is not closed.
        Gate::End(outcome) if opening => {
            if outcome == Outcome::Error {
                policy.reason(ctx, &mut |reason| child.explain(reason));
            }
            return outcome.into();
        }
        Gate::End(outcome) => {
            child.halt(ctx);
            outcome
        }
    };
    policy.close(open, kept, ctx, outcome.into());
    outcome.into()
}

/// What a service does in a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Served {
    /// It ticks its child.
    Go,
    /// It ends with `Error`, because its action returned `Error`.
    ActionError,
    /// It ends with `Error`, because there is no period.
    NoPeriod,
}

/// Runs the action of a service if it is due: when it is first ticked, and each time the period is over. After an error,
/// `due` is unchanged. `ctx` returns the context in `host`.
#[inline(always)]
pub fn service<C: ?Sized + Clock, A: ArgumentIn<C, Duration>, H>(
    every: &Length<A>,
    due: &mut Until<A::Drawn>,
    host: &mut H,
    ctx: impl Fn(&mut H) -> &mut C,
    act: impl FnOnce(&mut H) -> Outcome,
) -> Served {
    let now = Moment::now(ctx(host));
    if !due.is_over(every, now) {
        return Served::Go;
    }
    let Some(length) = every.draw(ctx(host)) else { return Served::NoPeriod };
    match act(host) {
        Outcome::Error => Served::ActionError,
        Outcome::Success | Outcome::Failure => {
            *due = Until::of(every, length, now);
            Served::Go
        }
    }
}
