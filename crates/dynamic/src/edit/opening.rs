//! Opens the nodes of an edited tree around those that continue.

use bt_core::NodeId;
use bt_core::composite::Adopted;

use crate::edit::plan::Planned;
use crate::engine::run::Run;
use crate::flat::FlatTree;
use crate::flat::built_in::BuiltIn;
use crate::flat::cleanups::{BODY, CLEANUP, IS_DUE, LEFT};
use crate::flat::composites::CompositeOp;
use crate::flat::host::Host;
use crate::flat::memory::LoadedMemory;
use crate::flat::op::NodeOp;
use crate::matching::migration::{Migration, is_in_place};
use bt_core::engine::ErasedState;

/// A migration whose running nodes have moved to the new memory.
pub(crate) struct Opening<'a> {
    pub(crate) migration: &'a Migration,
    pub(crate) old: &'a FlatTree,
    /// The old nodes that ran.
    pub(crate) ran: Vec<usize>,
    /// The words of the old memory.
    pub(crate) before: &'a LoadedMemory,
    /// The nodes that run, in pre-order.
    pub(crate) planned: Vec<Planned>,
    /// Which of them still do.
    pub(crate) is_planned: Vec<bool>,
    /// The composites whose state has been converted.
    pub(crate) converted: Vec<usize>,
    pub(crate) run: Run<'a, ()>,
    /// The old ids of leaves that are halted.
    pub(crate) halted: &'a mut Vec<NodeId>,
}

impl Opening<'_> {
    /// Opens all nodes that are new around what runs, from the root down, and converts what refers to children. Returns `true` if the root runs.
    pub(crate) fn open_all(&mut self, host: &mut dyn Host) -> bool {
        // A node above may close them.
        for place in 0..self.planned.len() {
            if let Planned { node, old: Some(old), .. } = self.planned[place]
                && matches!(self.run.flat.nodes[node].op, NodeOp::Machine { .. })
            {
                self.keep_state(node, old);
            }
        }
        for place in 0..self.planned.len() {
            if self.is_planned[place] {
                self.open(place, host);
            }
        }
        for node in &self.migration.regrouped {
            // One that has never run has nothing to convert.
            let has_run = self.slot(*node).is_some_and(|slot| !matches!(slot, ErasedState::Empty));
            if has_run && !self.converted.contains(node) && !self.regroup(*node, None, &[]) {
                self.forget(*node);
            }
        }
        self.is_running(0)
    }

    fn place(&self, node: usize) -> Option<usize> {
        self.planned.binary_search_by_key(&node, |planned| planned.node).ok().filter(|place| self.is_planned[*place])
    }

    fn is_running(&self, node: usize) -> bool {
        self.place(node).is_some()
    }

    /// Returns the running children of a node.
    fn running(&self, node: usize) -> impl Iterator<Item = usize> {
        let flat = self.run.flat;
        let children = flat.children_of(&flat.nodes[node]);
        (0..children.len()).filter(|child| self.is_running(children[*child] as usize))
    }

    fn open(&mut self, place: usize, host: &mut dyn Host) {
        let flat = self.run.flat;
        let Planned { node, old, .. } = self.planned[place];
        let this = &flat.nodes[node];
        let opened = match (&this.op, old) {
            (NodeOp::Leaf(leaf), Some(before)) if self.migration.changed[before] => {
                let at = self.run.id(this);
                self.run.in_slot(this.slot, |slot, ()| host.open_replaced(*leaf, at, slot))
            }
            (NodeOp::Composite(_), _) => {
                let running: Vec<_> = self.running(node).collect();
                self.regroup(node, old, &running)
            }
            // Around a running child it does not wait.
            (NodeOp::Decorator(BuiltIn::Delay(_)), Some(_)) if self.running(node).next().is_some() => {
                self.run.words(this).fill(0);
                true
            }
            (_, None) => {
                let first = self.running(node).next();
                self.run.open_around(node, first, host)
            }
            (_, Some(_)) => true,
        };
        if opened {
            if !flat.nodes[node].place.is_inner() {
                self.run.set_open(node, true);
            }
            return;
        }
        self.close_below(node, host);
        let is_composite = matches!(this.op, NodeOp::Composite(_));
        if is_composite && old.is_some() {
            self.run.close_alone(node, host);
        }
        if is_composite {
            self.forget(node);
        }
        self.is_planned[place] = false;
        self.end_above(node, host);
    }

    /// Closes what continues below a node, deepest first. A halt does not end a cleanup.
    fn close_below(&mut self, node: usize, host: &mut dyn Host) {
        let flat = self.run.flat;
        let this = &flat.nodes[node];
        let children = if let NodeOp::Finally = this.op { BODY..CLEANUP } else { 0..this.children.len() };
        for child in flat.children_of(this)[children].iter().map(|child| *child as usize) {
            let Some(place) = self.place(child) else { continue };
            let is_open = self.run.is_open(child);
            self.close_below(child, host);
            self.is_planned[place] = false;
            if is_open {
                self.close(child, self.planned[place].old, host);
            }
        }
    }

    fn close(&mut self, node: usize, old: Option<usize>, host: &mut dyn Host) {
        let this = &self.run.flat.nodes[node];
        if let NodeOp::Finally = this.op {
            // A cleanup that is planned goes on. It may have to be opened first.
            if self.is_running(self.run.flat.cleanup_of(this)) {
                self.run.words(this)[LEFT] = IS_DUE;
            } else {
                self.run.end_finally(node, host);
            }
        }
        self.run.close_alone(node, host);
        if let Some(old) = old
            && self.old.nodes[old].children.is_empty()
        {
            self.halted.push(NodeId::new(self.old.nodes[old].at));
        }
    }

    /// Ends the nodes above a node that does not run after all, up to the first that can run without it.
    fn end_above(&mut self, mut node: usize, host: &mut dyn Host) {
        let flat = self.run.flat;
        while let Some(parent) = flat.sources[node].parent {
            let children = flat.children_of(&flat.nodes[parent]);
            let Some(place) = self.place(parent) else { return };
            let runs_another = children.iter().any(|child| self.is_running(*child as usize));
            if runs_another || self.planned[place].old.is_some() && flat.nodes[parent].op.runs_alone() {
                return;
            }
            self.is_planned[place] = false;
            self.run.close_alone(parent, host);
            node = parent;
        }
    }

    /// Converts the state of a composite. Returns `false` if it cannot continue.
    fn regroup(&mut self, node: usize, running_before: Option<usize>, running: &[usize]) -> bool {
        self.converted.push(node);
        let flat = self.run.flat;
        let this = &flat.nodes[node];
        let to = self.migration.children.get(&node).map_or(&[][..], Vec::as_slice);
        let first = running_before.map(|old| self.old.nodes[old].first_word as usize);
        let before = self.before;
        let words = running_before.map_or(0, |old| self.old.nodes[old].words as usize);
        let was_marked = |child: usize| {
            first.is_some_and(|first| child / 64 < words && before.words[first + child / 64] >> (child % 64) & 1 == 1)
        };
        let children = self.migration.from[node].map_or(&[][..], |old| self.old.children_of(&self.old.nodes[old]));
        let ran =
            |child: &usize| to.get(*child) == Some(&Some(*child)) && self.ran.contains(&(children[*child] as usize));
        let is_in_place = is_in_place(to, this.children.len()) && running.iter().all(ran);
        if is_in_place && running_before.is_some() && to.iter().all(Option::is_some) {
            let (from, to) = (first.unwrap_or_default(), this.first_word as usize);
            self.run.memory.words[to..to + words].copy_from_slice(&before.words[from..from + words]);
            return true;
        }
        let NodeOp::Composite(CompositeOp { rule, .. }) = &this.op else { return true };
        let mut marks = vec![0; this.words as usize];
        for child in to.iter().enumerate().filter(|(child, _)| was_marked(*child)).filter_map(|(_, to)| *to) {
            marks[child / 64] |= 1 << (child % 64);
        }
        let shape = rule.shape(self.run.shapes);
        let mut children = Adopted::new(to, &was_marked, running, &mut marks, is_in_place);
        let goes_on = self.run.in_slot(this.slot, |slot, ()| shape.adopt(slot, &mut children));
        self.run.words(this).copy_from_slice(&marks);
        goes_on
    }

    /// Stores the state of a machine that continues, which is in the new tree.
    fn keep_state(&mut self, node: usize, old: usize) {
        let flat = self.run.flat;
        let state = self.old.present_state(old, self.before);
        let to = state.and_then(|state| self.migration.same[state]);
        let to = flat.children_of(&flat.nodes[node]).iter().position(|state| Some(*state as usize) == to);
        // The outcome of the state's node, if it has ended. While the node runs, it is that of an earlier run.
        let runs = self.running(node).next().is_some() || state.is_some_and(|state| self.ran.contains(&state));
        let ended = if runs { 0 } else { self.before.words[self.old.nodes[old].first_word as usize] & 3 };
        self.run.memory.words[flat.nodes[node].first_word as usize] = (to.unwrap_or_default() as u64) << 2 | ended;
    }

    /// Clears the state of a composite that cannot be converted.
    fn forget(&mut self, node: usize) {
        if let Some(slot) = self.slot(node) {
            *slot = ErasedState::Empty;
        }
    }

    fn slot(&mut self, node: usize) -> Option<&mut ErasedState> {
        let slot = self.run.flat.nodes[node].slot?;
        self.run.memory.slots.get_mut(slot as usize)
    }
}
