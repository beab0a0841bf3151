// # An `#[allow(…)]` where nothing is wrong
// Then it would hide the next mistake.
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
    let _ = tree! { for Npc: selector { near, #[allow(unreachable)] attack } };
    let _ = tree! { for Npc: #[allow(endless)] until_success { near } };
    let _ = tree! { for Npc: #[allow(pointless)] !near };
    let _ = tree! { for Npc: #[allow(threshold)] parallel(success = one) { attack, attack } };
}
