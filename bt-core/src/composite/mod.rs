//! Composites: nodes with several children.

mod join;
mod list;
mod outcomes;
mod parallel;
#[cfg(feature = "random")]
mod random;
mod sequential;
mod threshold;

pub use join::{Join, OpenJoin};
pub use list::{List, ListShape};
pub(crate) use list::{node_ids, plus};
pub use parallel::{
    Concurrent, Counts, Ended, MemParallel, Parallel, ParallelMode, Reactive, Slot, Slots, Tally, WithMemory,
};
#[cfg(feature = "random")]
pub use random::{OpenShuffled, Shuffled, Uniform, Weight, Weighted, Weights};
pub use sequential::{Flow, MemSelector, MemSequence, Selector, Sequence, Sequential, flow};
pub use threshold::{All, AtLeast, ConstThreshold, Threshold};
