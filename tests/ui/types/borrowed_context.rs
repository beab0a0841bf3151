// # A generic plain function in a tree over a context that borrows
// It is fixed at one lifetime: with `#[condition]` or `#[action]` it fits all.
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
