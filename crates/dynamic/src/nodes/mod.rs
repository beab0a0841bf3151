//! The nodes of the user, with their types erased.

pub(crate) mod leaf;
pub(crate) mod leaf_state;
pub(crate) mod policy;
pub(crate) mod rule;
pub(crate) mod shape;
