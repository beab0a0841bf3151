//! When a tree has to be ticked again.

use core::time::Duration;

use crate::status::Outcome;

/// The time at which a node has to be ticked again. Until then, ticks would change nothing.
///
/// [`Tree::due`](crate::Tree::due) returns it for a whole tree. [`Herd::tick_due`](crate::Herd::tick_due) ticks only the
/// agents that are due.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Wake {
    /// In the next tick.
    Next,
    /// When the clock has reached this time, or after an event.
    At(Duration),
    /// After an event.
    Event,
}

impl Wake {
    /// Returns the earlier of both.
    #[inline]
    #[must_use]
    pub fn earliest(self, other: Self) -> Self {
        self.min(other)
    }

    /// Returns `true` if a tick is needed at this time, without an event.
    #[inline]
    pub fn is_due(self, now: Duration) -> bool {
        match self {
            Self::Next => true,
            Self::At(time) => time <= now,
            Self::Event => false,
        }
    }
}

/// What starting a node would do: the outcome, and until when it is the same. `None` if that is not known, or if starting
/// the node has an effect.
pub type Foreseen = Option<(Outcome, Wake)>;
