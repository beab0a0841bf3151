//! The time of a loop: where it comes from, and how much has passed.

use core::fmt;
use core::time::Duration;
use std::time::Instant;

/// The source of a loop's time: [`ThreadTime`] or [`AsyncTime`].
#[doc(hidden)]
pub trait TimeSource {
    /// Returns the time since any origin.
    fn now(&self) -> Duration;
}

/// The time of the standard library. The thread is blocked between two ticks. Used by [`drive`](super::drive).
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct ThreadTime(Instant);

impl ThreadTime {
    pub(super) fn start() -> Self {
        Self(Instant::now())
    }
}

impl TimeSource for ThreadTime {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// The time of an asynchronous runtime, or of the program: a clock and a timer. Used by [`drive_async`](super::drive_async).
#[derive(Clone, Copy)]
#[doc(hidden)]
pub struct AsyncTime<F, S> {
    pub(super) now: F,
    pub(super) sleep: S,
}

impl<F: Fn() -> Duration, S> TimeSource for AsyncTime<F, S> {
    fn now(&self) -> Duration {
        (self.now)()
    }
}

impl<F, S> fmt::Debug for AsyncTime<F, S> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("AsyncTime").finish_non_exhaustive()
    }
}

/// The time that has passed since the start of a loop. While the clock goes back, no time passes.
pub(super) struct Stopwatch<T> {
    pub(super) source: T,
    /// The time of the source when `passed` was measured.
    last: Duration,
    passed: Duration,
}

impl<T: TimeSource> Stopwatch<T> {
    pub(super) fn start(source: T) -> Self {
        Self { last: source.now(), source, passed: Duration::ZERO }
    }

    /// Returns the time that has passed.
    pub(super) fn passed(&self) -> Duration {
        self.passed.saturating_add(self.source.now().saturating_sub(self.last))
    }

    /// Returns the time that has passed, and notes it.
    pub(super) fn measure(&mut self) -> Duration {
        self.passed = self.passed();
        self.last = self.source.now();
        self.passed
    }
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;

    use super::*;

    #[test]
    fn a_clock_that_goes_back_takes_no_time_with_it() {
        let now = Cell::new(Duration::from_secs(3600));
        let mut watch = Stopwatch::start(AsyncTime { now: || now.get(), sleep: () });
        let passed = [3610, 5, 7, 7, 10].map(|seconds| {
            now.set(Duration::from_secs(seconds));
            watch.measure().as_secs()
        });
        assert_eq!((passed, watch.passed().as_secs()), ([10, 10, 12, 12, 15], 15));
    }
}
