// # An invalid decorator
// A decorator of your own is a function that takes its arguments and the child, and returns a node. Its policy must implement `Decorator` for the
// context of the tree.
use bt_core::decorator::{Decorated, decorate};
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
