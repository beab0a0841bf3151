//! The code of regions: the order in which their steps are ticked, with all targets resolved. [`compile`](crate::flat::compile) writes it.

use std::ops::Range;

use bt_core::{Outcome, Status};

/// No running step.
pub(crate) const NO_STEP: u32 = 0;

/// The targets that end the tick of a region, with a success and with a failure.
pub(crate) const ENDS: [u32; 2] = [u32::MAX - 1, u32::MAX];

/// No leaf.
pub(crate) const NO_LEAF: u32 = u32::MAX;

/// A leaf that is ticked without an observer. Targets are numbers of leaves or, after these, of instructions. A `step` is the index of a node plus 1,
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
pub(crate) enum Instruction {
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
    pub(crate) leaves: u32,
    pub(crate) instructions: Vec<Instruction>,
    /// The children of composites with memory: the last step below each, and where the composite continues if one of them runs.
    pub(crate) entries: Vec<(u32, u32)>,
    /// The first instruction of each region, without and with an observer.
    pub(crate) regions: Vec<[u32; 2]>,
    /// The leaf of each node, if it is one.
    pub(crate) leaf_of: Vec<u32>,
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

/// Why the code of a region stops.
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
    pub(crate) fn idle(&self, mut next: u32) -> u32 {
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
}
