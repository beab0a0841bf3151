//! Regions: sequences and selectors below each other, with nodes between them that only pass on the status of their child.
//!
//! The nodes of a region below its root are *inner* nodes and *steps*. Inner nodes have no state of their own: they run while a step below them runs. Steps are
//! all other nodes: leaves, and nodes with any other rule, whose children are outside of the region. At most one step of a region runs at once, so
//! that a word of memory is the state of the whole region: the step that runs.

use bt_core::Outcome;

use crate::built_in::BuiltIn;
use crate::op::{NodeOp, index};

/// No region.
pub(crate) const NONE: u32 = u32::MAX;

/// What a node of a region does with the statuses of its children.
#[derive(Clone, Copy)]
pub(crate) enum Passing {
    InOrder { pass: Outcome, has_memory: bool },
    Unchanged,
    Inverted,
    Always(Outcome),
}

impl NodeOp {
    /// Returns what the node does with the statuses of its children, if it can be part of a region above its steps.
    pub(crate) fn passing(&self) -> Option<Passing> {
        match self {
            NodeOp::Sequential { pass, has_memory } => Some(Passing::InOrder { pass: *pass, has_memory: *has_memory }),
            NodeOp::Nested { .. } => Some(Passing::Unchanged),
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
}

/// A node in relation to regions.
pub(crate) struct Place {
    /// The index of its parent.
    pub(crate) parent: u32,
    /// The region that it is an inner node or a step of.
    pub(crate) member_of: u32,
    /// The region whose root it is.
    pub(crate) root_of: u32,
    /// Whether it is an inner node.
    pub(crate) is_inner: bool,
    /// For a node that is no part of a region: the bit that is set while it runs.
    pub(crate) bit: u32,
}

impl Place {
    /// Returns the region that it is part of.
    pub(crate) fn region(&self) -> u32 {
        if self.root_of == NONE { self.member_of } else { self.root_of }
    }
}

/// The places of all nodes, and the numbers of bits and regions.
#[derive(Default)]
pub(crate) struct Places {
    pub(crate) all: Vec<Place>,
    pub(crate) bits: u32,
    pub(crate) regions: u32,
}

impl Places {
    /// Adds the next node in pre-order.
    pub(crate) fn add(&mut self, op: &NodeOp, parent: Option<usize>) {
        let above = parent.and_then(|parent| self.all.get(parent));
        let member_of = match above {
            Some(Place { root_of, .. }) if *root_of != NONE => *root_of,
            Some(Place { member_of, is_inner: true, .. }) => *member_of,
            Some(_) | None => NONE,
        };
        let is_member = member_of != NONE;
        // Nothing is gained by a region of a decorator over one child.
        let is_root = !is_member && matches!(op, NodeOp::Sequential { .. });
        self.all.push(Place {
            parent: index(parent.unwrap_or_default()),
            member_of,
            root_of: if is_root { self.regions } else { NONE },
            is_inner: is_member && op.passing().is_some(),
            bit: self.bits,
        });
        self.regions += u32::from(is_root);
        self.bits += u32::from(!is_member && !is_root);
    }

    /// Returns the number of memory words for what runs: a word for each region, then the bits.
    pub(crate) fn words(&self) -> usize {
        self.regions as usize + self.bits.div_ceil(64) as usize
    }

    /// Returns the memory word of a region: the index of the step that runs plus 1; 0 if none runs.
    #[inline]
    pub(crate) const fn word(region: u32) -> usize {
        region as usize
    }

    /// Returns the memory word and the bit of a node that is no part of a region.
    #[inline]
    fn bit(&self, place: &Place) -> (usize, u64) {
        ((self.regions + place.bit / 64) as usize, 1 << (place.bit % 64))
    }

    /// Returns `true` if the node at `node`, whose last node below it is before `end`, runs.
    #[inline]
    pub(crate) fn is_open(&self, node: usize, end: u32, words: &[u64]) -> bool {
        let place = &self.all[node];
        if place.root_of != NONE {
            return words[Self::word(place.root_of)] != 0;
        }
        if place.member_of == NONE {
            let (word, bit) = self.bit(place);
            return words[word] & bit != 0;
        }
        let running = words[Self::word(place.member_of)];
        (node as u64) < running && running <= u64::from(end)
    }

    /// Stores whether a node runs. The root of a region and its inner nodes run while a step below them does.
    #[inline]
    pub(crate) fn set_open(&self, node: usize, is_open: bool, words: &mut [u64]) {
        let place = &self.all[node];
        if place.is_inner || place.root_of != NONE {
            return;
        }
        if place.member_of == NONE {
            let (word, bit) = self.bit(place);
            if is_open { words[word] |= bit } else { words[word] &= !bit }
        } else {
            let (word, running) = (&mut words[Self::word(place.member_of)], node as u64 + 1);
            if is_open {
                *word = running;
            } else if *word == running {
                *word = 0;
            }
        }
    }

    /// Clears what runs if the tree does not run, as after a panic, and the words of regions that contain no step of that region: a save may have been
    /// edited.
    pub(crate) fn repair(&self, is_open: bool, words: &mut [u64]) {
        if !is_open {
            return words[..self.words()].fill(0);
        }
        for region in 0..self.regions {
            let word = &mut words[Self::word(region)];
            let step = usize::try_from(word.wrapping_sub(1)).ok().and_then(|step| self.all.get(step));
            if !step.is_some_and(|place| place.member_of == region && !place.is_inner) {
                *word = 0;
            }
        }
    }
}
