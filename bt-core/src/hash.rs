//! FNV-1a: a small hash that is the same on every platform.

/// A hash under construction.
#[derive(Clone, Copy)]
pub struct Fnv(u64);

impl Fnv {
    /// Returns the hash of no bytes.
    #[expect(clippy::new_without_default, reason = "internal")]
    pub const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Adds bytes to the hash.
    pub fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Returns the hash of all bytes so far.
    pub const fn finish(self) -> u64 {
        self.0
    }
}
