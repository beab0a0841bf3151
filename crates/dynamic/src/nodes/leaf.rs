//! Type-erased leaves: any node of the user, including a static subtree.

use std::mem::{ManuallyDrop, needs_drop};

use bt_core::describe::Visitor;
use bt_core::engine::{DynObserver, ErasedState, IfAny, KeptState, Ticking, WithDyn};
use bt_core::{
    CleanUp, Node, NodeId, NodeShape, Observer, Save, Status, Step, Wake,
    protocol::{Foreseen, Interrupt, StateVisitor, Visit, WakeVisit},
};

use crate::nodes::leaf_state::{LeafState, is_never, unit};
use crate::nodes::shape::LeafShape;
use bt_core::{ContextOf, Contexts};

/// The type-erased interface of a leaf. The caller reports the events of the leaf itself.
pub(crate) trait Leaf<F: Contexts>: LeafShape {
    /// Ticks a leaf that has no slot, without an observer.
    fn tick_stateless(&self, opening: bool, at: NodeId, ctx: &mut ContextOf<'_, '_, F>) -> Status {
        self.tick(opening, at, &mut ManuallyDrop::new(ErasedState::Empty), ctx, None)
    }
    /// Resumes a run, or starts one if `opening`.
    fn tick(
        &self,
        opening: bool,
        at: NodeId,
        slot: &mut ErasedState,
        ctx: &mut ContextOf<'_, '_, F>,
        observer: Option<&mut dyn DynObserver>,
    ) -> Status;
    /// Halts a run, or notifies the leaf of a pause. The default is for a leaf that does nothing then.
    fn interrupt(
        &self,
        _: NodeId,
        _: &mut ErasedState,
        _: Interrupt,
        _: &mut ContextOf<'_, '_, F>,
        _: Option<&mut dyn DynObserver>,
    ) {
    }
    /// Visits the cleanups in the leaf that a halt has left running. The default is for a leaf without any.
    fn clean_up(
        &self,
        _: NodeId,
        _: &mut ErasedState,
        _: CleanUp,
        _: &mut ContextOf<'_, '_, F>,
        _: Option<&mut dyn DynObserver>,
    ) {
    }
    /// Returns when the leaf, which is running, has to be ticked again.
    fn wake(&self, slot: &ErasedState, visit: &mut WakeVisit<'_, ContextOf<'_, '_, F>>) -> Wake;
    /// Returns what starting the leaf would do.
    fn foresee(&self, slot: &ErasedState, ctx: &mut ContextOf<'_, '_, F>, event: bool) -> Foreseen;
    /// Opens the leaf without ticking it. Returns `false` if it cannot be running then.
    fn open_replaced(&self, at: NodeId, slot: &mut ErasedState, ctx: &mut ContextOf<'_, '_, F>) -> bool;
}

/// A boxed leaf.
pub(crate) type AnyLeaf<F> = Box<dyn Leaf<F> + Send + Sync>;

/// Returns a node as a boxed leaf.
pub(crate) fn boxed<F: Contexts, N>(node: N) -> AnyLeaf<F>
where
    N: for<'a, 'b> Node<ContextOf<'a, 'b, F>> + Save + Send + Sync + 'static,
{
    if const { is_stateless::<N>() } { Box::new(Stateless(node)) } else { Box::new(Stateful(node)) }
}

/// Returns `true` if there are no nodes below it. It can report nothing to an observer but an error.
const fn is_alone<N: NodeShape>() -> bool {
    matches!(N::COUNT, Some(1))
}

/// Returns `true` if its state has a size, so that it is stored.
const fn is_sized<N: NodeShape>() -> bool {
    size_of::<(N::Open, N::Kept)>() > 0 || needs_drop::<(N::Open, N::Kept)>()
}

/// Returns `true` for a node that is a [`Stateless`] leaf.
const fn is_stateless<N: NodeShape>() -> bool {
    is_alone::<N>() && N::RESTARTS && N::IS_SAVED && !is_sized::<N>()
}

/// A node that stores nothing and does nothing when it is halted. Most leaves are such, and each is compiled: so it has only what differs between two of them.
struct Stateless<N>(N);

impl<N: NodeShape> LeafShape for Stateless<N> {
    fn can_run(&self) -> bool {
        !is_never::<N::Open>()
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        self.0.describe(visitor);
    }
}

impl<F: Contexts, N> Leaf<F> for Stateless<N>
where
    N: for<'a, 'b> Node<ContextOf<'a, 'b, F>>,
{
    fn tick_stateless(&self, _: bool, at: NodeId, ctx: &mut ContextOf<'_, '_, F>) -> Status {
        status(self.0.start(at, nothing(), &mut Visit::new(ctx, &mut IfAny(None))))
    }

    fn tick(
        &self,
        _: bool,
        at: NodeId,
        _: &mut ErasedState,
        ctx: &mut ContextOf<'_, '_, F>,
        observer: Option<&mut dyn DynObserver>,
    ) -> Status {
        status(self.0.start(at, nothing(), &mut Visit::new(ctx, &mut IfAny(observer))))
    }

    fn wake(&self, _: &ErasedState, visit: &mut WakeVisit<'_, ContextOf<'_, '_, F>>) -> Wake {
        let Some(open) = unit() else { return Wake::Next };
        self.0.wake(open, nothing(), visit)
    }

    fn foresee(&self, _: &ErasedState, ctx: &mut ContextOf<'_, '_, F>, event: bool) -> Foreseen {
        self.0.foresee(nothing(), ctx, event)
    }

    fn open_replaced(&self, at: NodeId, _: &mut ErasedState, ctx: &mut ContextOf<'_, '_, F>) -> bool {
        is_open(self.0.open_replaced(at, nothing(), &mut Visit::new(ctx, &mut ())))
    }
}

// Parts of these methods that depend on the states alone, so that they are compiled once for all leaves. What has no destructor in the generic code of a leaf
// is not cleaned up there either.

#[inline]
fn status<O>(step: Step<O>) -> Status {
    step.status()
}

/// Ends a tick in which a run was resumed.
#[inline]
fn resumed<O>(ticking: Ticking<'_, O>, step: Step<()>) -> Status {
    if let Step::Done(_) = step {
        *ticking.open = None;
    }
    ticking.done();
    step.status()
}

/// Ends a tick in which a run was started.
#[inline]
fn started<O>(ticking: Ticking<'_, O>, step: Step<O>) -> Status {
    let status = step.status();
    *ticking.open = match step {
        Step::Running(open) => Some(open),
        Step::Done(_) => None,
    };
    ticking.done();
    status
}

#[inline]
fn is_open<O>(open: Option<O>) -> bool {
    open.is_some()
}

/// Returns a kept state without size.
#[inline]
fn nothing<K: Default>() -> &'static mut K {
    // Allocates nothing.
    Box::leak(Box::default())
}

/// Any other node.
pub(crate) struct Stateful<N>(pub(crate) N);

/// The state of a leaf.
type StateOf<N> = LeafState<<N as NodeShape>::Open, <N as NodeShape>::Kept>;

impl<N: NodeShape + Save> LeafShape for Stateful<N> {
    fn has_state(&self) -> bool {
        StateOf::<N>::is_stored()
    }

    fn is_unsaved(&self, slot: &ErasedState) -> bool {
        !N::IS_SAVED && !slot.is_savable::<StateOf<N>>()
    }

    fn can_run(&self) -> bool {
        !is_never::<N::Open>()
    }

    fn walk(&self, at: NodeId, is_open: bool, slot: KeptState<'_, ErasedState>, visitor: &mut dyn StateVisitor) {
        LeafState::walk(is_open, slot, &mut |state| self.0.walk(at, state, visitor));
    }

    fn cleans_up(&self) -> bool {
        N::FACTS.cleans_up
    }

    fn count(&self) -> u32 {
        self.0.count()
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        self.0.describe(visitor);
    }
}

impl<F: Contexts, N> Leaf<F> for Stateful<N>
where
    N: for<'a, 'b> Node<ContextOf<'a, 'b, F>> + Save,
{
    fn tick(
        &self,
        opening: bool,
        at: NodeId,
        slot: &mut ErasedState,
        ctx: &mut ContextOf<'_, '_, F>,
        observer: Option<&mut dyn DynObserver>,
    ) -> Status {
        if const { !is_alone::<N>() } && observer.is_none() {
            return self.tick_with(opening, at, slot, &mut Visit::new(ctx, &mut ()));
        }
        self.tick_with(opening, at, slot, &mut Visit::new(ctx, &mut IfAny(observer)))
    }

    fn interrupt(
        &self,
        at: NodeId,
        slot: &mut ErasedState,
        how: Interrupt,
        ctx: &mut ContextOf<'_, '_, F>,
        observer: Option<&mut dyn DynObserver>,
    ) {
        let mut running = LeafState::running();
        let StateOf::<N> { open, kept } = running.or_in(slot);
        // A leaf that panics is not running.
        let Some(mut running) = open.take() else { return };
        if const { !is_alone::<N>() } && observer.is_none() {
            self.0.interrupt(at, &mut running, kept, how, &mut Visit::new(ctx, &mut ()));
        } else {
            self.0.interrupt(at, &mut running, kept, how, &mut Visit::new(ctx, &mut IfAny(observer)));
        }
        if how.end().is_none() {
            *open = Some(running);
        }
    }

    fn clean_up(
        &self,
        at: NodeId,
        slot: &mut ErasedState,
        how: CleanUp,
        ctx: &mut ContextOf<'_, '_, F>,
        observer: Option<&mut dyn DynObserver>,
    ) {
        // A leaf that has never run has left nothing, and gets no state here.
        if const { !N::FACTS.cleans_up } || !StateOf::<N>::is_stored() || matches!(slot, ErasedState::Empty) {
            return;
        }
        let StateOf::<N> { kept, .. } = slot.state();
        match observer {
            Some(observer) => self.0.visit_cleanups(at, kept, how, &mut Visit::new(ctx, &mut WithDyn(observer))),
            None => self.0.visit_cleanups(at, kept, how, &mut Visit::new(ctx, &mut ())),
        }
    }

    fn wake(&self, slot: &ErasedState, visit: &mut WakeVisit<'_, ContextOf<'_, '_, F>>) -> Wake {
        let running = LeafState::running();
        let state = if self.has_state() { slot.get::<StateOf<N>>() } else { Some(&running) };
        match state {
            Some(LeafState { open: Some(open), kept }) => self.0.wake(open, kept, visit),
            // A loaded state that has not been used yet is ticked at once.
            Some(LeafState { open: None, .. }) | None => Wake::Next,
        }
    }

    fn foresee(&self, slot: &ErasedState, ctx: &mut ContextOf<'_, '_, F>, event: bool) -> Foreseen {
        let new = N::Kept::default();
        let kept = match slot.get::<StateOf<N>>() {
            Some(state) => &state.kept,
            None if unit::<N::Kept>().is_some() => &new,
            None => return None,
        };
        self.0.foresee(kept, ctx, event)
    }

    fn open_replaced(&self, at: NodeId, slot: &mut ErasedState, ctx: &mut ContextOf<'_, '_, F>) -> bool {
        let mut new = LeafState::default();
        let StateOf::<N> { open, kept } = new.or_in(slot);
        *open = self.0.open_replaced(at, kept, &mut Visit::new(ctx, &mut ()));
        open.is_some()
    }
}

impl<N: NodeShape + Save> Stateful<N> {
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
        let mut running = LeafState::running();
        let StateOf::<N> { open, kept } = running.or_in(slot);
        let ticking = Ticking::new(open, true);
        match &mut *ticking.open {
            Some(open) if !opening => {
                let step = self.0.resume(at, open, kept, visit);
                resumed(ticking, step)
            }
            // A panic may have left a run active.
            _ => started(ticking, self.0.start(at, kept, visit)),
        }
    }
}
