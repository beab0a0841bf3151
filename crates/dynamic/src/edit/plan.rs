//! What runs in the next tree of an agent: the rules of the guide's page "Editing a running tree".

use std::collections::BinaryHeap;

use bt_core::engine::FinallyPhase;

use crate::engine::finally::phase_of;
use crate::flat::FlatTree;
use crate::flat::cleanups::{BODY, CLEANUP};
use crate::flat::memory::LoadedMemory;
use crate::flat::op::NodeOp;
use crate::matching::migration::Migration;

/// A node that runs in the next tree.
pub(crate) struct Planned {
    /// Its index in the new tree.
    pub(crate) node: usize,
    /// The running node that it was, if it continues. Otherwise it is opened around its running children.
    pub(crate) old: Option<usize>,
    /// Whether something below it continues that ran without children.
    is_real: bool,
}

/// A running node of the old tree.
pub(crate) struct Running {
    pub(crate) node: usize,
    /// Whether no child of it runs.
    is_tip: bool,
}

/// Returns a running node and the nodes below it that belong to its run, in pre-order.
pub(crate) fn running(flat: &FlatTree, memory: &LoadedMemory, node: usize) -> Vec<Running> {
    fn add(flat: &FlatTree, memory: &LoadedMemory, node: usize, all: &mut Vec<Running>) {
        let place = all.len();
        all.push(Running { node, is_tip: true });
        for child in flat.running_children(&flat.nodes[node], &memory.words) {
            add(flat, memory, child, all);
        }
        all[place].is_tip = all.len() == place + 1;
    }
    let mut all = Vec::new();
    add(flat, memory, node, &mut all);
    all
}

impl FlatTree {
    /// Returns the node of the present state of a machine.
    pub(crate) fn present_state(&self, machine: usize, memory: &LoadedMemory) -> Option<usize> {
        let node = &self.nodes[machine];
        let state = node.op.present_state(&memory.words[node.first_word as usize..])?;
        let states = self.children_of(node);
        // A save may have been edited.
        Some(states[state.min(states.len() - 1)] as usize)
    }
}

/// A migration of one agent.
pub(crate) struct Planning<'a> {
    pub(crate) old: &'a FlatTree,
    pub(crate) new: &'a FlatTree,
    pub(crate) migration: &'a Migration,
    pub(crate) memory: &'a LoadedMemory,
    pub(crate) running: &'a [Running],
    /// The new node that runs if any does: the root, or a cleanup that is left.
    pub(crate) top: usize,
}

impl NodeOp {
    /// Returns `true` if it continues although the edit has halted its child. Nodes that only pass on a status end with their
    /// child.
    pub(crate) fn runs_alone(&self) -> bool {
        match self {
            NodeOp::Decorator(_) => self.passing().is_none(),
            NodeOp::Policy(_) | NodeOp::Finally | NodeOp::Service { .. } | NodeOp::Machine { .. } => true,
            NodeOp::Sequential { .. }
            | NodeOp::Composite(_)
            | NodeOp::State { .. }
            | NodeOp::Nested { .. }
            | NodeOp::Wait { .. }
            | NodeOp::Constant(_)
            | NodeOp::Leaf(_) => false,
        }
    }

    /// Returns `true` if several children can run at once.
    fn runs_several(&self) -> bool {
        matches!(self, NodeOp::Composite(composite) if !composite.flags.is_one_at_a_time)
    }
}

impl Planning<'_> {
    /// Returns the nodes that run in the new tree, in pre-order. Each has a running parent.
    pub(crate) fn plan(&self) -> Vec<Planned> {
        let below = self.top..self.new.nodes[self.top].end as usize;
        let there = self.running.iter().filter_map(|running| self.migration.same[running.node]);
        let mut left: BinaryHeap<usize> = there.filter(|node| below.contains(node)).collect();
        // In reverse pre-order: children come before their parents.
        let mut planned: Vec<Planned> = Vec::with_capacity(self.running.len());
        let mut last = None;
        while let Some(node) = left.pop() {
            if last.replace(node) == Some(node) {
                continue;
            }
            if let Some(this) = self.node(node, &mut planned) {
                planned.push(this);
                left.extend(self.new.sources[node].parent.filter(|_| node != self.top));
            }
        }
        planned.reverse();
        planned
    }

    fn node(&self, node: usize, planned: &mut Vec<Planned>) -> Option<Planned> {
        let op = &self.new.nodes[node].op;
        let before = self.migration.from[node];
        let mut old = before.and_then(|old| {
            let place = self.running.binary_search_by_key(&old, |running| running.node).ok()?;
            Some(&self.running[place])
        });
        let first = |planned: &[Planned]| {
            let mut below = self.children(node, planned);
            below.clone().find(|child| child.is_real).or_else(|| below.next()).map(|child| child.node)
        };
        if let NodeOp::Machine { .. } = op {
            let state = old.map(|old| self.state(old.node, node));
            if state == Some(None) {
                // Its state was deleted.
                old = None;
            }
            let chosen = state.flatten().or_else(|| first(planned));
            self.keep_only(chosen, node, planned);
        } else if let NodeOp::Finally = op {
            let child = match old.map_or(FinallyPhase::Body, |old| self.phase(old.node)) {
                FinallyPhase::Waiting => None,
                FinallyPhase::Body => Some(BODY),
                FinallyPhase::Cleanup(_) => Some(CLEANUP),
            };
            let children = self.new.children_of(&self.new.nodes[node]);
            self.keep_only(child.map(|child| children[child] as usize), node, planned);
        } else if !op.runs_several() {
            self.keep_only(first(planned), node, planned);
        }
        let mut below = self.children(node, planned).peekable();
        if below.peek().is_none() {
            let old = old?;
            let is_real = old.is_tip;
            (is_real || op.runs_alone() && !self.goes_on_elsewhere(old.node, node)).then_some(Planned {
                node,
                old: Some(old.node),
                is_real,
            })
        } else {
            let is_real = below.any(|child| child.is_real);
            Some(Planned { node, old: old.map(|old| old.node), is_real })
        }
    }

    /// Returns the children of a node that run, in order.
    fn children<'p>(&self, node: usize, planned: &'p [Planned]) -> impl Iterator<Item = &'p Planned> + Clone {
        planned.iter().rev().filter(move |child| self.new.sources[child.node].parent == Some(node))
    }

    /// Returns the phase of a running `finally`.
    fn phase(&self, old: usize) -> FinallyPhase {
        phase_of(&self.memory.words[self.old.nodes[old].first_word as usize..])
    }

    /// Returns the node of the present state of a machine in the new tree.
    fn state(&self, old: usize, new: usize) -> Option<usize> {
        let state = self.migration.same[self.old.present_state(old, self.memory)?]?;
        (self.new.sources[state].parent == Some(new)).then_some(state)
    }

    /// Removes what is planned below a node, except in one child.
    fn keep_only(&self, chosen: Option<usize>, node: usize, planned: &mut Vec<Planned>) {
        let end = |node: usize| self.new.nodes[node].end as usize;
        let (below, kept) = (node + 1..end(node), chosen.map_or(0..0, |child| child..end(child)));
        planned.retain(|other| !below.contains(&other.node) || kept.contains(&other.node));
    }

    /// Returns `true` if a node that ran below an old node may continue outside of the new one.
    fn goes_on_elsewhere(&self, old: usize, new: usize) -> bool {
        let (below, there) = (old..self.old.nodes[old].end as usize, new..self.new.nodes[new].end as usize);
        let mut tips = self.running.iter().filter(|running| running.is_tip && below.contains(&running.node));
        tips.any(|tip| self.migration.same[tip.node].is_some_and(|to| !there.contains(&to)))
    }
}
