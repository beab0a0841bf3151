//! Facts about nodes at compile time: the analysis of `bt-words`, for values that constants refer to.

pub use bt_words::analysis::Requirement;
pub(crate) use bt_words::analysis::{Given, Lints, must_end};

/// Facts about a node and the nodes below it.
pub type Facts = bt_words::analysis::Facts<'static>;
/// Facts about each node of a list, in order.
pub type ChildFacts = bt_words::analysis::ChildFacts<'static>;
/// Facts about a state.
pub type StateFacts = bt_words::analysis::StateFacts<'static>;
/// Facts about each state of a list, in order.
pub type StateListFacts = bt_words::analysis::StateListFacts<'static>;
/// Facts about transitions, in order.
pub type TransitionList = bt_words::analysis::TransitionList<'static>;
/// The reachable parts of a machine that starts in its first state.
pub type Reach = bt_words::analysis::Reach<'static>;
