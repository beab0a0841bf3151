// # A context without a generator
// Random composites draw with a generator of the context: implement `Random` for it.
use bt_core::prelude::*;

struct Npc;

#[subtree]
fn npc() -> impl Node<Npc> {
    tree! { random_selector { succeed, 3 => fail } }
}

fn main() {
    npc();
}
