//! Runs the code of a region.

use bt_core::engine::{enter, leave};
use bt_core::{ContextOf, Contexts, End, Observer, Outcome, Status, Step};

use crate::code::Instruction;
use crate::op::index;
use crate::run::Run;

/// No running step.
const NO_STEP: u32 = 0;

impl<F: Contexts, O: Observer> Run<'_, F, O> {
    /// Ticks a region.
    #[inline(never)]
    pub(crate) fn region(&mut self, region: u32, root: usize, opening: bool, ctx: &mut ContextOf<'_, '_, F>) -> Status {
        let tree = self.tree;
        let code = &tree.code;
        let word = tree.places.word(region);
        let mut running = if opening { NO_STEP } else { u32::try_from(self.memory.words[word]).unwrap_or(NO_STEP) };
        let mut next = code.regions[region as usize][usize::from(O::ON)];
        let status = loop {
            match &code.instructions[next as usize] {
                Instruction::Leaf { leaf, slot, at, step, success, failure } => {
                    let (is_new, at) = (running != *step, self.at.skip(*at));
                    let status = match self.memory.slots.get_mut(*slot as usize) {
                        None => leaf.tick_stateless(is_new, at, ctx),
                        Some(slot) => leaf.tick(is_new, at, slot, ctx, None),
                    };
                    next = match status {
                        Status::Success => *success,
                        Status::Failure => *failure,
                        Status::Running => {
                            if is_new {
                                self.halt_step(running, root, ctx);
                            }
                            running = *step;
                            break status;
                        }
                        Status::Error => {
                            leave(&Step::<()>::Done(Outcome::Error), at, self.observer);
                            running = self.stop(*step as usize - 1, running, status, root, ctx);
                            break status;
                        }
                    };
                    if !is_new {
                        running = NO_STEP;
                    }
                }
                Instruction::Step { step, success, failure } => {
                    let is_new = running != *step;
                    let node = *step as usize - 1;
                    let status = self.observed(node, is_new, ctx);
                    next = match status {
                        Status::Success => *success,
                        Status::Failure => *failure,
                        Status::Running | Status::Error => {
                            running = self.stop(node, running, status, root, ctx);
                            break status;
                        }
                    };
                    if !is_new {
                        running = NO_STEP;
                    }
                }
                Instruction::Halt { first, last, above, next: then } => {
                    if *first < running && running <= *last {
                        self.halt_step(running, *above as usize, ctx);
                        running = NO_STEP;
                    }
                    next = *then;
                }
                Instruction::Resume { first, last, children, next: start } => {
                    next = if *first < running && running <= *last {
                        let children = &code.entries[children.start as usize..children.end as usize];
                        children[children.partition_point(|(last, _)| *last < running)].1
                    } else {
                        *start
                    };
                }
                Instruction::Enter { node, next: then, success, failure } => {
                    let node = *node as usize;
                    next = match self.enter_inner(node, &mut running, ctx) {
                        None => *then,
                        Some(Status::Success) => *success,
                        Some(Status::Failure) => *failure,
                        Some(status @ (Status::Running | Status::Error)) => {
                            running = self.stop(node, running, status, root, ctx);
                            break status;
                        }
                    };
                }
                Instruction::Leave { node, outcome, next: then } => {
                    let at = self.id(&tree.nodes[*node as usize]);
                    leave(&Step::<()>::Done(*outcome), at, self.observer);
                    next = *then;
                }
                Instruction::End(outcome) => {
                    self.halt_step(running, root, ctx);
                    running = NO_STEP;
                    break (*outcome).into();
                }
            }
        };
        self.memory.words[word] = running.into();
        status
    }

    /// Reports that an inner node is entered. Returns the status with which the observer replaces its own, after the end of the visit.
    fn enter_inner(&mut self, node: usize, running: &mut u32, ctx: &mut ContextOf<'_, '_, F>) -> Option<Status> {
        let at = self.id(&self.tree.nodes[node]);
        let is_new = !self.contains(node, *running);
        enter(at, is_new, self.observer);
        // It cannot run without a step that does.
        let status = self.observer.replacement(at).filter(|status| !is_new || *status != Status::Running)?;
        if !is_new && status != Status::Running {
            self.halt_step(std::mem::replace(running, NO_STEP), node, ctx);
        }
        leave(&Step::<()>::from(status), at, self.observer);
        Some(status)
    }

    /// Returns `true` if the running step is this node, or below it.
    fn contains(&self, node: usize, running: u32) -> bool {
        node < running as usize && running <= self.tree.nodes[node].end
    }

    /// Ends the tick of a region at a node that returns `Running` or `Error`: halts the step that it preempts, and reports the status
    /// of the nodes above it. Returns the running step.
    fn stop(&mut self, node: usize, running: u32, status: Status, root: usize, ctx: &mut ContextOf<'_, '_, F>) -> u32 {
        let goes_on = self.contains(node, running);
        let mut preempted = if goes_on { NO_STEP } else { running };
        let mut above = node;
        while O::ON && above != root {
            above = self.tree.places.all[above].parent as usize;
            if self.contains(above, preempted) {
                self.halt_step(preempted, above, ctx);
                preempted = NO_STEP;
            }
            if above != root {
                leave(&Step::<()>::from(status), self.id(&self.tree.nodes[above]), self.observer);
            }
        }
        self.halt_step(preempted, root, ctx);
        match status {
            Status::Running if goes_on => running,
            Status::Running => index(node + 1),
            Status::Success | Status::Failure | Status::Error => NO_STEP,
        }
    }

    /// Halts the running step, if there is one, and the inner nodes between it and a node above it.
    pub(crate) fn halt_step(&mut self, running: u32, above: usize, ctx: &mut ContextOf<'_, '_, F>) {
        let Some(mut node) = running.checked_sub(1).map(|step| step as usize) else { return };
        self.halt_open(node, ctx);
        if O::ON {
            let parent = |node: usize| self.tree.places.all[node].parent as usize;
            node = parent(node);
            while node != above {
                self.observer.close(self.at.skip(self.tree.nodes[node].at), End::Halted);
                node = parent(node);
            }
        }
    }
}
