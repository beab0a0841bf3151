// # Leaves over another context
// A tree has one context type. A subtree over another one does not fit either.
use bt_core::prelude::*;

struct Npc;
struct Guard;

fn near(_: &Guard) -> bool {
    true
}

#[action]
fn strike(_: &mut Guard, _force: u32) {}

#[subtree]
fn guard() -> impl Node<Guard> {
    tree! { near }
}

#[subtree]
fn npc() -> impl Node<Npc> {
    tree! { sequence { near, strike(3), guard } }
}

fn main() {
    npc();
}
