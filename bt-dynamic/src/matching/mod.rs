//! Which nodes of a loaded tree are which nodes of the tree that replaces it.

pub(crate) mod migration;
pub(crate) mod renumber;

use bt_core::NodeId;
use bt_core::describe::Matching;
use bt_core::engine::{Fnv, Nodes, compare};

use crate::flat::op::{Attachment, NodeOp};
use crate::flat::{FlatTree, add_properties, kind_and_name};
use crate::nodes::shape::Shapes;

/// The nodes of a tree, for a comparison.
struct Outline<'t>(&'t FlatTree);

impl Nodes for Outline<'_> {
    fn count(&self) -> usize {
        self.0.nodes.len()
    }

    fn parent(&self, node: usize) -> Option<usize> {
        self.0.sources[node].parent
    }

    fn id(&self, node: usize) -> Option<&str> {
        Some(&self.0.sources[node].id)
    }

    fn name(&self, node: usize) -> (usize, &str) {
        kind_and_name(&self.0.sources[node], &self.0.nodes[node].op)
    }

    fn equals(&self, node: usize, other: &Self, there: usize) -> bool {
        self.0.equals(node, other.0, there)
    }

    fn label(&self, node: usize) -> Option<&str> {
        self.0.sources[node].title.as_deref()
    }

    fn arguments(&self, node: usize, hash: &mut Fnv) {
        // Without the lints that it allows.
        add_properties(hash, self.0.sources[node].properties());
    }
}

impl FlatTree {
    /// Returns the index of each node in the new tree; `None` if the new tree does not have it.
    pub(crate) fn same_nodes(&self, new: &Self) -> Vec<Option<usize>> {
        compare(&Outline(self), &Outline(new))
    }
}

/// Returns the attached leaves that two nodes have, in order.
pub(crate) fn same_attachments<'a>(
    old: &'a NodeOp,
    new: &'a NodeOp,
) -> impl Iterator<Item = (&'a Attachment, &'a Attachment)> {
    let mut rest: Vec<_> = new.attachments().collect();
    old.attachments().filter_map(move |old| {
        let key = |attachment: &Attachment| (attachment.role, attachment.negated);
        let found = rest.iter().position(|new| key(new) == key(old) && new.name == old.name)?;
        Some((old, rest.remove(found)))
    })
}

impl FlatTree {
    /// Returns which nodes are which of a tree that replaces this one, by their ids.
    pub(crate) fn matching(&self, shapes: &dyn Shapes, new: &Self, new_shapes: &dyn Shapes) -> Matching {
        let mut to = vec![None; self.owners.len()];
        let mut pair = |from: u32, there: u32, count: u32| {
            for node in 0..count {
                to[(from + node) as usize] = Some(NodeId::new(there + node));
            }
        };
        for (node, there) in self.same_nodes(new).into_iter().enumerate() {
            let Some(there) = there else { continue };
            let (before, after) = (&self.nodes[node], &new.nodes[there]);
            let nodes = match (&before.op, &after.op) {
                (NodeOp::Leaf(old), NodeOp::Leaf(leaf))
                    if shapes.leaf(*old).count() == new_shapes.leaf(*leaf).count() =>
                {
                    shapes.leaf(*old).count()
                }
                _ => 1,
            };
            pair(before.at, after.at, nodes);
            for (old, attachment) in same_attachments(&before.op, &after.op) {
                let (leaves, other) = (shapes.leaf(old.leaf).count(), new_shapes.leaf(attachment.leaf).count());
                if leaves == other {
                    pair(old.at, attachment.at, leaves + u32::from(old.negated));
                }
            }
        }
        Matching::new(to)
    }
}
