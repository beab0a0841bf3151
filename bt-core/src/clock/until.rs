//! The moments that timed nodes store.

use core::num::NonZeroU64;
use core::time::Duration;

use crate::argument::Argument;
use crate::clock::Shift;

/// A time of a [`Clock`](crate::Clock) in 8 bytes: nanoseconds since its origin. All times after 544 years are the same.
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

/// The times from here on are one, so that the multiplication needs no check: 544 years.
const LATEST: u64 = 1 << 34;

#[inline(always)]
fn nanos(time: Duration) -> u64 {
    let seconds = time.as_secs();
    if seconds < LATEST { seconds * 1_000_000_000 + u64::from(time.subsec_nanos()) } else { latest() }
}

#[cold]
const fn latest() -> u64 {
    LATEST * 1_000_000_000
}

impl Moment {
    /// Returns the moment at this time.
    #[inline(always)]
    pub fn at(time: Duration) -> Self {
        Self(NonZeroU64::new(nanos(time) + 1).unwrap_or(NonZeroU64::MIN))
    }

    /// Returns the moment after this time has passed.
    #[inline(always)]
    #[must_use]
    pub fn after(self, time: Duration) -> Self {
        Self(self.0.saturating_add(nanos(time)))
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

    /// Returns the moment of which [`bits`](Self::bits) has returned this.
    #[inline]
    pub const fn from_bits(bits: NonZeroU64) -> Self {
        Self(bits)
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
    pub fn of(time: &impl Argument<Duration, Drawn = D>, length: D, now: Moment) -> Self {
        Self { end: now.after(time.value(&length)), length }
    }

    /// Returns `true` if the time is over. A clock that was set back does not extend the time beyond its whole length.
    #[inline(always)]
    pub fn is_over(&mut self, time: &impl Argument<Duration, Drawn = D>, now: Moment) -> bool {
        if now < self.end {
            let latest = now.after(time.value(&self.length));
            if latest < self.end {
                self.end = latest;
            }
        }
        now >= self.end
    }

    /// Converts the end to another clock.
    pub fn shift(&mut self, by: Shift) {
        self.end = Moment::at(by.time(self.end.time()));
    }
}

#[cfg(test)]
mod tests {
    use core::time::Duration;

    use super::{Moment, Until};

    #[test]
    fn a_moment_is_exact_to_the_nanosecond_and_takes_8_bytes() {
        let times = [Duration::ZERO, Duration::from_nanos(1), Duration::new(1_790_000_000, 999_999_999)];
        for time in times {
            assert_eq!(Moment::at(time).time(), time);
        }
        let last = Moment::at(Duration::from_secs(super::LATEST));
        assert_eq!(last, Moment::at(Duration::MAX));
        assert!(last > Moment::at(Duration::from_secs(super::LATEST - 1)) && last.after(Duration::MAX) > last);
        assert_eq!(last.after(Duration::MAX), last.after(Duration::MAX).after(Duration::MAX));
        assert_eq!(size_of::<Option<Until<()>>>(), 8);
    }
}
