// # An invalid leaf
// A leaf is a function of the context, a node, or a type with `#[leaf]`. A leaf with parameters must be called.
use bt_core::prelude::*;

struct Npc;

fn by_value(_: Npc) -> bool {
    true
}

fn returns_a_number(_: &mut Npc) -> u32 {
    3
}

fn takes_more(_: &mut Npc, _: u32) -> bool {
    true
}

struct NoLeaf;

#[action]
fn strike(_: &mut Npc, _force: u32) {}

fn main() {
    let _ = tree! { for Npc: sequence { by_value, returns_a_number, takes_more } };
    let _ = tree! { for Npc: sequence { strike, NoLeaf, 3 + 4, (3 + 4) } };
}
