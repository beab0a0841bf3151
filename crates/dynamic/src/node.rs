//! `Node` for a loaded tree.

use bt_core::describe::Visitor;
use bt_core::engine::{Facts, as_dyn};
use bt_core::{
    CleanUp, ContextOf, Contexts, Node, NodeId, NodeShape, Observer, Outcomes, Step, Wake,
    protocol::{Foreseen, Interrupt, NodeState, StateVisitor, Visit, WakeVisit},
};

use crate::flat::memory::LoadedMemory;
use crate::flat::op::index;
use crate::tree::LoadedTreeOf;

impl<F: Contexts> NodeShape for LoadedTreeOf<F> {
    type Open = ();
    type Kept = LoadedMemory;
    const RETURNS: Outcomes = Outcomes::ANY;
    // Each file can have a `finally`.
    const FACTS: Facts = Facts::leaf(Outcomes::ANY).and_cleans_up(true);
    const COUNT: Option<u32> = None;

    fn count(&self) -> u32 {
        index(self.version.flat.owners.len())
    }

    #[inline(always)]
    fn cleans_up(&self, kept: &LoadedMemory) -> bool {
        kept.cleans_up
    }

    fn walk(&self, at: NodeId, state: NodeState<'_, (), LoadedMemory>, visitor: &mut dyn StateVisitor) {
        self.version.walk_memory(at, state, visitor);
    }

    fn unsaved_leaf(&self, kept: &LoadedMemory) -> Option<String> {
        self.version.unsaved_leaf(kept)
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        self.version.describe(visitor);
    }
}

impl<'x, 'y, F: Contexts> Node<ContextOf<'x, 'y, F>> for LoadedTreeOf<F> {
    fn start<O: Observer>(
        &self,
        at: NodeId,
        kept: &mut LoadedMemory,
        visit: &mut Visit<'_, ContextOf<'x, 'y, F>, O>,
    ) -> Step<()> {
        self.version.tick::<F, O>(at, false, kept, visit).into()
    }

    fn resume<O: Observer>(
        &self,
        at: NodeId,
        (): &mut (),
        kept: &mut LoadedMemory,
        visit: &mut Visit<'_, ContextOf<'x, 'y, F>, O>,
    ) -> Step<()> {
        self.version.tick::<F, O>(at, true, kept, visit).into()
    }

    fn open_replaced(
        &self,
        at: NodeId,
        kept: &mut LoadedMemory,
        visit: &mut Visit<'_, ContextOf<'x, 'y, F>, ()>,
    ) -> Option<()> {
        self.version.open_replaced::<F>(at, kept, visit.ctx).then_some(())
    }

    fn interrupt<O: Observer>(
        &self,
        at: NodeId,
        (): &mut (),
        kept: &mut LoadedMemory,
        how: Interrupt,
        visit: &mut Visit<'_, ContextOf<'x, 'y, F>, O>,
    ) {
        self.version.interrupt::<F, O>(at, kept, how, visit);
    }

    fn visit_cleanups<O: Observer>(
        &self,
        at: NodeId,
        kept: &mut LoadedMemory,
        how: CleanUp,
        visit: &mut Visit<'_, ContextOf<'x, 'y, F>, O>,
    ) {
        self.version.clean_up::<F>(at, kept, how, visit.ctx, as_dyn(visit.observer));
    }

    fn wake_cleanups(&self, kept: &LoadedMemory, visit: &mut WakeVisit<'_, ContextOf<'x, 'y, F>>) -> Wake {
        self.version.wake_cleanups::<F>(kept, visit)
    }

    fn wake(&self, (): &(), kept: &LoadedMemory, visit: &mut WakeVisit<'_, ContextOf<'x, 'y, F>>) -> Wake {
        self.version.wake::<F>(kept, visit)
    }

    fn foresee(&self, kept: &LoadedMemory, ctx: &mut ContextOf<'x, 'y, F>, event: bool) -> Foreseen {
        self.version.foresee::<F>(kept, ctx, event)
    }
}
