// # An unreachable threshold
// Only written thresholds are checked. By default, all children must succeed, or one must fail.
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
