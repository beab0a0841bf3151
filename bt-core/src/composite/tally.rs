//! Counts the ended children of a parallel.

use core::marker::PhantomData;

use bt_words::Word;

use crate::status::{Never, Outcome};

/// The treatment of children that have ended in a parallel.
pub trait ParallelMode: Copy + Send + Sync + 'static {
    /// The marker of a child that has ended for good.
    type Ended: Copy + Send + Sync + 'static;
    /// The keyword.
    const WORD: Word;
    /// The part of the counts that is stored from one tick to the next.
    type Kept: Copy + Default + From<Counts> + Into<Counts> + Send + Sync + 'static;
    /// `true` if the counts of one tick still hold in the next.
    const HAS_MEMORY: bool;
    /// Returns the slot of a child that has just ended.
    fn slot<Open>() -> Slot<Open, Self::Ended>;
}

/// The mode of `parallel`: a child that has ended starts again in the next tick.
#[derive(Clone, Copy, Debug)]
pub enum Reactive {}

/// The mode of `mem_parallel`: a child that has ended is not ticked again.
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

/// The state of one child of a parallel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Slot<Open, Ended> {
    /// The child is not running; it starts in the next tick.
    Closed,
    /// The child is running.
    Running(Open),
    /// The child has ended for good.
    Ended(Ended),
}

/// A type that contains the states of children. It counts those that have ended for good, to detect saves that were
/// edited by hand.
pub trait Ended {
    /// Returns the number of children that have ended for good.
    fn ended(&self) -> usize;
}

impl<Open, E> Ended for Slot<Open, E> {
    fn ended(&self) -> usize {
        usize::from(matches!(self, Slot::Ended(_)))
    }
}

/// The number of children that have succeeded and failed.
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

/// Compares the numbers of ended children with the thresholds.
#[derive(Clone, Copy, Debug)]
pub struct Tally<W> {
    successes: usize,
    failures: usize,
    len: usize,
    success: usize,
    failure: usize,
    mode: PhantomData<W>,
}

impl<W: ParallelMode> Tally<W> {
    /// Creates a tally that continues from these counts, with these thresholds.
    #[inline(always)]
    pub(crate) fn new(counts: Counts, len: usize, success: usize, failure: usize) -> Self {
        let (successes, failures) = (usize::from(counts.successes), usize::from(counts.failures));
        Self { successes, failures, len, success, failure, mode: PhantomData }
    }

    /// Returns the counts, for the next tick.
    #[inline(always)]
    pub(crate) fn counts(&self) -> Counts {
        let stored = |count| u16::try_from(count).unwrap_or(u16::MAX);
        Counts { successes: stored(self.successes), failures: stored(self.failures) }
    }

    /// Counts one child that has ended. Returns the outcome of the parallel if this decides it; success is checked
    /// first.
    #[inline(always)]
    pub(crate) fn count(&mut self, outcome: Outcome) -> Option<Outcome> {
        match outcome {
            Outcome::Error => Some(Outcome::Error),
            Outcome::Success => {
                self.successes += 1;
                (self.successes >= self.success).then_some(Outcome::Success)
            }
            Outcome::Failure => {
                self.failures += 1;
                let is_hopeless = W::HAS_MEMORY && self.len.saturating_sub(self.failures) < self.success;
                (self.failures >= self.failure || is_hopeless).then_some(Outcome::Failure)
            }
        }
    }
}
