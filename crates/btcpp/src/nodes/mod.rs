//! The nodes of BehaviorTree.CPP and of Nav2.

pub(crate) mod branch;
pub(crate) mod decorators;
pub(crate) mod in_order;
pub(crate) mod leaves;
pub(crate) mod loops;
#[cfg(feature = "nav2")]
pub(crate) mod nav2;
pub(crate) mod parallel;
pub(crate) mod port;
pub(crate) mod scripted;
pub(crate) mod signal;
pub(crate) mod variables;
