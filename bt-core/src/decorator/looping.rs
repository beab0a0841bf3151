//! Decorators that start their child again.

use crate::decorator::{Decorator, DecoratorShape, Effect, Gate, Next};
use crate::describe::Param;
use crate::outcomes::Outcomes;
use crate::status::{Never, Outcome};

/// The policy of [`repeat`](crate::keywords::repeat).
#[derive(Clone, Copy, Debug)]
pub struct Repeat;

/// The policy of [`until_failure`](crate::keywords::until_failure).
#[derive(Clone, Copy, Debug)]
pub struct UntilFailure;

/// The policy of [`until_success`](crate::keywords::until_success).
#[derive(Clone, Copy, Debug)]
pub struct UntilSuccess;

/// The policy of [`wait_until`](crate::keywords::wait_until).
#[derive(Clone, Copy, Debug)]
pub struct WaitUntil;

macro_rules! unbounded_loops {
    ($($policy:ident, $name:literal, $on_success:expr, $on_failure:expr, $end:expr;)+) => {$(
        impl DecoratorShape for $policy {
            type Open = ();
            type Kept = ();
            type Pause = ();
            const EFFECT: Effect = Effect { on_success: $on_success, on_failure: $on_failure, ..Effect::SAME };
            const RESTARTS: bool = true;

            fn name(&self) -> &'static str {
                $name
            }
        }

        impl<C: ?Sized> Decorator<C> for $policy {
            #[inline(always)]
            fn end(&self, outcome: Outcome, (): &mut (), (): &mut (), _: &mut C) -> Next<()> {
                $end(outcome)
            }
        }
    )+};
}

/// Ends with success once the child gives `last`.
#[inline(always)]
fn until(last: Outcome) -> impl Fn(Outcome) -> Next<()> {
    move |outcome| if outcome == last { Next::End(Outcome::Success) } else { Next::Later(()) }
}

unbounded_loops! {
    Repeat, "repeat", Outcomes::RUNNING, Outcomes::RUNNING, |_| Next::Later(());
    UntilFailure, "until_failure", Outcomes::RUNNING, Outcomes::SUCCESS, until(Outcome::Failure);
    UntilSuccess, "until_success", Outcomes::SUCCESS, Outcomes::RUNNING, until(Outcome::Success);
    WaitUntil, "wait_until", Outcomes::SUCCESS, Outcomes::RUNNING, until(Outcome::Success);
}

/// The policy of [`repeat(n)`](crate::keywords::repeat_times).
#[derive(Clone, Copy, Debug)]
pub struct RepeatTimes {
    pub(crate) times: u32,
}

impl DecoratorShape for RepeatTimes {
    /// How often the child has ended.
    type Open = u32;
    type Kept = ();
    type Pause = Never;
    const EFFECT: Effect = Effect { on_success: Outcomes::SUCCESS, on_failure: Outcomes::SUCCESS, ..Effect::SAME };

    fn name(&self) -> &'static str {
        "repeat"
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new("times", &self.times)]);
    }
}

impl<C: ?Sized> Decorator<C> for RepeatTimes {
    #[inline]
    fn open(&self, _: &mut u32, (): &mut (), _: &mut C) -> Gate<Never> {
        if self.times == 0 { Gate::End(Outcome::Success) } else { Gate::Go }
    }

    #[inline]
    fn end(&self, _: Outcome, ended: &mut u32, (): &mut (), _: &mut C) -> Next<Never> {
        *ended = ended.saturating_add(1);
        if *ended >= self.times { Next::End(Outcome::Success) } else { Next::Again }
    }
}

/// The policy of [`retry`](crate::keywords::retry).
#[derive(Clone, Copy, Debug)]
pub struct Retry {
    pub(crate) times: u32,
}

impl DecoratorShape for Retry {
    /// How often the child has failed.
    type Open = u32;
    type Kept = ();
    type Pause = Never;
    const EFFECT: Effect = Effect::SAME;

    fn name(&self) -> &'static str {
        "retry"
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new("times", &self.times)]);
    }
}

impl<C: ?Sized> Decorator<C> for Retry {
    #[inline]
    fn open(&self, _: &mut u32, (): &mut (), _: &mut C) -> Gate<Never> {
        if self.times == 0 { Gate::End(Outcome::Failure) } else { Gate::Go }
    }

    #[inline]
    fn end(&self, outcome: Outcome, failed: &mut u32, (): &mut (), _: &mut C) -> Next<Never> {
        if outcome == Outcome::Success {
            return Next::End(outcome);
        }
        *failed = failed.saturating_add(1);
        if *failed >= self.times { Next::End(Outcome::Failure) } else { Next::Again }
    }
}
