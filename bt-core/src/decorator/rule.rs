//! The rules of decorators: when a policy or an action is called, and what follows.

use core::time::Duration;

use crate::argument::ArgumentIn;
use crate::clock::{Clock, Length, Moment, Until};
use crate::decorator::policy::{AfterChild, Gate};
use crate::status::{End, Outcome, Status};

/// The child of a decorator.
pub trait OnlyChild<C: ?Sized> {
    /// Ticks the child: resumes its run, or starts one.
    fn tick_child(&mut self, ctx: &mut C) -> Status;
    /// Halts the child if it is running.
    fn halt_child(&mut self, ctx: &mut C);
    /// Returns `true` if the child may be started again in this tick. If not, the decorator ends with `Error`.
    fn may_restart(&mut self, ctx: &mut C) -> bool;
}

/// The policy of a decorator with its state, and its child.
pub trait DecoratorParts<C: ?Sized>: OnlyChild<C> {
    /// Calls [`Decorator::open`](crate::decorator::Decorator::open) with a new state.
    fn open(&mut self, ctx: &mut C) -> Gate<()>;
    /// Calls [`Decorator::resume`](crate::decorator::Decorator::resume).
    fn resume(&mut self, ctx: &mut C) -> Gate<()>;
    /// Calls [`Decorator::running`](crate::decorator::Decorator::running).
    fn running(&mut self, ctx: &mut C) -> Option<Outcome>;
    /// Calls [`Decorator::error`](crate::decorator::Decorator::error).
    fn error(&mut self, ctx: &mut C) -> Outcome;
    /// Calls [`Decorator::end`](crate::decorator::Decorator::end).
    fn end(&mut self, outcome: Outcome, ctx: &mut C) -> AfterChild<()>;
    /// Calls [`Decorator::close`](crate::decorator::Decorator::close).
    fn close(&mut self, end: End, ctx: &mut C);

    /// Ticks the decorator.
    #[inline]
    fn tick(&mut self, opening: bool, ctx: &mut C) -> Status
    where
        Self: Sized,
    {
        decorator(opening, self, ctx)
    }

    /// Halts the decorator, which is running.
    fn halt(&mut self, ctx: &mut C) {
        self.halt_child(ctx);
        self.close(End::Halted, ctx);
    }
}

/// Ticks a decorator.
#[inline]
fn decorator<C: ?Sized>(opening: bool, parts: &mut impl DecoratorParts<C>, ctx: &mut C) -> Status {
    match if opening { parts.open(ctx) } else { parts.resume(ctx) } {
        Gate::Go => {}
        Gate::Pause(()) => return Status::Running,
        // The run has not begun, so it is not closed.
        Gate::End(outcome) if opening => return outcome.into(),
        Gate::End(outcome) => {
            parts.halt_child(ctx);
            return end(outcome, parts, ctx);
        }
    }
    loop {
        let outcome = match parts.tick_child(ctx) {
            Status::Success => Outcome::Success,
            Status::Failure => Outcome::Failure,
            Status::Error => {
                let outcome = parts.error(ctx);
                return end(outcome, parts, ctx);
            }
            Status::Running => {
                let Some(outcome) = parts.running(ctx) else { return Status::Running };
                parts.halt_child(ctx);
                return end(outcome, parts, ctx);
            }
        };
        match parts.end(outcome, ctx) {
            AfterChild::End(outcome) => return end(outcome, parts, ctx),
            AfterChild::Later(()) => return Status::Running,
            AfterChild::Again => {
                if !parts.may_restart(ctx) {
                    return end(Outcome::Error, parts, ctx);
                }
            }
        }
    }
}

fn end<C: ?Sized>(outcome: Outcome, parts: &mut impl DecoratorParts<C>, ctx: &mut C) -> Status {
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
    let now = Moment::at(ctx(host).now());
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
