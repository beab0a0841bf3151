// # A transition on a success that never happens
// Remove the transition, or use a node that can succeed.
use bt_core::prelude::*;

fn main() {
    let _ = tree! { for (): machine { state a { fail, success -> b } state b { run } } };
}
