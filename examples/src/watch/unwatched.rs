//! The types of the inspector in an example that is built without it. They do nothing.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use bt_core::board::Board;
use bt_core::{NodeShape, Wake};

use crate::options::Options;

/// The agents of an example, without an inspector.
#[derive(Clone, Default, Debug)]
pub struct Watch(());

/// The observer of an agent that is watched: there is none.
pub type At<'a> = &'a mut ();

/// An inspector: there is none.
#[derive(Debug)]
pub struct Inspector(Infallible);

impl Inspector {
    /// Returns the agent that waits for a page.
    pub const fn waiting(&self) -> Option<String> {
        match self.0 {}
    }

    /// Returns the URL of the page.
    pub const fn url(&self) -> String {
        match self.0 {}
    }
}

/// The values that a page shows.
#[derive(Debug)]
pub struct Values(Infallible);

impl Values {
    /// Shows a value that pages can edit.
    pub const fn edit<T: ?Sized>(&mut self, _: &str, _: &mut T) -> &mut Self {
        self
    }

    /// Shows a value.
    pub fn show<T>(&mut self, _: &str, _: T) -> &mut Self {
        self
    }
}

/// Returns the variables of a board, for a page.
pub const fn board(_: &Board) {}

impl Watch {
    /// Returns agents without an inspector.
    pub fn new<N: NodeShape>(_: Options, _: (&str, &N), _: impl IntoIterator<Item = String>, _: Duration) -> Self {
        Self(())
    }

    /// Lets pages look at the file of the tree.
    pub fn file<T>(&self, _: &str, _: T) {}

    /// Lets pages look at a text of the tree.
    pub fn text<T>(&self, _: &str, _: &str, _: T) {}

    /// Returns whether the inspector is running.
    pub const fn is_on(&self) -> bool {
        false
    }

    /// Returns the observer of an agent's tick.
    pub const fn at(&mut self, _: usize, _: Duration) -> Option<At<'_>> {
        None
    }

    /// Lets pages take the agent back to an earlier tick.
    pub const fn rewind<M, C>(&mut self, _: usize, _: Duration, _: &mut M, _: &mut C) {}

    /// Shows values next to the agent's last tick.
    pub fn show<T>(&mut self, _: usize, _: impl FnOnce() -> T) {}

    /// Shows values next to the agent's last tick, some of which pages can edit.
    pub fn show_mut(&mut self, _: usize, _: impl FnOnce(&mut Values)) {}

    /// Returns whether a page holds the agent.
    pub const fn is_held(&self, _: usize) -> bool {
        false
    }

    /// Shows until when the agent sleeps.
    pub const fn due(&mut self, _: usize, _: Wake) {}

    /// Returns the agents of which a page needs a tick.
    pub fn need_tick(&self) -> impl Iterator<Item = usize> {
        std::iter::empty()
    }

    /// Returns the URL of the page.
    pub const fn url(&self) -> Option<String> {
        None
    }

    /// Returns the inspector.
    pub const fn inspector(&self) -> Option<Arc<Inspector>> {
        None
    }

    /// Sleeps after a tick if headless and watched.
    pub const fn pace(&self) {}
}
