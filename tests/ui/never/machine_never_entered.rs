// # A state that nothing can lead to, and transitions that are never followed
// Whether a transition can be followed is known from its condition and from what the nodes of the states can give.
use bt_core::prelude::*;

fn main() {
    let _ = tree! { for (): machine { state a { run, !succeed -> b } state b { run } } };
    let _ = tree! { for (): machine { state a { run, |_: &()| true -> b } state b { error, success -> a } } };
    let _ = tree! { for (): machine { state a { run } any { success -> failure } } };
}
