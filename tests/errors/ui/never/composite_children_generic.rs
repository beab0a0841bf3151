// # Number of children of a composite in a generic function
// The number of children does not depend on the parameter, so it is checked there as well.
use bt_core::composite::Children;
use bt_core::composite::{Composed, compose};
use bt_core::prelude::*;

struct First;

#[composite(children = 2)]
impl<C: ?Sized> Composite<C> for First {
    fn tick(&self, children: &mut impl Children<C>, _: &mut (), _: &mut (), ctx: &mut C) -> Status {
        children.tick(0, ctx)
    }
}

fn first<L>(children: L) -> Composed<First, L> {
    compose(First, children)
}

fn generic<N: Node<()>>(child: N) -> impl Node<()> {
    tree! { for (): first { child } }
}

fn main() {
    let _ = generic(run());
}
