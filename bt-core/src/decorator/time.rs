//! Decorators that look at the clock.

use core::time::Duration;

use crate::check::{Flaw, Need};
use crate::clock::Clock;
use crate::decorator::{Decorator, DecoratorShape, Effect, Gate};
use crate::describe::Param;
use crate::outcomes::Outcomes;
use crate::status::{End, Never, Outcome};

/// The time since then; none if the clock ran backwards.
pub(super) fn since<C: Clock + ?Sized>(then: Duration, ctx: &C) -> Duration {
    ctx.now().saturating_sub(then)
}

/// The policy of [`timeout`](crate::keywords::timeout).
#[derive(Clone, Copy, Debug)]
pub struct Timeout {
    pub(crate) time: Duration,
}

impl DecoratorShape for Timeout {
    /// When the run began.
    type Open = Duration;
    type Kept = ();
    type Pause = Never;
    const EFFECT: Effect = Effect { on_running: Outcomes::RUNNING.or(Outcomes::FAILURE), ..Effect::SAME };
    const NEEDS: &'static [Need] =
        &[Need { any_of: Outcomes::RUNNING, flaw: Flaw::Pointless, or: "`timeout` has nothing to break off" }];

    fn name(&self) -> &'static str {
        "timeout"
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new("time", &self.time)]);
    }
}

impl<C: ?Sized + Clock> Decorator<C> for Timeout {
    #[inline]
    fn open(&self, began: &mut Duration, (): &mut (), ctx: &mut C) -> Gate<Never> {
        *began = ctx.now();
        Gate::Go
    }

    #[inline]
    fn resume(&self, began: &mut Duration, (): &mut (), ctx: &mut C) -> Gate<Never> {
        if since(*began, ctx) > self.time { Gate::End(Outcome::Failure) } else { Gate::Go }
    }
}

/// The policy of [`delay`](crate::keywords::delay).
#[derive(Clone, Copy, Debug)]
pub struct Delay {
    pub(crate) time: Duration,
}

impl DecoratorShape for Delay {
    /// When the run began.
    type Open = Duration;
    type Kept = ();
    type Pause = ();
    const EFFECT: Effect = Effect { always: Outcomes::RUNNING, ..Effect::SAME };

    fn name(&self) -> &'static str {
        "delay"
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new("time", &self.time)]);
    }
}

impl<C: ?Sized + Clock> Decorator<C> for Delay {
    #[inline]
    fn open(&self, began: &mut Duration, kept: &mut (), ctx: &mut C) -> Gate<()> {
        *began = ctx.now();
        self.resume(began, kept, ctx)
    }

    #[inline]
    fn resume(&self, began: &mut Duration, (): &mut (), ctx: &mut C) -> Gate<()> {
        if since(*began, ctx) >= self.time {
            return Gate::Go;
        }
        Gate::Pause(())
    }
}

/// The policy of [`cooldown`](crate::keywords::cooldown).
#[derive(Clone, Copy, Debug)]
pub struct Cooldown {
    pub(crate) time: Duration,
}

impl DecoratorShape for Cooldown {
    type Open = ();
    /// When the last run was over.
    type Kept = Option<Duration>;
    type Pause = Never;
    const EFFECT: Effect = Effect { always: Outcomes::FAILURE, ..Effect::SAME };

    fn name(&self) -> &'static str {
        "cooldown"
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new("time", &self.time)]);
    }
}

impl<C: ?Sized + Clock> Decorator<C> for Cooldown {
    #[inline]
    fn open(&self, (): &mut (), over: &mut Option<Duration>, ctx: &mut C) -> Gate<Never> {
        match *over {
            Some(over) if since(over, ctx) < self.time => Gate::End(Outcome::Failure),
            _ => Gate::Go,
        }
    }

    #[inline]
    fn close(&self, (): &mut (), over: &mut Option<Duration>, ctx: &mut C, _: End) {
        *over = Some(ctx.now());
    }
}
