//! Arguments that are ranges: the value is random.

use core::fmt;
use core::ops::RangeInclusive;
use core::time::Duration;

use rand_core::Rng;

use crate::argument::{Argument, ArgumentIn, IntoArgument};
use crate::chance::unit;
use crate::random::Random;

/// The marker of an argument that is a range.
pub struct ByRange;

/// A random value from a range, which includes both ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Ranged<T> {
    least: T,
    most: T,
}

/// A type of which a random value can be drawn from a range.
pub trait Sample: Copy + PartialOrd + Default + fmt::Debug + Send + Sync + 'static {
    /// Returns the value at a position in a range; 0 is its start, and positions are less than 1.
    fn at(least: Self, most: Self, position: f64) -> Self;
}

impl Sample for Duration {
    #[inline]
    fn at(least: Self, most: Self, position: f64) -> Self {
        least.saturating_add(most.saturating_sub(least).mul_f64(position)).min(most)
    }
}

/// Files have no ranges of floats.
impl Sample for f64 {
    #[inline]
    fn at(least: Self, most: Self, position: f64) -> Self {
        (least + (most - least) * position).min(most)
    }
}

impl Sample for u32 {
    #[inline]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is in range")]
    fn at(least: Self, most: Self, position: f64) -> Self {
        least + ((f64::from(most - least) + 1.0) * position) as u32
    }
}

impl<T: Sample> Ranged<T> {
    /// Creates a range.
    pub const fn new(least: T, most: T) -> Self {
        Self { least, most }
    }

    /// Returns a random value.
    #[inline]
    pub fn sample<C: Random + ?Sized>(&self, ctx: &mut C) -> T {
        if self.least < self.most { T::at(self.least, self.most, unit(ctx.rng().next_u64())) } else { self.least }
    }
}

impl<T: Sample> IntoArgument<T, ByRange> for RangeInclusive<T> {
    type Argument = Ranged<T>;

    #[inline(always)]
    fn into_argument(self) -> Ranged<T> {
        let (least, most) = self.into_inner();
        // So that it is the same in a file.
        if most < least { Ranged { least, most: least } } else { Ranged { least, most } }
    }
}

impl<T: Sample> Argument<T> for Ranged<T> {
    type Drawn = T;

    #[inline(always)]
    fn value(&self, drawn: &T) -> T {
        *drawn
    }
}

impl<C: Random + ?Sized, T: Sample> ArgumentIn<C, T> for Ranged<T> {
    #[inline]
    fn draw(&self, ctx: &mut C) -> Option<T> {
        Some(self.sample(ctx))
    }
}

/// Writes the range as in Rust.
impl<T: fmt::Debug> fmt::Debug for Ranged<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?}..={:?}", self.least, self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BELOW_ONE: f64 = 1.0 - f64::EPSILON / 2.0;

    #[test]
    fn both_ends_of_a_range_are_drawn() {
        assert_eq!([0.0, 0.34, BELOW_ONE].map(|position| u32::at(1, 3, position)), [1, 2, 3]);
        assert_eq!([0.0, BELOW_ONE].map(|position| u32::at(0, u32::MAX, position)), [0, u32::MAX]);
        let [least, most] = [1, 3].map(Duration::from_secs);
        assert_eq!(Duration::at(least, most, 0.0), least);
        assert_eq!(Duration::at(least, most, 0.5), Duration::from_secs(2));
        assert_eq!(Duration::at(least, most, BELOW_ONE), most);
        assert!(Duration::at(Duration::ZERO, Duration::MAX, BELOW_ONE) <= Duration::MAX);
    }
}
