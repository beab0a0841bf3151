// # A transition for a success that never comes
// Remove it, or give the state a node that can succeed.
use bt_core::prelude::*;

fn main() {
    let _ = tree! { for (): machine { state a { fail, success -> b } state b { run } } };
}
