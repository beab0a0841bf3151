//! Containers of nodes, and a value for each node of such a container.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;

use crate::node::NodeShape;

/// An `Option`, an array or a `Vec` of nodes.
pub trait Elements {
    /// The type of the nodes.
    type Node: NodeShape;
    /// A value for each node.
    type Each<T: Clone + Send + Sync + 'static>: Each<Item = T>;
    /// The number of nodes; `None` if it is only known at run time.
    const LEN: Option<usize>;
    /// Returns the nodes.
    fn nodes(&self) -> &[Self::Node];
}

/// A value for each node of a container.
pub trait Each: Clone + Send + Sync + 'static {
    /// The type of the values.
    type Item;
    /// Creates `len` values, or the number of values that the type determines.
    fn filled(len: usize, make: impl FnMut() -> Self::Item) -> Self;
    /// Returns the values.
    fn items(&self) -> &[Self::Item];
    /// Adds missing values and returns all values. A memory may be new, and a save may have been edited.
    fn grown(&mut self, len: usize, make: impl FnMut() -> Self::Item) -> &mut [Self::Item];
}

/// A value for each node of an array.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PerChild<T, const N: usize>([T; N]);

impl<N: NodeShape> Elements for Option<N> {
    type Node = N;
    type Each<T: Clone + Send + Sync + 'static> = PerChild<T, 1>;
    const LEN: Option<usize> = None;

    #[inline(always)]
    fn nodes(&self) -> &[N] {
        self.as_slice()
    }
}

impl<N: NodeShape, const K: usize> Elements for [N; K] {
    type Node = N;
    type Each<T: Clone + Send + Sync + 'static> = PerChild<T, K>;
    const LEN: Option<usize> = Some(K);

    #[inline(always)]
    fn nodes(&self) -> &[N] {
        self
    }
}

#[cfg(feature = "alloc")]
impl<N: NodeShape> Elements for Vec<N> {
    type Node = N;
    type Each<T: Clone + Send + Sync + 'static> = Vec<T>;
    const LEN: Option<usize> = None;

    #[inline(always)]
    fn nodes(&self) -> &[N] {
        self
    }
}

impl<T: Default, const N: usize> Default for PerChild<T, N> {
    fn default() -> Self {
        Self(core::array::from_fn(|_| T::default()))
    }
}

impl<T: Clone + Send + Sync + 'static, const N: usize> Each for PerChild<T, N> {
    type Item = T;

    fn filled(_: usize, mut make: impl FnMut() -> T) -> Self {
        Self(core::array::from_fn(|_| make()))
    }

    #[inline(always)]
    fn items(&self) -> &[T] {
        &self.0
    }

    #[inline(always)]
    fn grown(&mut self, _: usize, _: impl FnMut() -> T) -> &mut [T] {
        &mut self.0
    }
}

#[cfg(feature = "alloc")]
impl<T: Clone + Send + Sync + 'static> Each for Vec<T> {
    type Item = T;

    fn filled(len: usize, make: impl FnMut() -> T) -> Self {
        let mut each = Self::new();
        each.resize_with(len, make);
        each
    }

    #[inline(always)]
    fn items(&self) -> &[T] {
        self
    }

    #[inline]
    fn grown(&mut self, len: usize, make: impl FnMut() -> T) -> &mut [T] {
        if self.len() < len {
            self.resize_with(len, make);
        }
        self
    }
}

impl<T: fmt::Debug, const N: usize> fmt::Debug for PerChild<T, N> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

// Serde implements its traits for arrays of at most 32 elements.
#[cfg(feature = "serde")]
impl<T: serde::Serialize, const N: usize> serde::Serialize for PerChild<T, N> {
    fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_seq(&self.0)
    }
}

#[cfg(feature = "serde")]
impl<'de, T: serde::Deserialize<'de>, const N: usize> serde::Deserialize<'de> for PerChild<T, N> {
    fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        let items = Vec::<T>::deserialize(input)?;
        let found = items.len();
        match items.try_into() {
            Ok(items) => Ok(Self(items)),
            Err(_) => Err(serde::de::Error::invalid_length(found, &alloc::format!("{N} states of children").as_str())),
        }
    }
}
