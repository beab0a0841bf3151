//! The context of a tree whose leaves return what the user says.

use bt_core::prelude::*;
use bt_core::rand_core::SeedableRng as _;
use rand_pcg::Pcg32;

/// The duration of a tick.
pub(crate) const TICK: Duration = millis(250);

/// What all leaves return.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) now: Duration,
    rng: Pcg32,
}

/// A leaf, however often the tree contains it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Leaf {
    pub(crate) name: String,
    pub(crate) returns: Status,
    /// Whether it was ticked in the last tick of the tree.
    pub(crate) is_ticked: bool,
}

impl Stage {
    pub(crate) fn new(names: impl IntoIterator<Item = String>) -> Self {
        let leaf = |name| Leaf { name, returns: Status::Success, is_ticked: false };
        Self { leaves: names.into_iter().map(leaf).collect(), now: Duration::ZERO, rng: Pcg32::seed_from_u64(1) }
    }

    /// Returns what a leaf returns.
    pub(crate) fn tick(&mut self, leaf: usize) -> Status {
        let Some(leaf) = self.leaves.get_mut(leaf) else { return Status::Failure };
        leaf.is_ticked = true;
        leaf.returns
    }
}

impl Leaf {
    /// Lets the leaf return another status.
    pub(crate) fn turn(&mut self) {
        self.returns = match self.returns {
            Status::Success => Status::Failure,
            Status::Failure => Status::Running,
            Status::Running | Status::Error => Status::Success,
        };
    }
}

impl Clock for Stage {
    fn now(&self) -> Duration {
        self.now
    }
}

impl Random for Stage {
    type Rng = Pcg32;

    fn rng(&mut self) -> &mut Pcg32 {
        &mut self.rng
    }
}
