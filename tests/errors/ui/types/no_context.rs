// # An unknown context type
// If no leaf determines the context type, write it: `tree! { for Npc: sequence { … } }`. A `#[subtree]` function passes it automatically.
use bt_core::prelude::*;

fn main() {
    let _ = tree! { sequence { succeed, run } };
}
