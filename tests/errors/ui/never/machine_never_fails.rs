// # A transition on a failure that never happens
// Remove the transition, or use a node that can fail.
use bt_core::prelude::*;

fn sing(_: &mut ()) {}

fn main() {
    let _ = tree! { for (): machine { state a { sing, failure -> b } state b { run } } };
}
