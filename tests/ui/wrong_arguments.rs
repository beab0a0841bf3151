use bt_core::prelude::*;

fn main() {
    let _ = tree! { for (): retry { fail } };
    let _ = tree! { for (): retry() { fail } };
    let _ = tree! { for (): limit(1, 2) { fail } };
    let _ = tree! { for (): invert(3) { fail } };
    let _ = tree! { for (): selector(3) { fail } };
    let _ = tree! { for (): repeat(1, 2) { fail } };
}
