// # A node of a state that is always left before
// The transitions of a state are checked before its node is ticked. A state that the machine only passes through has `run` as its
// node. A transition that enters a state also ticks the state's node.
use bt_core::prelude::*;

fn sing(_: &mut ()) {}

fn near(_: &()) -> bool {
    true
}

fn walk(_: &mut ()) -> Status {
    Status::Running
}

fn main() {
    let _ = tree! { for (): machine { state a { walk, sing -> b } state b { run } } };
    let _ = tree! { for (): machine { state a { sing, success -> b } state b { walk, succeed -> c } state c { run } } };

    // Each of these is right.
    let _ = tree! { for (): machine { state a { enter: sing, run, sing -> b } state b { run } } };
    let _ = tree! { for (): machine { state a { walk, near -> b } state b { walk, sing -> a } } };
    let _ = tree! { for (): machine { state a { #[allow(unreachable)] walk, sing -> b } state b { run } } };
}
