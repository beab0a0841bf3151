// # A threshold out of reach
// Only thresholds that are written are looked at: by default all have to succeed and one to fail.
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
    let _ = tree! { for Npc: parallel(success = 2) { attack, run, run } };
    let _ = tree! { for Npc: mem_parallel(failure = one) { dream, run } };
}
