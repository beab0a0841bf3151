//! A number that tells trees of different structure apart.

use crate::describe::{ArrowText, Info, Place, Visitor};
use crate::node::Shape;

/// Hashes what a tree consists of: FNV-1a over kinds, names and nesting, but not over parameters, labels or places.
pub(crate) fn fingerprint<N: Shape + ?Sized>(tree: &N) -> u64 {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    let mut hash = Hash { state: BASIS, place: None };
    tree.describe(&mut hash);
    hash.state
}

struct Hash {
    state: u64,
    place: Option<&'static Place>,
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
    fn place(&mut self, place: &'static Place) {
        self.place = Some(place);
    }

    fn arrows(&mut self, arrows: &'static [ArrowText]) {
        for arrow in arrows {
            self.write(arrow.to.as_bytes());
            self.write(b">");
        }
    }

    fn enter(&mut self, info: &Info<'_>) -> &'static [Place] {
        let place = self.place.take();
        self.write(&[b'(', info.kind as u8]);
        self.write(info.name.at(place).as_bytes());
        place.map_or(&[], |place| place.children)
    }

    fn leave(&mut self) {
        self.write(b")");
    }
}
