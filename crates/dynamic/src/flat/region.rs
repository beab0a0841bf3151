//! Regions: sequences and selectors below each other, with nodes between them that only pass on the status of their child.
//!
//! The nodes of a region below its root are *inner* nodes and *steps*. Inner nodes have no state of their own: they run while a step below them runs. Steps are
//! all other nodes: leaves, and nodes with any other rule, whose children are outside of the region. At most one step of a region runs at once, so
//! that a word of memory is the state of the whole region: the step that runs.

use bt_core::Outcome;

use crate::flat::built_in::BuiltIn;
use crate::flat::op::{NodeOp, index};

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
            | NodeOp::Finally
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

/// A node in relation to regions. The default stands for a place that is not known yet.
#[derive(Default)]
pub(crate) struct Place {
    /// The index of its parent.
    pub(crate) parent: u32,
    /// How the memory says whether it runs.
    pub(crate) runs: Runs,
    /// The same as numbers: it runs if this part of a word is one of `count` numbers from `first` on. It is read often, so without branches.
    word: u32,
    shift: u32,
    mask: u64,
    first: u64,
    count: u64,
    /// The bits that say which of its children run, if all have bits of one word; 0 if not.
    children: u64,
    children_word: u32,
}

/// How the memory says whether a node runs.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Runs {
    /// The node is no part of a region: a bit of a word.
    Bit { word: u32, bit: u32 },
    /// The root of a region, while a step of it runs.
    Root { region: u32 },
    /// An inner node of a region, while a step below it runs.
    Inner { region: u32 },
    /// A step of a region.
    Step { region: u32 },
    /// It runs while its only child does.
    #[default]
    Child,
}

impl Place {
    /// Returns `true` if the node runs.
    #[inline(always)]
    pub(crate) fn is_open(&self, words: &[u64]) -> bool {
        (words[self.word as usize] >> self.shift & self.mask).wrapping_sub(self.first) < self.count
    }

    /// Stores whether the node runs, if it has a bit for that.
    #[inline(always)]
    pub(crate) fn set_bit(&self, is_open: bool, words: &mut [u64]) {
        if let Runs::Bit { word, bit } = self.runs {
            let word = &mut words[word as usize];
            *word = *word & !(1 << bit) | u64::from(is_open) << bit;
        }
    }

    /// Stores whether the node runs. The root of a region and its inner nodes run while a step below them does.
    #[inline]
    pub(crate) fn set_open(&self, is_open: bool, words: &mut [u64]) {
        match self.runs {
            Runs::Bit { .. } | Runs::Root { .. } | Runs::Inner { .. } | Runs::Child => self.set_bit(is_open, words),
            Runs::Step { region } => {
                let word = &mut words[region as usize];
                if is_open {
                    *word = self.first;
                } else if *word == self.first {
                    *word = 0;
                }
            }
        }
    }

    /// Returns `true` for an inner node of a region.
    pub(crate) const fn is_inner(&self) -> bool {
        matches!(self.runs, Runs::Inner { .. })
    }

    /// Returns `true` if none of its children runs. If that is not known at once, the result is `false`.
    #[inline(always)]
    pub(crate) fn is_idle_below(&self, words: &[u64]) -> bool {
        self.children != 0 && words[self.children_word as usize] & self.children == 0
    }

    /// Returns the region whose root it is.
    #[inline(always)]
    pub(crate) const fn root_of(&self) -> Option<u32> {
        if let Runs::Root { region } = self.runs { Some(region) } else { None }
    }
}

/// The words of a memory that say what runs: one for each region, with the index of the step that runs plus 1 or with 0 if none runs, then those of the bits.
#[derive(Clone, Copy, Default)]
pub(crate) struct RunWords {
    pub(crate) regions: u32,
    bits: u32,
}

impl RunWords {
    /// Returns their number.
    pub(crate) const fn count(self) -> usize {
        self.regions as usize + self.bits.div_ceil(64) as usize
    }
}

/// The places of the nodes of a tree.
#[derive(Default)]
pub(crate) struct Places {
    pub(crate) all: Vec<Place>,
    pub(crate) words: RunWords,
}

impl Places {
    /// Returns the places of nodes in pre-order, with their parents.
    pub(crate) fn new<'n>(nodes: impl Iterator<Item = (&'n NodeOp, Option<usize>)>) -> Self {
        let mut places = Self::default();
        for (op, parent) in nodes {
            let region = match parent.and_then(|parent| places.all.get(parent)).map(|above| above.runs) {
                Some(Runs::Root { region } | Runs::Inner { region }) => Some(region),
                Some(Runs::Bit { .. } | Runs::Step { .. } | Runs::Child) | None => None,
            };
            let runs = match (region, op.passing()) {
                (Some(region), Some(_)) => Runs::Inner { region },
                (Some(region), None) => Runs::Step { region },
                (None, Some(_)) => Runs::Root { region: next(&mut places.words.regions) },
                (None, None) if matches!(op, NodeOp::State { .. }) => Runs::Child,
                (None, None) => {
                    let bit = next(&mut places.words.bits);
                    Runs::Bit { word: bit / 64, bit: bit % 64 }
                }
            };
            let parent = index(parent.unwrap_or_default());
            places.all.push(Place {
                parent,
                runs,
                word: 0,
                shift: 0,
                mask: u64::MAX,
                first: 1,
                count: 1,
                children: 0,
                children_word: 0,
            });
        }
        let mut ends: Vec<_> = (1..=places.all.len()).collect();
        for node in (0..places.all.len()).rev() {
            let (before, after) = places.all.split_at_mut(node + 1);
            let (place, child) = (&mut before[node], after.first());
            let parent = place.parent as usize;
            ends[parent] = ends[parent].max(ends[node]);
            (place.word, place.first, place.count) = match &mut place.runs {
                Runs::Bit { word, bit } => {
                    *word += places.words.regions;
                    (place.shift, place.mask) = (*bit, 1);
                    (*word, 1, 1)
                }
                Runs::Root { region } => (*region, 1, u64::MAX),
                Runs::Step { region } => (*region, node as u64 + 1, 1),
                Runs::Inner { region } => (*region, node as u64 + 1, (ends[node] - node) as u64),
                Runs::Child => {
                    let child = child.expect("a state has a child");
                    (place.shift, place.mask) = (child.shift, child.mask);
                    (child.word, child.first, child.count)
                }
            };
        }
        places.find_bits();
        places
    }

    /// Finds the bits of children.
    fn find_bits(&mut self) {
        let mut is_mixed = vec![false; self.all.len()];
        for node in 1..self.all.len() {
            let Place { parent, word, shift, mask, .. } = self.all[node];
            let above = &mut self.all[parent as usize];
            let is_new = above.children == 0;
            is_mixed[parent as usize] |= mask != 1 || !is_new && above.children_word != word;
            above.children_word = word;
            above.children |= 1 << shift;
            if is_mixed[parent as usize] {
                above.children = 0;
            }
        }
    }
}

/// Returns the next number.
fn next(number: &mut u32) -> u32 {
    *number += 1;
    *number - 1
}
