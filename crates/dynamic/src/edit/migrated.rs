//! What an agent has of its run after its tree was replaced.

use bt_core::NodeId;

/// What happened to an agent when its tree was replaced.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Migrated {
    /// Whether the agent was running and nothing of its run can continue: the agent starts a new run in its next tick.
    pub starts_afresh: bool,
    /// The halted leaves, by their ids in the old tree, in order. A leaf whose properties have changed is halted, and opened again if
    /// possible.
    pub halted: Vec<NodeId>,
}
