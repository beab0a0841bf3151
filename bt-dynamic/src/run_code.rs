//! Runs the code of a region: see [`Code`](crate::code::Code).

use bt_core::engine::leave;
use bt_core::{ContextOf, Contexts, NodeId, Observer, Outcome, Status, Step};

use crate::code::{Instruction, NONE};
use crate::run::Run;

impl<F: Contexts, O: Observer> Run<'_, F, O> {
    /// Ticks a sequence or selector that no other one contains.
    #[inline(never)]
    pub(crate) fn region(&mut self, root: usize, opening: bool, ctx: &mut ContextOf<'_, '_, F>) -> Status {
        let tree = self.tree;
        let code = &tree.code;
        let before = if opening { NONE } else { self.running_step(root) };
        let mut running = before;
        let mut next = code.places[root].code;
        let status = loop {
            match &code.instructions[next as usize] {
                Instruction::Leaf { leaf, slot, at, node, success, failure } => {
                    let is_new = running != *node;
                    let at = self.at.skip(*at);
                    let status = match self.memory.slots.get_mut(*slot as usize) {
                        None => leaf.tick_stateless(is_new, at, ctx),
                        Some(slot) => leaf.tick(is_new, at, slot, ctx, None),
                    };
                    next = match status {
                        Status::Success => *success,
                        Status::Failure => *failure,
                        Status::Running | Status::Error => {
                            running = self.stop(*node, running, status, at, ctx);
                            if is_new && status == Status::Running {
                                self.set_open(*node as usize, true);
                            }
                            break status;
                        }
                    };
                    if !is_new {
                        running = NONE;
                        self.set_open(*node as usize, false);
                    }
                }
                Instruction::Step { node, success, failure } => {
                    let is_new = running != *node;
                    let status = self.visit(*node as usize, is_new, ctx);
                    next = match status {
                        Status::Success => *success,
                        Status::Failure => *failure,
                        Status::Running | Status::Error => {
                            running = self.stop(*node, running, status, self.id(&tree.nodes[*node as usize]), ctx);
                            break status;
                        }
                    };
                    if !is_new {
                        running = NONE;
                    }
                }
                Instruction::Halt { first, end, next: then } => {
                    if (*first..*end).contains(&running) {
                        self.halt_step(running, ctx);
                        running = NONE;
                    }
                    next = *then;
                }
                Instruction::Resume { first, end, first_entry, next: start } => {
                    next = if (*first..*end).contains(&running) {
                        code.entries[(first_entry + running - first) as usize]
                    } else {
                        *start
                    };
                }
                Instruction::End(outcome) => {
                    // A leaf may run although it has stated that it cannot.
                    self.halt_step(running, ctx);
                    running = NONE;
                    break (*outcome).into();
                }
            }
        };
        if running != before {
            self.set_path(root, before, false);
            self.set_path(root, running, true);
        }
        status
    }

    /// Ends the tick of a region with `Running` or `Error`, and halts what it preempts. Returns the running step.
    fn stop(&mut self, step: u32, running: u32, status: Status, at: NodeId, ctx: &mut ContextOf<'_, '_, F>) -> u32 {
        if running != step {
            self.halt_step(running, ctx);
        }
        if status == Status::Running {
            return step;
        }
        if running == step {
            self.set_open(step as usize, false);
        }
        leave(&Step::<()>::Done(Outcome::Error), at, self.observer);
        NONE
    }

    /// Returns the running step of a region.
    fn running_step(&self, root: usize) -> u32 {
        let places = &self.tree.code.places;
        let Some(mut node) = self.memory.last_open(root + 1..self.tree.nodes[root].end as usize) else { return NONE };
        while places[node].step_of as usize != root {
            node = places[node].parent as usize;
            // A save may have been edited.
            if node <= root {
                return NONE;
            }
        }
        u32::try_from(node).unwrap_or(NONE)
    }

    fn halt_step(&mut self, step: u32, ctx: &mut ContextOf<'_, '_, F>) {
        if step != NONE {
            self.halt(step as usize, ctx);
        }
    }

    /// Stores whether the nodes between the root of a region and its running step are running.
    fn set_path(&mut self, root: usize, step: u32, is_open: bool) {
        if step == NONE {
            return;
        }
        let places = &self.tree.code.places;
        let mut node = places[step as usize].parent as usize;
        while node != root {
            self.set_open(node, is_open);
            node = places[node].parent as usize;
        }
    }
}
