//! The capabilities of a context that the words of a loaded tree use.

use std::convert::Infallible;
use std::time::Duration;

use bt_core::{Clock, NodeId, Random};
use rand_core::TryRng;

use crate::error::RunError;
use bt_core::{ContextOf, Contexts};

/// A function that returns random bits.
pub(crate) type RandomBits<F> = fn(&mut ContextOf<'_, '_, F>) -> u64;

/// The functions for the time, random numbers and error handling of a context, as far as the registry has them.
pub(crate) struct Capabilities<F: Contexts> {
    pub(crate) now: Option<fn(&ContextOf<'_, '_, F>) -> Duration>,
    pub(crate) random: Option<RandomBits<F>>,
    pub(crate) on_error: Option<fn(&mut ContextOf<'_, '_, F>, NodeId, RunError)>,
}

impl<F: Contexts> Clone for Capabilities<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F: Contexts> Copy for Capabilities<F> {}

/// A context together with its capabilities: a context for the policies of `bt-core`. Loading rejects a tree that needs more capabilities.
pub(crate) struct Capable<'c, 'x, 'y, F: Contexts> {
    pub(crate) ctx: &'c mut ContextOf<'x, 'y, F>,
    pub(crate) capabilities: Capabilities<F>,
}

impl<F: Contexts> Clock for Capable<'_, '_, '_, F> {
    fn now(&self) -> Duration {
        self.capabilities.now.map_or(Duration::ZERO, |now| now(self.ctx))
    }
}

/// The context is its own generator.
impl<F: Contexts> Random for Capable<'_, '_, '_, F> {
    type Rng = Self;

    fn rng(&mut self) -> &mut Self {
        self
    }
}

impl<F: Contexts> TryRng for Capable<'_, '_, '_, F> {
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
