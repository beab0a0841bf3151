// # Weights
// Weights are positive, finite numbers before the children of `random_selector` and `random_sequence`.
use bt_core::prelude::*;

struct Npc;

fn main() {
    let _ = tree! { for Npc: selector { 3 => succeed } };
    let _ = tree! { for Npc: random_selector { 0 => succeed, -1.5 => fail } };
    let _ = tree! { for Npc: random_selector(3) { succeed } };
    let _ = tree! { for Npc: random_sequence { "three" => succeed } };
}
