//! A clock that is set by hand.

use core::time::Duration;

use crate::clock::Clock;

/// A clock that is set by hand. It is a context for trees of [scripted](super::scripted) leaves, or a field of a context.
///
/// ```
/// use bt_core::prelude::*;
/// use bt_core::testing::{ManualClock, TreeTest, scripted};
///
/// let tree = tree! { for ManualClock: cooldown(secs(2)) { scripted("shoot", [Status::Success]) } };
/// let mut test = TreeTest::new(tree, ManualClock::default()).before_each_tick(|clock| clock.advance(millis(500)));
/// let shots = (0..10).filter(|_| test.tick() == Status::Success).count();
/// assert_eq!(shots, 3);                          // at 0.5 s, 2.5 s and 4.5 s
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ManualClock(Duration);

impl ManualClock {
    /// Creates a clock that shows this time.
    pub const fn new(now: Duration) -> Self {
        Self(now)
    }

    /// Adds to the time. A time beyond the largest `Duration` becomes the largest.
    pub const fn advance(&mut self, by: Duration) {
        self.0 = self.0.saturating_add(by);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Duration {
        self.0
    }
}
