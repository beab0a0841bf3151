// # Numbers with which a keyword does nothing
// A literal number of runs must start the child more than once (`limit` at least once). Computed numbers are not checked.
use bt_core::prelude::*;

fn main() {
    let _ = tree! { for (): repeat(0) { fail } };
    let _ = tree! { for (): repeat(1) { fail } };
    let _ = tree! { for (): retry(1) { fail } };
    let _ = tree! { for (): retry(1) { succeed } };
    let _ = tree! { for (): repeat_while_success(1) { succeed } };
    let _ = tree! { for (): sequence { limit(0) { succeed }, #[expect(pointless)] limit(0) { succeed } } };
}
