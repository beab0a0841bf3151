//! Time belongs to the context, so that tests and simulations are deterministic.

use core::time::Duration;

/// A context that knows the time. Needed by `wait`, `timeout`, `delay`, `cooldown` and `service`.
///
/// The origin is yours (start of the game, the Unix epoch); only differences count.
///
/// # Clocks that jump
///
/// A timed node stores when its time is over. So time that the clock skips has passed, also for nodes that were not ticked meanwhile.
/// Where the clock jumps back, a node waits longer, but never longer than its whole time from the tick after the jump: `wait(secs(5))` is over
/// at most five seconds later. A `delay` that has let its child start does not take that back.
///
/// A save keeps these times. To go on under a clock with another origin, shift them: see [`Shift`].
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
    /// The time since an origin of your choice.
    fn now(&self) -> Duration;
}

/// So many milliseconds, as in `wait(millis(500))`.
pub const fn millis(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// So many seconds, as in `timeout(secs(5))`.
pub const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// From the time of one clock to that of another: for memories that were saved under a clock with another origin, as after a restart of a game.
///
/// [`Tree::shift`](crate::Tree::shift), [`Herd::shift`](crate::Herd::shift) and [`Brain::shift`](crate::Brain::shift) take it: what had two seconds left under the old clock has
/// two seconds left under the new one. Leaves and decorators of your own that store times take part with
/// [`LeafShape::shift`](crate::leaf::LeafShape::shift), [`DecoratorShape::shift`](crate::decorator::DecoratorShape::shift) and, for the `#[open]` state of an
/// `#[action]`, [`Timed`]. A time in a [`Board`](crate::Board) is your own: give it to [`time`](Self::time).
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
/// npc.now += secs(8);                                              // saved here: two seconds are left
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
}

impl Shift {
    /// `from` is what the old clock said at last, `to` what the new one says now.
    pub const fn new(from: Duration, to: Duration) -> Self {
        Self { from, to }
    }

    /// What the old clock said, and what the new one says.
    #[cfg(feature = "json")]
    #[doc(hidden)]
    pub const fn moments(self) -> (Duration, Duration) {
        (self.from, self.to)
    }

    /// The same moment by the new clock. A moment before the origin of the new clock is its origin: store when something is over rather than when it began.
    #[must_use]
    pub const fn time(self, time: Duration) -> Duration {
        if let Some(left) = time.checked_sub(self.from) {
            self.to.saturating_add(left)
        } else {
            self.to.saturating_sub(self.from.saturating_sub(time))
        }
    }
}

/// A state that stores times: the `#[open]` state of an `#[action]` is [shifted](Shift) with it.
pub trait Timed {
    /// Arity the times over to another clock.
    fn shift(&mut self, by: Shift);
}

/// The end of a time that begins now.
#[inline(always)]
pub const fn after(now: Duration, time: Duration) -> Duration {
    now.saturating_add(time)
}

/// Whether `end`, the end of so long a time, has come. A clock that was set back does not make the time longer than it is.
#[inline(always)]
pub fn is_due(end: &mut Duration, time: Duration, now: Duration) -> bool {
    if now < *end {
        *end = after(now, time).min(*end);
    }
    now >= *end
}
