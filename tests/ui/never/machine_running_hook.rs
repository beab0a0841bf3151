// # An action on entering that can be running
// What is done on entering is done at once: what takes time is the state's node.
use bt_core::prelude::*;

fn walk(_: &mut ()) -> Status {
    Status::Running
}

fn main() {
    let _ = tree! { for (): machine { state a { run, enter: walk } } };
}
