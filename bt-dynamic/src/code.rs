//! The code of regions: the order in which their steps are ticked, with all targets resolved.

use std::ops::Range;
use std::sync::Arc;

use bt_core::{Contexts, Outcome, Status};

use crate::leaf::AnyLeaf;
use crate::op::{LoadedNode, NodeOp, index};
use crate::region::{NONE, Passing, Places};

/// An instruction. Targets such as `next` are indices of instructions. A `step` is the index of a node plus 1, as in memory.
pub(crate) enum Instruction<F: Contexts> {
    /// Ticks a leaf, without an observer. (A step that is spared a detour over its node.)
    Leaf { leaf: AnyLeaf<F>, slot: u32, at: u32, step: u32, success: u32, failure: u32 },
    /// Ticks a step. `Running` and `Error` end the tick of the region.
    Step { step: u32, success: u32, failure: u32 },
    /// Halts the running step if it is after `first` and at most `last`: below `above`, whose earlier child has ended.
    Halt { first: u32, last: u32, above: u32, next: u32 },
    /// Continues at the running child of a composite with memory, if the running step is after `first` and at most `last`. `children` are
    /// those of the composite in `entries`.
    Resume { first: u32, last: u32, children: Range<u32>, next: u32 },
    /// Reports that an inner node is entered. An observer may replace its status.
    Enter { node: u32, next: u32, success: u32, failure: u32 },
    /// Reports that an inner node ends.
    Leave { node: u32, outcome: Outcome, next: u32 },
    /// Ends the tick of the region.
    End(Outcome),
}

/// The code of all regions of a tree, each twice: with and without the reports for an observer.
pub(crate) struct Code<F: Contexts> {
    pub(crate) instructions: Vec<Instruction<F>>,
    /// The children of composites with memory: the last step below each, and where the composite continues if one of them runs.
    pub(crate) entries: Vec<(u32, u32)>,
    /// The first instruction of each region, without and with an observer.
    pub(crate) regions: Vec<[u32; 2]>,
}

impl<F: Contexts> Default for Code<F> {
    fn default() -> Self {
        Self { instructions: Vec::new(), entries: Vec::new(), regions: Vec::new() }
    }
}

impl<F: Contexts> Code<F> {
    /// Returns the code of a tree.
    pub(crate) fn new(nodes: &[LoadedNode<F>], children: &[u32], places: &Places) -> Self {
        let mut can_run = vec![true; nodes.len()];
        for (number, node) in nodes.iter().enumerate().rev() {
            can_run[number] = match &node.op {
                NodeOp::Leaf(leaf) => leaf.can_run(),
                NodeOp::Constant(status) => *status == Status::Running,
                _ if places.all[number].is_inner => {
                    node.children_in(children).iter().any(|child| can_run[*child as usize])
                }
                _ => true,
            };
        }
        let mut compiling = Compiling { nodes, children, places, can_run, is_observed: false, code: Self::default() };
        let roots = places.all.iter().enumerate().filter(|(_, place)| place.root_of != NONE);
        for (root, _) in roots {
            let code = [false, true].map(|is_observed| {
                compiling.is_observed = is_observed;
                let [success, failure] =
                    [Outcome::Success, Outcome::Failure].map(|outcome| compiling.push(Instruction::End(outcome)));
                compiling.inner(root, success, failure)
            });
            compiling.code.regions.push(code);
        }
        compiling.code
    }
}

struct Compiling<'t, F: Contexts> {
    nodes: &'t [LoadedNode<F>],
    children: &'t [u32],
    places: &'t Places,
    /// The nodes that can be running after a tick.
    can_run: Vec<bool>,
    is_observed: bool,
    code: Code<F>,
}

impl<'t, F: Contexts> Compiling<'t, F> {
    fn push(&mut self, instruction: Instruction<F>) -> u32 {
        self.code.instructions.push(instruction);
        index(self.code.instructions.len() - 1)
    }

    fn children(&self, node: usize) -> &'t [u32] {
        self.nodes[node].children_in(self.children)
    }

    /// Writes the code of a node below the root, and returns its first instruction.
    fn node(&mut self, number: usize, success: u32, failure: u32) -> u32 {
        let node = index(number);
        if self.places.all[number].is_inner {
            if !self.is_observed {
                return self.inner(number, success, failure);
            }
            let succeeds = self.push(Instruction::Leave { node, outcome: Outcome::Success, next: success });
            let fails = self.push(Instruction::Leave { node, outcome: Outcome::Failure, next: failure });
            let next = self.inner(number, succeeds, fails);
            return self.push(Instruction::Enter { node, next, success, failure });
        }
        let step = node + 1;
        let LoadedNode { op, slot, at, .. } = &self.nodes[number];
        match op {
            NodeOp::Constant(Status::Success) if !self.is_observed => success,
            NodeOp::Constant(Status::Failure) if !self.is_observed => failure,
            NodeOp::Leaf(leaf) if !self.is_observed => {
                let (leaf, slot) = (Arc::clone(leaf), slot.unwrap_or(u32::MAX));
                self.push(Instruction::Leaf { leaf, slot, at: *at, step, success, failure })
            }
            _ => self.push(Instruction::Step { step, success, failure }),
        }
    }

    /// Writes the code of a node above steps, without the reports of its own events.
    fn inner(&mut self, number: usize, success: u32, failure: u32) -> u32 {
        let only_child = || self.children(number)[0] as usize;
        match self.nodes[number].op.passing() {
            Some(Passing::InOrder { pass, has_memory }) => self.in_order(number, pass, has_memory, [success, failure]),
            // A node that is not part of a region does not get here.
            Some(Passing::Unchanged) | None => self.node(only_child(), success, failure),
            Some(Passing::Inverted) => self.node(only_child(), failure, success),
            Some(Passing::Always(outcome)) => {
                let next = if outcome == Outcome::Success { success } else { failure };
                self.node(only_child(), next, next)
            }
        }
    }

    fn in_order(&mut self, number: usize, pass: Outcome, has_memory: bool, [success, failure]: [u32; 2]) -> u32 {
        let is_sequence = pass == Outcome::Success;
        let (mut next, stop) = if is_sequence { (success, failure) } else { (failure, success) };
        let (above, last) = (index(number), self.nodes[number].end);
        let mut can_later_run = false;
        let mut entries = Vec::new();
        for child in self.children(number).iter().rev().map(|child| *child as usize) {
            let first = self.nodes[child].end;
            let stop = if can_later_run && !has_memory {
                self.push(Instruction::Halt { first, last, above, next: stop })
            } else {
                stop
            };
            next = if is_sequence { self.node(child, next, stop) } else { self.node(child, stop, next) };
            entries.push((child, next));
            can_later_run |= self.can_run[child];
        }
        if !has_memory || !can_later_run {
            return next;
        }
        let from = index(self.code.entries.len());
        self.code.entries.extend(entries.into_iter().rev().map(|(child, entry)| (self.nodes[child].end, entry)));
        let children = from..index(self.code.entries.len());
        self.push(Instruction::Resume { first: above + 1, last, children, next })
    }
}
