//! Arguments that are values.

use core::fmt;
use core::time::Duration;

use crate::argument::{Argument, ArgumentIn, IntoArgument};

/// The marker of an argument that is a value.
pub struct ByValue;

/// A number written as a literal in the tree.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Fixed<const N: u32>;

impl<const N: u32> fmt::Debug for Fixed<N> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        N.fmt(out)
    }
}

// Written out, because the compiler shows these lines in errors.
impl IntoArgument<Duration, ByValue> for Duration {
    type Argument = Self;

    #[inline(always)]
    fn into_argument(self) -> Self {
        self
    }
}

impl IntoArgument<u32, ByValue> for u32 {
    type Argument = Self;

    #[inline(always)]
    fn into_argument(self) -> Self {
        self
    }
}

impl IntoArgument<f64, ByValue> for f64 {
    type Argument = Self;

    #[inline(always)]
    fn into_argument(self) -> Self {
        self
    }
}

impl<const N: u32> IntoArgument<u32, ByValue> for Fixed<N> {
    type Argument = Self;

    #[inline(always)]
    fn into_argument(self) -> Self {
        self
    }
}

macro_rules! values {
    ($([$(const $n:ident)?] $argument:ty as $value:ty, $not_zero:expr, |$this:ident| $get:expr;)+) => {$(
        impl$(<const $n: u32>)? Argument<$value> for $argument {
            type Drawn = ();
            const NOT_ZERO: bool = $not_zero;

            #[inline(always)]
            fn value(&self, (): &()) -> $value {
                let $this = self;
                $get
            }

            #[inline(always)]
            fn fixed(&self) -> Option<$value> {
                Some(self.value(&()))
            }
        }

        impl<C: ?Sized $(, const $n: u32)?> ArgumentIn<C, $value> for $argument {
            #[inline(always)]
            fn draw(&self, _: &mut C) -> Option<()> {
                Some(())
            }
        }
    )+};
}

values! {
    [] Duration as Duration, false, |this| *this;
    [] u32 as u32, false, |this| *this;
    [] f64 as f64, false, |this| *this;
    [const N] Fixed<N> as u32, N != 0, |_this| N;
}
