// # In a generic function
// A mistake that depends on a parameter of the function is not reported, since the function's user cannot fix it. All other mistakes are.
use bt_core::prelude::*;

struct Npc;

// Always succeeds.
fn dream(_: &mut Npc) {}

fn near(_: &Npc) -> bool {
    true
}

fn stubborn<N: Node<Npc>>(child: N) -> impl Node<Npc> {
    tree! { for Npc: sequence { retry(3) { child }, retry(5) { dream } } }
}

fn either<N: Node<Npc>>(child: N) -> impl Node<Npc> {
    tree! { for Npc: selector { child, dream, near } }
}

fn main() {
    let _ = stubborn(run());
    let _ = either(run());
}
