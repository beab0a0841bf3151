//! Decorators that depend on the clock.

use core::fmt;
use core::time::Duration;

use bt_words::Word;

use crate::argument::{Argument, ArgumentIn, IntoArgument, fault};
use crate::clock::{Clock, Length, Moment, Shift, Until};
use crate::decorator::policy::{Decorator, DecoratorShape, Gate, given};
use crate::describe::Param;
use crate::facts::Given;
use crate::status::{Cause, End, Never, Outcome};
use crate::wake::{Foreseen, Wake};

/// Halts its child and fails when the time has passed, as in `timeout(secs(5))`. The time starts with the child.
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
pub fn timeout<A: IntoArgument<Duration, M>, M>(time: A) -> Timeout<A::Argument> {
    Timeout { time: Length::new(time.into_argument()) }
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
pub fn delay<A: IntoArgument<Duration, M>, M>(time: A) -> Delay<A::Argument> {
    Delay { time: Length::new(time.into_argument()) }
}

/// Fails for the given time after its child ends or is halted, as in `cooldown(secs(10))`. Requires a
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
pub fn cooldown<A: IntoArgument<Duration, M>, M>(time: A) -> Cooldown<A::Argument> {
    Cooldown { time: Length::new(time.into_argument()) }
}

/// The policy of [`timeout`](crate::keywords::timeout).
#[derive(Clone, Copy, Debug)]
pub struct Timeout<A> {
    time: Length<A>,
}

impl<A> Timeout<A> {
    /// Returns the time.
    pub const fn time(&self) -> &Length<A> {
        &self.time
    }
}

impl<A: Argument<Duration>> DecoratorShape for Timeout<A> {
    /// The time at which the timeout expires.
    type Open = Until<A::Drawn>;
    type Kept = ();
    type Pause = Never;
    const WORD: Option<Word> = Some(Word::Timeout);
    const GIVEN: Given = given::<Duration, A>();
    const CAUSE: Cause = Cause::TimedOut;
    #[inline]
    fn wake(&self, until: &Self::Open, (): &(), child: Option<Wake>) -> Wake {
        // At the deadline itself the child is still ticked.
        let past = until.end.time().saturating_add(Duration::from_nanos(1));
        child.unwrap_or(Wake::Next).earliest(Wake::At(past))
    }

    #[inline]
    fn foresee(&self, (): &(), child: &mut dyn FnMut() -> Foreseen) -> Foreseen {
        // It draws a time, unless that is fixed.
        if self.time.argument().fixed().is_some() { child() } else { None }
    }

    fn shift(&self, open: Option<&mut Self::Open>, (): &mut (), by: Shift) {
        if let Some(until) = open {
            until.shift(by);
        }
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new(Word::Timeout.row().params[0].name, &self.time)]);
    }
}

impl<C: ?Sized + Clock, A: ArgumentIn<C, Duration>> Decorator<C> for Timeout<A> {
    #[inline(always)]
    fn open(&self, until: &mut Self::Open, (): &mut (), ctx: &mut C) -> Gate<Never> {
        let Some(length) = self.time.draw(ctx) else { return Gate::End(Outcome::Error) };
        *until = Until::of(&self.time, length, Moment::now(ctx));
        Gate::Go
    }

    #[inline(always)]
    fn resume(&self, until: &mut Self::Open, (): &mut (), ctx: &mut C) -> Gate<Never> {
        // At the deadline itself the child is ticked a last time.
        let now = Moment::now(ctx);
        if until.is_past(&self.time, now) { Gate::End(Outcome::Failure) } else { Gate::Go }
    }

    fn reason(&self, ctx: &C, show: &mut dyn FnMut(&dyn fmt::Display)) {
        fault(self.time.argument(), Word::Timeout.row().params[0].name, ctx, show);
    }
}

/// The policy of [`delay`](crate::keywords::delay).
#[derive(Clone, Copy, Debug)]
pub struct Delay<A> {
    time: Length<A>,
}

impl<A> Delay<A> {
    /// Returns the time.
    pub const fn time(&self) -> &Length<A> {
        &self.time
    }
}

impl<A: Argument<Duration>> DecoratorShape for Delay<A> {
    /// The time at which the wait is over; `None` after the child was started.
    type Open = Option<Until<A::Drawn>>;
    type Kept = ();
    type Pause = ();
    const WORD: Option<Word> = Some(Word::Delay);
    const GIVEN: Given = given::<Duration, A>();

    #[inline]
    fn wake(&self, wait: &Self::Open, (): &(), child: Option<Wake>) -> Wake {
        match wait {
            Some(until) => Wake::At(until.end.time()),
            None => child.unwrap_or(Wake::Next),
        }
    }

    fn shift(&self, open: Option<&mut Self::Open>, (): &mut (), by: Shift) {
        if let Some(Some(until)) = open {
            until.shift(by);
        }
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new(Word::Delay.row().params[0].name, &self.time)]);
    }
}

impl<C: ?Sized + Clock, A: ArgumentIn<C, Duration>> Decorator<C> for Delay<A> {
    #[inline(always)]
    fn open(&self, wait: &mut Self::Open, (): &mut (), ctx: &mut C) -> Gate<()> {
        let Some(length) = self.time.draw(ctx) else { return Gate::End(Outcome::Error) };
        if self.time.nanos(&length) == 0 {
            return Gate::Go;
        }
        *wait = Some(Until::of(&self.time, length, Moment::now(ctx)));
        Gate::Pause(())
    }

    #[inline(always)]
    fn resume(&self, wait: &mut Self::Open, (): &mut (), ctx: &mut C) -> Gate<()> {
        if let Some(until) = wait
            && !until.is_over(&self.time, Moment::now(ctx))
        {
            return Gate::Pause(());
        }
        *wait = None;
        Gate::Go
    }

    fn adopt(&self, _: &mut Self::Open, (): &mut (), _: &mut C) -> bool {
        true
    }

    fn reason(&self, ctx: &C, show: &mut dyn FnMut(&dyn fmt::Display)) {
        fault(self.time.argument(), Word::Delay.row().params[0].name, ctx, show);
    }
}

/// The policy of [`cooldown`](crate::keywords::cooldown).
#[derive(Clone, Copy, Debug)]
pub struct Cooldown<A> {
    time: Length<A>,
}

impl<A> Cooldown<A> {
    /// Returns the time.
    pub const fn time(&self) -> &Length<A> {
        &self.time
    }
}

impl<A: Argument<Duration>> DecoratorShape for Cooldown<A> {
    /// The length of the cooldown after this run.
    type Open = A::Drawn;
    /// The time at which the cooldown of the last run is over; before the first run, the origin of the clock.
    type Kept = Until<A::Drawn>;
    type Pause = Never;
    const WORD: Option<Word> = Some(Word::Cooldown);
    const GIVEN: Given = given::<Duration, A>();

    #[inline]
    fn foresee(&self, last: &Self::Kept, _: &mut dyn FnMut() -> Foreseen) -> Foreseen {
        // Once the time has come, the node is due.
        Some((Outcome::Failure, Wake::At(last.end.time())))
    }

    fn shift(&self, _: Option<&mut A::Drawn>, kept: &mut Self::Kept, by: Shift) {
        kept.shift(by);
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new(Word::Cooldown.row().params[0].name, &self.time)]);
    }
}

impl<C: ?Sized + Clock, A: ArgumentIn<C, Duration>> Decorator<C> for Cooldown<A> {
    #[inline(always)]
    fn open(&self, length: &mut A::Drawn, last: &mut Self::Kept, ctx: &mut C) -> Gate<Never> {
        if !last.is_over(&self.time, Moment::now(ctx)) {
            return Gate::End(Outcome::Failure);
        }
        let Some(drawn) = self.time.draw(ctx) else { return Gate::End(Outcome::Error) };
        *length = drawn;
        Gate::Go
    }

    #[inline(always)]
    fn close(&self, length: &mut A::Drawn, last: &mut Self::Kept, ctx: &mut C, _: End) {
        *last = Until::of(&self.time, *length, Moment::now(ctx));
    }

    fn can_foresee(&self, last: &Self::Kept, ctx: &C) -> bool {
        !last.is_too_far(&self.time, Moment::now(ctx))
    }

    fn reason(&self, ctx: &C, show: &mut dyn FnMut(&dyn fmt::Display)) {
        fault(self.time.argument(), Word::Cooldown.row().params[0].name, ctx, show);
    }
}
