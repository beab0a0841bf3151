// # A generic function in a tree over a borrowing context
// A generic plain function is instantiated for one lifetime. With `#[condition]` or `#[action]` it works for all lifetimes.
use bt_core::prelude::*;

trait Health {
    fn health(&self) -> u32;
}

struct Ctx<'w>(&'w u32);

impl Health for Ctx<'_> {
    fn health(&self) -> u32 {
        *self.0
    }
}

fn low<C: Health>(ctx: &C) -> bool {
    ctx.health() < 3
}

#[subtree]
fn npc() -> impl Node<Ctx<'_>> {
    tree! { low }
}

fn main() {
    npc();
}
