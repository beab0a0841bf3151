//! The correspondence between the nodes of a tree and the nodes of the tree that replaces it.

use alloc::vec::Vec;

use crate::id::NodeId;

/// The correspondence between the nodes of a tree and the nodes of its next version.
///
/// ```
/// use bt_core::NodeId;
/// use bt_core::describe::Matching;
///
/// let [root, first, second] = [0, 1, 2].map(NodeId::new);
/// // The first child was deleted.
/// let deleted = Matching::new([Some(root), None, Some(first)]);
/// assert_eq!(deleted.get(second), Some(first));
/// assert_eq!(deleted.get(first), None);
///
/// // Then the root was wrapped.
/// let wrapped = Matching::new([Some(first), Some(second)]);
/// assert_eq!(deleted.then(&wrapped), Matching::new([Some(first), None, Some(second)]));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Matching {
    to: Vec<Option<NodeId>>,
}

impl Matching {
    /// Creates a matching from the new id of each old node, in pre-order; `None` if the new tree does not have the node.
    pub fn new(to: impl IntoIterator<Item = Option<NodeId>>) -> Self {
        Self { to: to.into_iter().collect() }
    }

    /// Returns the id of an old node in the new tree; `None` if the new tree does not have it.
    pub fn get(&self, old: NodeId) -> Option<NodeId> {
        self.to.get(old.index()).copied().flatten()
    }

    /// Returns the old and the new id of each node that is in both trees.
    pub fn pairs(&self) -> impl Iterator<Item = (NodeId, NodeId)> + '_ {
        let old = (0..).map(NodeId::new);
        old.zip(&self.to).filter_map(|(old, new)| Some((old, (*new)?)))
    }

    /// Returns `true` if the old nodes are the first nodes of the new tree, with the same ids.
    pub fn is_same(&self) -> bool {
        (0..).map(NodeId::new).zip(&self.to).all(|(old, new)| *new == Some(old))
    }

    /// Returns `true` if the matching fits trees with these numbers of nodes: it has each old node, and no two old nodes are the
    /// same new node.
    #[cfg(feature = "record")]
    pub(crate) fn fits(&self, old: u32, new: u32) -> bool {
        let mut seen = alloc::collections::BTreeSet::new();
        self.to.len() == old as usize && self.pairs().all(|(_, node)| node < NodeId::new(new) && seen.insert(node))
    }

    /// Returns the matching of the old tree with the tree after the next: this matching, then `next`.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        Self::new(self.to.iter().map(|new| next.get((*new)?)))
    }
}
