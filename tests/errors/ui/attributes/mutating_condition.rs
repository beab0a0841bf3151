// # A condition that changes the context
// A condition takes `&Context`. To change the context, use an `#[action]`.
use bt_core::prelude::*;

struct Npc {
    hunger: u32,
}

#[condition]
fn hungry(npc: &mut Npc) -> bool {
    npc.hunger += 1;
    npc.hunger > 3
}

fn main() {}
