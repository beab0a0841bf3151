// # What is no decorator
// A decorator of your own is a function that takes the arguments and then the child, and gives a node; its policy has to be one over the
// tree's context.
use bt_core::prelude::*;

struct Npc;
struct Guard;
struct Patient;

#[decorator]
impl Decorator<Guard> for Patient {}

fn patient<N>(child: N) -> Decorated<Patient, N> {
    decorate(Patient, child)
}

fn a_number<N>(_child: N) -> u32 {
    3
}

#[subtree]
fn npc() -> impl Node<Npc> {
    tree! { sequence { patient { succeed }, a_number { succeed } } }
}

fn main() {
    npc();
}
