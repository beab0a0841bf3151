//! Ticks of a memory: how it becomes one of this version of its tree first, and what the engine is called with.

use bt_core::engine::{DynObserver, as_dyn};
use bt_core::{
    Cause, CleanUp, ContextOf, Contexts, End, NodeId, Observer, Status, Wake,
    protocol::{Foreseen, Interrupt, Visit, WakeVisit},
};

use crate::answers::Answers;
use crate::answers::nodes::Nodes;
use crate::engine::run::Run;
use crate::flat::code::{Cursor, NO_STEP, Reached};
use crate::flat::host::Host;
use crate::flat::memory::LoadedMemory;
use crate::version::{Form, MemoryOwner, Version};
use crate::wake::Sleeping;

impl<T: Form> Version<T> {
    /// Converts a memory to this tree: it may be new, loaded, or belong to a previous tree. Returns `true` if its run can be resumed. Halts nodes that cannot be resumed, if their
    /// tree is known.
    #[inline]
    pub(crate) fn claim<F: Contexts>(
        &self,
        at: NodeId,
        memory: &mut LoadedMemory,
        open: bool,
        ctx: &mut ContextOf<'_, '_, F>,
    ) -> bool
    where
        T::Nodes: Nodes<F>,
    {
        let is_ready = memory.ready == self.flat.ready(open);
        // Until the end of the tick.
        memory.ready = 0;
        is_ready || self.take::<F>(at, memory, open, ctx)
    }

    /// Converts a memory that is not known to fit.
    #[cold]
    fn take<F: Contexts>(
        &self,
        at: NodeId,
        memory: &mut LoadedMemory,
        open: bool,
        ctx: &mut ContextOf<'_, '_, F>,
    ) -> bool
    where
        T::Nodes: Nodes<F>,
    {
        let resumes = match self.owner_of(memory) {
            MemoryOwner::This => {
                self.flat.repair(open, &mut memory.words);
                true
            }
            MemoryOwner::Before(before) => {
                let migrated = before.version().take_over::<F>(self, at, open, memory, ctx);
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
        memory.cleans_up = self.flat.cleans_up();
        memory.error = None;
        resumes
    }

    /// Resumes a run, or starts one.
    #[inline]
    pub(crate) fn tick<F: Contexts, O: Observer>(
        &self,
        at: NodeId,
        is_running: bool,
        kept: &mut LoadedMemory,
        visit: &mut Visit<'_, ContextOf<'_, '_, F>, O>,
    ) -> Status
    where
        T::Nodes: Nodes<F>,
    {
        match as_dyn(visit.observer) {
            None => self.tick_alone::<F>(at, is_running, kept, visit.ctx),
            Some(observer) => self.tick_observed::<F>(at, is_running, kept, visit.ctx, observer),
        }
    }

    /// Ticks a memory, without an observer.
    #[inline(never)]
    fn tick_alone<F: Contexts>(
        &self,
        at: NodeId,
        is_running: bool,
        kept: &mut LoadedMemory,
        ctx: &mut ContextOf<'_, '_, F>,
    ) -> Status
    where
        T::Nodes: Nodes<F>,
    {
        let opening = !self.claim::<F>(at, kept, is_running, ctx) || !is_running;
        let Self { flat, nodes, .. } = self;
        let host = &mut Answers::<F, _>::new(nodes, ctx);
        // Most trees have a sequence or selector at the root. The engine does not have to ask anything for it.
        let Some(next) = flat.entry else {
            let status = Run::new(flat, nodes, at, kept, &mut ()).tick(opening, host);
            kept.ticked(flat, status == Status::Running);
            return status;
        };
        let running = if opening { NO_STEP } else { u32::try_from(kept.words[0]).unwrap_or(NO_STEP) };
        let mut cursor = Cursor { next, running };
        let status = match host.run_code(&flat.code, &mut kept.slots, at, &mut cursor) {
            Reached::Done(status) => status,
            reached => Run::new(flat, nodes, at, kept, &mut ()).tick_from(reached, &mut cursor, host),
        };
        kept.words[0] = cursor.running.into();
        kept.ticked(flat, status == Status::Running);
        status
    }

    /// Ticks a memory, with an observer.
    fn tick_observed<F: Contexts>(
        &self,
        at: NodeId,
        is_running: bool,
        kept: &mut LoadedMemory,
        ctx: &mut ContextOf<'_, '_, F>,
        observer: &mut dyn DynObserver,
    ) -> Status
    where
        T::Nodes: Nodes<F>,
    {
        let opening = !self.claim::<F>(at, kept, is_running, ctx) || !is_running;
        // The run was lost with the tree of the memory.
        if opening && is_running {
            observer.close(at, End::Halted(Cause::Edited));
            observer.open(at);
        }
        let Self { flat, nodes, .. } = self;
        let host = &mut Answers::<F, _>::new(nodes, ctx);
        let status = Run::new(flat, nodes, at, kept, &mut ()).tick_observed(opening, host, observer);
        kept.ticked(flat, status == Status::Running);
        status
    }

    /// Opens the tree without ticking it. Returns `false` if it cannot be running then.
    pub(crate) fn open_replaced<F: Contexts>(
        &self,
        at: NodeId,
        kept: &mut LoadedMemory,
        ctx: &mut ContextOf<'_, '_, F>,
    ) -> bool
    where
        T::Nodes: Nodes<F>,
    {
        self.claim::<F>(at, kept, false, ctx);
        let host = &mut Answers::<F, _>::new(&self.nodes, ctx);
        let is_open = Run::new(&self.flat, &self.nodes, at, kept, &mut ()).open_replaced_root(host);
        kept.ticked(&self.flat, is_open);
        is_open
    }

    pub(crate) fn interrupt<F: Contexts, O: Observer>(
        &self,
        at: NodeId,
        kept: &mut LoadedMemory,
        how: Interrupt,
        visit: &mut Visit<'_, ContextOf<'_, '_, F>, O>,
    ) where
        T::Nodes: Nodes<F>,
    {
        let Interrupt::Halt(why) = how else { return self.notify::<F>(at, kept, how, visit.ctx) };
        if !self.claim::<F>(at, kept, true, visit.ctx) {
            return;
        }
        let Self { flat, nodes, .. } = self;
        let host = &mut Answers::<F, _>::new(nodes, visit.ctx);
        Run::new(flat, nodes, at, kept, &mut ()).halt_root(why, host, as_dyn(visit.observer));
        kept.ticked(flat, false);
    }

    /// Notifies the running leaves of a pause or of its end. A memory of a previous tree is not converted before its next tick, so these are
    /// the leaves of that tree.
    fn notify<F: Contexts>(&self, at: NodeId, kept: &mut LoadedMemory, what: Interrupt, ctx: &mut ContextOf<'_, '_, F>)
    where
        T::Nodes: Nodes<F>,
    {
        match self.owner_of(kept) {
            MemoryOwner::This => {
                self.flat.repair(true, &mut kept.words);
                let host = &mut Answers::<F, _>::new(&self.nodes, ctx);
                Run::new(&self.flat, &self.nodes, at, kept, &mut ()).notify_leaves(0, what, host);
            }
            MemoryOwner::Before(before) => before.version().notify::<F>(at, kept, what, ctx),
            MemoryOwner::Unknown => {}
        }
    }

    /// Visits the cleanups that halts have left running. A memory of a previous tree is not converted before its next tick, so these are the cleanups of
    /// that tree.
    pub(crate) fn clean_up<F: Contexts>(
        &self,
        at: NodeId,
        kept: &mut LoadedMemory,
        how: CleanUp,
        ctx: &mut ContextOf<'_, '_, F>,
        observer: Option<&mut dyn DynObserver>,
    ) where
        T::Nodes: Nodes<F>,
    {
        match self.owner_of(kept) {
            MemoryOwner::This => {
                // Whether the tree runs is not known here; its next tick repairs the rest.
                if kept.ready == 0 {
                    self.flat.repair(true, &mut kept.words);
                }
                if how == CleanUp::Tick {
                    kept.error = None;
                }
                let host = &mut Answers::<F, _>::new(&self.nodes, ctx);
                Run::new(&self.flat, &self.nodes, at, kept, &mut ()).clean_up(how, host, observer);
            }
            MemoryOwner::Before(before) => before.version().clean_up::<F>(at, kept, how, ctx, observer),
            MemoryOwner::Unknown => {}
        }
    }

    /// Returns `true` if a halt has left a cleanup running, also in a memory of a previous tree.
    pub(crate) fn is_cleaning_up(&self, kept: &LoadedMemory) -> bool {
        match self.owner_of(kept) {
            MemoryOwner::This => self.flat.is_left_in(0, kept, &self.nodes),
            MemoryOwner::Before(before) => before.version().is_cleaning_up(kept),
            MemoryOwner::Unknown => false,
        }
    }

    pub(crate) fn wake<F: Contexts>(&self, kept: &LoadedMemory, visit: &mut WakeVisit<'_, ContextOf<'_, '_, F>>) -> Wake
    where
        T::Nodes: Nodes<F>,
    {
        let host = &mut Answers::<F, _> { nodes: &self.nodes, visit: visit.part(|ctx| ctx) };
        self.sleeping(kept, host).map_or(Wake::Next, |mut sleeping| sleeping.running(0))
    }

    /// Returns when a cleanup that a halt has left running has to be ticked again.
    pub(crate) fn wake_cleanups<F: Contexts>(
        &self,
        kept: &LoadedMemory,
        visit: &mut WakeVisit<'_, ContextOf<'_, '_, F>>,
    ) -> Wake
    where
        T::Nodes: Nodes<F>,
    {
        let host = &mut Answers::<F, _> { nodes: &self.nodes, visit: visit.part(|ctx| ctx) };
        match self.sleeping(kept, host) {
            Some(mut sleeping) => sleeping.cleanups(0),
            None if self.is_cleaning_up(kept) => Wake::Next,
            None => Wake::Event,
        }
    }

    pub(crate) fn foresee<F: Contexts>(
        &self,
        kept: &LoadedMemory,
        ctx: &mut ContextOf<'_, '_, F>,
        event: bool,
    ) -> Foreseen
    where
        T::Nodes: Nodes<F>,
    {
        let host = &mut Answers::<F, _>::new(&self.nodes, ctx);
        let mut sleeping = self.sleeping(kept, host)?;
        sleeping.event = event;
        sleeping.foresee(0)
    }

    /// Returns the tree with a memory; `None` if the memory is converted to this tree in the next tick.
    fn sleeping<'a>(&'a self, memory: &'a LoadedMemory, host: &'a mut dyn Host) -> Option<Sleeping<'a>> {
        let is_own = !memory.loaded && matches!(self.owner_of(memory), MemoryOwner::This);
        is_own.then_some(Sleeping { flat: &self.flat, shapes: &self.nodes, memory, host, event: false })
    }

    /// Returns the name of a leaf with state that is not part of saves.
    pub(crate) fn unsaved_leaf(&self, kept: &LoadedMemory) -> Option<String> {
        let is_of_this = matches!(self.owner_of(kept), MemoryOwner::This);
        is_of_this.then(|| self.flat.unsaved_leaf(kept, &self.nodes)).flatten().map(str::to_owned)
    }
}
