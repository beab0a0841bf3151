//! Runs the code of a region.

use bt_core::engine::{enter, leave};
use bt_core::{Cause, End, Observer, Status, Step};

use crate::engine::run::Run;
use crate::flat::code::{Cursor, NO_STEP, Pass, Reached, Visit};
use crate::flat::host::Host;
use crate::flat::op::index;

impl<O: Observer> Run<'_, O> {
    /// Ticks a region.
    #[inline(never)]
    pub(crate) fn region(&mut self, region: u32, root: usize, opening: bool, host: &mut dyn Host) -> Status {
        let flat = self.flat;
        let word = region as usize;
        let running = if opening { NO_STEP } else { u32::try_from(self.memory.words[word]).unwrap_or(NO_STEP) };
        let mut cursor = Cursor { next: flat.code.start(region, O::ON), running };
        let reached = self.reach(&mut cursor, host);
        let status = self.go_on(reached, root, &mut cursor, host);
        self.memory.words[word] = cursor.running.into();
        status
    }

    /// Runs the code up to the end of the tick, or to an instruction for the engine.
    fn reach(&mut self, cursor: &mut Cursor, host: &mut dyn Host) -> Reached {
        if !O::ON {
            return host.leaves(&self.flat.code, &mut self.memory.slots, self.at, cursor);
        }
        Reached::Instruction
    }

    /// Runs the code from where it has been reached up to the end of the tick.
    pub(crate) fn go_on(
        &mut self,
        mut reached: Reached,
        root: usize,
        cursor: &mut Cursor,
        host: &mut dyn Host,
    ) -> Status {
        loop {
            match reached {
                Reached::Done(status) => return status,
                Reached::Preempted { step, status } => {
                    cursor.running = self.stop(step as usize - 1, cursor.running, status, root, host);
                    return status;
                }
                Reached::Instruction => {
                    if let Some(status) = self.instruction(root, cursor, host) {
                        return status;
                    }
                }
            }
            reached = self.reach(cursor, host);
        }
    }

    /// Executes an instruction that is none of a leaf. Returns the status of the region if its tick is over.
    fn instruction(&mut self, root: usize, cursor: &mut Cursor, host: &mut dyn Host) -> Option<Status> {
        let flat = self.flat;
        match flat.code.pass(cursor.next, cursor.running) {
            Pass::Next(next) => cursor.next = next,
            Pass::Halt { above, next } => {
                self.halt_step(std::mem::replace(&mut cursor.running, NO_STEP), above as usize, Cause::Ended, host);
                cursor.next = next;
            }
            Pass::End(outcome) => {
                self.halt_step(std::mem::replace(&mut cursor.running, NO_STEP), root, Cause::Ended, host);
                return Some(outcome.into());
            }
            Pass::Visit(Visit::Step { step, success, failure }) => {
                let (is_new, node) = (cursor.running != *step, *step as usize - 1);
                let status = self.observed(node, is_new, host);
                cursor.next = match status {
                    Status::Success => *success,
                    Status::Failure => *failure,
                    Status::Running | Status::Error => {
                        cursor.running = self.stop(node, cursor.running, status, root, host);
                        return Some(status);
                    }
                };
                if !is_new {
                    cursor.running = NO_STEP;
                }
            }
            Pass::Visit(Visit::Enter { node, next, success, failure }) => {
                let node = *node as usize;
                cursor.next = match self.enter_inner(node, &mut cursor.running, host) {
                    None => *next,
                    Some(Status::Success) => *success,
                    Some(Status::Failure) => *failure,
                    Some(status @ (Status::Running | Status::Error)) => {
                        cursor.running = self.stop(node, cursor.running, status, root, host);
                        return Some(status);
                    }
                };
            }
            Pass::Visit(Visit::Leave { node, outcome, next }) => {
                let at = self.id(&flat.nodes[*node as usize]);
                leave(&Step::<()>::Done(*outcome), at, self.observer);
                cursor.next = *next;
            }
        }
        None
    }

    /// Reports that an inner node is entered. Returns the status with which the observer replaces its own, after the end of the visit.
    fn enter_inner(&mut self, node: usize, running: &mut u32, host: &mut dyn Host) -> Option<Status> {
        let at = self.id(&self.flat.nodes[node]);
        let is_new = !self.contains(node, *running);
        enter(at, is_new, self.observer);
        // It cannot run without a step that does.
        let status = self.observer.replacement(at).filter(|status| !is_new || *status != Status::Running)?;
        if !is_new && status != Status::Running {
            self.halt_step(std::mem::replace(running, NO_STEP), node, Cause::Ended, host);
        }
        leave(&Step::<()>::from(status), at, self.observer);
        Some(status)
    }

    /// Returns `true` if the running step is this node, or below it.
    fn contains(&self, node: usize, running: u32) -> bool {
        node < running as usize && running <= self.flat.nodes[node].end
    }

    /// Ends the tick of a region at a node that returns `Running` or `Error`: halts the step that it preempts, and reports the status
    /// of the nodes above it. Returns the running step.
    fn stop(&mut self, node: usize, running: u32, status: Status, root: usize, host: &mut dyn Host) -> u32 {
        let goes_on = self.contains(node, running);
        let mut preempted = if goes_on { NO_STEP } else { running };
        let why = if status == Status::Running { Cause::Preempted } else { Cause::Ended };
        let mut above = node;
        while O::ON && above != root {
            above = self.flat.nodes[above].place.parent as usize;
            if self.contains(above, preempted) {
                self.halt_step(preempted, above, why, host);
                preempted = NO_STEP;
            }
            if above != root {
                leave(&Step::<()>::from(status), self.id(&self.flat.nodes[above]), self.observer);
            }
        }
        self.halt_step(preempted, root, why, host);
        match status {
            Status::Running if goes_on => running,
            Status::Running => index(node + 1),
            Status::Success | Status::Failure | Status::Error => NO_STEP,
        }
    }

    /// Halts the running step, if there is one, and the inner nodes between it and a node above it.
    pub(crate) fn halt_step(&mut self, running: u32, above: usize, why: Cause, host: &mut dyn Host) {
        let Some(mut node) = running.checked_sub(1).map(|step| step as usize) else { return };
        self.halt_open(node, why, host);
        if O::ON {
            let parent = |node: usize| self.flat.nodes[node].place.parent as usize;
            node = parent(node);
            while node != above {
                self.observer.close(self.at.skip(self.flat.nodes[node].at), End::Halted(why));
                node = parent(node);
            }
        }
    }
}
