//! The map from the memories of a tree to those of the tree that replaces it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::flat::FlatTree;
use crate::flat::composites::CompositeOp;
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
    /// The old leaves whose properties have changed, or that are other leaves of the program.
    pub(crate) changed: Vec<bool>,
    /// The ranges of words that move as they are: from, to, and their number.
    pub(crate) words: Vec<[usize; 3]>,
    pub(crate) slots: Vec<(usize, usize)>,
    /// The new nodes with words whose properties have changed.
    pub(crate) renumbered: Vec<usize>,
    /// For each composite that is present in both, by its new index: the new index of each of its children.
    pub(crate) children: BTreeMap<usize, Vec<Option<usize>>>,
    /// The new composites with state whose children have changed.
    pub(crate) regrouped: Vec<usize>,
}

/// How memories become memories of the tree that replaced theirs. It is computed for the first agent.
#[derive(Default)]
pub(crate) struct Migrations(Mutex<Option<Arc<Migration>>>);

impl Migrations {
    /// Returns how memories of a tree become memories of another.
    pub(crate) fn to(&self, old: &FlatTree, new: &FlatTree, shapes: [&dyn Shapes; 2]) -> Arc<Migration> {
        let mut stored = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*stored {
            Some(migration) if migration.to == [new.version, new.structure] => Arc::clone(migration),
            _ => Arc::clone(stored.insert(Arc::new(Migration::new(old, new, shapes)))),
        }
    }
}

impl Migration {
    /// Compares two trees. The nodes of the user in both are `shapes`.
    fn new(old: &FlatTree, new: &FlatTree, shapes: [&dyn Shapes; 2]) -> Self {
        let same = old.same_nodes(new, shapes);
        let mut migration = Self {
            to: [new.version, new.structure],
            from: vec![None; new.nodes.len()],
            changed: vec![false; old.nodes.len()],
            words: Vec::new(),
            slots: Vec::new(),
            renumbered: Vec::new(),
            children: BTreeMap::new(),
            regrouped: Vec::new(),
            same: Vec::new(),
        };
        for (node, there) in same.iter().enumerate().filter_map(|(node, there)| Some((node, (*there)?))) {
            migration.from[there] = Some(node);
            let (before, after) = (&old.nodes[node], &new.nodes[there]);
            let slots = before.slot.zip(after.slot).into_iter();
            let attached = same_attachments(&before.op, &after.op).filter_map(|(old, new)| old.slot.zip(new.slot));
            migration.slots.extend(slots.chain(attached).map(|(from, to)| (from as usize, to as usize)));
            migration.changed[node] = old.is_changed(node, new, there, shapes);
            // What they store refers to children.
            if let NodeOp::Machine { .. } | NodeOp::Composite(_) = after.op {
                continue;
            }
            if after.words > 0 && after.words == before.words {
                let [from, to] = [before.first_word, after.first_word].map(|word| word as usize);
                match migration.words.last_mut() {
                    Some([first, there, count]) if *first + *count == from && *there + *count == to => {
                        *count += after.words as usize;
                    }
                    _ => migration.words.push([from, to, after.words as usize]),
                }
                if !old.has_same_properties(node, new, there) {
                    migration.renumbered.push(there);
                }
            }
        }
        migration.same = same;
        for (there, node) in new.nodes.iter().enumerate() {
            let NodeOp::Composite(CompositeOp { rule, .. }) = &node.op else { continue };
            let Some(before) = migration.from[there] else { continue };
            let to = migration.children(old, new, before, there);
            let is_unchanged = is_in_place(&to, node.children.len()) && !to.contains(&None);
            if rule.shape(shapes[1]).has_state() && !is_unchanged {
                migration.regrouped.push(there);
            }
            migration.children.insert(there, to);
        }
        migration
    }

    /// Returns the new index of each child of a composite that is present in both trees. A child that was wrapped or unwrapped is the same, also if there are
    /// other nodes beside it in the wrapper, unless they are children of the composite as well.
    fn children(&self, old: &FlatTree, new: &FlatTree, node: usize, there: usize) -> Vec<Option<usize>> {
        let mut to: Vec<_> = old
            .children_of(&old.nodes[node])
            .iter()
            .map(|child| {
                let mut places = Vec::new();
                self.places(old, new, *child as usize, there, &mut places);
                let first = *places.first()?;
                first.filter(|_| places.iter().all(|place| *place == first))
            })
            .collect();
        // A new child around several of them is none of them.
        let mut times = vec![0; new.nodes[there].children.len()];
        to.iter().flatten().for_each(|child: &usize| times[*child] += 1);
        for child in &mut to {
            *child = child.filter(|child| times[*child] == 1);
        }
        to
    }

    /// Adds in which child of a new composite the nodes are that an old node was, or that were below it if there is no such node: the indices of children; `None` for
    /// nodes elsewhere.
    fn places(&self, old: &FlatTree, new: &FlatTree, node: usize, there: usize, places: &mut Vec<Option<usize>>) {
        let Some(mut to) = self.same[node] else {
            for child in old.children_of(&old.nodes[node]) {
                self.places(old, new, *child as usize, there, places);
            }
            return;
        };
        places.push(loop {
            match new.sources[to].parent {
                Some(parent) if parent == there => {
                    // In pre-order.
                    let after = new.children_of(&new.nodes[there]);
                    break u32::try_from(to).ok().and_then(|to| after.binary_search(&to).ok());
                }
                Some(parent) if self.from[parent].is_none() => to = parent,
                Some(_) | None => break None,
            }
        });
    }
}

/// Returns `true` if all children that were not removed are where they were, and there are as many as before.
pub(crate) fn is_in_place(to: &[Option<usize>], len: usize) -> bool {
    to.len() == len && to.iter().enumerate().all(|(child, to)| to.is_none_or(|to| to == child))
}
