//! The moments that timed nodes store.

use core::fmt;
use core::num::NonZeroU64;
use core::time::Duration;

use crate::argument::{Argument, ArgumentIn};
use crate::clock::{Clock, Shift, nanos};

/// A time of a [`Clock`](crate::Clock) in 8 bytes: nanoseconds since its origin. All times after 272 years are the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Moment(
    /// The nanoseconds plus 1, so that an `Option` takes no more space.
    NonZeroU64,
);

impl Default for Moment {
    #[inline(always)]
    fn default() -> Self {
        Self(NonZeroU64::MIN)
    }
}

impl Moment {
    /// Returns the present time of a clock.
    #[inline(always)]
    pub fn now<C: ?Sized + Clock>(clock: &C) -> Self {
        Self::after(clock.nanos())
    }

    /// Returns the moment at this time.
    #[inline(always)]
    pub fn at(time: Duration) -> Self {
        Self::after(nanos(time))
    }

    /// Returns the moment after these nanoseconds from the origin.
    #[inline(always)]
    const fn after(nanos: u64) -> Self {
        Self(NonZeroU64::MIN.saturating_add(nanos))
    }

    /// Returns the moment after these nanoseconds.
    #[inline(always)]
    const fn plus(self, nanos: u64) -> Self {
        Self(self.0.saturating_add(nanos))
    }

    /// Returns the time.
    #[inline]
    pub const fn time(self) -> Duration {
        Duration::from_nanos(self.0.get() - 1)
    }

    /// Returns the nanoseconds plus 1.
    #[inline]
    pub const fn bits(self) -> NonZeroU64 {
        self.0
    }

    /// Returns the moment that has these [`bits`](Self::bits).
    #[inline]
    pub const fn from_bits(bits: NonZeroU64) -> Self {
        Self(bits)
    }
}

/// The argument of a node that is a length of time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Length<A> {
    argument: A,
    /// The nanoseconds, if the argument is a value, so that ticks do not convert it.
    nanos: u64,
}

/// Writes the argument.
impl<A: fmt::Debug> fmt::Debug for Length<A> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.argument.fmt(out)
    }
}

impl<A: Argument<Duration>> Length<A> {
    /// Creates the length that an argument determines.
    pub fn new(argument: A) -> Self {
        let nanos = argument.fixed().map_or(0, nanos);
        Self { argument, nanos }
    }

    /// Returns the argument.
    pub const fn argument(&self) -> &A {
        &self.argument
    }

    /// Determines the length of a run that starts; `None` if there is none.
    #[inline(always)]
    pub fn draw<C: ?Sized>(&self, ctx: &mut C) -> Option<A::Drawn>
    where
        A: ArgumentIn<C, Duration>,
    {
        self.argument.draw(ctx)
    }

    /// Returns the length of a run in nanoseconds.
    #[inline(always)]
    pub fn nanos(&self, drawn: &A::Drawn) -> u64 {
        // An argument that stores nothing has the same value in each run.
        if size_of::<A::Drawn>() == 0 { self.nanos } else { nanos(self.argument.value(drawn)) }
    }
}

/// The end of a time that has begun, and its length if the type of the argument does not determine it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Until<D> {
    /// When the time is over.
    pub end: Moment,
    /// The length, as stored by the [`Argument`].
    pub length: D,
}

impl<D: Copy> Until<D> {
    /// Returns the end of a time that begins now.
    #[inline(always)]
    pub fn of(time: &Length<impl Argument<Duration, Drawn = D>>, length: D, now: Moment) -> Self {
        Self { end: now.plus(time.nanos(&length)), length }
    }

    /// Returns `true` if the time is over. A clock that was set back does not extend the time beyond its whole length.
    #[inline(always)]
    pub fn is_over(&mut self, time: &Length<impl Argument<Duration, Drawn = D>>, now: Moment) -> bool {
        now.0.get() >= self.end.0.get() || {
            let length = time.nanos(&self.length);
            self.left(now) > length && self.limit(length, now) <= now
        }
    }

    /// Returns `true` if the time is over, and its last moment as well. Otherwise as [`is_over`](Self::is_over).
    #[inline(always)]
    pub fn is_past(&mut self, time: &Length<impl Argument<Duration, Drawn = D>>, now: Moment) -> bool {
        now.0.get() > self.end.0.get() || {
            let length = time.nanos(&self.length);
            self.left(now) > length && self.limit(length, now) < now
        }
    }

    /// Returns `true` if more than the whole time is left, because the clock was set back.
    pub(crate) fn is_too_far(&self, time: &Length<impl Argument<Duration, Drawn = D>>, now: Moment) -> bool {
        now < self.end && self.left(now) > time.nanos(&self.length)
    }

    /// Returns the nanoseconds to the end, which has not passed.
    #[inline(always)]
    const fn left(&self, now: Moment) -> u64 {
        self.end.0.get().wrapping_sub(now.0.get())
    }

    /// Moves and returns the end, of which more than the whole length is left.
    #[cold]
    fn limit(&mut self, length: u64, now: Moment) -> Moment {
        self.end = now.plus(length);
        self.end
    }

    /// Converts the end to another clock. A time that has not begun is over at any time of any clock.
    pub fn shift(&mut self, by: Shift) {
        if self.end != Moment::default() {
            let end = self.end.time();
            self.end = if by.forgets(end) { Moment::default() } else { Moment::at(by.time(end)) };
        }
    }
}

#[cfg(test)]
mod tests {
    use core::time::Duration;

    use super::{Length, Moment, Until};
    use crate::clock::{LATEST, Shift, latest, nanos};

    #[test]
    fn a_moment_is_exact_to_the_nanosecond_and_takes_8_bytes() {
        let times = [Duration::ZERO, Duration::from_nanos(1), Duration::new(1_790_000_000, 999_999_999)];
        for time in times {
            assert_eq!(Moment::at(time).time(), time);
        }
        let last = Moment::at(Duration::from_secs(LATEST));
        assert_eq!(last, Moment::at(Duration::MAX));
        assert!(last > Moment::at(Duration::from_secs(LATEST - 1)) && last.plus(latest()) > last);
        let forever = last.plus(latest()).plus(latest());
        assert_eq!(forever, forever.plus(latest()));
        assert_eq!(size_of::<Option<Until<()>>>(), 8);
    }
    #[test]
    fn a_time_is_over_at_its_end_and_past_after_it() {
        let at = |nanos| Moment::at(Duration::from_nanos(nanos));
        for length in [0, 1, 5, 1 << 62, u64::MAX] {
            let time = Length::new(Duration::from_nanos(length));
            for start in [0, 7] {
                let end = length.saturating_add(start);
                for now in [
                    start,
                    start + 4,
                    start + 5,
                    start + 6,
                    end.saturating_sub(1).max(start),
                    end,
                    end.saturating_add(1),
                ] {
                    let mut until = Until::of(&time, (), at(start));
                    // Times after 272 years are the same.
                    let over = at(now) >= until.end;
                    assert_eq!(until.is_over(&time, at(now)), over, "{length} {start} {now}");
                    assert_eq!(until.is_past(&time, at(now)), at(now) > until.end, "{length} {start} {now}");
                    assert_eq!(until.end, at(start).plus(nanos(Duration::from_nanos(length))), "unchanged");
                }
            }
        }
    }

    #[test]
    fn a_time_that_has_not_begun_is_over_after_a_shift() {
        let (mut until, time) = (Until::<()>::default(), Length::new(Duration::from_secs(10)));
        until.shift(Shift::new(Duration::ZERO, Duration::from_secs(100)));
        assert!(until.is_over(&time, Moment::at(Duration::from_secs(99))));
    }

    #[test]
    fn a_clock_that_was_set_back_does_not_extend_a_time() {
        let at = |seconds| Moment::at(Duration::from_secs(seconds));
        let time = Length::new(Duration::from_secs(5));
        for check in [Until::is_over, Until::is_past] {
            let mut until = Until::of(&time, (), at(100));
            assert!(!check(&mut until, &time, at(99)));
            assert_eq!(until.end, at(104));
            assert!(!check(&mut until, &time, at(0)));
            assert_eq!(until.end, at(5));
        }
        // Over long ago, and further ago than all times are long.
        let century = Length::new(Duration::from_secs(100 * 365 * 86_400));
        for now in [at(LATEST), Moment::at(Duration::MAX)] {
            assert!(Until::<()>::default().is_over(&century, now));
            assert!(Until::<()>::default().is_past(&century, now));
        }
    }
}
