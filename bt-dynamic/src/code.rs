//! The code of regions: the order in which their steps are ticked, with all targets resolved.

use std::ops::Range;

use bt_core::{Outcome, Status};

use crate::op::{LoadedNode, NodeOp, index};
use crate::region::{Passing, Places};
use crate::shape::Shapes;

/// No running step.
pub(crate) const NO_STEP: u32 = 0;

/// The targets that end the tick of a region, with a success and with a failure.
const ENDS: [u32; 2] = [u32::MAX - 1, u32::MAX];

/// No leaf.
const NO_LEAF: u32 = u32::MAX;

/// A leaf that is ticked without an observer. Targets are numbers of leaves or, behind them, of instructions. A `step` is the index of a node plus 1,
/// as in memory.
#[derive(Clone, Copy, Default)]
pub(crate) struct LeafStep {
    /// Its slot, or a number that no slot has.
    pub(crate) slot: u32,
    pub(crate) at: u32,
    pub(crate) step: u32,
    /// Where the code continues after a success and after a failure.
    pub(crate) next: [u32; 2],
    /// The same if no step runs: without the instructions that only concern the running step.
    pub(crate) idle: [u32; 2],
}

/// An instruction other than that of a leaf.
enum Instruction {
    /// Halts the running step if it is after `first` and at most `last`: below `above`, whose earlier child has ended.
    Halt { first: u32, last: u32, above: u32, next: u32 },
    /// Continues at the running child of a composite with memory, if the running step is after `first` and at most `last`. `children` are
    /// those of the composite in `entries`.
    Resume { first: u32, last: u32, children: Range<u32>, next: u32 },
    /// A visit by the engine.
    Visit(Visit),
}

/// An instruction for the engine.
pub(crate) enum Visit {
    /// Ticks a step. `Running` and `Error` end the tick of the region.
    Step { step: u32, success: u32, failure: u32 },
    /// Reports that an inner node is entered. An observer may replace its status.
    Enter { node: u32, next: u32, success: u32, failure: u32 },
    /// Reports that an inner node ends.
    Leave { node: u32, outcome: Outcome, next: u32 },
}

/// The code of all regions of a tree, each twice: with and without the reports for an observer.
#[derive(Default)]
pub(crate) struct Code {
    /// The number of leaves.
    leaves: u32,
    instructions: Vec<Instruction>,
    /// The children of composites with memory: the last step below each, and where the composite continues if one of them runs.
    entries: Vec<(u32, u32)>,
    /// The first instruction of each region, without and with an observer.
    regions: Vec<[u32; 2]>,
    /// The leaf of each node, if it is one.
    leaf_of: Vec<u32>,
}

/// Where a tick of a region is, and the step that runs.
#[derive(Clone, Copy)]
pub(crate) struct Cursor {
    pub(crate) next: u32,
    pub(crate) running: u32,
}

/// What follows from an instruction that is none of a leaf.
pub(crate) enum Pass<'c> {
    /// Another instruction.
    Next(u32),
    /// Another instruction, after the running step has been halted, which is below `above`.
    Halt { above: u32, next: u32 },
    /// The end of the tick, after the running step has been halted, if one runs.
    End(Outcome),
    /// A visit by the engine.
    Visit(&'c Visit),
}

/// Why the code of a region goes on elsewhere.
pub(crate) enum Reached {
    /// The tick of the region is over.
    Done(Status),
    /// The tick of the region is over: a leaf, which is this step, has returned this status. The running step has to be halted, which is no leaf.
    Preempted { step: u32, status: Status },
    /// The engine executes the next instruction.
    Instruction,
}

impl Code {
    /// Returns the first instruction of a region.
    #[inline(always)]
    pub(crate) fn start(&self, region: u32, is_observed: bool) -> u32 {
        self.regions[region as usize][usize::from(is_observed)]
    }

    /// Returns what follows at a target that is no leaf, while this step runs.
    #[inline(always)]
    pub(crate) fn pass(&self, next: u32, running: u32) -> Pass<'_> {
        let Some(instruction) = self.instructions.get(next.wrapping_sub(self.leaves) as usize) else {
            return Pass::End(Outcome::from(next == ENDS[0]));
        };
        match instruction {
            Instruction::Halt { first, last, above, next } if *first < running && running <= *last => {
                Pass::Halt { above: *above, next: *next }
            }
            Instruction::Resume { first, last, children, .. } if *first < running && running <= *last => {
                Pass::Next(self.entry(children, running))
            }
            Instruction::Halt { next, .. } | Instruction::Resume { next, .. } => Pass::Next(*next),
            Instruction::Visit(visit) => Pass::Visit(visit),
        }
    }

    /// Returns the target that is reached from another if no step runs.
    fn idle(&self, mut next: u32) -> u32 {
        while let Pass::Next(then) = self.pass(next, NO_STEP) {
            next = then;
        }
        next
    }

    /// Returns where a composite with memory continues, of whose children one runs.
    #[inline(never)]
    fn entry(&self, children: &Range<u32>, running: u32) -> u32 {
        let children = &self.entries[children.start as usize..children.end as usize];
        children[children.partition_point(|(last, _)| *last < running)].1
    }

    /// Returns the leaf that is this step, if the step is a leaf.
    pub(crate) fn leaf_of(&self, step: u32) -> Option<u32> {
        let leaf = *self.leaf_of.get(step.wrapping_sub(1) as usize)?;
        (leaf != NO_LEAF).then_some(leaf)
    }

    /// Returns the code of a tree, and the steps of its leaves by their numbers.
    pub(crate) fn new(
        nodes: &[LoadedNode],
        children: &[u32],
        places: &Places,
        shapes: &dyn Shapes,
        leaves: usize,
    ) -> (Self, Vec<LeafStep>) {
        let mut can_run = vec![true; nodes.len()];
        for (number, node) in nodes.iter().enumerate().rev() {
            can_run[number] = match &node.op {
                NodeOp::Leaf(leaf) => shapes.leaf(*leaf).can_run(),
                NodeOp::Constant(status) => *status == Status::Running,
                _ if places.all[number].is_inner() => {
                    node.children_in(children).iter().any(|child| can_run[*child as usize])
                }
                _ => true,
            };
        }
        let leaf_of = nodes.iter().map(|node| if let NodeOp::Leaf(leaf) = &node.op { *leaf } else { NO_LEAF });
        let code = Self { leaves: index(leaves), leaf_of: leaf_of.collect(), ..Self::default() };
        let steps = vec![LeafStep::default(); leaves];
        let mut compiling = Compiling { nodes, children, places, can_run, is_observed: false, code, steps };
        let roots = places.all.iter().enumerate().filter(|(_, place)| place.root_of().is_some());
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
    places: &'t Places,
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
        if self.places.all[number].is_inner() {
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
