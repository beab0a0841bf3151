// # A child without a bound
// The type of a child that a function receives has the bound `Node`.
use bt_core::prelude::*;

struct Npc;

fn near(_: &Npc) -> bool {
    true
}

#[subtree]
fn guarded<N>(child: N) -> impl Node<Npc> {
    tree! { sequence { near, child } }
}

#[subtree]
fn copied(child: impl Copy) -> impl Node<Npc> {
    tree! { sequence { near, child } }
}

fn main() {
    let _ = (guarded(near), copied(3));
}
