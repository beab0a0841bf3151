// # The child of a decorator
// A decorator takes one child; several are put into a composite.
use bt_core::prelude::*;

fn main() {
    let _ = tree! { for (): invert {} };
    let _ = tree! { for (): retry(3) { succeed, fail } };
}
