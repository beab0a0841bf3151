//! The states of the built-in words, as 64-bit words of a memory.

use std::num::NonZeroU64;
use std::time::Duration;

use bt_core::engine::{Counted, Moment, Until};
use bt_core::{Outcome, Shift};

/// A state stored in a fixed number of words. Every combination of words is a valid state, since a save may have been edited.
pub(crate) trait Packed: Default {
    /// The number of words.
    const WORDS: usize;
    /// Returns the state in these words.
    fn unpack(words: &[u64]) -> Self;
    /// Stores the state in these words.
    fn pack(&self, words: &mut [u64]);
    /// Shifts the state to another clock, if it is a time.
    fn shift(&mut self, by: Shift) {
        let _ = by;
    }
}

impl Packed for () {
    const WORDS: usize = 0;

    fn unpack(_: &[u64]) -> Self {}

    fn pack(&self, _: &mut [u64]) {}
}

impl Packed for bool {
    const WORDS: usize = 1;

    fn unpack(words: &[u64]) -> Self {
        words[0] == 1
    }

    fn pack(&self, words: &mut [u64]) {
        words[0] = u64::from(*self);
    }
}

impl Packed for u32 {
    const WORDS: usize = 1;

    fn unpack(words: &[u64]) -> Self {
        Self::try_from(words[0]).unwrap_or(Self::MAX)
    }

    fn pack(&self, words: &mut [u64]) {
        words[0] = u64::from(*self);
    }
}

impl Packed for Option<Outcome> {
    const WORDS: usize = 1;

    fn unpack(words: &[u64]) -> Self {
        match words[0] {
            1 => Some(Outcome::Success),
            2 => Some(Outcome::Failure),
            _ => None,
        }
    }

    fn pack(&self, words: &mut [u64]) {
        words[0] = match self {
            Some(Outcome::Success) => 1,
            Some(Outcome::Failure) => 2,
            Some(Outcome::Error) | None => 0,
        };
    }
}

/// A length, in seconds and nanoseconds. Moments are stored as [`Until`].
impl Packed for Duration {
    const WORDS: usize = 2;

    fn unpack(words: &[u64]) -> Self {
        const MAX_NANOS: u32 = 999_999_999;
        let nanos = u32::try_from(words[1]).map_or(MAX_NANOS, |nanos| nanos.min(MAX_NANOS));
        Self::new(words[0], nanos)
    }

    fn pack(&self, words: &mut [u64]) {
        (words[0], words[1]) = (self.as_secs(), u64::from(self.subsec_nanos()));
    }
}

/// The number of runs, then the number that ends the loop.
impl Packed for Counted<u32> {
    const WORDS: usize = 2;

    fn unpack(words: &[u64]) -> Self {
        Self { ended: u32::unpack(words), times: u32::unpack(&words[1..]) }
    }

    fn pack(&self, words: &mut [u64]) {
        self.ended.pack(words);
        self.times.pack(&mut words[1..]);
    }
}

/// The end, of which 0 means the first moment, then the length.
impl Packed for Until<Duration> {
    const WORDS: usize = 1 + Duration::WORDS;

    fn unpack(words: &[u64]) -> Self {
        Option::unpack(words).unwrap_or(Self { end: Moment::default(), length: Duration::unpack(&words[1..]) })
    }

    fn pack(&self, words: &mut [u64]) {
        words[0] = self.end.bits().get();
        self.length.pack(&mut words[1..]);
    }

    fn shift(&mut self, by: Shift) {
        Until::shift(self, by);
    }
}

/// The end, of which 0 means `None`, then the length.
impl Packed for Option<Until<Duration>> {
    const WORDS: usize = Until::<Duration>::WORDS;

    fn unpack(words: &[u64]) -> Self {
        let end = Moment::from_bits(NonZeroU64::new(words[0])?);
        Some(Until { end, length: Duration::unpack(&words[1..]) })
    }

    fn pack(&self, words: &mut [u64]) {
        match self {
            Some(until) => until.pack(words),
            None => words[..Self::WORDS].fill(0),
        }
    }

    fn shift(&mut self, by: Shift) {
        if let Some(until) = self {
            until.shift(by);
        }
    }
}
