//! Decorators that count runs in the lifetime of a memory.

use core::fmt;

use bt_words::Word;

use crate::argument::{Argument, ArgumentIn, IntoArgument, fault};
use crate::decorator::policy::{AfterChild, Decorator, DecoratorShape, Gate, given};
use crate::describe::Param;
use crate::facts::Given;
use crate::status::{Never, Outcome};
use crate::wake::{Foreseen, Wake};

/// Starts its child at most 3 times in the lifetime of the memory, for `limit(3)`. After that, the node fails without
/// starting the child.
///
/// A lifetime begins with a new memory and with [`Memory::reset`](crate::Memory::reset). A run that spans several ticks
/// counts once. (The Limiter of the article on Behavior3 counts calls, including those that continue a run. The Limiter of
/// behavior3js resets its count with each opening, so it limits nothing.) The number is an [argument](IntoArgument),
/// which is determined at each start: `limit(|npc: &Npc| npc.ammo)`. With a range such as `1..=3`, each start draws a
/// number.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for (): limit(1) { succeed } };
/// let mut memory = tree.memory();
/// assert_eq!(tree.tick(&mut (), &mut memory), Status::Success);
/// assert_eq!(tree.tick(&mut (), &mut memory), Status::Failure);
/// ```
pub fn limit<A: IntoArgument<u32, M>, M>(runs: A) -> Limit<A::Argument> {
    Limit { runs: runs.into_argument() }
}

/// Runs its child to success or failure once in the lifetime of the memory, and returns that outcome from then on.
///
/// A run that is halted or ends with an error does not count.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for u32: run_once { |n: &mut u32| *n += 1 } };
/// let (mut n, mut memory) = (0, tree.memory());
/// assert_eq!(tree.tick(&mut n, &mut memory), Status::Success);
/// assert_eq!(tree.tick(&mut n, &mut memory), Status::Success);
/// assert_eq!(n, 1);
/// ```
pub const fn run_once() -> RunOnce {
    RunOnce
}

/// Runs its child until it has succeeded once in the lifetime of the memory, and succeeds from then on.
///
/// A run that fails, is halted or ends with an error does not count: the child is started again. (`OneShot` in `py_trees`, with
/// the policy `ON_SUCCESSFUL_COMPLETION`.)
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for u32: succeed_once { |n: &mut u32| { *n += 1; *n == 2 } } };
/// let (mut n, mut memory) = (0, tree.memory());
/// let statuses = [(); 3].map(|()| tree.tick(&mut n, &mut memory));
/// assert_eq!(statuses, [Status::Failure, Status::Success, Status::Success]);
/// assert_eq!(n, 2);
/// ```
pub const fn succeed_once() -> SucceedOnce {
    SucceedOnce
}

/// Clears all state that the nodes below have kept across runs whenever its child starts: the counts of `limit`, the
/// outcome of `run_once`, the times of `cooldown`, and the kept state of custom leaves, decorators and composites.
/// [Cleanups](crate::keywords::finally) that a halt has left running are halted first.
///
/// The nodes below are then in the same state as in a new memory, so their lifetime is a run of this node. (Nodes of Nav2
/// such as `RateController` and `GoalUpdated` behave in this way below their parent.)
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for u32: fresh { repeat(2) { limit(1) { |n: &mut u32| *n += 1 } } } };
/// let (mut n, mut memory) = (0, tree.memory());
/// tree.tick(&mut n, &mut memory);
/// assert_eq!(n, 1);                               // the second start is beyond the limit
/// tree.tick(&mut n, &mut memory);
/// assert_eq!(n, 2);                               // a new run, and a new limit
/// ```
pub const fn fresh() -> Fresh {
    Fresh
}

/// The policy of [`limit`](crate::keywords::limit).
#[derive(Clone, Copy, Debug)]
pub struct Limit<A> {
    runs: A,
}

impl<A: Argument<u32>> DecoratorShape for Limit<A> {
    type Open = ();
    /// The number of runs so far.
    type Kept = u32;
    type Pause = Never;
    const WORD: Option<Word> = Some(Word::Limit);
    const GIVEN: Given = given::<u32, A>();

    #[inline]
    fn foresee(&self, runs: &u32, _: &mut dyn FnMut() -> Foreseen) -> Foreseen {
        let is_used_up = self.runs.fixed().is_some_and(|limit| *runs >= limit);
        is_used_up.then_some((Outcome::Failure, Wake::Event))
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new(Word::Limit.row().params[0].name, &self.runs)]);
    }
}

impl<C: ?Sized, A: ArgumentIn<C, u32>> Decorator<C> for Limit<A> {
    #[inline(always)]
    fn open(&self, (): &mut (), runs: &mut u32, ctx: &mut C) -> Gate<Never> {
        let Some(drawn) = self.runs.draw(ctx) else { return Gate::End(Outcome::Error) };
        if *runs >= self.runs.value(&drawn) {
            return Gate::End(Outcome::Failure);
        }
        *runs += 1;
        Gate::Go
    }

    fn reason(&self, ctx: &C, show: &mut dyn FnMut(&dyn fmt::Display)) {
        fault(&self.runs, Word::Limit.row().params[0].name, ctx, show);
    }
}

/// The policy of [`succeed_once`](crate::keywords::succeed_once).
#[derive(Clone, Copy, Debug)]
pub struct SucceedOnce;

impl DecoratorShape for SucceedOnce {
    type Open = ();
    /// Whether the child has succeeded.
    type Kept = bool;
    type Pause = Never;
    const WORD: Option<Word> = Some(Word::SucceedOnce);

    #[inline]
    fn foresee(&self, succeeded: &bool, _: &mut dyn FnMut() -> Foreseen) -> Foreseen {
        succeeded.then_some((Outcome::Success, Wake::Event))
    }
}

impl<C: ?Sized> Decorator<C> for SucceedOnce {
    #[inline(always)]
    fn open(&self, (): &mut (), succeeded: &mut bool, _: &mut C) -> Gate<Never> {
        if *succeeded { Gate::End(Outcome::Success) } else { Gate::Go }
    }

    #[inline(always)]
    fn end(&self, outcome: Outcome, (): &mut (), succeeded: &mut bool, _: &mut C) -> AfterChild<Never> {
        *succeeded = outcome == Outcome::Success;
        AfterChild::End(outcome)
    }
}

/// The policy of [`fresh`](crate::keywords::fresh).
#[derive(Clone, Copy, Debug)]
pub struct Fresh;

impl DecoratorShape for Fresh {
    type Open = ();
    type Kept = ();
    type Pause = Never;
    const WORD: Option<Word> = Some(Word::Fresh);
    const FORGETS: bool = true;
}

impl<C: ?Sized> Decorator<C> for Fresh {}

/// The policy of [`run_once`](crate::keywords::run_once).
#[derive(Clone, Copy, Debug)]
pub struct RunOnce;

impl DecoratorShape for RunOnce {
    type Open = ();
    /// The outcome of the one run.
    type Kept = Option<Outcome>;
    type Pause = Never;
    const WORD: Option<Word> = Some(Word::RunOnce);

    #[inline]
    fn foresee(&self, ended: &Option<Outcome>, _: &mut dyn FnMut() -> Foreseen) -> Foreseen {
        ended.map(|ended| (ended, Wake::Event))
    }
}

impl<C: ?Sized> Decorator<C> for RunOnce {
    #[inline(always)]
    fn open(&self, (): &mut (), ended: &mut Option<Outcome>, _: &mut C) -> Gate<Never> {
        ended.map_or(Gate::Go, Gate::End)
    }

    #[inline(always)]
    fn end(&self, outcome: Outcome, (): &mut (), ended: &mut Option<Outcome>, _: &mut C) -> AfterChild<Never> {
        *ended = Some(outcome);
        AfterChild::End(outcome)
    }
}
