// # An `enter:` action that can return `Running`
// An `enter:` action runs within one tick. Put an action that takes time in the node of the state.
use bt_core::prelude::*;

fn walk(_: &mut ()) -> Status {
    Status::Running
}

fn main() {
    let _ = tree! { for (): machine { state a { run, enter: walk } } };
}
