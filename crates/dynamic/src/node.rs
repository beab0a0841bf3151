//! `Node` for what has a version of a loaded tree.

use bt_core::describe::Visitor;
use bt_core::engine::Facts;
use bt_core::{ContextOf, Contexts, Outcomes};

use crate::tree::LoadedTreeOf;
use crate::version::Form as _;

/// Implements `NodeShape` and `Node` for a node whose present tree is this `Option` of a [`Form`](crate::version::Form). Before its first tree, the node is
/// running and sleeps until an event. The members of `NodeShape` that follow are its own.
macro_rules! node_of_versions {
    (
        $node:ty, [$($shape:tt)+], over $family:ty: $ctx:ty, [$($over:tt)+], |$this:ident| $present:expr;
        $($own:tt)+
    ) => {
        impl<$($shape)+> bt_core::NodeShape for $node {
            type Open = ();
            type Kept = $crate::LoadedMemory;
            const COUNT: Option<u32> = None;

            $($own)+

            fn count(&self) -> u32 {
                let $this = self;
                let Some(present) = $present else { return 1 };
                $crate::flat::op::index(present.version().flat.owners.len())
            }

            #[inline(always)]
            fn cleans_up(&self, kept: &Self::Kept) -> bool {
                kept.cleans_up
            }

            fn walk(
                &self, at: bt_core::NodeId, state: bt_core::protocol::NodeState<'_, (), Self::Kept>,
                visitor: &mut dyn bt_core::protocol::StateVisitor,
            ) {
                let $this = self;
                let Some(present) = $present else { return };
                present.version().walk_memory(at, state, visitor);
            }

            fn unsaved_leaf(&self, kept: &Self::Kept) -> Option<String> {
                let $this = self;
                $present?.version().unsaved_leaf(kept)
            }
        }

        impl<$($over)+> bt_core::Node<$ctx> for $node {
            fn start<O: bt_core::Observer>(
                &self, at: bt_core::NodeId, kept: &mut Self::Kept, visit: &mut bt_core::protocol::Visit<'_, $ctx, O>,
            ) -> bt_core::Step<()> {
                let $this = self;
                let Some(present) = $present else { return bt_core::Step::Running(()) };
                present.version().tick::<$family, O>(at, false, kept, visit).into()
            }

            fn resume<O: bt_core::Observer>(
                &self, at: bt_core::NodeId, (): &mut (), kept: &mut Self::Kept, visit: &mut bt_core::protocol::Visit<'_, $ctx, O>,
            ) -> bt_core::Step<()> {
                let $this = self;
                let Some(present) = $present else { return bt_core::Step::Running(()) };
                present.version().tick::<$family, O>(at, true, kept, visit).into()
            }

            fn open_replaced(
                &self, at: bt_core::NodeId, kept: &mut Self::Kept, visit: &mut bt_core::protocol::Visit<'_, $ctx, ()>,
            ) -> Option<()> {
                let $this = self;
                let Some(present) = $present else { return Some(()) };
                present.version().open_replaced::<$family>(at, kept, visit.ctx).then_some(())
            }

            fn interrupt<O: bt_core::Observer>(
                &self, at: bt_core::NodeId, (): &mut (), kept: &mut Self::Kept, how: bt_core::protocol::Interrupt,
                visit: &mut bt_core::protocol::Visit<'_, $ctx, O>,
            ) {
                let $this = self;
                let Some(present) = $present else { return };
                present.version().interrupt::<$family, O>(at, kept, how, visit);
            }

            fn visit_cleanups<O: bt_core::Observer>(
                &self, at: bt_core::NodeId, kept: &mut Self::Kept, how: bt_core::CleanUp,
                visit: &mut bt_core::protocol::Visit<'_, $ctx, O>,
            ) {
                let $this = self;
                let Some(present) = $present else { return };
                present.version().clean_up::<$family>(at, kept, how, visit.ctx, bt_core::engine::as_dyn(visit.observer));
            }

            fn wake_cleanups(&self, kept: &Self::Kept, visit: &mut bt_core::protocol::WakeVisit<'_, $ctx>) -> bt_core::Wake {
                let $this = self;
                let Some(present) = $present else { return bt_core::Wake::Event };
                present.version().wake_cleanups::<$family>(kept, visit)
            }

            fn wake(&self, (): &(), kept: &Self::Kept, visit: &mut bt_core::protocol::WakeVisit<'_, $ctx>) -> bt_core::Wake {
                let $this = self;
                let Some(present) = $present else { return bt_core::Wake::Event };
                present.version().wake::<$family>(kept, visit)
            }

            fn foresee(&self, kept: &Self::Kept, ctx: &mut $ctx, event: bool) -> bt_core::protocol::Foreseen {
                let $this = self;
                $present?.version().foresee::<$family>(kept, ctx, event)
            }
        }
    };
}

pub(crate) use node_of_versions;

node_of_versions! {
    LoadedTreeOf<F>, [F: Contexts], over F: ContextOf<'x, 'y, F>, ['x, 'y, F: Contexts], |this| Some(this);

    const RETURNS: Outcomes = Outcomes::ANY;
    // Each file can have a `finally`.
    const FACTS: Facts = Facts::leaf(Outcomes::ANY).and_cleans_up(true);

    fn describe(&self, visitor: &mut dyn Visitor) {
        self.version.describe(visitor);
    }
}
