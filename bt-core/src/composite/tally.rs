//! What a parallel counts.

use core::marker::PhantomData;

use bt_words::Word;

use crate::status::{Never, Outcome};

/// What a parallel does with a child that has ended.
pub trait ParallelMode: Copy + Send + Sync + 'static {
    /// Marks a child that has ended for good.
    type Ended: Copy + Send + Sync + 'static;
    /// The keyword.
    const WORD: Word;
    /// What is remembered of the counts from one tick to the next.
    type Kept: Copy + Default + From<Counts> + Into<Counts> + Send + Sync + 'static;
    /// Whether the counts of one tick still hold in the next.
    const HAS_MEMORY: bool;
    /// The slot of a child that has just ended.
    fn slot<Open>() -> Slot<Open, Self::Ended>;
}

/// The watch of a `parallel`: a child that ended starts again in the next tick.
#[derive(Clone, Copy, Debug)]
pub enum Reactive {}

/// The watch of a `mem_parallel`: a child that ended is not ticked again.
#[derive(Clone, Copy, Debug)]
pub enum WithMemory {}

impl ParallelMode for Reactive {
    type Ended = Never;
    type Kept = ();
    const WORD: Word = Word::Parallel;
    const HAS_MEMORY: bool = false;

    #[inline(always)]
    fn slot<Open>() -> Slot<Open, Never> {
        Slot::Closed
    }
}

impl ParallelMode for WithMemory {
    type Ended = ();
    type Kept = Counts;
    const WORD: Word = Word::MemParallel;
    const HAS_MEMORY: bool = true;

    #[inline(always)]
    fn slot<Open>() -> Slot<Open, ()> {
        Slot::Ended(())
    }
}

/// One child of a parallel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Slot<Open, Ended> {
    /// Not running; starts in the next tick.
    Closed,
    /// Running.
    Running(Open),
    /// Ended for good.
    Ended(Ended),
}

/// How many children have ended for good: to be compared with the counts of a save, which may have been changed by hand.
pub trait Ended {
    /// How many.
    fn ended(&self) -> usize;
}

impl<Open, E> Ended for Slot<Open, E> {
    fn ended(&self) -> usize {
        usize::from(matches!(self, Slot::Ended(_)))
    }
}

/// How many children have succeeded and failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Counts {
    pub(super) successes: u16,
    pub(super) failures: u16,
}

impl From<Counts> for () {
    fn from(_: Counts) -> Self {}
}

impl From<()> for Counts {
    #[inline(always)]
    fn from((): ()) -> Self {
        Self::default()
    }
}

/// Counts children against the thresholds.
#[derive(Clone, Copy, Debug)]
pub struct Tally<W> {
    pub(super) counts: Counts,
    len: usize,
    success: usize,
    failure: usize,
    mode: PhantomData<W>,
}

impl<W: ParallelMode> Tally<W> {
    /// A tally that goes on from these counts, against these thresholds.
    #[inline(always)]
    pub(crate) fn new(counts: Counts, len: usize, success: usize, failure: usize) -> Self {
        Self { counts, len, success, failure, mode: PhantomData }
    }

    /// Counts one child that ended, and says how the parallel ends if that decides it. Success is asked first.
    #[inline(always)]
    pub(crate) fn count(&mut self, outcome: Outcome) -> Option<Outcome> {
        match outcome {
            Outcome::Error => return Some(Outcome::Error),
            Outcome::Success => self.counts.successes = self.counts.successes.saturating_add(1),
            Outcome::Failure => self.counts.failures = self.counts.failures.saturating_add(1),
        }
        let (successes, failures) = (usize::from(self.counts.successes), usize::from(self.counts.failures));
        let hopeless = W::HAS_MEMORY && self.len.saturating_sub(failures) < self.success;
        if successes >= self.success {
            Some(Outcome::Success)
        } else if failures >= self.failure || hopeless {
            Some(Outcome::Failure)
        } else {
            None
        }
    }
}
