// # A node over one lifetime in a tree over a context that borrows
// A tree over `Ctx<'_>` is for every lifetime. A subtree that is generic over its context, and a box, are for one lifetime.
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

#[condition]
fn low<C: Health>(ctx: &C) -> bool {
    ctx.health() < 3
}

#[subtree]
fn flee<C: Health>() -> impl Node<C> {
    tree! { low }
}

#[subtree]
fn npc() -> impl Node<Ctx<'_>> {
    tree! {
        selector {
            low,
            flee(),
            flee,
            boxed(flee()),
        }
    }
}

fn main() {
    npc();
}
