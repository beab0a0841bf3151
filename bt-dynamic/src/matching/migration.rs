//! The map from the memories of a tree to those of the tree that replaces it.

use std::sync::{Arc, Mutex, PoisonError};

use crate::flat::FlatTree;
use crate::flat::op::NodeOp;
use crate::matching::same_attachments;
use crate::nodes::shape::Shapes;

/// How the memories of a tree become memories of another.
pub(crate) struct Migration {
    /// The version and the structure of the other tree.
    pub(crate) to: [u64; 2],
    /// The index of each old node in the new tree, if it is present in both; and the reverse.
    pub(crate) same: Vec<Option<usize>>,
    pub(crate) from: Vec<Option<usize>>,
    /// The old leaves whose properties have changed.
    pub(crate) changed: Vec<bool>,
    /// The ranges of words that move as they are: from, to, and their number.
    pub(crate) words: Vec<[usize; 3]>,
    pub(crate) slots: Vec<(usize, usize)>,
    /// The new nodes with words whose properties have changed.
    pub(crate) renumbered: Vec<usize>,
    /// The new composites with state whose children have changed.
    pub(crate) regrouped: Vec<usize>,
}

/// How memories become memories of the tree that replaced theirs. It is computed for the first agent.
#[derive(Default)]
pub(crate) struct Migrations(Mutex<Option<Arc<Migration>>>);

impl Migrations {
    /// Returns how memories of a tree become memories of another.
    pub(crate) fn to(&self, old: &FlatTree, new: &FlatTree, shapes: &dyn Shapes) -> Arc<Migration> {
        let mut stored = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*stored {
            Some(migration) if migration.to == [new.version, new.structure] => Arc::clone(migration),
            _ => Arc::clone(stored.insert(Arc::new(Migration::new(old, new, shapes)))),
        }
    }
}

impl Migration {
    /// Compares two trees.
    pub(crate) fn new(old: &FlatTree, new: &FlatTree, shapes: &dyn Shapes) -> Self {
        let same = old.same_nodes(new);
        let mut migration = Self {
            to: [new.version, new.structure],
            from: vec![None; new.nodes.len()],
            changed: vec![false; old.nodes.len()],
            words: Vec::new(),
            slots: Vec::new(),
            renumbered: Vec::new(),
            regrouped: Vec::new(),
            same: Vec::new(),
        };
        for (node, there) in same.iter().enumerate().filter_map(|(node, there)| Some((node, (*there)?))) {
            migration.from[there] = Some(node);
            let (before, after) = (&old.nodes[node], &new.nodes[there]);
            let slots = before.slot.zip(after.slot).into_iter();
            let attached = same_attachments(&before.op, &after.op).filter_map(|(old, new)| old.slot.zip(new.slot));
            migration.slots.extend(slots.chain(attached).map(|(from, to)| (from as usize, to as usize)));
            let is_changed = old.sources[node].properties() != new.sources[there].properties();
            match &after.op {
                NodeOp::Leaf(_) => migration.changed[node] = is_changed,
                // What they store refers to children.
                NodeOp::Machine { .. } | NodeOp::Composite(_) => continue,
                _ => {}
            }
            if after.words > 0 && after.words == before.words {
                let [from, to] = [before.first_word, after.first_word].map(|word| word as usize);
                match migration.words.last_mut() {
                    Some([first, there, count]) if *first + *count == from && *there + *count == to => {
                        *count += after.words as usize;
                    }
                    _ => migration.words.push([from, to, after.words as usize]),
                }
                if is_changed {
                    migration.renumbered.push(there);
                }
            }
        }
        migration.same = same;
        for (there, node) in new.nodes.iter().enumerate() {
            let NodeOp::Composite(rule) = &node.op else { continue };
            if let Some(node) = migration.from[there]
                && rule.shape(shapes).has_state()
                && !is_unchanged(&migration.children(old, new, node, there), new.children_of(&new.nodes[there]).len())
            {
                migration.regrouped.push(there);
            }
        }
        migration
    }

    /// Returns the new index of each child of a composite that is present in both trees. A child that was wrapped or unwrapped is the same.
    pub(crate) fn children(&self, old: &FlatTree, new: &FlatTree, node: usize, there: usize) -> Vec<Option<usize>> {
        let after = new.children_of(&new.nodes[there]);
        let index = |child: &u32| {
            let mut child = *child as usize;
            let mut to = loop {
                match (self.same[child], old.children_of(&old.nodes[child])) {
                    (Some(to), _) => break to,
                    (None, [only]) => child = *only as usize,
                    (None, _) => return None,
                }
            };
            loop {
                let parent = new.sources[to].parent?;
                if parent == there {
                    // In pre-order.
                    return after.binary_search(&u32::try_from(to).ok()?).ok();
                }
                if self.from[parent].is_some() || new.nodes[parent].children.len() != 1 {
                    return None;
                }
                to = parent;
            }
        };
        old.children_of(&old.nodes[node]).iter().map(index).collect()
    }
}

/// Returns `true` if all children are where they were.
pub(crate) fn is_unchanged(to: &[Option<usize>], len: usize) -> bool {
    to.len() == len && to.iter().enumerate().all(|(child, to)| *to == Some(child))
}
