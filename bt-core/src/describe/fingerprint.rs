//! A number that tells trees of different structure apart.

use crate::describe::{Info, Name, Place, Visitor};
use crate::node::Shape;

/// Hashes what a tree consists of: FNV-1a over kinds, names and nesting, but not over parameters, labels or places.
pub(crate) fn fingerprint<N: Shape + ?Sized>(tree: &N) -> u64 {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    let mut hash = Hash { state: BASIS, text: None };
    tree.describe(&mut hash);
    hash.state
}

struct Hash {
    state: u64,
    text: Option<&'static str>,
}

impl Hash {
    fn write(&mut self, bytes: &[u8]) {
        const PRIME: u64 = 0x0100_0000_01b3;
        for byte in bytes {
            self.state = (self.state ^ u64::from(*byte)).wrapping_mul(PRIME);
        }
    }
}

impl Visitor for Hash {
    fn place(&mut self, place: &Place) {
        self.text = Some(place.text);
    }

    fn enter(&mut self, info: &Info<'_>) {
        let text = self.text.take();
        let name = match info.name {
            Name::Known(name) => name,
            Name::Type(name) => text.unwrap_or(name),
        };
        self.write(&[b'(', info.kind as u8]);
        self.write(name.as_bytes());
    }

    fn leave(&mut self) {
        self.write(b")");
    }
}
