// # Several errors
// All errors are reported at once, each at its token.
use bt_core::prelude::*;

fn near(_: &()) -> bool {
    true
}

fn main() {
    let _ = tree! {
        for (): selector {
            sequnce { near, near },
            invert { near, near },
            retry { near },
            near near,
            parallel(sucess = all) { near, 7 },
            sequence {},
        }
    };
}
