//! Decorators that depend on the clock.

use core::time::Duration;

use bt_words::Word;

use crate::check::{Lint, Requirement};
use crate::clock::{Clock, Shift, after, is_due};
use crate::decorator::policy::{Decorator, DecoratorShape, Gate, StatusMap, statuses};
use crate::describe::Param;
use crate::outcomes::Outcomes;
use crate::status::{End, Never, Outcome};

/// Halts its child and fails when the time is over, as in `timeout(secs(5))`. The time starts when the node starts its
/// child.
///
/// The child is ticked a last time at the deadline itself. After the deadline it is halted without another tick.
/// Requires a [`Clock`](crate::Clock). (MaxTime in Behavior3.)
///
/// ```
/// # use bt_core::prelude::*;
/// # struct Npc(Duration);
/// # impl Clock for Npc { fn now(&self) -> Duration { self.0 } }
/// let tree = tree! { for Npc: timeout(secs(5)) { run } };
/// let mut memory = tree.memory();
/// assert_eq!(tree.tick(&mut Npc(secs(0)), &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut Npc(secs(5)), &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut Npc(secs(6)), &mut memory), Status::Failure);
/// ```
pub const fn timeout(time: Duration) -> Timeout {
    Timeout { time }
}

/// Waits for the given time before it starts its child, as in `delay(secs(1))`. It returns `Running` while it waits.
/// Requires a [`Clock`](crate::Clock).
///
/// ```
/// # use bt_core::prelude::*;
/// # struct Npc(Duration);
/// # impl Clock for Npc { fn now(&self) -> Duration { self.0 } }
/// let tree = tree! { for Npc: delay(secs(1)) { fail } };
/// let mut memory = tree.memory();
/// assert_eq!(tree.tick(&mut Npc(secs(0)), &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut Npc(secs(1)), &mut memory), Status::Failure);
/// ```
pub const fn delay(time: Duration) -> Delay {
    Delay { time }
}

/// Fails for the given time after its child has ended or was halted, as in `cooldown(secs(10))`. Requires a
/// [`Clock`](crate::Clock).
///
/// ```
/// # use bt_core::prelude::*;
/// # struct Npc(Duration);
/// # impl Clock for Npc { fn now(&self) -> Duration { self.0 } }
/// let tree = tree! { for Npc: cooldown(secs(10)) { succeed } };
/// let mut memory = tree.memory();
/// assert_eq!(tree.tick(&mut Npc(secs(0)), &mut memory), Status::Success);
/// assert_eq!(tree.tick(&mut Npc(secs(9)), &mut memory), Status::Failure);
/// assert_eq!(tree.tick(&mut Npc(secs(10)), &mut memory), Status::Success);
/// ```
pub const fn cooldown(time: Duration) -> Cooldown {
    Cooldown { time }
}

/// The policy of [`timeout`](crate::keywords::timeout).
#[derive(Clone, Copy, Debug)]
pub struct Timeout {
    pub(crate) time: Duration,
}

impl DecoratorShape for Timeout {
    /// The time at which the timeout expires.
    type Open = Duration;
    type Kept = ();
    type Pause = Never;
    const STATUSES: StatusMap = statuses(Word::Timeout);
    const REQUIRES: &'static [Requirement] =
        &[Requirement { any_of: Outcomes::RUNNING, lint: Lint::Pointless, or: "`timeout` has no effect" }];

    fn name(&self) -> &'static str {
        Word::Timeout.name()
    }

    fn shift(&self, open: Option<&mut Duration>, (): &mut (), by: Shift) {
        if let Some(end) = open {
            *end = by.time(*end);
        }
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new(Word::Timeout.row().params[0].name, &self.time)]);
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
    /// The time at which the wait is over; `None` after the child was started.
    type Open = Option<Duration>;
    type Kept = ();
    type Pause = ();
    const STATUSES: StatusMap = statuses(Word::Delay);

    fn name(&self) -> &'static str {
        Word::Delay.name()
    }

    fn shift(&self, open: Option<&mut Option<Duration>>, (): &mut (), by: Shift) {
        if let Some(Some(end)) = open {
            *end = by.time(*end);
        }
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new(Word::Delay.row().params[0].name, &self.time)]);
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
    /// The time at which the cooldown of the last run is over.
    type Kept = Option<Duration>;
    type Pause = Never;
    const STATUSES: StatusMap = statuses(Word::Cooldown);

    fn name(&self) -> &'static str {
        Word::Cooldown.name()
    }

    fn shift(&self, _: Option<&mut ()>, kept: &mut Option<Duration>, by: Shift) {
        if let Some(end) = kept {
            *end = by.time(*end);
        }
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new(Word::Cooldown.row().params[0].name, &self.time)]);
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
