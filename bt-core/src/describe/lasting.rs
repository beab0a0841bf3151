//! Numbers of nodes that last when the tree is replaced.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::describe::Matching;
use crate::id::NodeId;

/// The lasting numbers of the nodes of one version of a tree. A node that is in several versions has the same number in
/// each; ids are indices, so they change.
///
/// The nodes of the first version have the numbers 0, 1, 2 and so on. A new node of a later version has the next number,
/// and no number is used again.
///
/// ```
/// use bt_core::NodeId;
/// use bt_core::describe::{LastingNumbers, Matching};
///
/// let [root, first, second] = [0, 1, 2].map(NodeId::new);
/// let before = LastingNumbers::new(3);
/// // The first child was deleted, and another node inserted after the second one.
/// let after = before.next(&Matching::new([Some(root), None, Some(first)]), 3);
/// assert_eq!(after.all(), [0, 2, 3]);
///
/// // Any two versions can be compared.
/// assert_eq!(before.matching(&after), Matching::new([Some(root), None, Some(first)]));
/// assert_eq!(after.matching(&before), Matching::new([Some(root), Some(second), None]));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LastingNumbers {
    /// By id.
    numbers: Vec<u32>,
    /// The number of the next new node.
    next: u32,
}

impl LastingNumbers {
    /// Returns the numbers of the first version of a tree with this number of nodes.
    pub fn new(nodes: u32) -> Self {
        Self { numbers: (0..nodes).collect(), next: nodes }
    }

    /// Returns the numbers of the next version, which has this number of nodes.
    #[must_use]
    pub fn next(&self, matching: &Matching, nodes: u32) -> Self {
        let mut known = BTreeMap::new();
        for (old, new) in matching.pairs() {
            known.extend(self.get(old).map(|number| (new, number)));
        }
        let mut next = self.next;
        let number = |id: NodeId| {
            known.get(&id).copied().unwrap_or_else(|| {
                next += 1;
                next - 1
            })
        };
        Self { numbers: (0..nodes).map(NodeId::new).map(number).collect(), next }
    }

    /// Returns the numbers of all nodes, in pre-order.
    pub fn all(&self) -> &[u32] {
        &self.numbers
    }

    /// Returns the number of a node; `None` if there is no such node.
    pub fn get(&self, node: NodeId) -> Option<u32> {
        self.numbers.get(node.index()).copied()
    }

    /// Matches the nodes of this version with the nodes of another version, earlier or later.
    pub fn matching(&self, other: &Self) -> Matching {
        let there: BTreeMap<_, _> = other.numbers.iter().copied().zip((0..).map(NodeId::new)).collect();
        Matching::new(self.numbers.iter().map(|number| there.get(number).copied()))
    }
}
