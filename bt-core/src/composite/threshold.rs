//! Thresholds: how many children of a parallel must succeed or fail.

use core::fmt;

/// The threshold of a [`parallel`](crate::keywords::parallel) that is reached by all children.
#[allow(non_upper_case_globals)]
pub const all: All = All;

/// The threshold of a [`parallel`](crate::keywords::parallel) that is reached by one child.
#[allow(non_upper_case_globals)]
pub const one: ConstThreshold<1> = ConstThreshold;

/// Creates the threshold of a [`parallel`](crate::keywords::parallel) from a number that is computed while the tree is
/// built. 0 counts as 1, because children are ticked before the threshold is compared.
pub const fn at_least(number: usize) -> AtLeast {
    AtLeast(number)
}

/// A number of children that decides a parallel: [`All`], [`ConstThreshold`] or [`AtLeast`].
#[diagnostic::on_unimplemented(
    message = "expected a threshold, found `{Self}`",
    label = "expected `all`, `one` or a number of children"
)]
#[doc(hidden)]
pub trait Threshold: Copy + fmt::Debug + Send + Sync + 'static {
    /// The number if the type determines it; `usize::MAX` for all children.
    const FIXED: Option<usize>;
    /// Returns the threshold for this number of children.
    fn of(&self, children: usize) -> usize;
}

/// The threshold `all`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct All;

/// A threshold written as a number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ConstThreshold<const N: usize>;

/// A threshold computed while the tree is built. 0 counts as 1, because children are ticked before it is compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct AtLeast(pub usize);

impl Threshold for All {
    const FIXED: Option<usize> = Some(usize::MAX);

    #[inline(always)]
    fn of(&self, children: usize) -> usize {
        children
    }
}

impl<const N: usize> Threshold for ConstThreshold<N> {
    const FIXED: Option<usize> = Some(N);

    #[inline(always)]
    fn of(&self, _: usize) -> usize {
        N
    }
}

impl Threshold for AtLeast {
    const FIXED: Option<usize> = None;

    #[inline(always)]
    fn of(&self, _: usize) -> usize {
        self.0.max(1)
    }
}

impl fmt::Debug for All {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("all")
    }
}

impl<const N: usize> fmt::Debug for ConstThreshold<N> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        N.fmt(out)
    }
}

impl fmt::Debug for AtLeast {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}
