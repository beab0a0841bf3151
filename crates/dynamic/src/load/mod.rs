//! How a registry makes a tree from a checked file.

pub(crate) mod build;
pub(crate) mod declare;
pub(crate) mod known;
pub(crate) mod maker;
pub(crate) mod palette;
pub(crate) mod registry;
pub(crate) mod stock;
#[cfg(feature = "text")]
mod text;
pub(crate) mod variables;
