//! Parallels: composites that tick all children every tick until a threshold is reached.

use bt_words::{ChildCount, Returns, Thresholds, Word};

use crate::composite::adopted::Adopted;
use crate::composite::custom::{Composed, Composite, CompositeShape, compose};
use crate::composite::marks::{NoMarks, PerRun};
use crate::composite::rule::Children;
use crate::composite::running::Several;
use crate::composite::tally::{Counts, Tally};
use crate::composite::threshold::{AtLeast, Threshold};
use crate::composite::wakes::ChildWakes;
use crate::describe::Param;
use crate::status::{Outcome, Status, Step};
use crate::wake::Wake;

/// Ticks all of its children every tick, in order, until enough of them succeed or fail in the same tick:
/// `parallel(success = all, failure = one)`.
///
/// A threshold is `all`, `one` or a number of children. The default for success is `all`, that for failure is `one`.
/// The node stops at the first threshold reached; success is checked first. Children that are running then are halted.
/// A child that has ended starts again in the next tick. (The Parallel of the Lua article.)
///
/// A literal threshold larger than the number of children is a compile error. If a *computed* threshold for success is
/// larger, the node fails at once without ticking a child. If a computed threshold for failure is larger, it is never
/// reached. A computed threshold of 0 counts as 1.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for (): parallel(success = one) { run, succeed } };
/// assert_eq!(tree.tick(&mut (), &mut tree.memory()), Status::Success);
/// ```
pub const fn parallel<S: Threshold, F: Threshold, L>(
    success: S,
    failure: F,
    children: L,
) -> Composed<Parallel<S, F>, L> {
    compose(Parallel::new(success, failure), children)
}

/// Ticks all of its children in order, each until it ends, until enough of them have succeeded or failed.
///
/// Finished children are not ticked again. The node fails at once when it can no longer succeed. For the thresholds see
/// [`parallel`]. (The Parallel of BehaviorTree.CPP.)
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for u32: mem_parallel { |n: &mut u32| *n += 1, wait_until { |n: &u32| *n > 5 } } };
/// let (mut n, mut memory) = (0, tree.memory());
/// assert_eq!(tree.tick(&mut n, &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut n, &mut memory), Status::Running);
/// assert_eq!(n, 1); // the first child has ended and is not ticked again
/// ```
pub const fn mem_parallel<S: Threshold, F: Threshold, L>(
    success: S,
    failure: F,
    children: L,
) -> Composed<MemParallel<S, F>, L> {
    compose(MemParallel::new(success, failure), children)
}

/// The rule of [`keywords::parallel`](crate::keywords::parallel).
#[derive(Clone, Copy, Debug)]
pub struct Parallel<S, F> {
    success: S,
    failure: F,
}

/// The rule of [`keywords::mem_parallel`](crate::keywords::mem_parallel).
#[derive(Clone, Copy, Debug)]
pub struct MemParallel<S, F> {
    success: S,
    failure: F,
}

/// Shows the thresholds of a parallel.
fn show_thresholds(
    word: Word,
    success: &dyn core::fmt::Debug,
    failure: &dyn core::fmt::Debug,
    show: &mut dyn FnMut(&[Param<'_>]),
) {
    let [first, second] = [0, 1].map(|param| word.row().params[param].name);
    show(&[Param::new(first, success), Param::new(second, failure)]);
}

/// Returns the outcome of a parallel of this number of children that is known without ticking one.
#[inline(always)]
const fn at_once(len: usize, success: usize) -> Option<Status> {
    if success > len {
        return Some(Status::Failure);
    }
    // All of no children have succeeded.
    if len == 0 { Some(Status::Success) } else { None }
}

impl<S, F> Parallel<S, F> {
    /// Creates the rule.
    pub const fn new(success: S, failure: F) -> Self {
        Self { success, failure }
    }
}

impl Parallel<AtLeast, AtLeast> {
    /// Creates the rule with these thresholds, for success and for failure.
    pub const fn of([success, failure]: [usize; 2]) -> Self {
        Self::new(AtLeast(success), AtLeast(failure))
    }
}

impl<S: Threshold, F: Threshold> CompositeShape for Parallel<S, F> {
    type Open = ();
    type Kept = ();
    type Running = Several;
    type Marks = NoMarks;
    const WORD: Option<Word> = Some(Word::Parallel);
    const CHILDREN: ChildCount = ChildCount::ANY_OR_NONE;
    const RETURNS: Returns =
        Returns::Thresholds(Thresholds { success: S::FIXED, failure: F::FIXED, has_memory: false });
    const RESTARTS: bool = true;
    fn wake(&self, (): &(), (): &(), children: &mut dyn ChildWakes) -> Wake {
        let len = children.len();
        let (success, failure) = (self.success.of(len), self.failure.of(len));
        let mut tally = Tally::<false> { counts: &mut Counts::default(), len, success, failure };
        let mut wake = children.running();
        // The children that have ended start again, and must end in the same way without deciding the parallel.
        for child in 0..len {
            if !children.is_running(child) {
                match children.foresee(child) {
                    Some((outcome, until)) if tally.count(outcome).is_none() => wake = wake.earliest(until),
                    Some(_) | None => return Wake::Next,
                }
            }
        }
        wake
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show_thresholds(Word::Parallel, &self.success, &self.failure, show);
    }
}

impl<C: ?Sized, S: Threshold, F: Threshold> Composite<C> for Parallel<S, F> {
    #[inline(always)]
    fn tick(&self, children: &mut impl Children<C>, (): &mut (), (): &mut (), ctx: &mut C) -> Status {
        let len = children.len();
        let (success, failure) = (self.success.of(len), self.failure.of(len));
        if let Some(status) = at_once(len, success) {
            return status;
        }
        let mut tally = Tally::<false> { counts: &mut Counts::default(), len, success, failure };
        for child in 0..len {
            if let Step::Done(outcome) = children.tick(child, ctx).into()
                && let Some(decided) = tally.count(outcome)
            {
                return decided.into();
            }
        }
        Status::Running
    }
}

impl<S, F> MemParallel<S, F> {
    /// Creates the rule.
    pub const fn new(success: S, failure: F) -> Self {
        Self { success, failure }
    }
}

impl MemParallel<AtLeast, AtLeast> {
    /// Creates the rule with these thresholds, for success and for failure.
    pub const fn of([success, failure]: [usize; 2]) -> Self {
        Self::new(AtLeast(success), AtLeast(failure))
    }
}

impl<S: Threshold, F: Threshold> MemParallel<S, F> {
    #[inline(always)]
    fn tally<'a>(&self, counts: &'a mut Counts, len: usize) -> Tally<'a, true> {
        Tally { counts, len, success: self.success.of(len), failure: self.failure.of(len) }
    }
}

impl<S: Threshold, F: Threshold> CompositeShape for MemParallel<S, F> {
    type Open = Counts;
    type Kept = ();
    type Running = Several;
    /// The children that have ended.
    type Marks = PerRun;
    const WORD: Option<Word> = Some(Word::MemParallel);
    const CHILDREN: ChildCount = ChildCount::ANY_OR_NONE;
    const RETURNS: Returns = Returns::Thresholds(Thresholds { success: S::FIXED, failure: F::FIXED, has_memory: true });
    fn adopt(&self, counts: &mut Counts, (): &mut (), children: &mut Adopted<'_>) -> bool {
        let removed = children.moved().enumerate().filter(|(child, to)| to.is_none() && children.was_marked(*child));
        counts.remove(u32::try_from(removed.count()).unwrap_or(u32::MAX))
    }

    fn decided(&self, counts: &mut Counts, len: usize) -> Option<Outcome> {
        self.tally(counts, len).decided()
    }

    fn wake(&self, _: &Counts, (): &(), children: &mut dyn ChildWakes) -> Wake {
        children.running()
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show_thresholds(Word::MemParallel, &self.success, &self.failure, show);
    }
}

impl<C: ?Sized, S: Threshold, F: Threshold> Composite<C> for MemParallel<S, F> {
    #[inline(always)]
    fn tick(&self, children: &mut impl Children<C>, counts: &mut Counts, (): &mut (), ctx: &mut C) -> Status {
        let mut tally = self.tally(counts, children.len());
        if let Some(status) = at_once(tally.len, tally.success) {
            return status;
        }
        let mut waits = false;
        let decided = children.tick_rest(ctx, |status| match status.into() {
            Step::Running(()) => {
                waits = true;
                None
            }
            Step::Done(outcome) => tally.count(outcome),
        });
        match decided {
            Some(outcome) => outcome.into(),
            // Without a child to wait for, success is impossible. Only a save that was edited gets here.
            None if !waits => Status::Failure,
            None => Status::Running,
        }
    }
}
