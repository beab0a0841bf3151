//! `Node` for a loaded tree.

use bt_core::describe::Visitor;
use bt_core::engine::{DynObserver, as_dyn};
use bt_core::{
    ContextOf, Contexts, End, Foreseen, Node, NodeId, NodeShape, NodeState, Observer, Outcomes, StateVisitor, Status,
    Step, Visit, Wake, WakeVisit,
};

use crate::answers::Answers;
use crate::engine::run::Run;
use crate::flat::code::{Cursor, NO_STEP, Reached};
use crate::flat::host::Host;
use crate::flat::memory::LoadedMemory;
use crate::flat::op::index;
use crate::owner::MemoryOwner;
use crate::tree::LoadedTreeOf;
use crate::wake::Sleeping;

impl<F: Contexts> NodeShape for LoadedTreeOf<F> {
    type Open = ();
    type Kept = LoadedMemory;
    const RETURNS: Outcomes = Outcomes::ANY;
    const COUNT: Option<u32> = None;

    fn count(&self) -> u32 {
        index(self.flat.owners.len())
    }

    fn walk(&self, at: NodeId, state: NodeState<'_, (), LoadedMemory>, visitor: &mut dyn StateVisitor) {
        self.walk_memory(at, state, visitor);
    }

    fn unsaved_leaf(&self, kept: &LoadedMemory) -> Option<String> {
        let is_of_this = matches!(self.owner_of(kept), MemoryOwner::This);
        is_of_this.then(|| self.flat.unsaved_leaf(kept, &self.parts)).flatten().map(str::to_owned)
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        self.flat.show(0, &self.parts, &mut &*self.flat.warnings, visitor);
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
        let is_ready = memory.ready == self.flat.ready(open);
        // Until the end of the tick.
        memory.ready = 0;
        is_ready || self.take(at, memory, open, ctx)
    }

    /// Converts a memory that is not known to fit.
    #[cold]
    fn take(&self, at: NodeId, memory: &mut LoadedMemory, open: bool, ctx: &mut ContextOf<'_, '_, F>) -> bool {
        let resumes = match self.owner_of(memory) {
            MemoryOwner::This => {
                self.flat.places.repair(open, &mut memory.words);
                true
            }
            MemoryOwner::Before(before) => {
                let migrated = before.take_over(self, at, open, memory, ctx);
                open && !migrated.starts_afresh
            }
            MemoryOwner::Unknown => {
                *memory = self.flat.new_memory();
                false
            }
        };
        memory.version = self.flat.version;
        memory.structure = self.flat.structure;
        memory.loaded = false;
        memory.error = None;
        resumes
    }

    /// Ticks a memory, without an observer.
    #[inline(never)]
    fn tick_alone(
        &self,
        at: NodeId,
        is_running: bool,
        kept: &mut LoadedMemory,
        ctx: &mut ContextOf<'_, '_, F>,
    ) -> Status {
        let opening = !self.claim(at, kept, is_running, ctx) || !is_running;
        let Self { flat, parts, .. } = self;
        let host = &mut Answers::new(parts, ctx);
        // Most trees have a sequence or selector at the root. The engine does not have to ask anything for it.
        let Some(next) = flat.entry else {
            let status = Run::new(flat, parts, at, kept, &mut ()).tick(opening, host);
            kept.ticked(flat, status == Status::Running);
            return status;
        };
        let running = if opening { NO_STEP } else { u32::try_from(kept.words[0]).unwrap_or(NO_STEP) };
        let mut cursor = Cursor { next, running };
        let status = match host.run_code(&flat.code, &mut kept.slots, at, &mut cursor) {
            Reached::Done(status) => status,
            reached => Run::new(flat, parts, at, kept, &mut ()).tick_from(reached, &mut cursor, host),
        };
        kept.words[0] = cursor.running.into();
        kept.ticked(flat, status == Status::Running);
        status
    }

    /// Ticks a memory, with an observer.
    fn tick_observed(
        &self,
        at: NodeId,
        is_running: bool,
        kept: &mut LoadedMemory,
        ctx: &mut ContextOf<'_, '_, F>,
        observer: &mut dyn DynObserver,
    ) -> Status {
        let opening = !self.claim(at, kept, is_running, ctx) || !is_running;
        // The run was lost with the tree of the memory.
        if opening && is_running {
            observer.close(at, End::Halted);
            observer.open(at);
        }
        let Self { flat, parts, .. } = self;
        let host = &mut Answers::new(parts, ctx);
        let status = Run::new(flat, parts, at, kept, &mut ()).tick_observed(opening, host, observer);
        kept.ticked(flat, status == Status::Running);
        status
    }
}

impl<F: Contexts> Node<ContextOf<'_, '_, F>> for LoadedTreeOf<F> {
    fn start<O: Observer>(
        &self,
        at: NodeId,
        kept: &mut LoadedMemory,
        visit: &mut Visit<'_, ContextOf<'_, '_, F>, O>,
    ) -> Step<()> {
        match as_dyn(visit.observer) {
            None => self.tick_alone(at, false, kept, visit.ctx).into(),
            Some(observer) => self.tick_observed(at, false, kept, visit.ctx, observer).into(),
        }
    }

    fn resume<O: Observer>(
        &self,
        at: NodeId,
        (): &mut (),
        kept: &mut LoadedMemory,
        visit: &mut Visit<'_, ContextOf<'_, '_, F>, O>,
    ) -> Step<()> {
        match as_dyn(visit.observer) {
            None => self.tick_alone(at, true, kept, visit.ctx).into(),
            Some(observer) => self.tick_observed(at, true, kept, visit.ctx, observer).into(),
        }
    }

    fn open_replaced(
        &self,
        at: NodeId,
        kept: &mut LoadedMemory,
        visit: &mut Visit<'_, ContextOf<'_, '_, F>, ()>,
    ) -> Option<()> {
        self.claim(at, kept, false, visit.ctx);
        let host = &mut Answers::new(&self.parts, visit.ctx);
        let is_open = Run::new(&self.flat, &self.parts, at, kept, &mut ()).open_replaced_root(host);
        kept.ticked(&self.flat, is_open);
        is_open.then_some(())
    }

    fn halt_run<O: Observer>(
        &self,
        at: NodeId,
        (): &mut (),
        kept: &mut LoadedMemory,
        visit: &mut Visit<'_, ContextOf<'_, '_, F>, O>,
    ) {
        if !self.claim(at, kept, true, visit.ctx) {
            return;
        }
        let Self { flat, parts, .. } = self;
        let host = &mut Answers::new(parts, visit.ctx);
        Run::new(flat, parts, at, kept, &mut ()).halt_root(host, as_dyn(visit.observer));
        kept.ticked(flat, false);
    }

    fn wake(&self, (): &(), kept: &LoadedMemory, visit: &mut WakeVisit<'_, ContextOf<'_, '_, F>>) -> Wake {
        let host = &mut Answers { parts: &self.parts, visit: visit.part(|ctx| ctx) };
        self.sleeping(kept, host).map_or(Wake::Next, |mut sleeping| sleeping.running(0))
    }

    fn foresee(&self, kept: &LoadedMemory, ctx: &mut ContextOf<'_, '_, F>, event: bool) -> Foreseen {
        let host = &mut Answers::new(&self.parts, ctx);
        let mut sleeping = self.sleeping(kept, host)?;
        sleeping.event = event;
        sleeping.foresee(0)
    }
}

impl<F: Contexts> LoadedTreeOf<F> {
    /// Returns the tree with a memory; `None` if the memory is converted to this tree in the next tick.
    fn sleeping<'a>(&'a self, memory: &'a LoadedMemory, host: &'a mut dyn Host) -> Option<Sleeping<'a>> {
        let is_own = !memory.loaded && matches!(self.owner_of(memory), MemoryOwner::This);
        is_own.then_some(Sleeping { flat: &self.flat, shapes: &self.parts, memory, host, event: false })
    }
}
