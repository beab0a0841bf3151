// # A closure without a parameter type
// The type determines whether the closure is a condition or an action: write `|npc: &Npc|` or `|npc: &mut Npc|`.
use bt_core::prelude::*;

struct Npc {
    hunger: u32,
}

fn main() {
    let _ = tree! { for Npc: sequence { |npc| npc.hunger > 3 } };
}
