//! The capabilities of a context that the words of a loaded tree use.

use std::time::Duration;

use bt_core::{Clock, NodeId};

use crate::error::RunError;

/// The functions for the time, random numbers and error handling of a context, as far as the registry has them.
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

/// A context together with its capabilities: a context for the policies of `bt-core`. Loading rejects a tree that needs more capabilities.
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
    /// Returns 64 random bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.capabilities.random.map_or(0, |random| random(self.ctx))
    }
}
