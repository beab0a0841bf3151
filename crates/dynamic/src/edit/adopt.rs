//! Opens and closes single nodes of a loaded tree, while the nodes below them run.

use bt_core::engine::{FinallyParts, MachineParts};
use bt_core::machine::Edge;
use bt_core::{Cause, End, Outcome, protocol::Interrupt};

use crate::engine::finally::Finally;
use crate::engine::machine::Machine;
use crate::engine::run::Run;
use crate::flat::composites::CompositeOp;
use crate::flat::host::Host;
use crate::flat::op::NodeOp;

/// How an edit ends a run.
const END: End = End::Halted(Cause::Edited);

impl Run<'_, ()> {
    /// Closes a running node, and leaves those below it as they are.
    pub(crate) fn close_alone(&mut self, index: usize, host: &mut dyn Host) {
        let flat = self.flat;
        let node = &flat.nodes[index];
        match &node.op {
            NodeOp::Leaf(leaf) => {
                let at = self.id(node);
                self.in_slot(node.slot, |slot, ()| {
                    host.interrupt_leaf(*leaf, at, slot, Interrupt::Halt(Cause::Edited), None);
                });
            }
            NodeOp::Decorator(policy) => self.close_decorator(policy, index, END, host),
            NodeOp::Policy(policy) => {
                self.in_slot(node.slot, |slot, ()| host.close_policy(*policy, slot, END));
            }
            NodeOp::Composite(CompositeOp { rule, .. }) => self.close_composite(node, rule, host, END),
            NodeOp::Machine { any } => {
                let mut machine = Machine::new(self, node, any);
                let (state, _) = machine.current();
                machine.hook(Edge::Exit, state, host);
            }
            NodeOp::Sequential { .. }
            | NodeOp::Finally
            | NodeOp::Service { .. }
            | NodeOp::State { .. }
            | NodeOp::Nested { .. }
            | NodeOp::Wait { .. }
            | NodeOp::Constant(_) => {}
        }
        if !flat.nodes[index].place.is_inner() {
            self.set_open(index, false);
        }
    }

    /// Starts the cleanup of a `finally` whose body has been closed, or lets the running one go on. Does nothing for another node.
    pub(crate) fn end_finally(&mut self, index: usize, host: &mut dyn Host) {
        let node = &self.flat.nodes[index];
        if let NodeOp::Finally = node.op {
            Finally::new(self, node).halt(Cause::Edited, host);
        }
    }

    /// Opens a decorator or a `finally` around its running child, or a machine in the state that runs. Returns `false` if the node would not have started the child.
    pub(crate) fn open_around(&mut self, index: usize, state: Option<usize>, host: &mut dyn Host) -> bool {
        let flat = self.flat;
        let node = &flat.nodes[index];
        match &node.op {
            NodeOp::Decorator(policy) => self.adopt_decorator(policy, index, host),
            NodeOp::Policy(policy) => self.in_slot(node.slot, |slot, ()| host.adopt_policy(*policy, slot)),
            NodeOp::Machine { any } => {
                let mut machine = Machine::new(self, node, any);
                let state = state.unwrap_or_default();
                let entered = machine.hook(Edge::Enter, state, host);
                machine.set_current(state, None);
                entered != Outcome::Error
            }
            NodeOp::Finally => Finally::new(self, node).adopt(state),
            NodeOp::Composite(_)
            | NodeOp::Sequential { .. }
            | NodeOp::Service { .. }
            | NodeOp::State { .. }
            | NodeOp::Nested { .. }
            | NodeOp::Wait { .. }
            | NodeOp::Constant(_)
            | NodeOp::Leaf(_) => true,
        }
    }
}
