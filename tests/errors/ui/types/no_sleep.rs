// # A node written by hand without `Sleep`
// Most nodes have an empty impl: they are ticked in every tick while they run.
use bt_core::describe::{Kind, Visitor};
use bt_core::prelude::*;
use bt_core::{NodeState, StateVisitor, Step, Visit};

struct Twice;

impl NodeShape for Twice {
    type Open = u8;
    type Kept = ();

    fn walk(&self, at: NodeId, state: NodeState<'_, u8, ()>, visitor: &mut dyn StateVisitor) {
        state.visit(at, visitor);
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        visitor.leaf::<Self>(Kind::Action, "twice", &[]);
    }
}

impl Node<u32> for Twice {
    fn start<O: Observer>(&self, _: NodeId, (): &mut (), _: &mut Visit<'_, u32, O>) -> Step<u8> {
        Step::Running(2)
    }

    fn resume<O: Observer>(&self, _: NodeId, left: &mut u8, (): &mut (), _: &mut Visit<'_, u32, O>) -> Step<()> {
        *left -= 1;
        if *left == 0 { Step::Done(Outcome::Success) } else { Step::Running(()) }
    }

    fn halt_run<O: Observer>(&self, _: NodeId, _: &mut u8, (): &mut (), _: &mut Visit<'_, u32, O>) {}
}

fn main() {}
