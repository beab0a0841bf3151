//! `Node` for a loaded tree.

use bt_core::describe::Visitor;
use bt_core::{
    End, Foreseen, Node, NodeId, NodeShape, NodeState, Observer, Outcomes, Sleep, StateVisitor, Step, Visit, Wake,
    WakeVisit,
};

use crate::memory::DynMemory;
use crate::owner::MemoryOwner;
use crate::run::Run;
use crate::tree::{DynTreeOf, index};
use bt_core::{ContextOf, Contexts};

impl<F: Contexts> NodeShape for DynTreeOf<F> {
    type Open = ();
    type Kept = DynMemory;
    const CAN: Outcomes = Outcomes::ANY;
    const COUNT: Option<u32> = None;

    fn count(&self) -> u32 {
        index(self.owners.len())
    }

    fn walk(&self, at: NodeId, state: NodeState<'_, (), DynMemory>, visitor: &mut dyn StateVisitor) {
        self.walk_memory(at, state, visitor);
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        self.show(0, visitor);
    }
}

impl<F: Contexts> DynTreeOf<F> {
    /// Converts a memory to this tree: it may be new, loaded, or belong to a previous tree. Returns `true` if its run can be resumed. Halts nodes that cannot be resumed, if their
    /// tree is known.
    #[inline]
    pub(crate) fn claim(&self, at: NodeId, memory: &mut DynMemory, open: bool, ctx: &mut ContextOf<'_, '_, F>) -> bool {
        if self.fits(memory) && memory.version == self.version && !memory.loaded && memory.error.is_none() {
            return true;
        }
        self.take(at, memory, open, ctx)
    }

    /// Converts a memory of another tree, or one with an error.
    #[cold]
    fn take(&self, at: NodeId, memory: &mut DynMemory, open: bool, ctx: &mut ContextOf<'_, '_, F>) -> bool {
        let resumes = match self.owner_of(memory) {
            MemoryOwner::This => true,
            MemoryOwner::Before(before) => before.take_over(self, at, open, memory, ctx),
            MemoryOwner::Unknown => {
                *memory = self.new_memory();
                false
            }
        };
        memory.version = self.version;
        memory.structure = self.structure;
        memory.loaded = false;
        memory.error = None;
        resumes
    }
}

impl<F: Contexts> Sleep<ContextOf<'_, '_, F>> for DynTreeOf<F> {
    const SLEEPS: bool = true;

    fn wake(&self, (): &(), kept: &DynMemory, visit: &mut WakeVisit<'_, ContextOf<'_, '_, F>>) -> Wake {
        self.wake_running(kept, visit)
    }

    fn foresee(&self, kept: &DynMemory, ctx: &mut ContextOf<'_, '_, F>, event: bool) -> Foreseen {
        self.foresee_start(kept, ctx, event)
    }
}

impl<F: Contexts> Node<ContextOf<'_, '_, F>> for DynTreeOf<F> {
    fn start<O: Observer>(
        &self,
        at: NodeId,
        kept: &mut DynMemory,
        visit: &mut Visit<'_, ContextOf<'_, '_, F>, O>,
    ) -> Step<()> {
        self.claim(at, kept, false, visit.ctx);
        Run::new(self, at, kept, visit.observer).start(visit.ctx).into()
    }

    fn resume<O: Observer>(
        &self,
        at: NodeId,
        (): &mut (),
        kept: &mut DynMemory,
        visit: &mut Visit<'_, ContextOf<'_, '_, F>, O>,
    ) -> Step<()> {
        if self.claim(at, kept, true, visit.ctx) {
            return Run::new(self, at, kept, visit.observer).resume(visit.ctx).into();
        }
        // The run was lost with the tree of the memory.
        if O::ON {
            visit.observer.close(at, End::Halted);
            visit.observer.open(at);
        }
        Run::new(self, at, kept, visit.observer).start(visit.ctx).into()
    }

    fn stand_in(
        &self,
        at: NodeId,
        kept: &mut DynMemory,
        visit: &mut Visit<'_, ContextOf<'_, '_, F>, ()>,
    ) -> Option<()> {
        self.claim(at, kept, false, visit.ctx);
        Run::new(self, at, kept, &mut ()).stand_in_for_root(visit.ctx).then_some(())
    }

    fn interrupt<O: Observer>(
        &self,
        at: NodeId,
        (): &mut (),
        kept: &mut DynMemory,
        visit: &mut Visit<'_, ContextOf<'_, '_, F>, O>,
    ) {
        if self.claim(at, kept, true, visit.ctx) {
            Run::new(self, at, kept, visit.observer).interrupt(visit.ctx);
        }
    }
}
