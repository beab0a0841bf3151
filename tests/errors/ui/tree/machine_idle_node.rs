// # A node of a state that a constant condition always leaves
// The transitions of a state are checked before its node is ticked.
use bt_core::prelude::*;

fn walk(_: &mut ()) -> Status {
    Status::Running
}

fn main() {
    let _ = tree! { for (): machine { state a { walk, |_: &()| true -> b } state b { walk } } };
    let _ = tree! { for (): machine { state a { #[expect(unreachable)] walk, |_: &()| true -> b } state b { walk } } };
}
