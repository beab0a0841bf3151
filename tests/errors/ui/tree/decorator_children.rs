// # Number of children of a decorator
// A decorator takes exactly one child. Put several children in a composite.
use bt_core::prelude::*;

fn main() {
    let _ = tree! { for (): invert {} };
    let _ = tree! { for (): retry(3) { succeed, fail } };
}
