//! What the program and the pages share: trees, agents, their histories, breakpoints and holds.

mod agent;
mod breakpoints;
mod history;
mod hold;
mod recording;
mod shared;
mod tree;

use std::sync::{Mutex, MutexGuard, PoisonError};

pub(crate) use agent::{Agent, BREAKPOINTS, EDITED, SAMPLE, SELECTED, WATCHED};
pub(crate) use breakpoints::{Breakpoint, Breakpoints, Trigger};
pub(crate) use history::Variables;
pub(crate) use hold::{Held, Stop};
pub(crate) use shared::Shared;
pub(crate) use tree::Tree;

/// Locks a mutex and ignores poisoning: the guarded data is consistent after every statement.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
