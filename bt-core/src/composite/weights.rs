//! The weights of children among which one is drawn.

use core::fmt;

use rand_core::Rng;

use crate::random::Random;

/// The relative probabilities of the children.
pub trait WeightList {
    /// Returns the weight of each child, which is positive and finite; `None` if all are equal.
    fn weight(&self) -> Option<impl Fn(usize) -> f64>;
    /// Calls a function with the weights, if they were written, for descriptions.
    fn show(&self, show: &mut dyn FnMut(Option<&dyn fmt::Debug>));
}

/// The relative probabilities of the children over the context `C`, which provides random numbers.
pub trait Weights<C: ?Sized>: WeightList {
    /// Returns random bits.
    fn bits(&self, ctx: &mut C) -> u64;
}

/// Weights that are equal for all children.
#[derive(Clone, Copy, Debug)]
pub struct Uniform;

impl WeightList for Uniform {
    #[inline(always)]
    fn weight(&self) -> Option<impl Fn(usize) -> f64> {
        None::<fn(usize) -> f64>
    }

    fn show(&self, show: &mut dyn FnMut(Option<&dyn fmt::Debug>)) {
        show(None);
    }
}

impl<C: ?Sized + Random> Weights<C> for Uniform {
    #[inline(always)]
    fn bits(&self, ctx: &mut C) -> u64 {
        ctx.rng().next_u64()
    }
}

/// A weight for each child.
#[derive(Clone, Copy)]
pub struct Weighted<const N: usize>([f64; N]);

impl<const N: usize> Weighted<N> {
    /// Creates the weights of all children, in order.
    ///
    /// # Panics
    ///
    /// Panics if a weight is not positive and finite.
    #[track_caller]
    pub const fn new(weights: [f64; N]) -> Self {
        let mut child = 0;
        while child < N {
            assert!(
                weights[child] > 0.0 && weights[child].is_finite(),
                "the weight of a child must be positive and finite"
            );
            child += 1;
        }
        Self(weights)
    }
}

impl<const N: usize> WeightList for Weighted<N> {
    #[inline(always)]
    fn weight(&self) -> Option<impl Fn(usize) -> f64> {
        Some(|child| self.0.get(child).copied().unwrap_or(1.0))
    }

    fn show(&self, show: &mut dyn FnMut(Option<&dyn fmt::Debug>)) {
        show(Some(&self.0));
    }
}

impl<C: ?Sized + Random, const N: usize> Weights<C> for Weighted<N> {
    #[inline(always)]
    fn bits(&self, ctx: &mut C) -> u64 {
        ctx.rng().next_u64()
    }
}

impl<const N: usize> fmt::Debug for Weighted<N> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

/// A number that can be a weight, before `=>`.
#[diagnostic::on_unimplemented(message = "expected a weight, found `{Self}`", label = "expected a number")]
pub trait Weight {
    /// Converts the number to a float.
    fn into_f64(self) -> f64;
}

macro_rules! weights {
    ($($number:ty),+) => {$(
        impl Weight for $number {
            fn into_f64(self) -> f64 {
                f64::from(self)
            }
        }
    )+};
}

weights!(u8, u16, u32, i32, f32, f64);
