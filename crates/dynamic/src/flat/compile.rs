//! Writes the code of the regions of a tree.

use bt_core::{Outcome, Status};

use crate::flat::code::{Code, ENDS, Instruction, LeafStep, NO_LEAF, Visit};
use crate::flat::node::LoadedNode;
use crate::flat::op::{NodeOp, index};
use crate::flat::region::Passing;
use crate::nodes::shape::Shapes;

impl Code {
    /// Returns the code of a tree, and the steps of its leaves by their numbers.
    pub(crate) fn new(
        nodes: &[LoadedNode],
        children: &[u32],
        shapes: &dyn Shapes,
        leaves: usize,
    ) -> (Self, Vec<LeafStep>) {
        let mut can_run = vec![true; nodes.len()];
        for (number, node) in nodes.iter().enumerate().rev() {
            can_run[number] = match &node.op {
                NodeOp::Leaf(leaf) => shapes.leaf(*leaf).can_run(),
                NodeOp::Constant(status) => *status == Status::Running,
                _ if node.place.is_inner() => node.children_in(children).iter().any(|child| can_run[*child as usize]),
                _ => true,
            };
        }
        let leaf_of = nodes.iter().map(|node| if let NodeOp::Leaf(leaf) = &node.op { *leaf } else { NO_LEAF });
        let code = Self { leaves: index(leaves), leaf_of: leaf_of.collect(), ..Self::default() };
        let steps = vec![LeafStep::default(); leaves];
        let mut compiling = Compiling { nodes, children, can_run, is_observed: false, code, steps };
        let roots = nodes.iter().enumerate().filter(|(_, node)| node.place.root_of().is_some());
        for (root, _) in roots {
            let code = [false, true].map(|is_observed| {
                compiling.is_observed = is_observed;
                let [success, failure] = ENDS;
                compiling.inner(root, success, failure)
            });
            compiling.code.regions.push(code);
        }
        let Compiling { code, mut steps, .. } = compiling;
        for step in &mut steps {
            step.idle = step.next.map(|next| if next < code.leaves { next } else { code.idle(next) });
        }
        (code, steps)
    }
}

struct Compiling<'t> {
    nodes: &'t [LoadedNode],
    children: &'t [u32],
    /// The nodes that can be running after a tick.
    can_run: Vec<bool>,
    is_observed: bool,
    code: Code,
    steps: Vec<LeafStep>,
}

impl<'t> Compiling<'t> {
    fn push(&mut self, instruction: Instruction) -> u32 {
        self.code.instructions.push(instruction);
        self.code.leaves + index(self.code.instructions.len() - 1)
    }

    fn children(&self, node: usize) -> &'t [u32] {
        self.nodes[node].children_in(self.children)
    }

    /// Writes the code of a node below the root, and returns its first instruction.
    fn node(&mut self, number: usize, success: u32, failure: u32) -> u32 {
        let node = index(number);
        if self.nodes[number].place.is_inner() {
            if !self.is_observed {
                return self.inner(number, success, failure);
            }
            let succeeds =
                self.push(Instruction::Visit(Visit::Leave { node, outcome: Outcome::Success, next: success }));
            let fails = self.push(Instruction::Visit(Visit::Leave { node, outcome: Outcome::Failure, next: failure }));
            let next = self.inner(number, succeeds, fails);
            return self.push(Instruction::Visit(Visit::Enter { node, next, success, failure }));
        }
        let step = node + 1;
        let LoadedNode { op, slot, at, .. } = &self.nodes[number];
        match op {
            NodeOp::Constant(Status::Success) if !self.is_observed => success,
            NodeOp::Constant(Status::Failure) if !self.is_observed => failure,
            NodeOp::Leaf(leaf) if !self.is_observed => {
                let slot = slot.unwrap_or(u32::MAX);
                self.steps[*leaf as usize] = LeafStep { slot, at: *at, step, next: [success, failure], idle: [0; 2] };
                *leaf
            }
            _ => self.push(Instruction::Visit(Visit::Step { step, success, failure })),
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
