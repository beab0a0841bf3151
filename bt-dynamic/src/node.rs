//! `Node` for a loaded tree.

use bt_core::describe::Visitor;
use bt_core::{
    End, Foreseen, Node, NodeId, NodeShape, NodeState, Observer, Outcomes, StateVisitor, Step, Visit, Wake, WakeVisit,
};

use crate::memory::LoadedMemory;
use crate::op::index;
use crate::owner::MemoryOwner;
use crate::run::Run;
use crate::tree::LoadedTreeOf;
use bt_core::{ContextOf, Contexts};

impl<F: Contexts> NodeShape for LoadedTreeOf<F> {
    type Open = ();
    type Kept = LoadedMemory;
    const RETURNS: Outcomes = Outcomes::ANY;
    const COUNT: Option<u32> = None;

    fn count(&self) -> u32 {
        index(self.owners.len())
    }

    fn walk(&self, at: NodeId, state: NodeState<'_, (), LoadedMemory>, visitor: &mut dyn StateVisitor) {
        self.walk_memory(at, state, visitor);
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        self.show(0, &mut &*self.warnings, visitor);
    }
}

impl<F: Contexts> LoadedTreeOf<F> {
    /// Converts a memory to this tree: it may be new, loaded, or belong to a previous tree. Returns `true` if its run can be resumed. Halts nodes that cannot be resumed, if their
    /// tree is known.
    #[inline]
    pub(crate) fn claim(
        &self,
        at: NodeId,
        memory: &mut LoadedMemory,
        open: bool,
        ctx: &mut ContextOf<'_, '_, F>,
    ) -> bool {
        if self.fits(memory) && memory.version == self.version && !memory.loaded && memory.error.is_none() {
            return true;
        }
        self.take(at, memory, open, ctx)
    }

    /// Converts a memory of another tree, or one with an error.
    #[cold]
    fn take(&self, at: NodeId, memory: &mut LoadedMemory, open: bool, ctx: &mut ContextOf<'_, '_, F>) -> bool {
        let resumes = match self.owner_of(memory) {
            MemoryOwner::This => {
                self.places.repair(&mut memory.words);
                true
            }
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

impl<F: Contexts> Node<ContextOf<'_, '_, F>> for LoadedTreeOf<F> {
    fn start<O: Observer>(
        &self,
        at: NodeId,
        kept: &mut LoadedMemory,
        visit: &mut Visit<'_, ContextOf<'_, '_, F>, O>,
    ) -> Step<()> {
        self.claim(at, kept, false, visit.ctx);
        Run::new(self, at, kept, visit.observer).start(visit.ctx).into()
    }

    fn resume<O: Observer>(
        &self,
        at: NodeId,
        (): &mut (),
        kept: &mut LoadedMemory,
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

    fn open_replaced(
        &self,
        at: NodeId,
        kept: &mut LoadedMemory,
        visit: &mut Visit<'_, ContextOf<'_, '_, F>, ()>,
    ) -> Option<()> {
        self.claim(at, kept, false, visit.ctx);
        Run::new(self, at, kept, &mut ()).open_replaced_root(visit.ctx).then_some(())
    }

    fn halt_run<O: Observer>(
        &self,
        at: NodeId,
        (): &mut (),
        kept: &mut LoadedMemory,
        visit: &mut Visit<'_, ContextOf<'_, '_, F>, O>,
    ) {
        if self.claim(at, kept, true, visit.ctx) {
            Run::new(self, at, kept, visit.observer).halt_root(visit.ctx);
        }
    }

    fn wake(&self, (): &(), kept: &LoadedMemory, visit: &mut WakeVisit<'_, ContextOf<'_, '_, F>>) -> Wake {
        self.wake_running(kept, visit)
    }

    fn foresee(&self, kept: &LoadedMemory, ctx: &mut ContextOf<'_, '_, F>, event: bool) -> Foreseen {
        self.foresee_start(kept, ctx, event)
    }
}
