//! Composites: nodes with several children.

mod adopted;
mod branch;
mod custom;
#[cfg(feature = "random")]
mod draw;
mod finally;
mod finally_rule;
mod kept;
mod marks;
mod parallel;
#[cfg(feature = "random")]
mod random;
mod rule;
mod running;
mod select;
mod sequential;
mod tally;
mod texts;
mod threshold;
mod utility;
mod wakes;
#[cfg(feature = "random")]
mod weights;

pub use adopted::Adopted;
pub use bt_words::{ChildCount, Returns, Thresholds};
pub use custom::{Composed, Composite, CompositeShape, compose};
pub use marks::{Marks, NoMarks, PerRun, PerTick};
pub use rule::Children;
pub use running::{OneAtATime, Running, Several};
pub use threshold::Threshold;
pub use wakes::ChildWakes;

// What the types of trees consist of, and what expansions and the loaded engine use.
#[doc(hidden)]
pub use crate::list::{Join, List, ListShape};
#[doc(hidden)]
#[cfg(feature = "random")]
pub use random::{RandomSelector, RandomSequence};
#[doc(hidden)]
#[cfg(feature = "random")]
pub use weights::{Uniform, Weight, WeightList, Weighted, Weights};
#[doc(hidden)]
pub use {
    branch::{If, MemIf},
    custom::{ComposedOpen, tick_composite},
    finally::{Finally, FinallyChild, FinallyOpen, LeftCleanup},
    finally_rule::{FinallyParts, FinallyPhase},
    kept::KeptSequence,
    marks::no_marks,
    parallel::{MemParallel, Parallel},
    select::{Cases, Match, MemMatch, Select, Selection, SelectionShape},
    sequential::{MemSelector, MemSequence, Selector, Sequence, Sequential},
    tally::Counts,
    texts::{Code, Texts},
    threshold::{All, AtLeast, ConstThreshold},
    utility::{MemUtilitySelector, Score, ScoreList, ScoreNumber, ScoreTable, Scores, UtilitySelector},
    wakes::in_order as foresee_in_order,
};

/// The keywords of composites.
pub(crate) mod keywords {
    pub use super::branch::{if_else, mem_if_else};
    pub use super::finally::finally;
    pub use super::kept::kept_sequence;
    pub use super::parallel::{mem_parallel, parallel};
    #[cfg(feature = "random")]
    pub use super::random::{random_selector, random_sequence};
    pub use super::select::{match_else, mem_match_else};
    pub use super::sequential::{mem_selector, mem_sequence, selector, sequence};
    pub use super::threshold::{all, at_least, one};
    pub use super::utility::{mem_utility_selector, utility_selector};
}
