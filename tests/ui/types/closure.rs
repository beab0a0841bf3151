// # A closure without its parameter's type
// Whether it looks or changes is seen from that type: write `|npc: &Npc|` or `|npc: &mut Npc|`.
use bt_core::prelude::*;

struct Npc {
    hunger: u32,
}

fn main() {
    let _ = tree! { for Npc: sequence { |npc| npc.hunger > 3 } };
}
