// # An unused `#[expect(…)]`
// As in rustc, an unused `#[expect(…)]` is reported, and an unused `#[allow(…)]` is not.
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
    let _ = tree! { for Npc: selector { near, #[expect(unreachable)] attack } };
    let _ = tree! { for Npc: #[expect(endless)] until_success { near } };
    let _ = tree! { for Npc: #[expect(pointless)] !near };
    let _ = tree! { for Npc: #[expect(threshold)] parallel(success = one) { attack, attack } };
    let _ = tree! { for Npc: machine { state a { attack, #[expect(unreachable)] near -> b } state b { near } } };
    let _ = tree! { for Npc: machine { state a { attack, near -> b } #[expect(unreachable)] state b { near } } };
}
