// # A condition that changes something
// A condition takes `&Context`; what changes something is an `#[action]`.
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
