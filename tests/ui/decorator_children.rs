use bt_core::prelude::*;

fn main() {
    let _ = tree! { for (): invert {} };
    let _ = tree! { for (): retry(3) { succeed, fail } };
}
