// # A context without a random number generator
// Random composites use the generator of the context. Implement `Random` for it.
use bt_core::prelude::*;

struct Npc;

#[subtree]
fn npc() -> impl Node<Npc> {
    tree! { random_selector { succeed, 3 => fail } }
}

fn main() {
    npc();
}
