// # An `any` transition to the only state
// The transition would lead from the state to itself. Add another state, or remove the transition.
use bt_core::prelude::*;

fn near(_: &()) -> bool {
    true
}

fn main() {
    let _ = tree! { for (): machine { state a { run } any { near -> a } } };
}
