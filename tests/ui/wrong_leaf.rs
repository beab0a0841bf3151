use bt_core::prelude::*;

struct Npc;

fn by_value(_: Npc) -> bool {
    true
}

fn answers_a_number(_: &mut Npc) -> u32 {
    3
}

#[action]
fn strike(_: &mut Npc, _force: u32) {}

fn main() {
    let _ = tree! { for Npc: sequence { by_value, answers_a_number, strike, 3 + 4, (3 + 4) } };
}
