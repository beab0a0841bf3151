// # Leaves over another context
// A tree has one context type, which applies to its subtrees too.
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
