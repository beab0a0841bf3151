// # A condition of a transition that can return `Running`
// A transition evaluates its condition within one tick. Use a `fn(&Context) -> bool`.
use bt_core::prelude::*;

fn walk(_: &mut ()) -> Status {
    Status::Running
}

fn main() {
    let _ = tree! { for (): machine { state a { run, walk -> b } state b { run } } };
}
