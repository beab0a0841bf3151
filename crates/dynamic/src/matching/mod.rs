//! Which nodes of a loaded tree are which nodes of the tree that replaces it.

mod guards;
pub(crate) mod migration;
pub(crate) mod renumber;

use bt_core::NodeId;
use bt_core::describe::Matching;
use bt_core::engine::{Fnv, Nodes, compare};

use crate::flat::op::{Attachment, NodeOp};
use crate::flat::{FlatTree, add_properties, kind_and_name};
use crate::matching::guards::Guards;
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
    /// Returns the index of each node in the new tree; `None` if the new tree does not have it. The nodes of the user in both are `shapes`.
    ///
    /// A leaf that has changed is another leaf if its guards have not run in this tree: it would begin past them.
    pub(crate) fn same_nodes(&self, new: &Self, shapes: [&dyn Shapes; 2]) -> Vec<Option<usize>> {
        let mut same = compare(&Outline(self), &Outline(new));
        let mut from = vec![None; new.nodes.len()];
        for (node, there) in same.iter().enumerate() {
            if let Some(there) = there {
                from[*there] = Some(node);
            }
        }
        let guards = Guards { old: self, new, from: &from };
        for (node, there) in same.iter_mut().enumerate() {
            *there = there.filter(|there| !self.is_changed(node, new, *there, shapes) || guards.have_run(node, *there));
        }
        same
    }

    /// Returns `true` if two nodes have the same properties.
    pub(crate) fn has_same_properties(&self, node: usize, new: &Self, there: usize) -> bool {
        self.equals(node, new, there) || self.sources[node].properties() == new.sources[there].properties()
    }

    /// Returns `true` for a leaf whose properties have changed, or that is another leaf of the program.
    pub(crate) fn is_changed(
        &self,
        node: usize,
        new: &Self,
        there: usize,
        [shapes, new_shapes]: [&dyn Shapes; 2],
    ) -> bool {
        match (&self.nodes[node].op, &new.nodes[there].op) {
            // Another registry may have another leaf of that name.
            (NodeOp::Leaf(before), NodeOp::Leaf(after)) => {
                !self.has_same_properties(node, new, there)
                    || shapes.type_of_leaf(*before) != new_shapes.type_of_leaf(*after)
            }
            _ => false,
        }
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
        for (node, there) in self.same_nodes(new, [shapes, new_shapes]).into_iter().enumerate() {
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
