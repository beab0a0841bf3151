//! Replaces a loaded tree while agents run.

use std::collections::BTreeMap;

use bt_core::engine::{self, Ticking};
use bt_core::{Memory, NodeId};

use crate::memory::DynMemory;
use crate::owner::MemoryOwner;
use crate::run::Run;
use crate::tree::{DynNode, DynTree};

impl<C: ?Sized> DynTree<C> {
    /// Migrates an agent from this tree to `new`. Nodes present in both keep running; this tree first halts the others, deepest first.
    ///
    /// A node is present in both if its id, name and properties in the file are the same, and its parent is present in both. Children may be added, removed and moved, except the
    /// children of a random composite, a `mem_parallel` or a `machine`, whose state refers to children by index. If the running child of a composite is removed, the composite
    /// starts at its first child. State kept across runs, such as the count of a `limit`, is preserved.
    ///
    /// ```
    /// use bt_dynamic::Registry;
    /// use bt_core::prelude::*;
    ///
    /// let mut registry = Registry::<Vec<&'static str>>::new();
    /// registry.add_leaf("Walk", |log: &mut Vec<_>| { log.push("walk"); Status::Success });
    /// registry.add_leaf("Sing", |log: &mut Vec<_>| { log.push("sing"); Status::Success });
    /// let file = |last| format!(r#"{{ "root": "1", "nodes": {{
    ///     "1": {{ "name": "MemSequence", "children": ["2", "3", "4"] }},
    ///     "2": {{ "name": "Walk" }}, "3": {{ "name": "wait_until", "child": "5" }}, "5": {{ "name": "Failer" }}, "4": {{ "name": "{last}" }}
    /// }} }}"#);
    /// let old = registry.load(&file("Walk"))?;
    /// let (mut log, mut memory) = (vec![], old.memory());
    /// old.tick(&mut log, &mut memory);
    ///
    /// let new = registry.load(&file("Sing").replace("Failer", "Succeeder"))?;
    /// old.reload(&new, &mut memory, &mut log);
    /// new.tick(&mut log, &mut memory);            // resumes the wait; then runs the new end
    /// assert_eq!(log, ["walk", "sing"]);
    /// # Ok::<(), bt_dynamic::LoadError>(())
    /// ```
    pub fn reload(&self, new: &Self, memory: &mut Memory<Self>, ctx: &mut C) {
        let (open, kept) = engine::parts_mut(memory);
        // Otherwise it has migrated already, or belongs to an earlier tree and migrates in its next tick.
        if matches!(self.owner_of(kept), MemoryOwner::This) && kept.version != new.version {
            let ticking = Ticking::new(open, true);
            if !self.take_over(new, ticking.open.is_some(), kept, ctx) {
                *ticking.open = None;
            }
            ticking.done();
        }
    }

    /// Converts a memory of this tree to another. Returns `true` if the root keeps running.
    pub(crate) fn take_over(&self, new: &Self, open: bool, kept: &mut DynMemory, ctx: &mut C) -> bool {
        if kept.words.len() != self.words || kept.slots.len() != self.slots {
            // The memory is new.
            *kept = new.new_memory();
            return false;
        }
        let indices: BTreeMap<&str, usize> =
            new.nodes.iter().enumerate().map(|(index, node)| (node.id.as_str(), index)).collect();
        let (old_parents, new_parents) = (parents(self), parents(new));
        // In pre-order, so that parents come first.
        let mut same: Vec<Option<usize>> = Vec::with_capacity(self.nodes.len());
        for (index, node) in self.nodes.iter().enumerate() {
            let there = indices.get(node.id.as_str()).copied().filter(|there| {
                let parent_is_same = match (old_parents[index], new_parents[*there]) {
                    (None, None) => true,
                    (Some(old), Some(new)) => same[old] == Some(new),
                    _ => false,
                };
                parent_is_same && self.is_same(node, new, &new.nodes[*there])
            });
            same.push(there);
        }
        let keeps_running = open && same[0].is_some();
        if open {
            let observer = &mut ();
            let mut run = Run::new(self, NodeId::ROOT, kept, observer);
            if keeps_running {
                // The topmost removed nodes; each halts the nodes below it.
                let gone = |index: &usize| {
                    same[*index].is_none() && old_parents[*index].is_some_and(|parent| same[parent].is_some())
                };
                (0..self.nodes.len()).filter(gone).for_each(|index| run.halt(index, ctx));
            } else {
                run.interrupt(ctx);
            }
        }
        let mut next = new.new_memory();
        for (index, there) in same.iter().enumerate() {
            let Some(there) = *there else { continue };
            next.words[there / 64] |= (kept.words[index / 64] >> (index % 64) & 1) << (there % 64);
            let (from, to) = (&self.nodes[index], &new.nodes[there]);
            for word in 0..from.op.words(self.children_of(from).len()) {
                next.words[to.first_word as usize + word] = kept.words[from.first_word as usize + word];
            }
            for (from, to) in from.slots().zip(to.slots()) {
                std::mem::swap(&mut next.slots[to as usize], &mut kept.slots[from as usize]);
            }
        }
        *kept = next;
        keeps_running
    }

    fn is_same(&self, node: &DynNode<C>, new: &Self, other: &DynNode<C>) -> bool {
        let children = |tree: &Self, node: &DynNode<C>| -> Vec<_> {
            tree.children_of(node).iter().map(|child| tree.nodes[*child as usize].id.clone()).collect()
        };
        node.spec == other.spec && (!node.op.counts_children() || children(self, node) == children(new, other))
    }
}

fn parents<C: ?Sized>(tree: &DynTree<C>) -> Vec<Option<usize>> {
    let mut parents = vec![None; tree.nodes.len()];
    for (index, node) in tree.nodes.iter().enumerate() {
        for child in tree.children_of(node) {
            parents[*child as usize] = Some(index);
        }
    }
    parents
}
