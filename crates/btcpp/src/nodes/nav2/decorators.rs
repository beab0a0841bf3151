//! The decorators, which keep what they have seen until their parent resets them.

use std::time::Duration;

use bt_core::board::{HasBoard, Key};
use bt_core::decorator::{AfterChild, Decorator, Gate};
use bt_core::describe::Param;
use bt_core::engine::{Length, Moment, Until};
use bt_core::file::{Properties, Readable, Reader};
use bt_core::{Clock, End, Never, Outcome, Shift, Wake, decorator};
use serde::{Deserialize, Serialize};

use crate::nodes::decorators::skipped;
use crate::nodes::port::{Port, look_up};
use crate::nodes::signal::{forget, is_retained, is_skipped, retain};
use crate::plugins::RESET;

/// Reads whether the parent of a decorator resets it as soon as it has ended.
pub(crate) fn is_reset(properties: &mut Properties<'_>) -> Option<bool> {
    properties.parameter(RESET, "bool", Some(false), Reader::<bool>::new().how())
}

/// Returns `true` if a decorator that starts has been reset.
fn starts_anew(is_reset: bool) -> bool {
    !is_retained() || is_reset
}

/// Lets a decorator tick its child, which is not reset when it has ended.
fn go<Pause>(child_has_ended: bool) -> Gate<Pause> {
    forget();
    retain(child_has_ended);
    Gate::Go
}

/// A `SingleTrigger`: it ticks its child until it ends, and then fails.
pub(crate) struct SingleTrigger {
    pub(crate) is_reset: bool,
}

/// What a [`SingleTrigger`] keeps.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Triggered {
    is_over: bool,
    child_has_ended: bool,
}

#[decorator]
impl<C: ?Sized> Decorator<C> for SingleTrigger {
    type Kept = Triggered;

    fn name(&self) -> &'static str {
        "SingleTrigger"
    }

    fn open(&self, (): &mut (), kept: &mut Triggered, _: &mut C) -> Gate<Never> {
        kept.is_over &= !starts_anew(self.is_reset);
        if kept.is_over { Gate::End(Outcome::Failure) } else { go(kept.child_has_ended) }
    }

    fn resume(&self, (): &mut (), _: &mut Triggered, _: &mut C) -> Gate<Never> {
        go(false)
    }

    fn end(&self, outcome: Outcome, (): &mut (), kept: &mut Triggered, _: &mut C) -> AfterChild<Never> {
        let is_skipped = outcome == Outcome::Failure && is_skipped();
        *kept = Triggered { is_over: !is_skipped, child_has_ended: !is_skipped };
        if is_skipped { skipped() } else { AfterChild::End(outcome) }
    }

    fn close(&self, (): &mut (), kept: &mut Triggered, _: &mut C, end: End) {
        kept.child_has_ended &= !matches!(end, End::Halted(_));
    }
}

/// A `RateController`: it starts its child at most once in a period.
pub(crate) struct RateController {
    pub(crate) hz: Port<f64>,
    pub(crate) is_reset: bool,
}

/// What a [`RateController`] keeps.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Rate {
    period: Duration,
    /// When the child is started again.
    next: Until<()>,
    child_has_ended: bool,
}

impl Rate {
    fn start<C: Clock + ?Sized>(&mut self, ctx: &C) {
        self.next = Until::of(&Length::new(self.period), (), Moment::now(ctx));
    }

    fn gate<C: Clock + ?Sized>(&mut self, ctx: &C) -> Gate<()> {
        if self.next.is_over(&Length::new(self.period), Moment::now(ctx)) {
            go(self.child_has_ended)
        } else {
            Gate::Pause(())
        }
    }
}

/// Returns the time between two runs: none for a negative rate, and no end of it for a rate of 0.
fn period(hz: f64) -> Duration {
    Duration::try_from_secs_f64(hz.recip()).unwrap_or(if hz < 0.0 { Duration::ZERO } else { Duration::MAX })
}

#[decorator]
impl<C: HasBoard + Clock + ?Sized> Decorator<C> for RateController {
    /// Whether the child is running.
    type Open = bool;
    type Kept = Rate;
    type Pause = ();

    fn name(&self) -> &'static str {
        "RateController"
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new("hz", &self.hz)]);
    }

    fn open(&self, _: &mut bool, rate: &mut Rate, ctx: &mut C) -> Gate<()> {
        if !starts_anew(self.is_reset) {
            return rate.gate(ctx);
        }
        rate.period = period(self.hz.get(ctx).unwrap_or(1.0));
        rate.start(ctx);
        go(rate.child_has_ended)
    }

    fn resume(&self, is_running: &mut bool, rate: &mut Rate, ctx: &mut C) -> Gate<()> {
        if *is_running { go(false) } else { rate.gate(ctx) }
    }

    fn running(&self, is_running: &mut bool, _: &mut Rate, _: &mut C) -> Option<Outcome> {
        *is_running = true;
        None
    }

    fn end(&self, outcome: Outcome, _: &mut bool, rate: &mut Rate, ctx: &mut C) -> AfterChild<()> {
        let is_skipped = outcome == Outcome::Failure && is_skipped();
        rate.child_has_ended = !is_skipped;
        if is_skipped {
            return skipped();
        }
        if outcome == Outcome::Success {
            rate.start(ctx);
        }
        AfterChild::End(outcome)
    }

    fn close(&self, _: &mut bool, rate: &mut Rate, _: &mut C, end: End) {
        rate.child_has_ended &= !matches!(end, End::Halted(_));
    }

    fn wake(&self, _: &bool, rate: &Rate, child: Option<Wake>) -> Wake {
        child.unwrap_or_else(|| Wake::At(rate.next.end.time()))
    }

    fn shift(&self, _: Option<&mut bool>, rate: &mut Rate, by: Shift) {
        rate.next.shift(by);
    }
}

/// A `GoalUpdatedController`: it starts its child after one of two variables has got another value.
pub(crate) struct GoalUpdatedController {
    pub(crate) goal: Key<()>,
    pub(crate) goals: Key<()>,
    pub(crate) is_reset: bool,
}

/// What a [`GoalUpdatedController`] keeps.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Seen {
    /// The values, as text.
    values: [Option<String>; 2],
    child_has_ended: bool,
}

impl GoalUpdatedController {
    /// Looks at the variables. Returns `true` if one of them has another value.
    fn has_changed<C: HasBoard + ?Sized>(&self, seen: &mut Seen, ctx: &C) -> bool {
        let values = [&self.goal, &self.goals].map(|key| look_up(key, ctx).map(|value| format!("{value:?}")));
        let has_changed = seen.values != values;
        seen.values = values;
        has_changed
    }
}

#[decorator]
impl<C: HasBoard + ?Sized> Decorator<C> for GoalUpdatedController {
    /// Whether the child is running.
    type Open = bool;
    type Kept = Seen;
    type Pause = ();

    fn name(&self) -> &'static str {
        "GoalUpdatedController"
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new("goal", &self.goal), Param::new("goals", &self.goals)]);
    }

    fn open(&self, _: &mut bool, seen: &mut Seen, ctx: &mut C) -> Gate<()> {
        let starts_anew = starts_anew(self.is_reset);
        if self.has_changed(seen, ctx) || starts_anew { go(seen.child_has_ended) } else { Gate::Pause(()) }
    }

    fn resume(&self, is_running: &mut bool, seen: &mut Seen, ctx: &mut C) -> Gate<()> {
        let has_changed = self.has_changed(seen, ctx);
        match is_running {
            true => go(false),
            false if has_changed => go(seen.child_has_ended),
            false => Gate::Pause(()),
        }
    }

    fn running(&self, is_running: &mut bool, _: &mut Seen, _: &mut C) -> Option<Outcome> {
        *is_running = true;
        None
    }

    fn end(&self, outcome: Outcome, _: &mut bool, seen: &mut Seen, _: &mut C) -> AfterChild<()> {
        let is_skipped = outcome == Outcome::Failure && is_skipped();
        seen.child_has_ended = !is_skipped;
        if is_skipped { skipped() } else { AfterChild::End(outcome) }
    }

    fn close(&self, _: &mut bool, seen: &mut Seen, _: &mut C, end: End) {
        seen.child_has_ended &= !matches!(end, End::Halted(_));
    }
}
