// # An endless loop
// Use a child that can end the loop, or use `repeat` for an intentionally endless loop.
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
