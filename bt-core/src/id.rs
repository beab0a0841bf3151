//! The ids of nodes.

use core::fmt;

/// A node's place in its tree: its index in pre-order. The root is 0, its first child 1.
///
/// Ids are stable as long as the tree's structure is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NodeId(u32);

impl NodeId {
    /// The root of a tree.
    pub const ROOT: Self = Self(0);

    /// The id with this pre-order index.
    pub const fn new(index: u32) -> Self {
        Self(index)
    }

    /// The pre-order index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The id of this node's first child.
    #[inline(always)]
    #[must_use]
    pub const fn first_child(self) -> Self {
        Self(self.0 + 1)
    }

    /// The id so many nodes further on.
    #[inline(always)]
    #[must_use]
    pub const fn skip(self, nodes: u32) -> Self {
        Self(self.0 + nodes)
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "#{}", self.0)
    }
}
