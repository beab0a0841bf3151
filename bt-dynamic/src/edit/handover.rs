//! How a memory continues with the next tree. It is compiled once: a host has the context.

use bt_core::NodeId;

use crate::edit::Migrated;
use crate::edit::opening::Opening;
use crate::edit::plan::{Planned, Planning, running};
use crate::engine::run::Run;
use crate::flat::FlatTree;
use crate::flat::host::Host;
use crate::flat::memory::LoadedMemory;
use crate::matching::migration::Migration;
use crate::matching::renumber::renumber;
use crate::nodes::shape::Shapes;

/// A tree and the next one.
pub(crate) struct Edit<'t> {
    pub(crate) old: &'t FlatTree,
    pub(crate) new: &'t FlatTree,
    /// The nodes of the user in both.
    pub(crate) shapes: [&'t dyn Shapes; 2],
    pub(crate) migration: &'t Migration,
    pub(crate) at: NodeId,
}

/// What is left of a run.
pub(crate) struct Stopped {
    /// The old nodes that ran.
    ran: Vec<usize>,
    planned: Vec<Planned>,
    /// The old ids of leaves that were halted.
    halted: Vec<NodeId>,
}

impl Edit<'_> {
    /// Halts what does not continue, with the nodes of the old tree. Returns `None` if the memory is new.
    pub(crate) fn stop(&self, open: bool, kept: &mut LoadedMemory, host: &mut dyn Host) -> Option<Stopped> {
        let Self { old, new, shapes, migration, at } = *self;
        if !old.fits(kept) {
            return None;
        }
        old.repair(open, &mut kept.words);
        let running = if open { running(old, kept) } else { Vec::new() };
        let planned = Planning { old, new, migration, memory: kept, running: &running }.plan();
        let mut goes_on: Vec<_> = planned.iter().filter_map(|node| node.old).collect();
        goes_on.sort_unstable();
        let mut halted = Vec::new();
        if open {
            let observer = &mut ();
            let mut run = Run::new(old, shapes[0], at, kept, observer);
            let stays = |node: usize| goes_on.binary_search(&node).is_ok() && !migration.changed[node];
            close(&mut run, 0, &stays, &mut halted, host);
        }
        Some(Stopped { ran: running.iter().map(|running| running.node).collect(), planned, halted })
    }

    /// Converts the memory, and opens what is new around what continues, with the nodes of the new tree.
    pub(crate) fn go_on(
        &self,
        stopped: Option<Stopped>,
        open: bool,
        kept: &mut LoadedMemory,
        host: &mut dyn Host,
    ) -> Migrated {
        let Self { old, new, shapes, migration, at } = *self;
        let memory = new.new_memory();
        let Some(Stopped { ran, planned, mut halted }) = stopped else {
            *kept = memory;
            return Migrated { starts_afresh: open, halted: Vec::new() };
        };
        let memory = self.converted(memory, &planned, kept);
        let before = std::mem::replace(kept, memory);
        let observer = &mut ();
        let mut opening = Opening {
            migration,
            old,
            ran,
            before: &before,
            is_planned: vec![true; planned.len()],
            planned,
            converted: Vec::new(),
            run: Run::new(new, shapes[1], at, kept, observer),
            halted: &mut halted,
        };
        let is_running = opening.open_all(host);
        Migrated { starts_afresh: open && !is_running, halted }
    }

    /// Moves what stays to a new memory.
    fn converted(&self, mut memory: LoadedMemory, planned: &[Planned], kept: &mut LoadedMemory) -> LoadedMemory {
        let Self { old, new, migration, .. } = *self;
        for node in planned {
            let stays = node.old.is_some_and(|old| !migration.changed[old]);
            if stays && !new.nodes[node.node].place.is_inner() {
                new.nodes[node.node].place.set_open(true, &mut memory.words);
            }
        }
        for [from, to, count] in &migration.words {
            memory.words[*to..to + count].copy_from_slice(&kept.words[*from..from + count]);
        }
        for (from, to) in &migration.slots {
            memory.slots[*to] = std::mem::take(&mut kept.slots[*from]);
        }
        for node in &migration.renumbered {
            let this = &new.nodes[*node];
            let before = migration.from[*node].map_or(&this.op, |before| &old.nodes[before].op);
            let first = this.first_word as usize;
            renumber(before, &this.op, &mut memory.words[first..first + this.words as usize]);
        }
        memory
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
