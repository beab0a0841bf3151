//! Composites: nodes with several children.

pub mod flow;
mod join;
mod list;
mod outcomes;
mod parallel;
#[cfg(feature = "random")]
mod random;
mod sequential;
mod tally;
mod threshold;

pub use flow::Flow;
pub use join::{Join, OpenJoin};
pub use list::{List, ListShape};
pub(crate) use list::{node_ids, plus};
pub use parallel::{Concurrent, MemParallel, Parallel, Slots};
#[cfg(feature = "random")]
pub use random::{OpenShuffled, Shuffled, Uniform, Weight, Weighted, Weights};
pub use sequential::{MemSelector, MemSequence, Selector, Sequence, Sequential};
pub use tally::{Counts, Ended, ParallelMode, Reactive, Slot, Tally, WithMemory};
pub use threshold::{All, AtLeast, ConstThreshold, Threshold};
