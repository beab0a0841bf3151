//! Hashes of states.

use std::hash::{Hash, Hasher};

use bt_core::engine::parts;
use bt_core::{Memory, Save};
use postcard::ser_flavors::Flavor;
use serde::Serialize as _;
use xxhash_rust::xxh3::xxh3_128;

/// Computes hashes of states. It keeps its allocation.
#[derive(Default)]
pub(crate) struct Keys(Vec<u8>);

impl Keys {
    /// Returns the hash of a state.
    ///
    /// # Errors
    ///
    /// Returns an error if the state of a node cannot be serialized.
    pub(crate) fn hash<C: Hash, N: Save>(
        &mut self,
        ctx: &C,
        memory: &Memory<N>,
        due: &[u32],
    ) -> postcard::Result<u128> {
        self.0.clear();
        ctx.hash(&mut Bytes(&mut self.0));
        let mut serializer = postcard::Serializer { output: Bytes(&mut self.0) };
        parts(memory).serialize(&mut serializer)?;
        for number in due {
            self.0.extend(number.to_ne_bytes());
        }
        Ok(xxh3_128(&self.0))
    }
}

/// Takes all bytes that are hashed or serialized.
struct Bytes<'a>(&'a mut Vec<u8>);

impl Hasher for Bytes<'_> {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn write_u8(&mut self, byte: u8) {
        self.0.push(byte);
    }

    /// Not used: what is hashed is the bytes.
    fn finish(&self) -> u64 {
        0
    }
}

impl Flavor for Bytes<'_> {
    type Output = ();

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.0.push(byte);
        Ok(())
    }

    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<()> {
        Ok(())
    }
}
