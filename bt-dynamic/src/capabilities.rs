//! The capabilities of a context that the words of a loaded tree use.

use std::convert::Infallible;
use std::time::Duration;

use bt_core::{Clock, NodeId, Random};
use rand_core::TryRng;

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

/// The context is its own generator.
impl<C: ?Sized> Random for Capable<'_, C> {
    type Rng = Self;

    fn rng(&mut self) -> &mut Self {
        self
    }
}

impl<C: ?Sized> TryRng for Capable<'_, C> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.try_next_u64().map(|bits| (bits >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.capabilities.random.map_or(0, |random| random(self.ctx)))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.try_next_u64()?.to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}
