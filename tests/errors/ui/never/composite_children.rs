// # Number of children of a composite
// A composite of your own declares how many children it takes, and can explain it in a note.
use bt_core::composite::{ChildCount, Children};
use bt_core::composite::{Composed, compose};
use bt_core::prelude::*;

struct First;

#[composite(children = 2..=3)]
impl<C: ?Sized> Composite<C> for First {
    fn tick(&self, children: &mut impl Children<C>, _: &mut (), _: &mut (), ctx: &mut C) -> Status {
        children.tick(0, ctx)
    }
}

fn first<L>(children: L) -> Composed<First, L> {
    compose(First, children)
}

struct Recovery;

#[composite]
impl<C: ?Sized> Composite<C> for Recovery {
    const CHILDREN: ChildCount = ChildCount::exactly(2).note("the first child is the task, the second recovers from its failure");
    fn tick(&self, children: &mut impl Children<C>, _: &mut (), _: &mut (), ctx: &mut C) -> Status {
        children.tick(0, ctx)
    }
}

fn recovery<L>(children: L) -> Composed<Recovery, L> {
    compose(Recovery, children)
}

fn main() {
    let _ = tree! { for (): first { run } };
    let _ = tree! { for (): sequence { succeed, recovery { run, run, run } } };
}
