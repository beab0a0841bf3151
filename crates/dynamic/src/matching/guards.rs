//! Whether the nodes that stand before a leaf are those that have run: where a leaf with other properties can begin in place of the running one.

use crate::flat::FlatTree;
use crate::flat::composites::Before;
use crate::flat::op::NodeOp;
use bt_core::Outcome;

impl NodeOp {
    fn before(&self) -> Before {
        match self {
            NodeOp::Sequential { pass: Outcome::Success, .. } => Before::Children,
            NodeOp::Composite(composite) => composite.rule.before(),
            NodeOp::Machine { .. } => Before::Transition,
            NodeOp::Finally => Before::Body,
            NodeOp::Sequential { pass: Outcome::Failure | Outcome::Error, .. }
            | NodeOp::Decorator(_)
            | NodeOp::Policy(_)
            | NodeOp::Service { .. }
            | NodeOp::State { .. }
            | NodeOp::Nested { .. }
            | NodeOp::Wait { .. }
            | NodeOp::Constant(_)
            | NodeOp::Leaf(_) => Before::Nothing,
        }
    }
}

/// Two versions of a tree, and the old node that each new node was.
pub(crate) struct Guards<'t> {
    pub(crate) old: &'t FlatTree,
    pub(crate) new: &'t FlatTree,
    pub(crate) from: &'t [Option<usize>],
}

impl Guards<'_> {
    /// Returns `true` if everything that runs before a new leaf has run before the old leaf: below the same nodes, the same guards stand before both.
    pub(crate) fn have_run(&self, leaf: usize, there: usize) -> bool {
        let (mut below, mut child) = (leaf, there);
        while let Some(parent) = self.new.sources[child].parent {
            let place = place_of(self.new, parent, child);
            let before = self.new.nodes[parent].op.before();
            let Some(old) = self.from[parent] else {
                // A new node.
                match before {
                    Before::Nothing => {}
                    Before::Children | Before::Transition | Before::Body if place == 0 => {}
                    Before::Children | Before::Condition | Before::Selection | Before::Transition | Before::Body => {
                        return false;
                    }
                }
                child = parent;
                continue;
            };
            if !(old + 1..self.old.nodes[old].end as usize).contains(&below) {
                return false;
            }
            let old_place = place_of(self.old, old, below);
            let is_same = match before {
                Before::Nothing => true,
                Before::Children => self.have_guards(parent, place, old, old_place),
                Before::Condition => place == old_place && self.have_guards(parent, place.min(1), old, 1),
                Before::Selection => place == old_place && self.have_equal_properties(old, parent),
                Before::Transition => {
                    self.from[child] == Some(self.old.children_of(&self.old.nodes[old])[old_place] as usize)
                }
                // What has run before the body does not matter to the cleanup.
                Before::Body if place == old_place && place > 0 => return true,
                Before::Body => place == old_place,
            };
            if !is_same {
                return false;
            }
            (below, child) = (old, parent);
        }
        true
    }

    /// Returns `true` if the first children of a new node are among the first children of the old one.
    fn have_guards(&self, new: usize, places: usize, old: usize, old_places: usize) -> bool {
        let ran = &self.old.children_of(&self.old.nodes[old])[..old_places];
        self.new.children_of(&self.new.nodes[new])[..places].iter().all(|guard| {
            let guard = *guard as usize;
            self.from[guard].is_some_and(|before| {
                ran.iter().any(|child| *child as usize == before) && self.are_equal(before, guard)
            })
        })
    }

    /// Returns `true` if a subtree has not changed.
    fn are_equal(&self, old: usize, new: usize) -> bool {
        let size = |tree: &FlatTree, node: usize| tree.nodes[node].end as usize - node;
        size(self.old, old) == size(self.new, new)
            && (0..size(self.old, old)).all(|node| {
                self.from[new + node] == Some(old + node) && self.have_equal_properties(old + node, new + node)
            })
    }

    fn have_equal_properties(&self, old: usize, new: usize) -> bool {
        self.old.has_same_properties(old, self.new, new)
    }
}

/// Returns the index of the child that is a node or has it below.
fn place_of(tree: &FlatTree, parent: usize, below: usize) -> usize {
    tree.children_of(&tree.nodes[parent]).partition_point(|child| *child as usize <= below) - 1
}
