//! The decorators whose child can be skipped, or that our words differ from.

use std::fmt;

use bt_core::board::HasBoard;
use bt_core::decorator::{AfterChild, Decorator, Gate};
use bt_core::describe::Param;
use bt_core::{Never, Outcome, decorator};
use serde::{Deserialize, Serialize};

use crate::nodes::port::{Instead, Port};
use crate::nodes::signal::{fault, forget, is_skipped, show_fault, skip, wake};

/// Returns the end of a decorator that is skipped.
pub(crate) fn skipped<Pause>() -> AfterChild<Pause> {
    skip();
    AfterChild::End(Outcome::Failure)
}

/// Returns the gate of a decorator that is skipped.
pub(crate) fn skipping<Pause>() -> Gate<Pause> {
    skip();
    Gate::End(Outcome::Failure)
}

impl Instead {
    /// Returns what a decorator does that does not tick its child.
    pub(crate) fn gate(self) -> Gate<()> {
        match self {
            Self::Success => Gate::End(Outcome::Success),
            Self::Failure => Gate::End(Outcome::Failure),
            Self::Skipped => skipping(),
            Self::Running => Gate::Pause(()),
        }
    }
}

/// An `Inverter`, `ForceSuccess` or `ForceFailure`.
pub(crate) struct Map {
    pub(crate) name: &'static str,
    pub(crate) on_success: Outcome,
    pub(crate) on_failure: Outcome,
}

#[decorator]
impl<C: ?Sized> Decorator<C> for Map {
    fn name(&self) -> &str {
        self.name
    }

    fn open(&self, (): &mut (), (): &mut (), _: &mut C) -> Gate<Never> {
        forget();
        Gate::Go
    }

    fn resume(&self, (): &mut (), (): &mut (), _: &mut C) -> Gate<Never> {
        forget();
        Gate::Go
    }

    fn end(&self, outcome: Outcome, (): &mut (), (): &mut (), _: &mut C) -> AfterChild<Never> {
        match outcome {
            Outcome::Failure if is_skipped() => skipped(),
            Outcome::Success => AfterChild::End(self.on_success),
            Outcome::Failure => AfterChild::End(self.on_failure),
            Outcome::Error => AfterChild::End(Outcome::Error),
        }
    }
}

/// A `Repeat` or `RetryUntilSuccessful`: it starts its child again when it ends with the outcome to repeat.
pub(crate) struct Repeating {
    pub(crate) name: &'static str,
    pub(crate) again: Outcome,
    /// The name of the port with the number of runs.
    pub(crate) port: &'static str,
    /// The number of runs; -1 for no limit.
    pub(crate) runs: Port<i64>,
}

/// The state of a run of [`Repeating`].
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Runs {
    ended: i64,
    /// Whether the child was running after the last tick.
    is_running: bool,
}

impl Repeating {
    /// Returns whether the child may be started again; an error if the number of runs is not known.
    fn is_left<C: HasBoard + ?Sized>(&self, ended: i64, ctx: &C) -> Result<bool, String> {
        self.runs.get(ctx).map(|runs| ended < runs || runs == -1)
    }

    fn gate<C: HasBoard + ?Sized>(&self, ended: i64, ctx: &C) -> Gate<()> {
        forget();
        match self.is_left(ended, ctx) {
            Ok(true) => Gate::Go,
            Ok(false) => Gate::End(self.again),
            Err(reason) => Gate::End(fault(reason)),
        }
    }
}

#[decorator]
impl<C: HasBoard + ?Sized> Decorator<C> for Repeating {
    type Open = Runs;
    type Pause = ();

    fn name(&self) -> &str {
        self.name
    }

    fn open(&self, _: &mut Runs, (): &mut (), ctx: &mut C) -> Gate<()> {
        self.gate(0, ctx)
    }

    fn resume(&self, runs: &mut Runs, (): &mut (), ctx: &mut C) -> Gate<()> {
        self.gate(runs.ended, ctx)
    }

    fn running(&self, runs: &mut Runs, (): &mut (), _: &mut C) -> Option<Outcome> {
        runs.is_running = true;
        None
    }

    fn end(&self, outcome: Outcome, runs: &mut Runs, (): &mut (), ctx: &mut C) -> AfterChild<()> {
        if outcome == Outcome::Failure && is_skipped() {
            return skipped();
        }
        if outcome != self.again {
            return AfterChild::End(outcome);
        }
        let starts = !std::mem::take(&mut runs.is_running);
        runs.ended = runs.ended.saturating_add(1);
        match self.is_left(runs.ended, ctx) {
            // A child that ends at once lets the conditions before the loop be evaluated.
            Ok(true) if starts => {
                wake();
                AfterChild::Later(())
            }
            Ok(true) => AfterChild::Again,
            Ok(false) => AfterChild::End(outcome),
            Err(reason) => AfterChild::End(fault(reason)),
        }
    }

    fn reason(&self, _: &C, show: &mut dyn FnMut(&dyn fmt::Display)) {
        show_fault(show);
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new(self.port, &self.runs)]);
    }
}

/// A `KeepRunningUntilFailure`.
pub(crate) struct KeepRunningUntilFailure;

#[decorator]
impl<C: ?Sized> Decorator<C> for KeepRunningUntilFailure {
    type Pause = ();

    fn name(&self) -> &'static str {
        "KeepRunningUntilFailure"
    }

    fn open(&self, (): &mut (), (): &mut (), _: &mut C) -> Gate<()> {
        forget();
        Gate::Go
    }

    fn resume(&self, (): &mut (), (): &mut (), _: &mut C) -> Gate<()> {
        forget();
        Gate::Go
    }

    fn end(&self, outcome: Outcome, (): &mut (), (): &mut (), _: &mut C) -> AfterChild<()> {
        match outcome {
            Outcome::Failure if !is_skipped() => AfterChild::End(outcome),
            Outcome::Success | Outcome::Failure => AfterChild::Later(()),
            Outcome::Error => AfterChild::End(outcome),
        }
    }
}

/// A `RunOnce`: after the child has ended once, it is skipped, or returns the same outcome.
pub(crate) struct RunOnce {
    pub(crate) then_skip: Port<bool>,
}

#[decorator]
impl<C: HasBoard + ?Sized> Decorator<C> for RunOnce {
    /// Whether the child has ended, and succeeded.
    type Kept = Option<bool>;

    fn name(&self) -> &'static str {
        "RunOnce"
    }

    fn open(&self, (): &mut (), ended: &mut Option<bool>, ctx: &mut C) -> Gate<Never> {
        forget();
        match ended {
            None => Gate::Go,
            Some(_) if self.then_skip.get(ctx).unwrap_or(true) => skipping(),
            Some(has_succeeded) => Gate::End(Outcome::from(*has_succeeded)),
        }
    }

    fn resume(&self, (): &mut (), _: &mut Option<bool>, _: &mut C) -> Gate<Never> {
        forget();
        Gate::Go
    }

    fn end(&self, outcome: Outcome, (): &mut (), ended: &mut Option<bool>, _: &mut C) -> AfterChild<Never> {
        if outcome == Outcome::Failure && is_skipped() {
            return skipped();
        }
        *ended = Some(outcome == Outcome::Success);
        AfterChild::End(outcome)
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new("then_skip", &self.then_skip)]);
    }
}
