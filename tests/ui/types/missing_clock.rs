// # A context without a clock
// `wait`, `timeout` and the like ask the context for the time: implement `Clock` for it.
use bt_core::prelude::*;

struct Npc;

#[subtree]
fn npc() -> impl Node<Npc> {
    tree! { sequence { wait(secs(1)), timeout(secs(5)) { run } } }
}

fn main() {
    npc();
}
