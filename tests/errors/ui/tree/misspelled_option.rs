// # Options of a parallel
// The options are `success` and `failure`. Each is `all`, `one`, a number of children or an expression.
use bt_core::prelude::*;

fn main() {
    let _ = tree! { for (): parallel(succes = all, failure = 3) { succeed, fail } };
    let _ = tree! { for (): parallel(success = 0, sucess, 3) { succeed, fail } };
    let _ = tree! { for (): mem_parallel(failure = one, failure = all) { succeed, fail } };
}
