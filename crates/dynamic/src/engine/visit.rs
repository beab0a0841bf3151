//! Ticks and halts the nodes of a loaded tree, recursively: its depth is at most [`MAX_LEVELS`](bt_behavior3::MAX_LEVELS).

use bt_core::engine::{FinallyParts, MachineParts, as_dyn, enter, leave};
use bt_core::{
    Cause, End, Node, Observer, Outcome, Status, Step,
    protocol::{Interrupt, Visit},
};

use crate::engine::finally::Finally;
use crate::engine::machine::Machine;
use crate::engine::run::Run;
use crate::flat::composites::CompositeOp;
use crate::flat::host::{Host, HostContext};
use crate::flat::node::LoadedNode;
use crate::flat::op::NodeOp;
use crate::flat::packed::Packed;
use crate::flat::region::Runs;

impl<O: Observer> Run<'_, O> {
    /// Halts the root. Its parent reports the event.
    pub(crate) fn halt_open_root(&mut self, why: Cause, host: &mut dyn Host) {
        self.halt_below(0, why, host);
        self.set_open(0, false);
    }

    /// Notifies the running leaves of a run of this node of a pause or of its end.
    pub(crate) fn notify_leaves(&mut self, index: usize, what: Interrupt, host: &mut dyn Host) {
        let flat = self.flat;
        let end = flat.nodes[index].end as usize;
        let mut next = index;
        while next < end {
            let node = &flat.nodes[next];
            // A cleanup that is left does not belong to the run.
            let left = flat.left_end(next, &self.memory.words);
            if let NodeOp::Leaf(leaf) = node.op
                && left == 0
                && self.is_open(next)
            {
                let at = self.id(node);
                self.in_slot(node.slot, |slot, observer| {
                    host.interrupt_leaf(leaf, at, slot, what, as_dyn(observer));
                });
            }
            next = left.max(next + 1);
        }
    }

    /// Visits a node below the root that is no member of a region: resumes its run, or starts one. Reports the visit.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn child(&mut self, index: usize, host: &mut dyn Host) -> Status {
        let node = &self.flat.nodes[index];
        let opening = !node.place.is_open(&self.memory.words);
        match node.op {
            NodeOp::Leaf(leaf) if !O::ON => {
                let status = self.leaf(leaf, node, opening, host);
                self.ticked(node, opening, status);
                leave(&Step::<()>::from(status), self.id(node), self.observer);
                status
            }
            _ => self.observed(index, opening, host),
        }
    }

    /// Visits a node below the root, and reports the visit.
    #[inline(never)]
    pub(crate) fn observed(&mut self, index: usize, opening: bool, host: &mut dyn Host) -> Status {
        let at = self.id(&self.flat.nodes[index]);
        enter(at, opening, self.observer);
        let replaced = self.replaced(index, opening, host);
        let status = replaced.unwrap_or_else(|| self.visit(index, opening, host));
        leave(&Step::<()>::from(status), at, self.observer);
        status
    }

    /// Returns the status of a node that the observer replaces. A node whose run is over is halted.
    fn replaced(&mut self, index: usize, opening: bool, host: &mut dyn Host) -> Option<Status> {
        if !O::ON {
            return None;
        }
        let node = &self.flat.nodes[index];
        let status = self.observer.replacement(self.id(node))?;
        if status == Status::Running {
            if opening && !self.open_replaced(node, host) {
                return None;
            }
        } else if !opening {
            self.halt_below(index, Cause::Ended, host);
        }
        self.set_open(index, status == Status::Running);
        Some(status)
    }

    /// Opens a leaf whose statuses are replaced. Returns `false` for a node that cannot be running then.
    pub(crate) fn open_replaced(&mut self, node: &LoadedNode, host: &mut dyn Host) -> bool {
        match &node.op {
            NodeOp::Leaf(leaf) => {
                let at = self.id(node);
                self.in_slot(node.slot, |slot, _| host.open_replaced(*leaf, at, slot))
            }
            NodeOp::Wait { wait } => {
                let mut context = HostContext(host);
                let end = wait.open_replaced(self.id(node), &mut (), &mut Visit::new(&mut context, &mut ()));
                end.map(|end| end.pack(self.words(node))).is_some()
            }
            NodeOp::Constant(status) => *status == Status::Running,
            NodeOp::Sequential { .. }
            | NodeOp::Composite(_)
            | NodeOp::Finally
            | NodeOp::Decorator(_)
            | NodeOp::Policy(_)
            | NodeOp::Service { .. }
            | NodeOp::Machine { .. }
            | NodeOp::State { .. }
            | NodeOp::Nested { .. } => false,
        }
    }

    /// Ticks a node.
    pub(crate) fn visit(&mut self, index: usize, opening: bool, host: &mut dyn Host) -> Status {
        let node = &self.flat.nodes[index];
        if let Some(region) = node.place.root_of() {
            return self.region(region, index, opening, host);
        }
        let status = match &node.op {
            NodeOp::Leaf(leaf) => self.leaf(*leaf, node, opening, host),
            // The state runs while its node does.
            NodeOp::State { .. } => return self.observed(index + 1, opening, host),
            NodeOp::Constant(status) => *status,
            NodeOp::Composite(composite) => self.composite(opening, node, composite, host),
            NodeOp::Decorator(policy) => self.decorator(policy, opening, (index, node), host),
            NodeOp::Policy(policy) => self.policy(*policy, opening, (index, node), host),
            NodeOp::Service { every, action } => self.service(every, action, node, host),
            NodeOp::Machine { any } => self.machine(any, opening, node, host),
            NodeOp::Finally => self.finally(opening, node, host),
            NodeOp::Wait { wait } => self.wait(wait, opening, node, host),
            NodeOp::Sequential { .. } | NodeOp::Nested { .. } => unreachable!("they are part of a region"),
        };
        self.ticked(node, opening, status);
        status
    }

    /// Stores whether a node runs after a tick. A step runs as the region stores.
    #[inline(always)]
    fn ticked(&mut self, node: &LoadedNode, opening: bool, status: Status) {
        if opening == (status == Status::Running) {
            node.place.set_bit(opening, &mut self.memory.words);
        }
    }

    #[inline(always)]
    fn leaf(&mut self, leaf: u32, node: &LoadedNode, opening: bool, host: &mut dyn Host) -> Status {
        let at = self.id(node);
        self.in_slot(node.slot, |slot, observer| host.tick_leaf(leaf, opening, at, slot, as_dyn(observer)))
    }

    /// Halts a node if it is running, and reports the event.
    pub(crate) fn halt(&mut self, index: usize, why: Cause, host: &mut dyn Host) {
        if self.is_open(index) {
            self.halt_open(index, why, host);
        }
    }

    /// Halts a running node, and reports the event.
    pub(crate) fn halt_open(&mut self, index: usize, why: Cause, host: &mut dyn Host) {
        self.halt_below(index, why, host);
        self.set_open(index, false);
        if O::ON {
            let at = self.id(&self.flat.nodes[index]);
            self.observer.close(at, End::Halted(why));
        }
    }

    pub(crate) fn halt_children(&mut self, node: &LoadedNode, why: Cause, host: &mut dyn Host) {
        if node.place.is_idle_below(&self.memory.words) {
            return;
        }
        for child in self.flat.children_of(node) {
            self.halt(*child as usize, why, host);
        }
    }

    /// Halts the nodes below a node, deepest first, and ends the node's own run.
    fn halt_below(&mut self, index: usize, why: Cause, host: &mut dyn Host) {
        let flat = self.flat;
        if let Runs::Root { region } | Runs::Inner { region } = flat.nodes[index].place.runs {
            let running = std::mem::take(&mut self.memory.words[region as usize]);
            return self.halt_step(u32::try_from(running).unwrap_or_default(), index, why, host);
        }
        let node = &flat.nodes[index];
        match &node.op {
            NodeOp::Leaf(leaf) => {
                let at = self.id(node);
                let how = Interrupt::Halt(why);
                self.in_slot(node.slot, |slot, observer| host.interrupt_leaf(*leaf, at, slot, how, as_dyn(observer)));
            }
            NodeOp::Decorator(policy) => {
                self.halt_children(node, why, host);
                self.close_decorator(policy, index, End::Halted(why), host);
            }
            NodeOp::Policy(policy) => {
                self.halt_children(node, why, host);
                self.in_slot(node.slot, |slot, _| host.close_policy(*policy, slot, End::Halted(why)));
            }
            NodeOp::Composite(CompositeOp { rule, .. }) => {
                self.halt_children(node, why, host);
                self.close_composite(node, rule, host, End::Halted(why));
            }
            NodeOp::Finally => Finally::new(self, node).halt(why, host),
            // An error of `exit:` has been passed to the context, and nothing else can end.
            NodeOp::Machine { any } => _ = Machine::new(self, node, any).leave(Outcome::Success, why, host),
            NodeOp::Sequential { .. }
            | NodeOp::Service { .. }
            | NodeOp::State { .. }
            | NodeOp::Nested { .. }
            | NodeOp::Wait { .. }
            | NodeOp::Constant(_) => self.halt_children(node, why, host),
        }
    }
}
