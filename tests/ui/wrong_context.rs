use bt_core::prelude::*;

struct Npc;
struct Guard;

fn near(_: &Guard) -> bool {
    true
}

#[action]
fn strike(_: &mut Guard, _force: u32) {}

#[subtree]
fn npc() -> impl Node<Npc> {
    tree! { sequence { near, strike(3) } }
}

fn main() {
    npc();
}
