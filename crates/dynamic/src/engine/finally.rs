//! A body and its cleanup in a loaded tree, for their rule, and visits of the cleanups that halts have left running.

use std::mem;

use bt_core::engine::{DynObserver, FinallyParts, FinallyPhase, WithDyn, as_dyn};
use bt_core::{Cause, CleanUp, Observer, Outcome, Status, protocol::Interrupt};

use crate::engine::run::Run;
use crate::flat::cleanups::{BODY, CLEANUP, IS_DUE, LEFT, RUNS, WAITS};
use crate::flat::host::Host;
use crate::flat::node::LoadedNode;
use crate::flat::op::NodeOp;

/// A `finally` of a loaded tree. Its first word contains the phase: 0 while it waits, 1 while the body runs, then the outcome of the body.
pub(crate) struct Finally<'r, 'a, O> {
    run: &'r mut Run<'a, O>,
    node: &'a LoadedNode,
}

/// Returns the phase of a running `finally` with these words.
pub(crate) fn phase_of(words: &[u64]) -> FinallyPhase {
    match words[0] {
        1 => FinallyPhase::Body,
        2 => FinallyPhase::Cleanup(Outcome::Success),
        3 => FinallyPhase::Cleanup(Outcome::Failure),
        4 => FinallyPhase::Cleanup(Outcome::Error),
        // A save may have been edited.
        _ => FinallyPhase::Waiting,
    }
}

impl<'r, 'a, O> Finally<'r, 'a, O> {
    pub(crate) const fn new(run: &'r mut Run<'a, O>, node: &'a LoadedNode) -> Self {
        Self { run, node }
    }

    fn child(&self, child: usize) -> usize {
        self.run.flat.children_of(self.node)[child] as usize
    }

    fn put_phase(&mut self, phase: FinallyPhase) {
        self.run.words(self.node)[0] = match phase {
            FinallyPhase::Waiting => 0,
            FinallyPhase::Body => 1,
            FinallyPhase::Cleanup(Outcome::Success) => 2,
            FinallyPhase::Cleanup(Outcome::Failure) => 3,
            FinallyPhase::Cleanup(Outcome::Error) => 4,
        };
    }

    fn set_left(&mut self, left: u64) {
        self.run.words(self.node)[LEFT] = left;
    }

    /// Opens the node around its running child. Returns `false` if it would not have started the child.
    pub(crate) fn adopt(&mut self, child: Option<usize>) -> bool {
        self.put_phase(FinallyPhase::Body);
        child == Some(BODY) && !self.node.is_left(&self.run.memory.words)
    }
}

impl<'h, O: Observer> FinallyParts<dyn Host + 'h> for Finally<'_, '_, O> {
    fn phase(&self) -> FinallyPhase {
        phase_of(&self.run.memory.words[self.node.first_word as usize..])
    }

    fn set_phase(&mut self, phase: FinallyPhase) {
        self.put_phase(phase);
    }

    fn is_left(&self) -> bool {
        self.node.is_left(&self.run.memory.words)
    }

    fn tick_body(&mut self, host: &mut (dyn Host + 'h)) -> Status {
        self.run.child(self.child(BODY), host)
    }

    fn tick_cleanup(&mut self, host: &mut (dyn Host + 'h)) -> Status {
        self.run.child(self.child(CLEANUP), host)
    }

    fn halt_body(&mut self, why: Cause, host: &mut (dyn Host + 'h)) {
        self.run.halt(self.child(BODY), why, host);
    }

    fn is_cleanup_running(&self) -> bool {
        self.run.is_open(self.child(CLEANUP))
    }

    fn is_body_cleaning_up(&self) -> bool {
        self.run.flat.is_left_in(self.child(BODY), self.run.memory, self.run.shapes)
    }

    fn leave_cleanup(&mut self, is_ticked: bool) {
        self.set_left(match (self.is_cleanup_running(), is_ticked) {
            (true, true) => RUNS,
            (true, false) => IS_DUE,
            (false, _) => WAITS,
        });
    }
}

/// A cleanup that is visited after a halt has left it running. If that panics, it does not run any more.
struct Visited<'r, 'a, O> {
    run: &'r mut Run<'a, O>,
    cleanup: usize,
}

impl<O> Drop for Visited<'_, '_, O> {
    fn drop(&mut self) {
        self.run.flat.clear_run(self.cleanup, &mut self.run.memory.words);
    }
}

impl<'a, O: Observer> Run<'a, O> {
    /// Ticks a `finally`.
    #[inline(never)]
    pub(crate) fn finally(&mut self, opening: bool, node: &'a LoadedNode, host: &mut dyn Host) -> Status {
        Finally::new(self, node).tick(opening, host)
    }

    /// Visits the cleanups in a node that halts have left running, whether the node runs or not.
    pub(crate) fn clean_up_in(&mut self, index: usize, how: CleanUp, host: &mut dyn Host) {
        let node = &self.flat.nodes[index];
        if !node.cleans_up {
            return;
        }
        match &node.op {
            NodeOp::Finally => self.clean_up_finally(node, how, host),
            NodeOp::Leaf(leaf) => {
                let at = self.id(node);
                self.in_slot(node.slot, |slot, observer| host.clean_up_leaf(*leaf, at, slot, how, as_dyn(observer)));
            }
            NodeOp::Sequential { .. }
            | NodeOp::Composite(_)
            | NodeOp::Decorator(_)
            | NodeOp::Policy(_)
            | NodeOp::Service { .. }
            | NodeOp::Machine { .. }
            | NodeOp::State { .. }
            | NodeOp::Nested { .. }
            | NodeOp::Wait { .. }
            | NodeOp::Constant(_) => self.clean_up_below(index, how, host),
        }
    }

    /// Visits the cleanups below a node that halts have left running.
    pub(crate) fn clean_up_below(&mut self, index: usize, how: CleanUp, host: &mut dyn Host) {
        let flat = self.flat;
        for child in flat.children_of(&flat.nodes[index]) {
            self.clean_up_in(*child as usize, how, host);
        }
    }

    fn clean_up_finally(&mut self, node: &'a LoadedNode, how: CleanUp, host: &mut dyn Host) {
        let (body, cleanup) = (self.flat.children_of(node)[BODY] as usize, self.flat.cleanup_of(node));
        self.clean_up_in(body, how, host);
        let halts = matches!(how, CleanUp::Interrupt(Interrupt::Halt(_)));
        if !halts {
            self.clean_up_in(cleanup, how, host);
        }
        let waits = node.is_waiting(&self.memory.words);
        if waits && self.flat.is_left_in(body, self.memory, self.shapes) {
            return;
        }
        let before = self.words(node)[LEFT];
        if before != 0 {
            Finally::new(self, node).set_left(0);
            let visited = Visited { run: &mut *self, cleanup };
            let left = match how {
                CleanUp::Tick => {
                    if visited.run.child(cleanup, host) == Status::Running {
                        RUNS
                    } else {
                        0
                    }
                }
                CleanUp::Interrupt(Interrupt::Halt(why)) => {
                    if waits {
                        visited.run.child(cleanup, host);
                    }
                    visited.run.halt(cleanup, why, host);
                    0
                }
                CleanUp::Interrupt(what @ (Interrupt::Pause | Interrupt::Unpause)) => {
                    if !waits {
                        visited.run.notify_leaves(cleanup, what, host);
                    }
                    before
                }
            };
            mem::forget(visited);
            Finally::new(self, node).set_left(left);
        }
        if halts {
            // The halt can have left others.
            self.clean_up_in(cleanup, how, host);
        }
    }

    /// Returns `true` if a halt has left a cleanup below a node running.
    pub(crate) fn is_cleaning_up(&self, node: &LoadedNode) -> bool {
        self.flat.is_left_below(node, self.memory, self.shapes)
    }
}

impl Run<'_, ()> {
    /// Visits the cleanups that halts have left running.
    pub(crate) fn clean_up(&mut self, how: CleanUp, host: &mut dyn Host, observer: Option<&mut dyn DynObserver>) {
        match observer {
            Some(observer) => self.with(&mut WithDyn(observer)).clean_up_in(0, how, host),
            None => self.clean_up_in(0, how, host),
        }
    }
}
