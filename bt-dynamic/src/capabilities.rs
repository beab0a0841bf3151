//! What a context provides to the words of a loaded tree.

use std::time::Duration;

use bt_core::{Clock, NodeId};

use crate::error::RunError;

/// The functions by which a context provides the time, random numbers and error handling, as far as the registry states that it does.
pub(crate) struct Capabilities<C: ?Sized> {
    pub(crate) now: Option<fn(&C) -> Duration>,
    pub(crate) random: Option<fn(&mut C) -> u64>,
    pub(crate) on_error: Option<fn(&mut C, NodeId, RunError)>,
}

impl<C: ?Sized> Clone for Capabilities<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C: ?Sized> Copy for Capabilities<C> {}

/// A context together with its capabilities: a context for the policies of `bt-core`. A tree whose words need more than the context provides is not loaded.
pub(crate) struct Capable<'a, C: ?Sized> {
    pub(crate) ctx: &'a mut C,
    pub(crate) capabilities: Capabilities<C>,
}

impl<C: ?Sized> Clock for Capable<'_, C> {
    fn now(&self) -> Duration {
        self.capabilities.now.map_or(Duration::ZERO, |now| now(self.ctx))
    }
}

impl<C: ?Sized> Capable<'_, C> {
    /// 64 random bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.capabilities.random.map_or(0, |random| random(self.ctx))
    }
}
