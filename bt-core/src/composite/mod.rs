//! Composites: nodes with several children.

mod in_a_row;
mod join;
mod list;
mod parallel;

pub use in_a_row::{Composite, Flow, MemSelector, MemSequence, Selector, Sequence, flow};
pub use join::{Join, OpenJoin};
pub use list::{Children, List, ListShape};
pub use parallel::{
    All, AtLeast, Concurrent, Count, Counts, Forgetful, MemParallel, Parallel, Remembering, Slot, Slots, Tally,
    Threshold, Watch,
};
