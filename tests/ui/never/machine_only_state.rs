// # A transition from any state, where there is one
// It would lead back to where the machine is. Add the state that it comes from, or remove it.
use bt_core::prelude::*;

fn near(_: &()) -> bool {
    true
}

fn main() {
    let _ = tree! { for (): machine { state a { run } any { near -> a } } };
}
