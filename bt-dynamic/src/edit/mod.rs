//! Replaces a loaded tree while agents run.

pub(crate) mod adopt;
pub(crate) mod opening;
pub(crate) mod plan;

use std::sync::{Arc, PoisonError};

use bt_core::describe::Matching;
use bt_core::engine::{self, Ticking};
use bt_core::{Memory, NodeId};

use crate::answers::Answers;
use crate::edit::opening::Opening;
use crate::edit::plan::{Planning, running};
use crate::engine::run::Run;
use crate::flat::host::Host;
use crate::flat::memory::LoadedMemory;
use crate::flat::op::NodeOp;
use crate::matching::migration::Migration;
use crate::matching::renumber::renumber;
use crate::matching::same_attachments;
use crate::nodes::shape::Shapes;
use crate::owner::MemoryOwner;
use crate::tree::LoadedTreeOf;
use bt_core::{ContextOf, Contexts};

/// What happened to an agent when its tree was replaced.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Migrated {
    /// Whether the agent was running, and nothing of that can go on: it starts a new run in its next tick.
    pub starts_afresh: bool,
    /// The leaves that were halted, by their ids in the old tree, in order. A leaf with other properties was opened again if it could be.
    pub halted: Vec<NodeId>,
}

impl<F: Contexts> LoadedTreeOf<F> {
    /// Migrates an agent from this tree to `new`. What runs goes on where it can; this tree halts the rest, deepest first. The page "What runs goes on" of the
    /// guide has the rules. Returns what was halted; nothing if the memory does not belong to this tree.
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
    pub fn reload(&self, new: &Self, memory: &mut Memory<Self>, ctx: &mut ContextOf<'_, '_, F>) -> Migrated {
        let (open, kept) = engine::parts_mut(memory);
        // Otherwise it has migrated already, or belongs to an earlier tree and migrates in its next tick.
        if !matches!(self.owner_of(kept), MemoryOwner::This) || kept.version == new.flat.version {
            return Migrated::default();
        }
        let ticking = Ticking::new(open, true);
        let migrated = self.take_over(new, NodeId::ROOT, ticking.open.is_some(), kept, ctx);
        if migrated.starts_afresh {
            *ticking.open = None;
        }
        ticking.done();
        migrated
    }

    /// Converts a memory of this tree to another.
    pub(crate) fn take_over(
        &self,
        new: &Self,
        at: NodeId,
        open: bool,
        kept: &mut LoadedMemory,
        ctx: &mut ContextOf<'_, '_, F>,
    ) -> Migrated {
        let (old, next) = (&self.flat, &new.flat);
        if !old.fits(kept) {
            // The memory is new.
            *kept = next.new_memory();
            return Migrated { starts_afresh: open, halted: Vec::new() };
        }
        let migration = &*self.migration(new);
        old.places.repair(open, &mut kept.words);
        let running = if open { running(old, kept) } else { Vec::new() };
        let planning = Planning { old, new: next, shapes: &new.parts, migration, memory: kept, running: &running };
        let planned = planning.plan();
        let mut goes_on: Vec<_> = planned.iter().filter_map(|node| node.old).collect();
        goes_on.sort_unstable();
        let mut migrated = Migrated { starts_afresh: open && planned.is_empty(), halted: Vec::new() };
        if open {
            let observer = &mut ();
            let mut run = Run::new(old, &self.parts, at, kept, observer);
            let stays = |node: usize| goes_on.binary_search(&node).is_ok() && !migration.changed[node];
            close(&mut run, 0, &stays, &mut migrated.halted, &mut Answers::new(&self.parts, ctx));
        }
        let mut memory = next.new_memory();
        for node in &planned {
            let stays = node.old.is_some_and(|old| !migration.changed[old]);
            if stays && !next.places.all[node.node].is_inner() {
                next.places.set_open(node.node, true, &mut memory.words);
            }
        }
        for [from, to, count] in &migration.words {
            memory.words[*to..to + count].copy_from_slice(&kept.words[*from..from + count]);
        }
        for (from, to) in &migration.slots {
            memory.slots[*to] = std::mem::take(&mut kept.slots[*from]);
        }
        for node in &migration.renumbered {
            let this = &next.nodes[*node];
            let before = migration.from[*node].map_or(&this.op, |before| &old.nodes[before].op);
            let first = this.first_word as usize;
            renumber(before, &this.op, &mut memory.words[first..first + this.words as usize]);
        }
        let before = std::mem::replace(kept, memory);
        let observer = &mut ();
        let mut opening = Opening {
            migration,
            old,
            ran: running.iter().map(|running| running.node).collect(),
            before: &before,
            is_planned: vec![true; planned.len()],
            planned,
            run: Run::new(next, &new.parts, at, kept, observer),
            halted: &mut migrated.halted,
        };
        let is_running = opening.open_all(&mut Answers::new(&new.parts, ctx));
        migrated.starts_afresh = open && !is_running;
        migrated
    }

    /// Returns how memories of this tree become memories of another. It is computed for the first agent.
    fn migration(&self, new: &Self) -> Arc<Migration> {
        let mut stored = self.migration.lock().unwrap_or_else(PoisonError::into_inner);
        match &*stored {
            Some(migration) if migration.to == [new.flat.version, new.flat.structure] => Arc::clone(migration),
            _ => Arc::clone(stored.insert(Arc::new(Migration::new(&self.flat, &new.flat, &new.parts)))),
        }
    }
}

impl<F: Contexts> LoadedTreeOf<F> {
    /// Returns which nodes are which nodes of a tree that replaces this one: those with the same id and name in the file. What is attached to nodes, and
    /// the nodes of a subtree that is one leaf of the file, go with their node.
    #[must_use]
    pub fn matching(&self, new: &Self) -> Matching {
        let mut to = vec![None; self.flat.owners.len()];
        let mut pair = |from: u32, there: u32, count: u32| {
            for node in 0..count {
                to[(from + node) as usize] = Some(NodeId::new(there + node));
            }
        };
        let count = |tree: &Self, leaf: u32| tree.parts.leaf(leaf).count();
        for (node, there) in self.flat.same_nodes(&new.flat).into_iter().enumerate() {
            let Some(there) = there else { continue };
            let (before, after) = (&self.flat.nodes[node], &new.flat.nodes[there]);
            let nodes = match (&before.op, &after.op) {
                (NodeOp::Leaf(old), NodeOp::Leaf(leaf)) if count(self, *old) == count(new, *leaf) => count(self, *old),
                _ => 1,
            };
            pair(before.at, after.at, nodes);
            for (old, attachment) in same_attachments(&before.op, &after.op) {
                let (leaves, other) = (count(self, old.leaf), count(new, attachment.leaf));
                if leaves == other {
                    pair(old.at, attachment.at, leaves + u32::from(old.negated));
                }
            }
        }
        Matching::new(to)
    }
}

/// Closes a running node and those below it that do not stay, deepest first. Adds the ids of leaves to `halted`.
fn close(
    run: &mut Run<'_, ()>,
    node: usize,
    stays: &dyn Fn(usize) -> bool,
    halted: &mut Vec<NodeId>,
    host: &mut dyn Host,
) {
    let flat = run.flat;
    let children = flat.children_of(&flat.nodes[node]);
    for child in children.iter().map(|child| *child as usize) {
        if run.is_open(child) {
            close(run, child, stays, halted, host);
        }
    }
    if !stays(node) {
        run.close_alone(node, host);
        if children.is_empty() {
            halted.push(NodeId::new(flat.nodes[node].at));
        }
    }
}
