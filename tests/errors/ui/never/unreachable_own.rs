// # An unreachable child of a composite of your own
// `const RETURNS` states after which status the composite continues.
use bt_core::composite::{Children, Returns};
use bt_core::prelude::*;

struct Steps;

#[composite]
impl<C: ?Sized> Composite<C> for Steps {
    const RETURNS: Returns = Returns::InOrder(Outcomes::SUCCESS);

    fn tick(&self, children: &mut impl Children<C>, _: &mut (), _: &mut (), ctx: &mut C) -> Status {
        for child in 0..children.len() {
            match children.tick(child, ctx) {
                Status::Success => {}
                other => return other,
            }
        }
        Status::Success
    }
}

fn steps<L>(children: L) -> Composed<Steps, L> {
    compose(Steps, children)
}

fn main() {
    let _ = tree! { for (): steps { fail, succeed } };
}
