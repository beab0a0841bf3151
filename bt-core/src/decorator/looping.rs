//! Decorators that start their child again.

use core::fmt;

use bt_words::Word;

use crate::check::{Lint, Requirement};
use crate::decorator::policy::{AfterChild, Decorator, DecoratorShape, Gate, StatusMap, statuses};
use crate::describe::Param;
use crate::outcomes::Outcomes;
use crate::status::{Never, Outcome};

/// Without a number: starts its child again and again, at most once per tick, and never ends by itself.
///
/// With one, `repeat(3)`: see [`repeat_times`].
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for u32: repeat { |n: &mut u32| *n += 1 } };
/// let (mut n, mut memory) = (0, tree.memory());
/// assert_eq!(tree.tick(&mut n, &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut n, &mut memory), Status::Running);
/// assert_eq!(n, 2);
/// ```
pub const fn repeat() -> Repeat {
    Repeat
}

/// `repeat(3)`: starts its child until it has ended three times, whether by success or failure, then succeeds.
///
/// Goes on within the tick while the child ends at once. `repeat(0)` succeeds without it. (Behavior3's Repeater.)
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for u32: repeat(3) { |n: &mut u32| *n += 1 } };
/// let mut n = 0;
/// assert_eq!(tree.tick(&mut n, &mut tree.memory()), Status::Success);
/// assert_eq!(n, 3);
/// ```
pub const fn repeat_times<T: Times>(times: T) -> RepeatTimes<T> {
    RepeatTimes { times }
}

/// `retry(3)`: starts its child until it succeeds, at most three times, then fails.
///
/// Goes on within the tick while the child fails at once. `retry(0)` fails without it.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for u32: retry(5) { |n: &mut u32| { *n += 1; *n == 3 } } };
/// let mut n = 0;
/// assert_eq!(tree.tick(&mut n, &mut tree.memory()), Status::Success);
/// assert_eq!(n, 3);
/// ```
pub const fn retry<T: Times>(times: T) -> Retry<T> {
    Retry { times }
}

/// Starts its child again, at most once per tick, until it fails; then succeeds. (Behavior3's RepeatUntilFailure.)
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for u32: until_failure { |n: &mut u32| { *n += 1; *n < 2 } } };
/// let (mut n, mut memory) = (0, tree.memory());
/// assert_eq!(tree.tick(&mut n, &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut n, &mut memory), Status::Success);
/// ```
pub const fn until_failure() -> UntilFailure {
    UntilFailure
}

/// Starts its child again, at most once per tick, until it succeeds; then succeeds. (Behavior3's RepeatUntilSuccess.)
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for u32: until_success { |n: &mut u32| { *n += 1; *n == 2 } } };
/// let (mut n, mut memory) = (0, tree.memory());
/// assert_eq!(tree.tick(&mut n, &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut n, &mut memory), Status::Success);
/// ```
pub const fn until_success() -> UntilSuccess {
    UntilSuccess
}

/// Running until its child succeeds: asks it once per tick. (The Lua text's WaitUntil.)
///
/// The same as [`until_success`], for what reads better as waiting: `wait_until { friend_arrived }`.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for bool: wait_until { |arrived: &bool| *arrived } };
/// let mut memory = tree.memory();
/// assert_eq!(tree.tick(&mut false, &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut true, &mut memory), Status::Success);
/// ```
pub const fn wait_until() -> WaitUntil {
    WaitUntil
}

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
    ($($policy:ident, $end:expr, $needs:expr;)+) => {$(
        impl DecoratorShape for $policy {
            type Open = ();
            type Kept = ();
            type Pause = ();
            const STATUSES: StatusMap = statuses(Word::$policy);
            const REQUIRES: &'static [Requirement] = &$needs;
            const RESTARTS: bool = true;

            fn name(&self) -> &'static str {
                Word::$policy.name()
            }
        }

        impl<C: ?Sized> Decorator<C> for $policy {
            #[inline(always)]
            fn end(&self, outcome: Outcome, (): &mut (), (): &mut (), _: &mut C) -> AfterChild<()> {
                $end(outcome)
            }
        }
    )+};
}

/// Ends with success once the child gives `last`.
#[inline(always)]
fn until(last: Outcome) -> impl Fn(Outcome) -> AfterChild<()> {
    move |outcome| if outcome == last { AfterChild::End(Outcome::Success) } else { AfterChild::Later(()) }
}

/// What a loop needs that one outcome ends: that outcome, or it goes on for ever, and another status, or it is none.
const fn loops(last: Outcomes, endless: &'static str, pointless: &'static str) -> [Requirement; 2] {
    let others = Outcomes::SUCCESS.or(Outcomes::FAILURE).or(Outcomes::RUNNING).without(last);
    [
        Requirement { any_of: last, lint: Lint::Endless, or: endless },
        Requirement { any_of: others, lint: Lint::Pointless, or: pointless },
    ]
}

unbounded_loops! {
    Repeat, |_| AfterChild::Later(()),
        [Requirement::an_end("`repeat` has no effect")];
    UntilFailure, until(Outcome::Failure),
        loops(Outcomes::FAILURE, "`until_failure` never ends", "`until_failure` has no effect");
    UntilSuccess, until(Outcome::Success),
        loops(Outcomes::SUCCESS, "`until_success` never ends", "`until_success` has no effect");
    WaitUntil, until(Outcome::Success),
        loops(Outcomes::SUCCESS, "`wait_until` never ends", "`wait_until` has no effect");
}

/// How often: a number, or one that the type knows.
#[diagnostic::on_unimplemented(message = "expected a number of times, found `{Self}`", label = "expected `u32`")]
pub trait Times: Copy + fmt::Debug + Send + Sync + 'static {
    /// The least number it can be.
    const LEAST: u32;
    /// The number.
    fn get(&self) -> u32;
}

impl Times for u32 {
    const LEAST: u32 = 0;

    #[inline(always)]
    fn get(&self) -> u32 {
        *self
    }
}

/// A number that is written in the tree.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Fixed<const N: u32>;

impl<const N: u32> Times for Fixed<N> {
    const LEAST: u32 = N;

    #[inline(always)]
    fn get(&self) -> u32 {
        N
    }
}

impl<const N: u32> fmt::Debug for Fixed<N> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        N.fmt(out)
    }
}

/// The policy of [`repeat(n)`](crate::keywords::repeat_times).
#[derive(Clone, Copy, Debug)]
pub struct RepeatTimes<T> {
    pub(crate) times: T,
}

impl<T: Times> DecoratorShape for RepeatTimes<T> {
    /// How often the child has ended.
    type Open = u32;
    type Kept = ();
    type Pause = Never;
    const STATUSES: StatusMap = statuses(Word::RepeatTimes).and_always(Outcomes::SUCCESS.only_if(T::LEAST == 0));
    const REQUIRES: &'static [Requirement] = &[Requirement::an_end("`repeat` has no effect")];

    fn name(&self) -> &'static str {
        Word::RepeatTimes.name()
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new(Word::RepeatTimes.row().params[0].name, &self.times)]);
    }
}

impl<C: ?Sized, T: Times> Decorator<C> for RepeatTimes<T> {
    #[inline]
    fn open(&self, _: &mut u32, (): &mut (), _: &mut C) -> Gate<Never> {
        if self.times.get() == 0 { Gate::End(Outcome::Success) } else { Gate::Go }
    }

    #[inline]
    fn end(&self, _: Outcome, ended: &mut u32, (): &mut (), _: &mut C) -> AfterChild<Never> {
        *ended = ended.saturating_add(1);
        if *ended >= self.times.get() { AfterChild::End(Outcome::Success) } else { AfterChild::Again }
    }
}

/// The policy of [`retry`](crate::keywords::retry).
#[derive(Clone, Copy, Debug)]
pub struct Retry<T> {
    pub(crate) times: T,
}

impl<T: Times> DecoratorShape for Retry<T> {
    /// How often the child has failed.
    type Open = u32;
    type Kept = ();
    type Pause = Never;
    const STATUSES: StatusMap = statuses(Word::Retry).and_always(Outcomes::FAILURE.only_if(T::LEAST == 0));
    const REQUIRES: &'static [Requirement] =
        &[Requirement { any_of: Outcomes::FAILURE, lint: Lint::Pointless, or: "`retry` has no effect" }];

    fn name(&self) -> &'static str {
        Word::Retry.name()
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new(Word::Retry.row().params[0].name, &self.times)]);
    }
}

impl<C: ?Sized, T: Times> Decorator<C> for Retry<T> {
    #[inline]
    fn open(&self, _: &mut u32, (): &mut (), _: &mut C) -> Gate<Never> {
        if self.times.get() == 0 { Gate::End(Outcome::Failure) } else { Gate::Go }
    }

    #[inline]
    fn end(&self, outcome: Outcome, failed: &mut u32, (): &mut (), _: &mut C) -> AfterChild<Never> {
        if outcome == Outcome::Success {
            return AfterChild::End(outcome);
        }
        *failed = failed.saturating_add(1);
        if *failed >= self.times.get() { AfterChild::End(Outcome::Failure) } else { AfterChild::Again }
    }
}
