// # A transition after one that is always followed
// Move the transition to the front, or remove it.
use bt_core::prelude::*;

fn sing(_: &mut ()) {}

fn near(_: &()) -> bool {
    true
}

fn main() {
    let _ = tree! { for (): machine { state a { run, sing -> b, near -> b } state b { run } } };
}
