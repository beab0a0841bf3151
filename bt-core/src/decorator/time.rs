//! Decorators that look at the clock.

use core::time::Duration;

use crate::check::{Lint, Requirement};
use crate::clock::{Clock, Shift, after, is_due};
use crate::decorator::{Decorator, DecoratorShape, Gate, StatusMap};
use crate::describe::Param;
use crate::outcomes::Outcomes;
use crate::status::{End, Never, Outcome};

/// The policy of [`timeout`](crate::keywords::timeout).
#[derive(Clone, Copy, Debug)]
pub struct Timeout {
    pub(crate) time: Duration,
}

impl DecoratorShape for Timeout {
    /// When the time is over.
    type Open = Duration;
    type Kept = ();
    type Pause = Never;
    const STATUSES: StatusMap = StatusMap { on_running: Outcomes::RUNNING.or(Outcomes::FAILURE), ..StatusMap::SAME };
    const REQUIRES: &'static [Requirement] =
        &[Requirement { any_of: Outcomes::RUNNING, lint: Lint::Pointless, or: "`timeout` has nothing to break off" }];

    fn name(&self) -> &'static str {
        "timeout"
    }

    fn shift(&self, open: Option<&mut Duration>, (): &mut (), by: Shift) {
        if let Some(end) = open {
            *end = by.time(*end);
        }
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new("time", &self.time)]);
    }
}

impl<C: ?Sized + Clock> Decorator<C> for Timeout {
    #[inline]
    fn open(&self, end: &mut Duration, (): &mut (), ctx: &mut C) -> Gate<Never> {
        *end = after(ctx.now(), self.time);
        Gate::Go
    }

    #[inline]
    fn resume(&self, end: &mut Duration, (): &mut (), ctx: &mut C) -> Gate<Never> {
        let now = ctx.now();
        // At the deadline itself the child is ticked a last time.
        if is_due(end, self.time, now) && now > *end { Gate::End(Outcome::Failure) } else { Gate::Go }
    }
}

/// The policy of [`delay`](crate::keywords::delay).
#[derive(Clone, Copy, Debug)]
pub struct Delay {
    pub(crate) time: Duration,
}

impl DecoratorShape for Delay {
    /// When the time is over; nothing once the child has started.
    type Open = Option<Duration>;
    type Kept = ();
    type Pause = ();
    const STATUSES: StatusMap = StatusMap { always: Outcomes::RUNNING, ..StatusMap::SAME };

    fn name(&self) -> &'static str {
        "delay"
    }

    fn shift(&self, open: Option<&mut Option<Duration>>, (): &mut (), by: Shift) {
        if let Some(Some(end)) = open {
            *end = by.time(*end);
        }
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new("time", &self.time)]);
    }
}

impl<C: ?Sized + Clock> Decorator<C> for Delay {
    #[inline]
    fn open(&self, end: &mut Option<Duration>, kept: &mut (), ctx: &mut C) -> Gate<()> {
        *end = Some(after(ctx.now(), self.time));
        self.resume(end, kept, ctx)
    }

    #[inline]
    fn resume(&self, end: &mut Option<Duration>, (): &mut (), ctx: &mut C) -> Gate<()> {
        if let Some(time) = end
            && !is_due(time, self.time, ctx.now())
        {
            return Gate::Pause(());
        }
        *end = None;
        Gate::Go
    }
}

/// The policy of [`cooldown`](crate::keywords::cooldown).
#[derive(Clone, Copy, Debug)]
pub struct Cooldown {
    pub(crate) time: Duration,
}

impl DecoratorShape for Cooldown {
    type Open = ();
    /// When the time after the last run is over.
    type Kept = Option<Duration>;
    type Pause = Never;
    const STATUSES: StatusMap = StatusMap { always: Outcomes::FAILURE, ..StatusMap::SAME };

    fn name(&self) -> &'static str {
        "cooldown"
    }

    fn shift(&self, _: Option<&mut ()>, kept: &mut Option<Duration>, by: Shift) {
        if let Some(end) = kept {
            *end = by.time(*end);
        }
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new("time", &self.time)]);
    }
}

impl<C: ?Sized + Clock> Decorator<C> for Cooldown {
    #[inline]
    fn open(&self, (): &mut (), end: &mut Option<Duration>, ctx: &mut C) -> Gate<Never> {
        if let Some(end) = end
            && !is_due(end, self.time, ctx.now())
        {
            return Gate::End(Outcome::Failure);
        }
        Gate::Go
    }

    #[inline]
    fn close(&self, (): &mut (), end: &mut Option<Duration>, ctx: &mut C, _: End) {
        *end = Some(after(ctx.now(), self.time));
    }
}
