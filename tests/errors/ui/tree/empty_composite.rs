// # Missing children
// A composite without children would have no outcome. Add a child, or remove the composite.
use bt_core::prelude::*;

fn main() {
    let _ = tree! { for (): selector { sequence {}, mem_selector <> } };
    let _ = tree! {};
}
