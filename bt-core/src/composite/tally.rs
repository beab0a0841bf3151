//! Counts the children of a parallel that have ended.

use crate::status::Outcome;

/// The numbers of children that have succeeded and failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Counts {
    successes: u32,
    failures: u32,
}

impl Counts {
    /// Removes children that have ended. Returns `false` if it is unknown how.
    pub(super) const fn remove(&mut self, ended: u32) -> bool {
        match (ended, self.successes, self.failures) {
            (0, ..) => {}
            (_, _, 0) => self.successes = self.successes.saturating_sub(ended),
            (_, 0, _) => self.failures = self.failures.saturating_sub(ended),
            (1.., 1.., 1..) => return false,
        }
        true
    }
}

/// Compares the numbers of children that have ended with the thresholds. With memory, also decides when success has become
/// impossible.
#[derive(Debug)]
pub(super) struct Tally<'a, const HAS_MEMORY: bool> {
    pub(super) counts: &'a mut Counts,
    pub(super) len: usize,
    /// The thresholds.
    pub(super) success: usize,
    pub(super) failure: usize,
}

impl<const HAS_MEMORY: bool> Tally<'_, HAS_MEMORY> {
    /// Counts one child that has ended. Returns the outcome of the parallel if this decides it; success is checked
    /// first.
    #[inline(always)]
    pub(super) fn count(&mut self, outcome: Outcome) -> Option<Outcome> {
        match outcome {
            Outcome::Error => Some(Outcome::Error),
            Outcome::Success => {
                let successes = one_more(&mut self.counts.successes);
                (successes >= self.success).then_some(Outcome::Success)
            }
            Outcome::Failure => {
                let failures = one_more(&mut self.counts.failures);
                let is_hopeless = HAS_MEMORY && self.len.saturating_sub(failures) < self.success;
                (failures >= self.failure || is_hopeless).then_some(Outcome::Failure)
            }
        }
    }

    /// Returns the outcome of the parallel if the counts decide it: an edit may have changed the thresholds.
    pub(super) fn decided(&self) -> Option<Outcome> {
        let (successes, failures) = (self.counts.successes as usize, self.counts.failures as usize);
        let is_hopeless = HAS_MEMORY && self.len.saturating_sub(failures) < self.success;
        if successes >= self.success.max(1) {
            Some(Outcome::Success)
        } else {
            (failures >= self.failure.max(1) || is_hopeless).then_some(Outcome::Failure)
        }
    }
}

#[inline(always)]
const fn one_more(count: &mut u32) -> usize {
    // A save may have been edited.
    *count = count.saturating_add(1);
    *count as usize
}
