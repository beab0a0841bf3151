//! Sequences and selectors as flat code, for ticks without an observer.
//!
//! Sequences and selectors below each other, with what only passes on the status of its child, form a region. The other nodes below them are the
//! steps of its code: the status of a step determines the next one, which is known when the tree is built. At most one step of a region runs at once.
//! An observer receives the visits of every node; with one, the rule of the composite ticks its children instead.

use std::sync::Arc;

use bt_behavior3::Node;
use bt_core::{Contexts, Outcome, Status};

use crate::built_in::BuiltIn;
use crate::leaf::AnyLeaf;
use crate::op::NodeOp;
use crate::tree::{LoadedNode, index};

/// No node, and no code.
pub(crate) const NONE: u32 = u32::MAX;

/// An instruction. `next` and the like are indices of instructions.
pub(crate) enum Instruction<F: Contexts> {
    /// Ticks a leaf: a step that is spared a detour over its node.
    Leaf { leaf: AnyLeaf<F>, slot: u32, at: u32, node: u32, success: u32, failure: u32 },
    /// Ticks a step. `Running` and `Error` end the tick of the region.
    Step { node: u32, success: u32, failure: u32 },
    /// Halts the running step if it is one of these nodes, which an earlier one has preempted.
    Halt { first: u32, end: u32, next: u32 },
    /// Continues at the running step of a composite with memory: `first_entry` is that of the node `first`.
    Resume { first: u32, end: u32, first_entry: u32, next: u32 },
    /// Ends the tick of the region.
    End(Outcome),
}

/// The code of all regions of a tree.
pub(crate) struct Code<F: Contexts> {
    pub(crate) instructions: Vec<Instruction<F>>,
    /// Where composites with memory continue, by the running node.
    pub(crate) entries: Vec<u32>,
    /// By node.
    pub(crate) places: Vec<Place>,
}

/// A node in relation to regions.
pub(crate) struct Place {
    /// Its parent.
    pub(crate) parent: u32,
    /// The root of the region that it is a step of.
    pub(crate) step_of: u32,
    /// The first instruction of the region whose root it is.
    pub(crate) code: u32,
}

/// What the status of the child of a node becomes.
#[derive(Clone, Copy)]
enum Passing {
    InOrder { pass: Outcome, has_memory: bool },
    AsItIs,
    Inverted,
    Always(Outcome),
}

/// Returns how a node passes on statuses, if it can be part of a region.
fn passing<F: Contexts>(op: &NodeOp<F>) -> Option<Passing> {
    match op {
        NodeOp::Sequential { pass, has_memory } => Some(Passing::InOrder { pass: *pass, has_memory: *has_memory }),
        NodeOp::Nested { .. } => Some(Passing::AsItIs),
        NodeOp::Decorator(BuiltIn::Invert(_)) => Some(Passing::Inverted),
        NodeOp::Decorator(BuiltIn::ForceSuccess(_)) => Some(Passing::Always(Outcome::Success)),
        NodeOp::Decorator(BuiltIn::ForceFailure(_)) => Some(Passing::Always(Outcome::Failure)),
        NodeOp::Decorator(_)
        | NodeOp::Composite(_)
        | NodeOp::Policy(_)
        | NodeOp::Service { .. }
        | NodeOp::Machine { .. }
        | NodeOp::State { .. }
        | NodeOp::Wait { .. }
        | NodeOp::Constant(_)
        | NodeOp::Leaf(_) => None,
    }
}

impl<F: Contexts> Default for Code<F> {
    fn default() -> Self {
        Self { instructions: Vec::new(), entries: Vec::new(), places: Vec::new() }
    }
}

impl<F: Contexts> Code<F> {
    /// Returns the code of a tree.
    pub(crate) fn new(nodes: &[LoadedNode<F>], sources: &[Node]) -> Self {
        // The root of the region that the parent of each node is part of. Nothing is gained by code for one child alone.
        let mut regions: Vec<u32> = Vec::with_capacity(nodes.len());
        let mut places = Vec::with_capacity(nodes.len());
        for (number, source) in sources.iter().enumerate() {
            let parent = source.parent.unwrap_or(number);
            let region = match (passing(&nodes[parent].op), regions.get(parent)) {
                (Some(_), Some(above)) if *above != NONE => *above,
                (Some(Passing::InOrder { .. }), Some(_)) => index(parent),
                (Some(_) | None, Some(_) | None) => NONE,
            };
            regions.push(region);
            let step_of = if passing(&nodes[number].op).is_none() { region } else { NONE };
            places.push(Place { parent: index(parent), step_of, code: NONE });
        }
        let code = Self { instructions: Vec::new(), entries: Vec::new(), places };
        let mut compiling = Compiling { nodes, sources, regions, code };
        for (number, node) in nodes.iter().enumerate() {
            if matches!(node.op, NodeOp::Sequential { .. }) && compiling.regions[number] == NONE {
                let [success, failure] =
                    [Outcome::Success, Outcome::Failure].map(|outcome| compiling.push(Instruction::End(outcome)));
                let entry = compiling.node(number, success, failure);
                compiling.code.places[number].code = entry;
            }
        }
        compiling.code
    }
}

struct Compiling<'t, F: Contexts> {
    nodes: &'t [LoadedNode<F>],
    sources: &'t [Node],
    regions: Vec<u32>,
    code: Code<F>,
}

impl<F: Contexts> Compiling<'_, F> {
    fn push(&mut self, instruction: Instruction<F>) -> u32 {
        self.code.instructions.push(instruction);
        index(self.code.instructions.len() - 1)
    }

    fn can_run(&self, node: usize) -> bool {
        self.sources[node].returns.runs()
    }

    /// Writes the code of a node, and returns its first instruction.
    fn node(&mut self, node: usize, success: u32, failure: u32) -> u32 {
        let is_inside = self.regions[node] != NONE;
        match passing(&self.nodes[node].op) {
            Some(Passing::InOrder { pass, has_memory }) => self.in_order(node, pass, has_memory, [success, failure]),
            Some(Passing::AsItIs) if is_inside => self.only_child(node, success, failure),
            Some(Passing::Inverted) if is_inside => self.only_child(node, failure, success),
            Some(Passing::Always(outcome)) if is_inside => {
                let next = if outcome == Outcome::Success { success } else { failure };
                self.only_child(node, next, next)
            }
            Some(_) | None => match &self.nodes[node].op {
                NodeOp::Constant(Status::Success) => success,
                NodeOp::Constant(Status::Failure) => failure,
                NodeOp::Leaf(leaf) => {
                    let LoadedNode { slot, at, .. } = self.nodes[node];
                    let (leaf, slot) = (Arc::clone(leaf), slot.unwrap_or(NONE));
                    self.push(Instruction::Leaf { leaf, slot, at, node: index(node), success, failure })
                }
                _ => self.push(Instruction::Step { node: index(node), success, failure }),
            },
        }
    }

    fn only_child(&mut self, node: usize, success: u32, failure: u32) -> u32 {
        self.node(self.sources[node].children[0], success, failure)
    }

    fn in_order(&mut self, node: usize, pass: Outcome, has_memory: bool, [success, failure]: [u32; 2]) -> u32 {
        let is_sequence = pass == Outcome::Success;
        let (mut next, stop) = if is_sequence { (success, failure) } else { (failure, success) };
        let sources = self.sources;
        let end = self.nodes[node].end;
        let mut can_later_run = false;
        let mut entries = Vec::new();
        for child in sources[node].children.iter().rev() {
            let first = self.nodes[*child].end;
            let stop = if can_later_run && !has_memory {
                self.push(Instruction::Halt { first, end, next: stop })
            } else {
                stop
            };
            next = if is_sequence { self.node(*child, next, stop) } else { self.node(*child, stop, next) };
            entries.push((*child, next));
            can_later_run |= self.can_run(*child);
        }
        if !has_memory || !can_later_run {
            return next;
        }
        let first_entry = index(self.code.entries.len());
        let first = index(node + 1);
        for (child, entry) in entries.into_iter().rev() {
            for below in index(child)..self.nodes[child].end {
                // A composite with memory that comes first would continue at once.
                let entry = match self.code.instructions[entry as usize] {
                    Instruction::Resume { first, end, first_entry, .. } if (first..end).contains(&below) => {
                        self.code.entries[(first_entry + below - first) as usize]
                    }
                    _ => entry,
                };
                self.code.entries.push(entry);
            }
        }
        self.push(Instruction::Resume { first, end, first_entry, next })
    }
}
