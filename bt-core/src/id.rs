//! The ids of nodes.

use core::fmt;

/// The id of a node: its index in the pre-order of the tree. The root has the id 0, its first child the id 1.
///
/// Ids are stable as long as the structure of the tree does not change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NodeId(u32);

impl NodeId {
    /// The id of the root.
    pub const ROOT: Self = Self(0);

    /// Creates the id with this pre-order index.
    pub const fn new(index: u32) -> Self {
        Self(index)
    }

    /// Returns the pre-order index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the id of this node's first child.
    #[inline(always)]
    #[must_use]
    #[doc(hidden)]
    pub const fn first_child(self) -> Self {
        Self(self.0 + 1)
    }

    /// Returns the id that is `nodes` nodes further in pre-order.
    #[inline(always)]
    #[must_use]
    #[doc(hidden)]
    pub const fn skip(self, nodes: u32) -> Self {
        Self(self.0 + nodes)
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "#{}", self.0)
    }
}
