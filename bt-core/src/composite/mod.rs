//! Composites: nodes with several children.

mod branch;
mod custom;
#[cfg(feature = "random")]
mod draw;
mod each;
#[doc(hidden)]
pub mod flow;
mod join;
mod kept;
mod list;
mod marks;
mod outcomes;
mod parallel;
#[cfg(feature = "random")]
mod random;
mod rule;
mod running;
mod select;
mod sequential;
mod slot;
mod spread;
mod tally;
mod texts;
mod threshold;
mod utility;
mod wakes;

pub use branch::{Branch, If, MemIf};
pub use bt_words::{ChildCount, Returns, Thresholds};
pub use custom::{Composed, Composite, CompositeShape, compose};
#[doc(hidden)]
pub use custom::{ComposedOpen, tick_composite};
#[doc(hidden)]
pub use each::{Each, Elements, PerChild};
#[doc(hidden)]
pub use flow::Flow;
#[doc(hidden)]
pub use join::{Join, OpenJoin};
pub use kept::KeptSequence;
#[doc(hidden)]
pub use list::{List, ListShape};
pub(crate) use list::{node_ids, plus};
#[doc(hidden)]
pub use marks::no_marks;
pub use marks::{Marks, NoMarks, PerRun, PerTick};
pub(crate) use outcomes::ParallelOutcomes;
pub use parallel::{MemParallel, Parallel};
#[cfg(feature = "random")]
pub use random::{RandomSelector, RandomSequence};
#[doc(hidden)]
#[cfg(feature = "random")]
pub use random::{Shuffled, Uniform, Weight, WeightList, Weighted, Weights};
pub use rule::Children;
#[doc(hidden)]
pub use rule::sequential as tick_sequential;
pub use running::{OneAtATime, Running, Several};
#[doc(hidden)]
pub use select::{Cases, Selection, SelectionShape};
pub use select::{Match, MemMatch, Select};
pub use sequential::{MemSelector, MemSequence, Selector, Sequence, Sequential};
#[doc(hidden)]
pub use slot::Slot;
#[doc(hidden)]
pub use spread::{IntoSpread, KeptSpread, OpenSpread, SetSpread, SlotsSpread, Spread};
#[doc(hidden)]
pub use tally::Counts;
#[doc(hidden)]
pub use texts::{Code, Texts};
pub use threshold::{All, AtLeast, ConstThreshold, Threshold};
pub use utility::{MemUtilitySelector, UtilitySelector};
#[doc(hidden)]
pub use utility::{Score, ScoreList, ScoreNumber, ScoreTable, Scores};
pub use wakes::ChildWakes;
#[doc(hidden)]
pub use wakes::in_order as foresee_in_order;

/// The keywords of composites.
pub(crate) mod keywords {
    pub use super::branch::{if_else, mem_if_else};
    pub use super::kept::kept_sequence;
    pub use super::parallel::{mem_parallel, parallel};
    #[cfg(feature = "random")]
    pub use super::random::{random_selector, random_sequence};
    pub use super::select::{match_else, mem_match_else};
    pub use super::sequential::{mem_selector, mem_sequence, selector, sequence};
    pub use super::threshold::{all, at_least, one};
    pub use super::utility::{mem_utility_selector, utility_selector};
}
