//! Composites of the user, in both engines.

mod files;
mod nav2;
mod rules;
mod syntax;
mod visit_all;

#[path = "../../../examples/nav2/composites.rs"]
mod composites;

pub(crate) use composites::{recovery, round_robin};
pub(crate) use visit_all::visit_all;
