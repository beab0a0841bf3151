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

pub use bt_words::{ChildCount, Returns, Thresholds};
pub use custom::{Composed, Composite, CompositeShape, compose};
pub use marks::{Marks, NoMarks, PerRun, PerTick};
pub use rule::Children;
pub use running::{OneAtATime, Running, Several};
pub use threshold::Threshold;
pub use wakes::ChildWakes;

pub(crate) use list::{node_ids, plus};
pub(crate) use outcomes::ParallelOutcomes;

// What the types of trees consist of, and what expansions and the loaded engine use.
#[doc(hidden)]
#[cfg(feature = "random")]
pub use random::{RandomSelector, RandomSequence, Uniform, Weight, WeightList, Weighted, Weights};
#[doc(hidden)]
pub use {
    branch::{If, MemIf},
    custom::{ComposedOpen, tick_composite},
    each::{Each, Elements, PerChild},
    flow::Flow,
    join::{Join, OpenJoin},
    kept::KeptSequence,
    list::{List, ListShape},
    marks::no_marks,
    parallel::{MemParallel, Parallel},
    rule::sequential as tick_sequential,
    select::{Cases, Match, MemMatch, Select, Selection, SelectionShape},
    sequential::{MemSelector, MemSequence, Selector, Sequence, Sequential},
    slot::Slot,
    spread::{IntoSpread, KeptSpread, OpenSpread, SetSpread, SlotsSpread, Spread},
    tally::Counts,
    texts::{Code, Texts},
    threshold::{All, AtLeast, ConstThreshold},
    utility::{MemUtilitySelector, Score, ScoreList, ScoreNumber, ScoreTable, Scores, UtilitySelector},
    wakes::in_order as foresee_in_order,
};

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
