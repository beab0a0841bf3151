// # Errors in a composite
// `#[composite]` is written before `impl Composite<Context> for Type`, with the number of children if it is limited.
use bt_core::composite::Children;
use bt_core::prelude::*;

struct First;
struct Second;
struct Third;
struct Fourth;

#[composite(child = 2)]
impl<C: ?Sized> Composite<C> for First {
    fn tick(&self, children: &mut impl Children<C>, _: &mut (), _: &mut (), ctx: &mut C) -> Status {
        children.tick(0, ctx)
    }
}

#[composite(children = 2..4)]
impl<C: ?Sized> Composite<C> for Second {
    fn tick(&self, children: &mut impl Children<C>, _: &mut (), _: &mut (), ctx: &mut C) -> Status {
        children.tick(0, ctx)
    }
}

#[composite]
impl<C: ?Sized> Decorator<C> for Third {}

#[composite]
fn fourth() {}

#[decorator(children = 2)]
impl<C: ?Sized> Decorator<C> for Fourth {}

fn main() {}
