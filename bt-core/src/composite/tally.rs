//! Counts the children of a parallel that have ended.

use crate::status::Outcome;

/// The numbers of children that have succeeded and failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Counts {
    successes: u16,
    failures: u16,
}

/// Compares the numbers of children that have ended with the thresholds. With memory, also decides when success has become
/// impossible.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tally<const HAS_MEMORY: bool> {
    successes: usize,
    failures: usize,
    len: usize,
    success: usize,
    failure: usize,
}

impl<const HAS_MEMORY: bool> Tally<HAS_MEMORY> {
    /// Creates a tally that continues from these counts, with these thresholds.
    #[inline(always)]
    pub(super) fn new(counts: Counts, len: usize, [success, failure]: [usize; 2]) -> Self {
        let (successes, failures) = (usize::from(counts.successes), usize::from(counts.failures));
        Self { successes, failures, len, success, failure }
    }

    /// Returns the counts, for the next tick.
    #[inline(always)]
    pub(super) fn counts(&self) -> Counts {
        let stored = |count| u16::try_from(count).unwrap_or(u16::MAX);
        Counts { successes: stored(self.successes), failures: stored(self.failures) }
    }

    /// Counts one child that has ended. Returns the outcome of the parallel if this decides it; success is checked
    /// first.
    #[inline(always)]
    pub(super) fn count(&mut self, outcome: Outcome) -> Option<Outcome> {
        match outcome {
            Outcome::Error => Some(Outcome::Error),
            Outcome::Success => {
                self.successes += 1;
                (self.successes >= self.success).then_some(Outcome::Success)
            }
            Outcome::Failure => {
                self.failures += 1;
                let is_hopeless = HAS_MEMORY && self.len.saturating_sub(self.failures) < self.success;
                (self.failures >= self.failure || is_hopeless).then_some(Outcome::Failure)
            }
        }
    }
}
