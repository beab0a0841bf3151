//! When a tree has to be ticked again.

use core::fmt;
use core::task::Waker;
use core::time::Duration;

use crate::status::Outcome;

/// The time at which a node has to be ticked again. Until then, ticks would change nothing.
///
/// [`Tree::due`](crate::Tree::due) returns this time for a whole tree. [`Herd::tick_due`](crate::Herd::tick_due) ticks only the
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
    /// Returns the earlier of the two.
    #[inline]
    #[must_use]
    pub fn earliest(self, other: Self) -> Self {
        self.min(other)
    }

    /// Returns the earlier of the two. If `self` is the next tick, the other is not computed.
    #[inline]
    pub(crate) fn or_earlier(self, other: impl FnOnce() -> Self) -> Self {
        if self == Self::Next { self } else { self.earliest(other()) }
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

/// The values that [`Node::wake`](crate::Node::wake) passes down the tree: the context, and the waker of the agent.
pub struct WakeVisit<'a, C: ?Sized> {
    /// The context after the tick.
    pub ctx: &'a mut C,
    waker: Option<&'a dyn Fn() -> Waker>,
}

impl<'a, C: ?Sized> WakeVisit<'a, C> {
    /// Creates a visit without a waker. A node that waits for a future then has to be ticked in every tick.
    #[inline(always)]
    #[doc(hidden)]
    pub const fn new(ctx: &'a mut C) -> Self {
        Self { ctx, waker: None }
    }

    /// Creates a visit of an agent with a waker. The function is called once for each future that the agent waits for.
    #[inline(always)]
    #[doc(hidden)]
    pub const fn with_waker(ctx: &'a mut C, waker: &'a dyn Fn() -> Waker) -> Self {
        Self { ctx, waker: Some(waker) }
    }

    /// Returns the waker of the agent, if there is one. The waker makes the agent due.
    pub fn waker(&self) -> Option<Waker> {
        self.waker.map(|waker| waker())
    }

    /// Returns this visit for a part of the context.
    #[inline(always)]
    #[doc(hidden)]
    pub fn part<P: ?Sized>(&mut self, part: impl FnOnce(&mut C) -> &mut P) -> WakeVisit<'_, P> {
        WakeVisit { ctx: part(self.ctx), waker: self.waker }
    }
}

impl<C: ?Sized> fmt::Debug for WakeVisit<'_, C> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("WakeVisit").field("waker", &self.waker.is_some()).finish_non_exhaustive()
    }
}

/// The effect of starting a node: its outcome, and how long the outcome stays the same. `None` if the outcome is unknown, or if
/// starting the node has an effect on the context.
pub type Foreseen = Option<(Outcome, Wake)>;
