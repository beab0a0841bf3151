// # An invalid composite
// A composite of your own is a function that takes its arguments and a list of children, and returns a node. Its rule must implement `Composite` for the
// context of the tree. A decorator takes one child. If a child has an expression before it, all children have one.
use bt_core::composite::Children;
use bt_core::decorator::{Decorated, decorate};
use bt_core::composite::{Composed, compose};
use bt_core::prelude::*;

struct Npc;
struct Guard;
struct Patient;
struct First;

#[decorator]
impl<C: ?Sized> Decorator<C> for Patient {}

fn patient<N>(child: N) -> Decorated<Patient, N> {
    decorate(Patient, child)
}

#[composite]
impl Composite<Guard> for First {
    fn tick(&self, children: &mut impl Children<Guard>, _: &mut (), _: &mut (), guard: &mut Guard) -> Status {
        children.tick(0, guard)
    }
}

fn first<L>(children: L) -> Composed<First, L> {
    compose(First, children)
}

fn main() {
    let _ = tree! { for Npc: patient { succeed, fail } };
    let _ = tree! { for Npc: first { succeed, fail } };
    let _ = tree! { for Npc: first { 3 => succeed, fail } };
    let _ = tree! { for Npc: first {} };
    let _ = tree! { for Npc: second { succeed, fail } };
}
