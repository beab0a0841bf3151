//! The rules of decorators: when a policy or an action is called, and what follows.

use core::time::Duration;

use crate::argument::ArgumentIn;
use crate::clock::{Clock, Length, Moment, Until};
use crate::decorator::policy::{AfterChild, Decorator, Gate};
use crate::status::{End, Outcome, Status};

/// A decorator with its state and its child, as its rule sees it.
pub trait DecoratorParts<C: ?Sized> {
    /// Calls the policy before a tick of the child, with a new state if `opening`.
    fn gate(&mut self, opening: bool, ctx: &mut C) -> Gate<()>;
    /// Ticks the child: resumes its run, or starts one.
    fn tick_child(&mut self, ctx: &mut C) -> Status;
    /// Calls the policy after a tick of the child.
    fn after(&mut self, child: Status, ctx: &mut C) -> Then;
    /// Halts the child if it is running, because the decorator ends.
    fn halt_child(&mut self, ctx: &mut C);
    /// Returns `true` if the child may be started again in this tick. If not, the decorator ends with `Error`.
    fn may_restart(&mut self, ctx: &mut C) -> bool;
    /// Calls the policy at the end of the run.
    fn close(&mut self, end: End, ctx: &mut C);
    /// Reports why the policy has ended the run with `Error`, or has not begun it.
    fn explain(&mut self, ctx: &mut C);
}

/// What follows from a tick of the child of a decorator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Then {
    /// The decorator is running.
    Running,
    /// The child is started again.
    Again,
    /// The run ends.
    End(Outcome),
}

/// Calls a policy before a tick of its child, with a new state if `opening`.
#[inline(always)]
pub fn gate<C: ?Sized, P: Decorator<C>>(
    policy: &P,
    opening: bool,
    (open, kept): (&mut P::Open, &mut P::Kept),
    ctx: &mut C,
) -> Gate<()> {
    let gate = if opening {
        *open = P::Open::default();
        policy.open(open, kept, ctx)
    } else {
        policy.resume(open, kept, ctx)
    };
    gate.without_pause()
}

/// Calls a policy after a tick of its child.
#[inline(always)]
pub fn after<C: ?Sized, P: Decorator<C>>(
    policy: &P,
    child: Status,
    (open, kept): (&mut P::Open, &mut P::Kept),
    ctx: &mut C,
) -> Then {
    let outcome = match child {
        Status::Running => return policy.running(open, kept, ctx).map_or(Then::Running, Then::End),
        Status::Error => return Then::End(policy.error(open, kept, ctx)),
        Status::Success => Outcome::Success,
        Status::Failure => Outcome::Failure,
    };
    match policy.end(outcome, open, kept, ctx) {
        AfterChild::End(outcome) => Then::End(outcome),
        AfterChild::Again => Then::Again,
        AfterChild::Later(_) => Then::Running,
    }
}

/// Ticks a decorator, with a new state if `opening`.
#[inline(always)]
pub fn tick_decorator<C: ?Sized>(opening: bool, parts: &mut impl DecoratorParts<C>, ctx: &mut C) -> Status {
    let outcome = match parts.gate(opening, ctx) {
        Gate::Go => loop {
            let child = parts.tick_child(ctx);
            match parts.after(child, ctx) {
                Then::Running => return Status::Running,
                Then::Again if parts.may_restart(ctx) => {}
                Then::Again => break Outcome::Error,
                Then::End(outcome) => {
                    // The reason for an error of the child is not the policy's.
                    if outcome == Outcome::Error && child != Status::Error {
                        parts.explain(ctx);
                    }
                    if child == Status::Running {
                        parts.halt_child(ctx);
                    }
                    break outcome;
                }
            }
        },
        Gate::Pause(()) => return Status::Running,
        Gate::End(outcome) => {
            if outcome == Outcome::Error {
                parts.explain(ctx);
            }
            // The run has not begun, so it is not closed.
            if opening {
                return outcome.into();
            }
            parts.halt_child(ctx);
            outcome
        }
    };
    parts.close(outcome.into(), ctx);
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
