// # Use of a generic function
// A tree that uses the function is checked with the parameters of that use.
use bt_core::prelude::*;

struct Npc;

// Always succeeds.
fn dream(_: &mut Npc) {}

fn near(_: &Npc) -> bool {
    true
}

fn first<N: Node<Npc>>(child: N) -> impl Node<Npc> {
    tree! { for Npc: selector { child, dream } }
}

fn main() {
    let _ = tree! { for Npc: selector { first(fail()), near } };
    let _ = tree! { for Npc: sequence { first(run()), near } };
    let _ = tree! { for Npc: retry(3) { first(succeed()) } };
}
