// # Transitions that are never followed
// The condition of a transition and the node of its state determine whether it can be followed.
use bt_core::prelude::*;

fn main() {
    let _ = tree! { for (): machine { state a { run, !succeed -> b } state b { run } } };
    let _ = tree! { for (): machine { state a { run, |_: &()| true -> b } state b { error, success -> a } } };
    let _ = tree! { for (): machine { state a { run } any { success -> failure } } };
}
