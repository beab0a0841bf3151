// # A transition for a failure that never comes
// Remove it, or give the state a node that can fail.
use bt_core::prelude::*;

fn sing(_: &mut ()) {}

fn main() {
    let _ = tree! { for (): machine { state a { sing, failure -> b } state b { run } } };
}
