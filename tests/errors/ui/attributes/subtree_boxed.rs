// # A subtree that returns a trait object
// `Node` cannot be used as a trait object. A [`BoxNode`](crate::BoxNode) can hold any node over its context.
use bt_core::prelude::*;

struct Npc;

fn near(_: &Npc) -> bool {
    true
}

#[subtree]
fn guard() -> Box<dyn Node<Npc>> {
    tree! { sequence { near, run } }
}

fn main() {
    let _ = tree! { for Npc: selector { guard, near } };
}
