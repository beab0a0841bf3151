//! What the program and the pages share: trees, agents, their histories, breakpoints and holds.

mod agent;
mod breakpoints;
mod collectors;
mod columns;
mod cursor;
mod history;
mod hold;
mod overview;
mod past;
mod recording;
mod shared;
mod tracked;
mod tree;

pub(crate) use crate::lock::lock;
pub(crate) use agent::{Agent, BREAKPOINTS, COLUMNS, COUNTED, EDITED, OBSERVED, PAUSED, SAMPLE, SELECTED, WATCHED};
pub(crate) use breakpoints::{Breakpoint, Breakpoints, Trigger, Watch};
pub use collectors::CollectFilter;
pub(crate) use collectors::MAX_COLLECTED;
pub(crate) use columns::Columns;
pub(crate) use cursor::Cursor;
pub(crate) use history::{Stored, Variables};
pub(crate) use hold::{Held, Stop, Waiting, Walk};
pub(crate) use past::{Moment, RewindRequest};
pub(crate) use shared::Shared;
pub(crate) use tree::{About, Tree, Versions};
