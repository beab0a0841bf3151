//! The progress of an exploration, on a terminal.

use std::fmt;
use std::io::{IsTerminal as _, Write, stderr};
use std::time::{Duration, Instant};

/// Explorations that take less time show nothing.
const FIRST: Duration = Duration::from_secs(2);
const EVERY: Duration = Duration::from_millis(500);
/// The number of transitions between two looks at the clock.
const LOOKS: u64 = 1024;

/// Writes one line that is overwritten, if the standard error is a terminal.
pub(crate) struct Progress {
    began: Instant,
    /// When the next line is due, after the beginning; `None` if there is no terminal.
    due: Option<Duration>,
    is_shown: bool,
}

impl Progress {
    pub(crate) fn on_terminal() -> Self {
        Self { began: Instant::now(), due: stderr().is_terminal().then_some(FIRST), is_shown: false }
    }

    /// Shows the progress from time to time. `counts` returns the states, those that are not explored yet, and the bytes of all.
    pub(crate) fn show(&mut self, transitions: u64, counts: impl FnOnce() -> (usize, usize, usize)) {
        let Some(due) = self.due.filter(|_| transitions.is_multiple_of(LOOKS)) else { return };
        let elapsed = self.began.elapsed();
        if elapsed < due {
            return;
        }
        self.due = Some(elapsed + EVERY);
        let (states, frontier, bytes) = counts();
        let first = if self.is_shown { "" } else { hint(cfg!(unoptimized)) };
        self.is_shown = true;
        // The harness of tests captures what `eprint!` writes. A terminal that is gone does not end the exploration.
        let line = Line { states, transitions, frontier, bytes, elapsed };
        let _ = write!(stderr(), "{first}\r\x1b[K{line}");
    }

    /// Clears the line.
    pub(crate) fn end(&self) {
        if self.is_shown {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}

/// Returns what makes explorations faster.
const fn hint(is_unoptimized: bool) -> &'static str {
    if is_unoptimized {
        "\r\x1b[Knote: bt-explore is not optimized; for faster tests, add to Cargo.toml:\n    [profile.test.package.\"*\"]\n    opt-level = 2\n"
    } else {
        ""
    }
}

struct Line {
    states: usize,
    transitions: u64,
    frontier: usize,
    bytes: usize,
    elapsed: Duration,
}

impl fmt::Display for Line {
    #[expect(clippy::cast_precision_loss, reason = "the numbers are rounded")]
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { states, transitions, frontier, bytes, elapsed } = self;
        let rate = *transitions as f64 / elapsed.as_secs_f64() / 1e6;
        let megabytes = *bytes as f64 / 1e6;
        write!(
            out,
            "exploring: {states} states ({frontier} to go), {transitions} transitions, {rate:.2} million per second, {megabytes:.0} MB"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_all_counts() {
        let line = Line {
            states: 12,
            transitions: 3_000_000,
            frontier: 4,
            bytes: 57_000_000,
            elapsed: Duration::from_secs(2),
        };
        assert_eq!(
            line.to_string(),
            "exploring: 12 states (4 to go), 3000000 transitions, 1.50 million per second, 57 MB"
        );
    }

    #[test]
    fn the_hint_is_for_debug_builds() {
        assert!(hint(true).contains("[profile.test.package.\"*\"]"));
        assert_eq!(hint(false), "");
    }
}
