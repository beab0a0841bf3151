//! How a memory continues with the next tree. It is compiled once: a host has the context.

use bt_core::NodeId;

use crate::edit::migrated::Migrated;
use crate::edit::opening::Opening;
use crate::edit::plan::{Planned, Planning, running};
use crate::engine::run::Run;
use crate::flat::FlatTree;
use crate::flat::cleanups::{LEFT, WAITS};
use crate::flat::host::Host;
use crate::flat::memory::LoadedMemory;
use crate::flat::node::LoadedNode;
use crate::flat::op::NodeOp;
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
        let old = self.old;
        if !old.fits(kept) {
            return None;
        }
        old.repair(open, &mut kept.words);
        let mut stopped = Stopped { ran: Vec::new(), planned: Vec::new(), halted: Vec::new() };
        if open {
            self.stop_run(0, Some(0), kept, &mut stopped, host);
        }
        // Cleanups that are left, also those that the edit has left. In pre-order: if one is halted, that can leave others below it.
        for node in old.nodes.iter().enumerate() {
            self.stop_cleanup(node, kept, &mut stopped, host);
        }
        stopped.planned.sort_by_key(|planned| planned.node);
        Some(stopped)
    }

    /// Halts what does not continue of a run of an old node. What continues is in this subtree of the new tree. Returns `true` if something does.
    fn stop_run(
        &self,
        node: usize,
        top: Option<usize>,
        kept: &mut LoadedMemory,
        stopped: &mut Stopped,
        host: &mut dyn Host,
    ) -> bool {
        let Self { old, new, shapes, migration, at } = *self;
        let running = running(old, kept, node);
        let plan = |top| Planning { old, new, migration, memory: kept, running: &running, top }.plan();
        let planned = top.map(plan).unwrap_or_default();
        let mut goes_on: Vec<_> = planned.iter().filter_map(|node| node.old).collect();
        goes_on.sort_unstable();
        let observer = &mut ();
        let mut run = Run::new(old, shapes[0], at, kept, observer);
        let stays = |node: usize| goes_on.binary_search(&node).is_ok() && !migration.changed[node];
        close(&mut run, node, &stays, &mut stopped.halted, host);
        stopped.ran.extend(running.iter().map(|running| running.node));
        let any = !planned.is_empty();
        stopped.planned.extend(planned);
        any
    }

    /// Halts the cleanup of a `finally` if it is left and does not continue. If the new tree has the node, its cleanup begins in the next tick.
    fn stop_cleanup(
        &self,
        (index, node): (usize, &LoadedNode),
        kept: &mut LoadedMemory,
        stopped: &mut Stopped,
        host: &mut dyn Host,
    ) {
        let Self { old, new, migration, .. } = *self;
        if node.is_left(&kept.words) {
            let there = migration.same[index].map(|there| &new.nodes[there]);
            let there = there.filter(|there| matches!(there.op, NodeOp::Finally));
            let top = there.map(|there| new.cleanup_of(there));
            if node.is_waiting(&kept.words) {
                if top.is_some() {
                    return;
                }
                // It is ticked once before it is halted.
                Run::new(old, self.shapes[0], self.at, kept, &mut ()).child(old.cleanup_of(node), host);
            }
            let is_running = old.is_open(old.cleanup_of(node), kept);
            if !is_running || !self.stop_run(old.cleanup_of(node), top, kept, stopped, host) {
                // The cleanup of the new tree begins in place of one that is halted.
                kept.words[node.first_word as usize + LEFT] = if is_running && top.is_some() { WAITS } else { 0 };
            }
        }
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
        // What could not go on is halted, and its cleanup begins again.
        new.set_ended(WAITS, &mut kept.words);
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
    let this = &flat.nodes[node];
    let is_finally = matches!(this.op, NodeOp::Finally);
    // If the body, or a part of it, goes on elsewhere, there is nothing to clean up.
    let cleans_up = is_finally && !(node..this.end as usize).any(stays);
    let children: Vec<_> = flat.running_children(this, &run.memory.words).collect();
    for child in children {
        // A halt does not end a cleanup.
        if !cleans_up || child != flat.cleanup_of(this) {
            close(run, child, stays, halted, host);
        }
    }
    if cleans_up {
        run.end_finally(node, host);
    }
    if !stays(node) {
        run.close_alone(node, host);
        if this.children.is_empty() {
            halted.push(NodeId::new(flat.nodes[node].at));
        }
    }
}
