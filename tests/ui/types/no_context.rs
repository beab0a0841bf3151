// # No leaf that names a context
// Say it in front: `tree! { for Npc: sequence { … } }`. In a `#[subtree]` function it is there already.
use bt_core::prelude::*;

fn main() {
    let _ = tree! { sequence { succeed, run } };
}
