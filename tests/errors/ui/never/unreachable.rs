// # An unreachable child
// The type of a node determines the statuses that it can return, through any number of subtree functions. Move the child to the front, or change
// the child before it.
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

fn doze() -> impl Node<Npc> {
    tree! { for Npc: repeat(3) { dream } }
}

fn rest() -> impl Node<Npc> {
    tree! { for Npc: selector { near, doze } }
}

fn main() {
    let _ = tree! { for Npc: selector { dream, attack } };
    let _ = tree! { for Npc: mem_sequence { !dream, attack } };
    let _ = tree! { for Npc: selector { near, selector { near, rest(), attack } } };
    let _ = tree! { for Npc: selector { near, near, near, near, near, near, near, dream, near, near } };
    let _ = tree! { for Npc: parallel(success = one) { dream, attack } };
}
