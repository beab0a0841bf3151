// # An unreachable child of a composite of your own
// A composite states with `CompositeShape::RETURNS` how its statuses follow from those of its children. With `InOrder`, a child that never returns
// that status makes those after it unreachable.
use bt_core::Outcomes;
use bt_core::composite::{Children, Composed, Returns, compose};
use bt_core::prelude::*;

struct Steps;

#[composite]
impl<C: ?Sized> Composite<C> for Steps {
    const RETURNS: Returns = Returns::InOrder(Outcomes::SUCCESS);

    fn tick(&self, children: &mut impl Children<C>, _: &mut (), _: &mut (), ctx: &mut C) -> Status {
        let mut statuses = (0..children.len()).map(|child| children.tick(child, ctx));
        statuses.find(|status| *status != Status::Success).unwrap_or(Status::Success)
    }
}

fn steps<L>(children: L) -> Composed<Steps, L> {
    compose(Steps, children)
}

fn near(_: &()) -> bool {
    true
}

fn walk(_: &mut ()) -> Status {
    Status::Running
}

fn main() {
    let _ = tree! { for (): steps { near, fail, walk } };
    let _ = tree! { for (): selector { near, steps { near, !succeed, sequence { near, walk } } } };
    let _ = tree! { for (): steps { near, steps { fail, walk } } };
    let _ = tree! { for (): steps { near, #[expect(unreachable)] walk } };
    let _ = tree! { for (): steps { fail, #[expect(unreachable)] walk, #[allow(unreachable)] sequence { near, walk } } };
}
