//! Decorators that start their child again.

use core::fmt;

use bt_words::Word;

use crate::argument::{Argument, ArgumentIn, IntoArgument, fault};
use crate::decorator::policy::{AfterChild, Decorator, DecoratorShape, Gate, given};
use crate::describe::Param;
use crate::facts::Given;
use crate::outcomes::Outcomes;
use crate::status::{Never, Outcome};

/// Starts its child again each time it ends, at most once per tick. Never ends by itself.
///
/// With a number, as in `repeat(3)`, it is [`repeat_times`].
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

/// Runs its child the given number of times, for `repeat(3)`. Then succeeds, even if runs have failed.
///
/// It continues within the tick if the child ends at once. A computed number of 0 succeeds without starting the child;
/// a literal 0 or 1 is a compile error. (Repeater in Behavior3.)
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for u32: repeat(3) { |n: &mut u32| *n += 1 } };
/// let mut n = 0;
/// assert_eq!(tree.tick(&mut n, &mut tree.memory()), Status::Success);
/// assert_eq!(n, 3);
/// ```
pub fn repeat_times<A: IntoArgument<u32, M>, M>(times: A) -> RepeatTimes<A::Argument> {
    RepeatTimes { times: times.into_argument() }
}

/// Starts its child again when it fails, up to the given number of runs, for `retry(3)`. Then fails.
///
/// It continues within the tick if the child fails at once. A computed number of 0 fails without starting the child; a
/// literal 0 or 1 is a compile error.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for u32: retry(5) { |n: &mut u32| { *n += 1; *n == 3 } } };
/// let mut n = 0;
/// assert_eq!(tree.tick(&mut n, &mut tree.memory()), Status::Success);
/// assert_eq!(n, 3);
/// ```
pub fn retry<A: IntoArgument<u32, M>, M>(times: A) -> Retry<A::Argument> {
    Attempts { times: times.into_argument() }
}

/// Starts its child again when it succeeds, up to the given number of runs, as in `repeat_while_success(3)`. Fails when the
/// child fails. (Repeat in BehaviorTree.CPP.)
///
/// It continues within the tick if the child succeeds at once. A computed number of 0 succeeds without starting the child; a
/// literal 0 or 1 is a compile error. In contrast, [`repeat(3)`](repeat_times) also continues after a failure.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for u32: repeat_while_success(3) { |n: &mut u32| { *n += 1; *n != 5 } } };
/// let (mut n, mut memory) = (0, tree.memory());
/// assert_eq!(tree.tick(&mut n, &mut memory), Status::Success);
/// assert_eq!(tree.tick(&mut n, &mut memory), Status::Failure);
/// assert_eq!(n, 5);
/// ```
pub fn repeat_while_success<A: IntoArgument<u32, M>, M>(times: A) -> RepeatWhileSuccess<A::Argument> {
    Attempts { times: times.into_argument() }
}

/// Starts its child again, at most once per tick, until it fails. Then succeeds. (RepeatUntilFailure in Behavior3.)
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

/// Starts its child again, at most once per tick, until it succeeds. (RepeatUntilSuccess in Behavior3.)
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

/// Runs until its child succeeds. Ticks the child once per tick. (WaitUntil in the Lua article.)
///
/// The same as [`until_success`], under a name that suits conditions: `wait_until { friend_arrived }`.
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
    ($($policy:ident, $end:expr, $goes_on:expr;)+) => {$(
        impl DecoratorShape for $policy {
            type Open = ();
            type Kept = ();
            type Pause = ();
            const WORD: Option<Word> = Some(Word::$policy);
            const RESTARTS: bool = true;
            const GOES_ON: Outcomes = $goes_on;
        }

        impl<C: ?Sized> Decorator<C> for $policy {
            #[inline(always)]
            fn end(&self, outcome: Outcome, (): &mut (), (): &mut (), _: &mut C) -> AfterChild<()> {
                $end(outcome)
            }
        }
    )+};
}

/// Ends with success when the child returns `last`.
#[inline(always)]
fn until(last: Outcome) -> impl Fn(Outcome) -> AfterChild<()> {
    move |outcome| if outcome == last { AfterChild::End(Outcome::Success) } else { AfterChild::Later(()) }
}

unbounded_loops! {
    Repeat, |_| AfterChild::Later(()), Outcomes::SUCCESS.or(Outcomes::FAILURE);
    UntilFailure, until(Outcome::Failure), Outcomes::SUCCESS;
    UntilSuccess, until(Outcome::Success), Outcomes::FAILURE;
    WaitUntil, until(Outcome::Success), Outcomes::FAILURE;
}

/// The number of runs of a loop's child so far, and the number that ends the loop.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Counted<D> {
    /// The number of runs that have ended so far.
    pub ended: u32,
    /// The number that ends the loop, as stored by the [`Argument`].
    pub times: D,
}

impl<D: Copy> Counted<D> {
    /// Starts to count. Returns `None` if there is no number.
    #[inline(always)]
    fn draw<C: ?Sized>(&mut self, times: &impl ArgumentIn<C, u32, Drawn = D>, ctx: &mut C) -> Option<u32> {
        self.times = times.draw(ctx)?;
        Some(times.value(&self.times))
    }

    /// Counts a run. Returns `true` if it was the last.
    #[inline(always)]
    fn is_last(&mut self, times: &impl Argument<u32, Drawn = D>) -> bool {
        self.ended = self.ended.saturating_add(1);
        self.ended >= times.value(&self.times)
    }
}

/// The policy of [`repeat(n)`](crate::keywords::repeat_times).
#[derive(Clone, Copy, Debug)]
pub struct RepeatTimes<A> {
    times: A,
}

impl<A> RepeatTimes<A> {
    /// Returns the number of runs.
    pub const fn times(&self) -> &A {
        &self.times
    }
}

impl<A: Argument<u32>> DecoratorShape for RepeatTimes<A> {
    type Open = Counted<A::Drawn>;
    type Kept = ();
    type Pause = Never;
    const WORD: Option<Word> = Some(Word::RepeatTimes);
    const GIVEN: Given = given::<u32, A>();

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new(Word::RepeatTimes.row().params[0].name, &self.times)]);
    }
}

impl<C: ?Sized, A: ArgumentIn<C, u32>> Decorator<C> for RepeatTimes<A> {
    #[inline(always)]
    fn open(&self, counted: &mut Self::Open, (): &mut (), ctx: &mut C) -> Gate<Never> {
        match counted.draw(&self.times, ctx) {
            None => Gate::End(Outcome::Error),
            Some(0) => Gate::End(Outcome::Success),
            Some(_) => Gate::Go,
        }
    }

    #[inline(always)]
    fn end(&self, _: Outcome, counted: &mut Self::Open, (): &mut (), _: &mut C) -> AfterChild<Never> {
        if counted.is_last(&self.times) { AfterChild::End(Outcome::Success) } else { AfterChild::Again }
    }

    fn reason(&self, ctx: &C, show: &mut dyn FnMut(&dyn fmt::Display)) {
        fault(&self.times, Word::RepeatTimes.row().params[0].name, ctx, show);
    }
}

/// The policy of [`retry`](crate::keywords::retry).
pub type Retry<A> = Attempts<A, true>;
/// The policy of [`repeat_while_success`](crate::keywords::repeat_while_success).
pub type RepeatWhileSuccess<A> = Attempts<A, false>;

/// Starts its child again until it succeeds, or until it fails if `UNTIL_SUCCESS` is `false`, up to a number of runs.
#[derive(Clone, Copy, Debug)]
pub struct Attempts<A, const UNTIL_SUCCESS: bool> {
    times: A,
}

impl<A, const UNTIL_SUCCESS: bool> Attempts<A, UNTIL_SUCCESS> {
    const WORD: Word = if UNTIL_SUCCESS { Word::Retry } else { Word::RepeatWhileSuccess };
    /// The outcome of the child that ends the loop.
    const LAST: Outcome = if UNTIL_SUCCESS { Outcome::Success } else { Outcome::Failure };
    /// The outcome of the child after which it is started again.
    const OTHER: Outcome = if UNTIL_SUCCESS { Outcome::Failure } else { Outcome::Success };

    /// Returns the number of runs.
    pub const fn times(&self) -> &A {
        &self.times
    }
}

impl<A: Argument<u32>, const UNTIL_SUCCESS: bool> DecoratorShape for Attempts<A, UNTIL_SUCCESS> {
    type Open = Counted<A::Drawn>;
    type Kept = ();
    type Pause = Never;
    const WORD: Option<Word> = Some(Self::WORD);
    const GIVEN: Given = given::<u32, A>();

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new(Self::WORD.row().params[0].name, &self.times)]);
    }
}

impl<C: ?Sized, A: ArgumentIn<C, u32>, const UNTIL_SUCCESS: bool> Decorator<C> for Attempts<A, UNTIL_SUCCESS> {
    #[inline(always)]
    fn open(&self, counted: &mut Self::Open, (): &mut (), ctx: &mut C) -> Gate<Never> {
        match counted.draw(&self.times, ctx) {
            None => Gate::End(Outcome::Error),
            Some(0) => Gate::End(Self::OTHER),
            Some(_) => Gate::Go,
        }
    }

    #[inline(always)]
    fn end(&self, outcome: Outcome, counted: &mut Self::Open, (): &mut (), _: &mut C) -> AfterChild<Never> {
        if outcome == Self::LAST || counted.is_last(&self.times) { AfterChild::End(outcome) } else { AfterChild::Again }
    }

    fn reason(&self, ctx: &C, show: &mut dyn FnMut(&dyn fmt::Display)) {
        fault(&self.times, Self::WORD.row().params[0].name, ctx, show);
    }
}
