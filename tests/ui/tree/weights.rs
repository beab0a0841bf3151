// # Weights
// Weights stand before the children of `random_selector` and `random_sequence`: positive, finite numbers.
use bt_core::prelude::*;

struct Npc;

fn main() {
    let _ = tree! { for Npc: selector { 3 => succeed } };
    let _ = tree! { for Npc: random_selector { 0 => succeed, -1.5 => fail } };
    let _ = tree! { for Npc: random_selector(3) { succeed } };
    let _ = tree! { for Npc: random_sequence { "three" => succeed } };
}
