// # A transition whose condition can be running
// A condition is asked and answers: take a `fn(&Context) -> bool`.
use bt_core::prelude::*;

fn walk(_: &mut ()) -> Status {
    Status::Running
}

fn main() {
    let _ = tree! { for (): machine { state a { run, walk -> b } state b { run } } };
}
