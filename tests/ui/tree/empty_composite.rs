// # No children
// A composite without children would have no outcome: give it one, or leave it out.
use bt_core::prelude::*;

fn main() {
    let _ = tree! { for (): selector { sequence {}, mem_selector <> } };
    let _ = tree! {};
}
