// # Arguments of keywords
// Keywords take a number, a time, or no argument.
use bt_core::prelude::*;

fn main() {
    let _ = tree! { for (): retry { fail } };
    let _ = tree! { for (): retry() { fail } };
    let _ = tree! { for (): limit(1, 2) { fail } };
    let _ = tree! { for (): invert(3) { fail } };
    let _ = tree! { for (): selector(3) { fail } };
    let _ = tree! { for (): repeat(1, 2) { fail } };
    let _ = tree! { for (): repeat(-1) { fail } };
    let _ = tree! { for (): limit("3") { fail } };
    let _ = tree! { for (): retry(9999999999) { fail } };
    let _ = tree! { for (): timeout(5) { fail } };
    let _ = tree! { for (): chance(2) { fail } };
    let _ = tree! { for (): chance(1.5) { fail } };
    let _ = tree! { for (): chance(-0.5) { fail } };
    let _ = tree! { for (): service(secs(1)) { fail } };
    let _ = tree! { for (): service(secs(1), succeed, fail) { fail } };
    let _ = tree! { for (): parallel(success = al) { fail } };
}
