// # A loop that nothing can end
// Give it a child that can end it, or `repeat` it if it shall go on for ever.
use bt_core::prelude::*;

struct Npc;

fn near(_: &Npc) -> bool {
    true
}

// Always succeeds.
fn dream(_: &mut Npc) {}

fn attack(_: &mut Npc) -> Status {
    Status::Running
}

fn main() {
    let _ = tree! { for Npc: until_failure { dream } };
    let _ = tree! { for Npc: until_success { !dream } };
    let _ = tree! { for Npc: wait_until { mem_sequence { near, run } } };
}
