//! Type-erased leaves: any node of the user, including a static subtree.

use std::any::{Any, TypeId};

use bt_core::describe::Visitor;
use bt_core::engine::{self, DynObserver, ErasedState, KeptState, SavableMemory, WithDyn};
use bt_core::{Foreseen, Never, Node, NodeId, NodeShape, Observer, Save, StateVisitor, Status, Visit, Wake, WakeVisit};

use crate::shape::LeafShape;
use bt_core::{ContextOf, Contexts};

/// The type-erased interface of a leaf. The caller reports the events of the leaf itself.
pub(crate) trait Leaf<F: Contexts>: LeafShape {
    /// Ticks a leaf that has no state, without an observer.
    fn tick_stateless(&self, opening: bool, at: NodeId, ctx: &mut ContextOf<'_, '_, F>) -> Status;
    /// Resumes a run, or starts one if `opening`.
    fn tick(
        &self,
        opening: bool,
        at: NodeId,
        slot: &mut ErasedState,
        ctx: &mut ContextOf<'_, '_, F>,
        observer: Option<&mut dyn DynObserver>,
    ) -> Status;
    fn halt(
        &self,
        at: NodeId,
        slot: &mut ErasedState,
        ctx: &mut ContextOf<'_, '_, F>,
        observer: Option<&mut dyn DynObserver>,
    );
    /// Returns when the leaf, which is running, has to be ticked again.
    fn wake(&self, slot: &ErasedState, visit: &mut WakeVisit<'_, ContextOf<'_, '_, F>>) -> Wake;
    /// Returns what starting the leaf would do.
    fn foresee(&self, slot: &ErasedState, ctx: &mut ContextOf<'_, '_, F>, event: bool) -> Foreseen;
    /// Opens the leaf without ticking it. Returns `false` if it cannot be running then.
    fn open_replaced(&self, at: NodeId, slot: &mut ErasedState, ctx: &mut ContextOf<'_, '_, F>) -> bool;
}

/// A node as a leaf.
pub(crate) struct Plain<N>(pub(crate) N);

/// Returns the unit as a `T` if `T` is `()`.
fn nothing<T: Any>(unit: &mut ()) -> Option<&mut T> {
    (unit as &mut dyn Any).downcast_mut()
}

impl<N: NodeShape + Save + Send + Sync + 'static> LeafShape for Plain<N> {
    fn has_state(&self) -> bool {
        let (open, kept) = (TypeId::of::<N::Open>(), TypeId::of::<N::Kept>());
        let nothing = TypeId::of::<()>();
        !((open == nothing || open == TypeId::of::<Never>()) && kept == nothing)
    }

    fn is_unsaved(&self, slot: &ErasedState) -> bool {
        !N::IS_SAVED && !slot.is_savable::<SavableMemory<N>>()
    }

    fn can_run(&self) -> bool {
        TypeId::of::<N::Open>() != TypeId::of::<Never>()
    }

    fn walk(&self, at: NodeId, is_open: bool, slot: KeptState<'_, ErasedState>, visitor: &mut dyn StateVisitor) {
        match slot {
            KeptState::Shared(_, slot) => {
                let mut read;
                let memory = match slot.get::<SavableMemory<N>>() {
                    Some(memory) => memory,
                    // There is none yet, or it is loaded and has not been used.
                    None => {
                        read = slot.clone();
                        read.state::<SavableMemory<N>>()
                    }
                };
                let (open, kept) = engine::parts(&memory.0);
                self.0.walk(at, (open.as_ref().filter(|_| is_open), kept).into(), visitor);
            }
            // A walk does not create a state in its place.
            KeptState::Exclusive(_, ErasedState::Empty) => {}
            KeptState::Exclusive(_, slot) => {
                let (open, kept) = engine::parts_mut(&mut slot.state::<SavableMemory<N>>().0);
                self.0.walk(at, (open.as_mut().filter(|_| is_open), kept).into(), visitor);
                if open.is_none() && nothing::<N::Kept>(&mut ()).is_some() {
                    *slot = ErasedState::Empty;
                }
            }
        }
    }

    fn count(&self) -> u32 {
        self.0.count()
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        self.0.describe(visitor);
    }
}

impl<F: Contexts, N> Leaf<F> for Plain<N>
where
    N: for<'a, 'b> Node<ContextOf<'a, 'b, F>> + Save + Send + Sync + 'static,
{
    fn tick_stateless(&self, opening: bool, at: NodeId, ctx: &mut ContextOf<'_, '_, F>) -> Status {
        self.tick_with(opening, at, &mut ErasedState::Empty, &mut Visit::new(ctx, &mut ()))
    }

    fn tick(
        &self,
        opening: bool,
        at: NodeId,
        slot: &mut ErasedState,
        ctx: &mut ContextOf<'_, '_, F>,
        observer: Option<&mut dyn DynObserver>,
    ) -> Status {
        match observer {
            Some(observer) => self.tick_with(opening, at, slot, &mut Visit::new(ctx, &mut WithDyn(observer))),
            None => self.tick_with(opening, at, slot, &mut Visit::new(ctx, &mut ())),
        }
    }

    fn halt(
        &self,
        at: NodeId,
        slot: &mut ErasedState,
        ctx: &mut ContextOf<'_, '_, F>,
        observer: Option<&mut dyn DynObserver>,
    ) {
        match observer {
            Some(observer) => self.halt_with(at, slot, &mut Visit::new(ctx, &mut WithDyn(observer))),
            None => self.halt_with(at, slot, &mut Visit::new(ctx, &mut ())),
        }
    }

    fn wake(&self, slot: &ErasedState, visit: &mut WakeVisit<'_, ContextOf<'_, '_, F>>) -> Wake {
        if let (Some(open), Some(kept)) = (nothing::<N::Open>(&mut ()), nothing::<N::Kept>(&mut ())) {
            return self.0.wake(open, kept, visit);
        }
        // A loaded state that has not been used yet is ticked at once.
        match slot.get::<SavableMemory<N>>().map(|memory| engine::parts(&memory.0)) {
            Some((Some(open), kept)) => self.0.wake(open, kept, visit),
            Some((None, _)) | None => Wake::Next,
        }
    }

    fn foresee(&self, slot: &ErasedState, ctx: &mut ContextOf<'_, '_, F>, event: bool) -> Foreseen {
        match (nothing::<N::Kept>(&mut ()), slot.get::<SavableMemory<N>>()) {
            (Some(kept), _) => self.0.foresee(kept, ctx, event),
            (None, Some(memory)) => self.0.foresee(engine::parts(&memory.0).1, ctx, event),
            (None, None) => None,
        }
    }

    fn open_replaced(&self, at: NodeId, slot: &mut ErasedState, ctx: &mut ContextOf<'_, '_, F>) -> bool {
        if !self.has_state() {
            return nothing::<N::Kept>(&mut ())
                .is_some_and(|kept| self.0.open_replaced(at, kept, &mut Visit::new(ctx, &mut ())).is_some());
        }
        let (open, kept) = engine::parts_mut(&mut slot.state::<SavableMemory<N>>().0);
        *open = self.0.open_replaced(at, kept, &mut Visit::new(ctx, &mut ()));
        open.is_some()
    }
}

impl<N: Save + 'static> Plain<N> {
    fn tick_with<C: ?Sized, O: Observer>(
        &self,
        opening: bool,
        at: NodeId,
        slot: &mut ErasedState,
        visit: &mut Visit<'_, C, O>,
    ) -> Status
    where
        N: Node<C>,
    {
        let (mut open_unit, mut kept_unit) = ((), ());
        // A leaf without state has no slot.
        if let Some(kept) = nothing::<N::Kept>(&mut kept_unit) {
            if let Some(open) = nothing::<N::Open>(&mut open_unit) {
                return if opening {
                    self.0.start(at, kept, visit).status()
                } else {
                    self.0.resume(at, open, kept, visit).status()
                };
            }
            if TypeId::of::<N::Open>() == TypeId::of::<Never>() {
                return self.0.start(at, kept, visit).status();
            }
        }
        let memory = &mut slot.state::<SavableMemory<N>>().0;
        if opening {
            // A panic may have left a run active.
            *engine::parts_mut(memory).0 = None;
        }
        engine::tick_boxed(&self.0, at, memory, visit)
    }

    fn halt_with<C: ?Sized, O: Observer>(&self, at: NodeId, slot: &mut ErasedState, visit: &mut Visit<'_, C, O>)
    where
        N: Node<C>,
    {
        let (mut open, mut kept) = ((), ());
        if let (Some(open), Some(kept)) = (nothing::<N::Open>(&mut open), nothing::<N::Kept>(&mut kept)) {
            return self.0.halt_run(at, open, kept, visit);
        }
        let (open, kept) = engine::parts_mut(&mut slot.state::<SavableMemory<N>>().0);
        if let Some(mut open) = open.take() {
            self.0.halt_run(at, &mut open, kept, visit);
        }
    }
}

/// A boxed leaf.
pub(crate) type AnyLeaf<F> = Box<dyn Leaf<F>>;
