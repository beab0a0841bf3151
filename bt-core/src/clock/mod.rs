//! Time. The context provides the clock, so that tests and simulations are deterministic.

mod until;

pub use until::{Length, Moment, Until};

use core::time::Duration;

/// A context that provides the time. Required by `wait`, `timeout`, `delay`, `cooldown` and `service`.
///
/// Any moment can be the origin (the start of the game, the Unix epoch): only differences matter.
///
/// # The end of a clock
///
/// Timed nodes store nanoseconds since the origin in 8 bytes. To them, all times from 2^33 seconds after the origin, which are
/// 272 years, are the same time: from then on a `wait` does not end, and a `timeout` does not expire, not even `timeout(secs(0))`. For a
/// context that implements [`nanos`](Self::nanos), this begins at 2^64 - 2 nanoseconds, which are 584 years. A context whose clock can be
/// later subtracts an origin.
///
/// # Clocks that jump
///
/// A timed node stores the moment when its time ends. Time that the clock skips counts, also for nodes that were not ticked
/// meanwhile. If the clock jumps back, a node waits longer, but never longer than its whole time after the
/// tick that follows the jump: `wait(secs(5))` ends at most 5 seconds later. Agents that sleep are due in that tick. A
/// `delay` whose child has started does not return to waiting.
///
/// A save contains these moments. To continue under a clock with another origin, convert them with a [`Shift`].
///
/// ```
/// use bt_core::prelude::*;
///
/// struct Npc { now: Duration }
///
/// impl Clock for Npc {
///     fn now(&self) -> Duration { self.now }
/// }
///
/// let tree = tree! { for Npc: wait(millis(500)) };
/// let mut memory = tree.memory();
/// let mut npc = Npc { now: secs(10) };
/// assert_eq!(tree.tick(&mut npc, &mut memory), Status::Running);
/// npc.now += millis(500);
/// assert_eq!(tree.tick(&mut npc, &mut memory), Status::Success);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no clock",
    label = "the context must implement `Clock`",
    note = "add `impl Clock for {Self} {{ fn now(&self) -> Duration {{ … }} }}`; the context owns the clock, so that tests can set it"
)]
pub trait Clock {
    /// Returns the time since an arbitrary, fixed origin.
    fn now(&self) -> Duration;

    /// Returns the same time in nanoseconds. Trees read the time only with this method. By default, it converts the result of
    /// [`now`](Self::now).
    ///
    /// A context that stores such a number implements both methods, so that ticks convert nothing. If they return different times, trees
    /// follow `nanos`, and the times of [`Wake::At`](crate::Wake::At) are of that clock, too. The largest number, after 584 years, stands
    /// for all later times, at which no time passes any more.
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// struct Npc { frame: u64 }
    ///
    /// /// The nanoseconds of a frame at 64 Hz.
    /// const FRAME: u64 = 15_625_000;
    ///
    /// impl Clock for Npc {
    ///     fn now(&self) -> Duration { Duration::from_nanos(self.nanos()) }
    ///     fn nanos(&self) -> u64 { self.frame * FRAME }
    /// }
    ///
    /// let tree = tree! { for Npc: wait(secs(1)) };
    /// let mut memory = tree.memory();
    /// let statuses = [0, 63, 64].map(|frame| tree.tick(&mut Npc { frame }, &mut memory));
    /// assert_eq!(statuses, [Status::Running, Status::Running, Status::Success]);
    /// ```
    #[inline]
    fn nanos(&self) -> u64 {
        nanos(self.now())
    }
}

/// 272 years in seconds. All later times are the same, so the multiplication needs no check.
const LATEST: u64 = 1 << 33;

/// Returns the nanoseconds of a time.
#[inline(always)]
fn nanos(time: Duration) -> u64 {
    let seconds = time.as_secs();
    if seconds < LATEST { seconds * 1_000_000_000 + u64::from(time.subsec_nanos()) } else { latest() }
}

#[cold]
const fn latest() -> u64 {
    LATEST * 1_000_000_000
}

/// Returns a duration in milliseconds, as in `wait(millis(500))`.
pub const fn millis(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// Returns a duration in seconds, as in `timeout(secs(5))` or `wait(secs(0.5))`.
///
/// For constants, use [`millis`] or [`Duration::from_secs`].
///
/// # Panics
///
/// Panics if a float is negative, not finite or too large for a `Duration`.
#[inline]
#[track_caller]
pub fn secs<S: Seconds>(seconds: S) -> Duration {
    seconds.into_duration()
}

/// A number of seconds: a `u64`, `f64` or `f32`.
#[diagnostic::on_unimplemented(
    message = "expected a number of seconds, found `{Self}`",
    label = "not a `u64`, `f64` or `f32`"
)]
#[doc(hidden)]
pub trait Seconds {
    /// Converts the number.
    fn into_duration(self) -> Duration;
}

impl Seconds for u64 {
    #[inline]
    fn into_duration(self) -> Duration {
        Duration::from_secs(self)
    }
}

impl Seconds for f64 {
    #[inline]
    #[track_caller]
    fn into_duration(self) -> Duration {
        Duration::from_secs_f64(self)
    }
}

impl Seconds for f32 {
    #[inline]
    #[track_caller]
    fn into_duration(self) -> Duration {
        Duration::from_secs_f32(self)
    }
}

/// A conversion of moments from one clock to another, for memories that were saved under a clock with another origin, such as
/// before a restart of the game.
///
/// A `Shift` is an argument of [`Tree::shift`](crate::Tree::shift), [`Herd::shift`](crate::Herd::shift) and
/// [`Brain::shift`](crate::Brain::shift). A node with 2 seconds left under the old clock has 2 seconds left under the
/// new one.
///
/// Custom leaves and decorators that store moments implement [`LeafShape::shift`](crate::leaf::LeafShape::shift),
/// [`DecoratorShape::shift`](crate::decorator::DecoratorShape::shift) or, for the `#[open]` state of an `#[action]`,
/// [`Timed`]. Moments in a [`Board`](crate::board::Board) are not converted automatically: pass them to [`time`](Self::time).
///
/// ```
/// use bt_core::Shift;
/// use bt_core::prelude::*;
///
/// struct Npc { now: Duration }
/// impl Clock for Npc { fn now(&self) -> Duration { self.now } }
///
/// let tree = tree! { for Npc: cooldown(secs(10)) { succeed } };
/// let (mut npc, mut memory) = (Npc { now: secs(100_000) }, tree.memory());
/// tree.tick(&mut npc, &mut memory);
/// npc.now += secs(8);                                              // saved here: 2 seconds are left
///
/// let mut restarted = Npc { now: secs(0) };
/// tree.shift(&mut memory, Shift::new(npc.now, restarted.now));
/// assert_eq!(tree.tick(&mut restarted, &mut memory), Status::Failure);
/// restarted.now = secs(2);
/// assert_eq!(tree.tick(&mut restarted, &mut memory), Status::Success);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shift {
    from: Duration,
    to: Duration,
    /// Whether times of nodes that have passed are reset as if they had never begun, so that memories with the same future are
    /// equal.
    forgets: bool,
}

impl Shift {
    /// Creates a conversion. `from` is the last time of the old clock, `to` the present time of the new clock.
    pub const fn new(from: Duration, to: Duration) -> Self {
        Self { from, to, forgets: false }
    }

    /// Creates a conversion after which times of nodes that have passed are as if they had never begun.
    #[doc(hidden)]
    pub const fn forgetting(from: Duration, to: Duration) -> Self {
        Self { from, to, forgets: true }
    }

    /// Returns `true` if a time of a node that ended at this moment is forgotten.
    pub(crate) fn forgets(self, end: Duration) -> bool {
        self.forgets && end < self.from
    }

    /// Returns the last time of the old clock and the present time of the new one.
    #[cfg(feature = "json")]
    #[doc(hidden)]
    pub const fn moments(self) -> (Duration, Duration) {
        (self.from, self.to)
    }

    /// Converts a moment to the new clock. A moment before the origin of the new clock becomes that origin. Therefore,
    /// store when something ends rather than when it began.
    #[must_use]
    pub const fn time(self, time: Duration) -> Duration {
        if let Some(left) = time.checked_sub(self.from) {
            self.to.saturating_add(left)
        } else {
            self.to.saturating_sub(self.from.saturating_sub(time))
        }
    }
}

/// A state that contains moments. Implement it for the `#[open]` state of an `#[action]`, so that the state takes part
/// in a [`Shift`].
pub trait Timed {
    /// Converts the moments to another clock.
    fn shift(&mut self, by: Shift);
}
