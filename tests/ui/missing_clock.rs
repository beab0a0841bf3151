use bt_core::prelude::*;

struct Npc;

#[subtree]
fn npc() -> impl Node<Npc> {
    tree! { sequence { wait(secs(1)), timeout(secs(5)) { run } } }
}

fn main() {
    npc();
}
