// # A context without a clock
// Keywords such as `wait` and `timeout` read the time from the context. Implement `Clock` for it.
use bt_core::prelude::*;

struct Npc;

#[subtree]
fn npc() -> impl Node<Npc> {
    tree! { sequence { wait(secs(1)), timeout(secs(5)) { run } } }
}

fn main() {
    npc();
}
