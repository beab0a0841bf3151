//! Replaces a loaded tree while agents run.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, PoisonError};

use bt_behavior3::{Node, NodeKind};
use bt_core::engine::{self, Ticking};
use bt_core::{Memory, NodeId};
use bt_words::ParamType;
use serde_json::Value;

use crate::answers::Answers;
use crate::memory::LoadedMemory;
use crate::migration::Migration;
use crate::op::NodeOp;
use crate::owner::MemoryOwner;
use crate::run::Run;
use crate::tree::LoadedTreeOf;
use bt_core::{ContextOf, Contexts};

impl<F: Contexts> LoadedTreeOf<F> {
    /// Migrates an agent from this tree to `new`. Nodes present in both keep running; this tree first halts the others, deepest first.
    ///
    /// A node is present in both if its id, name and properties in the file are the same, and its parent is present in both. Children may be added, removed and moved, except the
    /// children of a random composite, a `mem_parallel` or a `machine`, whose state refers to children by index. States may be added at the end of a machine, and the transitions
    /// of a machine and its states may change. If the running child of a composite is removed, the composite
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
    pub fn reload(&self, new: &Self, memory: &mut Memory<Self>, ctx: &mut ContextOf<'_, '_, F>) {
        let (open, kept) = engine::parts_mut(memory);
        // Otherwise it has migrated already, or belongs to an earlier tree and migrates in its next tick.
        if matches!(self.owner_of(kept), MemoryOwner::This) && kept.version != new.flat.version {
            let ticking = Ticking::new(open, true);
            if !self.take_over(new, NodeId::ROOT, ticking.open.is_some(), kept, ctx) {
                *ticking.open = None;
            }
            ticking.done();
        }
    }

    /// Converts a memory of this tree to another. Returns `true` if the root keeps running.
    pub(crate) fn take_over(
        &self,
        new: &Self,
        at: NodeId,
        open: bool,
        kept: &mut LoadedMemory,
        ctx: &mut ContextOf<'_, '_, F>,
    ) -> bool {
        if !self.flat.fits(kept) {
            // The memory is new.
            *kept = new.flat.new_memory();
            return false;
        }
        let migration = self.migration(new);
        let keeps_running = open && migration.keeps_root;
        if open {
            let (observer, host) = (&mut (), &mut Answers::new(&self.parts, ctx));
            let mut run = Run::new(&self.flat, &self.parts, at, kept, observer);
            if keeps_running {
                // Each halts the nodes below it.
                migration.gone.iter().for_each(|index| run.halt(*index, host));
            } else {
                run.halt_root(host);
            }
        }
        let mut next = new.flat.new_memory();
        for (index, there) in migration.same.iter().enumerate() {
            if let Some(there) =
                there.filter(|there| !new.flat.places.all[*there].is_inner && self.flat.is_open(index, kept))
            {
                new.flat.places.set_open(there, true, &mut next.words);
            }
        }
        for (from, to) in &migration.words {
            next.words[*to] = kept.words[*from];
        }
        for (from, to) in &migration.slots {
            std::mem::swap(&mut next.slots[*to], &mut kept.slots[*from]);
        }
        *kept = next;
        keeps_running
    }

    /// Returns how memories of this tree become memories of another. It is computed for the first agent.
    fn migration(&self, new: &Self) -> Arc<Migration> {
        let mut stored = self.migration.lock().unwrap_or_else(PoisonError::into_inner);
        match &*stored {
            Some(migration) if migration.to == [new.flat.version, new.flat.structure] => Arc::clone(migration),
            _ => Arc::clone(stored.insert(Arc::new(compare(self, new)))),
        }
    }

    fn is_same(&self, node: usize, new: &Self, other: usize) -> bool {
        let (this, there) = (&self.flat.sources[node], &new.flat.sources[other]);
        let ids = |sources: &[Node], node: &Node| -> Vec<_> {
            node.children.iter().map(|child| sources[*child].id.clone()).collect()
        };
        let op = &self.flat.nodes[node].op;
        let children_fit = || {
            let (before, after) = (ids(&self.flat.sources, this), ids(&new.flat.sources, there));
            if matches!(op, NodeOp::Machine { .. }) { after.starts_with(&before) } else { after == before }
        };
        this.name() == there.name()
            && lasting(this) == lasting(there)
            && (!op.counts_children(&self.parts) || children_fit())
    }
}

/// Returns the properties that belong to a run of the node. Transitions are read when they are followed. What is passed to a
/// nested tree is in the properties of its nodes.
fn lasting(node: &Node) -> BTreeMap<&str, &Value> {
    if matches!(node.kind, NodeKind::Tree(_)) {
        return BTreeMap::new();
    }
    let params = node.kind.word().map_or(&[][..], |word| word.row().params);
    let edges = params.iter().find(|param| param.ty == ParamType::Transitions).map(|param| param.name);
    let properties = node.properties().iter().map(|(name, value)| (name.as_str(), value));
    properties.filter(|(name, _)| Some(*name) != edges).collect()
}

/// Compares two trees.
fn compare<F: Contexts>(old: &LoadedTreeOf<F>, new: &LoadedTreeOf<F>) -> Migration {
    let indices: HashMap<&str, usize> =
        new.flat.sources.iter().enumerate().map(|(index, source)| (source.id.as_str(), index)).collect();
    // In pre-order, so that parents come first.
    let mut same: Vec<Option<usize>> = Vec::with_capacity(old.flat.nodes.len());
    let (mut gone, mut words, mut slots) = (Vec::new(), Vec::new(), Vec::new());
    for (index, source) in old.flat.sources.iter().enumerate() {
        let above = source.parent.map(|parent| same[parent]);
        let there = indices.get(source.id.as_str()).copied().filter(|there| {
            let parent_is_same = match (above, new.flat.sources[*there].parent) {
                (None, None) => true,
                (Some(above), Some(parent)) => above == Some(parent),
                _ => false,
            };
            parent_is_same && old.is_same(index, new, *there)
        });
        same.push(there);
        let Some(there) = there else {
            gone.extend(above.flatten().map(|_| index));
            continue;
        };
        let (from, to) = (&old.flat.nodes[index], &new.flat.nodes[there]);
        let count = from.words as usize;
        words.extend((0..count).map(|word| (from.first_word as usize + word, to.first_word as usize + word)));
        slots.extend(from.slots().zip(to.slots()).map(|(from, to)| (from as usize, to as usize)));
    }
    Migration { to: [new.flat.version, new.flat.structure], keeps_root: same[0].is_some(), same, gone, words, slots }
}
