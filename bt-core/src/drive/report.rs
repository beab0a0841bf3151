//! The reports of driving loops.

use core::fmt;
use core::time::Duration;

use crate::status::Status;

/// A report of a driving loop, returned by [`Driver::until_end`](super::Driver::until_end) and similar methods.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DriveReport {
    /// The status of the last tick; `None` if there was none.
    pub status: Option<Status>,
    /// `true` if the loop was [stopped](super::StopHandle::stop).
    pub is_stopped: bool,
    /// The number of ticks.
    pub ticks: u64,
    /// The number of ticks that an event caused before their time.
    pub early: u64,
    /// The number of ticks that were not needed, because the tree was not due. See [`when_due`](super::Driver::when_due).
    pub saved: u64,
    /// The number of ticks that ended after the next tick should have begun.
    pub overruns: u64,
    /// The number of ticks that were skipped after an overrun. See [`MissedTicks`](super::MissedTicks).
    pub skipped: u64,
    /// The duration of the longest tick.
    pub longest: Duration,
    /// The time from the creation of the driver to this report.
    pub time: Duration,
}

impl fmt::Display for DriveReport {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { status, is_stopped, ticks, early, saved, overruns, skipped, longest, time } = *self;
        match (status, is_stopped) {
            (_, true) => out.write_str("stopped")?,
            (Some(status), false) => write!(out, "{status:?}")?,
            (None, false) => out.write_str("not ticked")?,
        }
        write!(out, " after {ticks} ticks in {time:.1?} (longest {longest:.1?})")?;
        let counts = [(early, "early"), (saved, "saved"), (overruns, "overruns"), (skipped, "skipped")];
        for (count, word) in counts.into_iter().filter(|(count, _)| *count > 0) {
            write!(out, ", {count} {word}")?;
        }
        Ok(())
    }
}
