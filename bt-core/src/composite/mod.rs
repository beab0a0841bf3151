//! Composites: nodes with several children.

mod in_a_row;
mod join;
mod list;
mod parallel;
mod race;
#[cfg(feature = "random")]
mod random;
mod threshold;

pub use in_a_row::{Composite, Flow, MemSelector, MemSequence, Selector, Sequence, flow};
pub use join::{Join, OpenJoin};
pub use list::{List, ListShape};
pub(crate) use list::{node_ids, plus};
pub use parallel::{
    Concurrent, Counts, Ended, Forgetful, MemParallel, Parallel, Remembering, Slot, Slots, Tally, Watch,
};
#[cfg(feature = "random")]
pub use random::{Alike, OpenShuffled, Shuffled, Weight, Weighted, Weights};
pub use threshold::{All, AtLeast, Count, Threshold};
