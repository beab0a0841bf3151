//! Erased subtrees: any node over `C` as one type, for recursion and for trees chosen at run time.

use alloc::sync::Arc;
use core::fmt;
use core::marker::PhantomData;

use crate::describe::{StateType, Visitor};
use crate::erased::memory::{BoxMemory, ErasedMemory};
use crate::facts::Facts;
use crate::id::NodeId;
use crate::memory::{Memory, Ticking};
use crate::node::{Node, NodeShape, Visit};
use crate::observer::{DynObserver, Observer, WithDyn, as_dyn};
use crate::outcomes::Outcomes;
use crate::status::{CleanUp, Interrupt, Status, Step};
use crate::visit;
use crate::wake::{Foreseen, Wake, WakeVisit};
use crate::walk::{KeptState, NodeState, OwnState, StateBytes, StateVisitor, each_way};
#[cfg(feature = "serde")]
use crate::{erased::memory::SaveMemory, save::Save};

/// A subtree over `C` whose type is erased.
///
/// Use a `BoxNode` where the type of a tree must not depend on its content: for a subtree that contains itself, for a choice
/// at run time, or for a very deep tree. Each visit costs a virtual call, and the first run costs one allocation per agent.
/// The memory of the subtree is stored in that allocation, apart from the memory of the surrounding tree.
///
/// The compiler follows a type about 40 composites deep, or 60 sequences. A deeper tree needs `#![recursion_limit = "256"]` in
/// the crate that contains it, or a box in between, which has a type of its own.
///
/// ```
/// use bt_core::prelude::*;
///
/// // A tree of this depth: a plain `impl Node<u32>` cannot contain itself.
/// fn countdown(from: u32) -> BoxNode<u32> {
///     if from == 0 {
///         return boxed(tree! { for u32: succeed });
///     }
///     boxed(tree! { for u32: sequence { |steps: &mut u32| *steps += 1, countdown(from - 1) } })
/// }
///
/// let tree = countdown(3);
/// let mut steps = 0;
/// assert_eq!(tree.tick(&mut steps, &mut tree.memory()), Status::Success);
/// assert_eq!(steps, 3);
/// ```
///
/// # Saving
///
/// The memory of a `BoxNode<C>` cannot be saved, because the type of its state is erased. The memory of a
/// `BoxNode<C, SaveMemory>` can be saved. It is created by `BoxNode::saving` from trees that implement `Save`.
///
#[cfg_attr(feature = "serde", doc = "```")]
#[cfg_attr(not(feature = "serde"), doc = "```ignore")]
/// use bt_core::SaveMemory;
/// use bt_core::prelude::*;
///
/// fn choose(steps: u32) -> BoxNode<u32, SaveMemory> {
///     match steps {
///         0 => BoxNode::saving(tree! { for u32: succeed }),
///         _ => BoxNode::saving(tree! { for u32: limit(2) { |n: &mut u32| *n += 1 } }),
///     }
/// }
///
/// fn both() -> impl Node<u32> + Save { tree! { sequence { choose(0), choose(1) } } }
/// ```
///
/// # Contexts that borrow
///
/// A `BoxNode<Ctx<'w>>` is fixed to one lifetime `'w`. The third parameter names a trait object for all lifetimes:
///
/// ```
/// use bt_core::prelude::*;
/// use bt_core::{BoxMemory, DynNode};
/// use std::sync::Arc;
///
/// struct Ctx<'w> { log: &'w mut Vec<&'static str> }
///
/// #[action]
/// fn say(ctx: &mut Ctx<'_>, what: &'static str) { ctx.log.push(what) }
///
/// type CtxNode = BoxNode<Ctx<'static>, BoxMemory, dyn for<'w> DynNode<Ctx<'w>>>;
///
/// let trees = [
///     CtxNode::from_arc(Arc::new(tree! { say("hello") })),
///     CtxNode::from_arc(Arc::new(tree! { sequence { say("good"), say("bye") } })),
/// ];
/// let mut log = vec![];
/// for tree in &trees {
///     tree.tick(&mut Ctx { log: &mut log }, &mut tree.memory());
/// }
/// assert_eq!(log, ["hello", "good", "bye"]);
/// ```
pub struct BoxNode<C: ?Sized, M = BoxMemory, D: ?Sized = dyn DynNode<C, M>> {
    node: Arc<D>,
    /// Whether a cleanup in the subtree can continue after a halt. Stored here, so that finding that there is none costs no virtual call.
    cleans_up: bool,
    erased: PhantomData<fn(&C, M)>,
}

/// Erases the type of a subtree. See [`BoxNode`].
pub fn boxed<C: ?Sized, N>(node: N) -> BoxNode<C>
where
    N: Node<C> + Send + Sync + 'static,
{
    BoxNode::new(node)
}

impl<C: ?Sized, M> BoxNode<C, M> {
    /// Erases the type of a subtree, with the memory that the return type names.
    #[doc(hidden)]
    pub fn new<N>(node: N) -> Self
    where
        N: Node<C> + Send + Sync + 'static,
        M: ErasedMemory<N>,
    {
        Self::from_arc(Arc::new(node))
    }
}

#[cfg(feature = "serde")]
impl<C: ?Sized> BoxNode<C, SaveMemory> {
    /// Erases the type of a subtree. Its memory can be saved.
    pub fn saving<N: Node<C> + Save + Send + Sync + 'static>(node: N) -> Self {
        Self::new(node)
    }
}

impl<C: ?Sized, M, D: ?Sized + DynShape<M>> BoxNode<C, M, D> {
    /// Erases the type of a shared tree. An `Arc` of a tree coerces to an `Arc` of the trait object `D`.
    pub fn from_arc(node: Arc<D>) -> Self {
        Self { cleans_up: node.dyn_cleans_up(), node, erased: PhantomData }
    }
}

/// Clones the pointer to the tree, not the tree.
impl<C: ?Sized, M, D: ?Sized> Clone for BoxNode<C, M, D> {
    fn clone(&self) -> Self {
        Self { node: Arc::clone(&self.node), cleans_up: self.cleans_up, erased: PhantomData }
    }
}

impl<C: ?Sized, M, D: ?Sized + DynShape<M>> fmt::Debug for BoxNode<C, M, D> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("BoxNode").field("nodes", &self.node.dyn_count()).finish_non_exhaustive()
    }
}

/// The context-independent part of a [`DynNode`].
#[doc(hidden)]
pub trait DynShape<M>: Send + Sync {
    fn dyn_count(&self) -> u32;
    fn dyn_cleans_up(&self) -> bool;
    fn dyn_describe(&self, visitor: &mut dyn Visitor);
    fn dyn_walk(&self, at: NodeId, memory: KeptState<'_, M>, visitor: &mut dyn StateVisitor);
}

/// A node over the context `C` as a trait object, with memories of the type `M`. Implemented for every node.
///
/// Trees use this trait through [`BoxNode`] and [`Brain`](crate::Brain).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a node over `{C}`",
    label = "not a node over `{C}`",
    note = "a tree has one context type, here `{C}`; every leaf in it must take `&{C}` or `&mut {C}`"
)]
pub trait DynNode<C: ?Sized, M = BoxMemory>: DynShape<M> {
    /// Starts a run.
    #[doc(hidden)]
    fn dyn_start(&self, at: NodeId, memory: &mut M, ctx: &mut C) -> Status;
    /// Resumes a run.
    #[doc(hidden)]
    fn dyn_resume(&self, at: NodeId, memory: &mut M, ctx: &mut C) -> Status;
    /// Resumes a run, or starts a new one if `opening`, and reports the events. The methods without an observer are separate, because
    /// each saves fewer registers.
    #[doc(hidden)]
    fn dyn_tick_observed(
        &self,
        opening: bool,
        at: NodeId,
        memory: &mut M,
        ctx: &mut C,
        observer: &mut dyn DynObserver,
    ) -> Status;
    #[doc(hidden)]
    fn dyn_wake(&self, memory: &M, visit: &mut WakeVisit<'_, C>) -> Wake;
    #[doc(hidden)]
    fn dyn_wake_cleanups(&self, memory: &M, visit: &mut WakeVisit<'_, C>) -> Wake;
    #[doc(hidden)]
    fn dyn_foresee(&self, memory: &M, ctx: &mut C, event: bool) -> Foreseen;
    #[doc(hidden)]
    fn dyn_open_replaced(&self, at: NodeId, memory: &mut M, ctx: &mut C) -> bool;
    #[doc(hidden)]
    fn dyn_interrupt(
        &self,
        at: NodeId,
        memory: &mut M,
        how: Interrupt,
        ctx: &mut C,
        observer: Option<&mut dyn DynObserver>,
    );
    #[doc(hidden)]
    fn dyn_visit_cleanups(
        &self,
        at: NodeId,
        memory: &mut M,
        how: CleanUp,
        ctx: &mut C,
        observer: Option<&mut dyn DynObserver>,
    );
}

impl<N: NodeShape + Send + Sync + 'static, M: ErasedMemory<N>> DynShape<M> for N {
    fn dyn_count(&self) -> u32 {
        self.count()
    }

    fn dyn_cleans_up(&self) -> bool {
        N::FACTS.cleans_up
    }

    fn dyn_describe(&self, visitor: &mut dyn Visitor) {
        self.describe(visitor);
    }

    fn dyn_walk(&self, at: NodeId, memory: KeptState<'_, M>, visitor: &mut dyn StateVisitor) {
        match memory {
            KeptState::Shared(_, memory) if memory.is_empty() => {
                let Memory { open, kept } = Memory::<N>::new();
                self.walk(at, (open.as_ref(), &kept).into(), visitor);
            }
            // A walk does not create a memory in its place.
            KeptState::Exclusive(_, memory) if memory.is_empty() => {}
            KeptState::Shared(_, memory) => match memory.get() {
                Some(Memory { open, kept }) => self.walk(at, (open.as_ref(), kept).into(), visitor),
                // A loaded memory is read when it is first used.
                None => {
                    let mut read = memory.clone();
                    let Memory { open, kept } = read.get_mut();
                    self.walk(at, (open.as_ref(), &*kept).into(), visitor);
                }
            },
            KeptState::Exclusive(_, memory) => {
                let Memory { open, kept } = memory.get_mut();
                self.walk(at, (open.as_mut(), kept).into(), visitor);
            }
        }
    }
}

#[doc(hidden)]
impl<C: ?Sized, N: Node<C> + Send + Sync + 'static, M: ErasedMemory<N>> DynNode<C, M> for N {
    fn dyn_start(&self, at: NodeId, memory: &mut M, ctx: &mut C) -> Status {
        let Some(existing) = memory.existing() else {
            memory.get_mut();
            return self.dyn_start(at, memory, ctx);
        };
        start(self, at, existing, &mut Visit::new(ctx, &mut ()))
    }

    fn dyn_resume(&self, at: NodeId, memory: &mut M, ctx: &mut C) -> Status {
        if let Some(existing) = memory.existing() {
            if let Some(status) = resume(self, at, existing, &mut Visit::new(ctx, &mut ())) {
                return status;
            }
        } else if memory.get_mut().is_running() {
            return self.dyn_resume(at, memory, ctx);
        }
        self.dyn_start(at, memory, ctx)
    }

    fn dyn_tick_observed(
        &self,
        opening: bool,
        at: NodeId,
        memory: &mut M,
        ctx: &mut C,
        observer: &mut dyn DynObserver,
    ) -> Status {
        let (memory, mut observer) = (memory.get_mut(), WithDyn(observer));
        let visit = &mut Visit::new(ctx, &mut observer);
        let resumed = if opening { None } else { resume(self, at, memory, visit) };
        resumed.unwrap_or_else(|| start(self, at, memory, visit))
    }

    fn dyn_wake(&self, memory: &M, visit: &mut WakeVisit<'_, C>) -> Wake {
        // A loaded memory that has not been used yet is ticked at once.
        let open = memory.get().and_then(|memory| Some((memory.open.as_ref()?, &memory.kept)));
        open.map_or(Wake::Next, |(open, kept)| self.wake(open, kept, visit))
    }

    fn dyn_wake_cleanups(&self, memory: &M, visit: &mut WakeVisit<'_, C>) -> Wake {
        match memory.get() {
            Some(memory) => visit::wake_of_cleanups(self, &memory.kept, visit),
            None if memory.is_empty() => Wake::Event,
            // A loaded memory that has not been used yet is ticked at once.
            None => Wake::Next,
        }
    }

    fn dyn_foresee(&self, memory: &M, ctx: &mut C, event: bool) -> Foreseen {
        match memory.get() {
            Some(memory) => self.foresee(&memory.kept, ctx, event),
            None if memory.is_empty() => self.foresee(&N::Kept::default(), ctx, event),
            None => None,
        }
    }

    fn dyn_open_replaced(&self, at: NodeId, memory: &mut M, ctx: &mut C) -> bool {
        let Memory { open, kept } = memory.get_mut();
        *open = self.open_replaced(at, kept, &mut Visit::new(ctx, &mut ()));
        open.is_some()
    }

    fn dyn_interrupt(
        &self,
        at: NodeId,
        memory: &mut M,
        how: Interrupt,
        ctx: &mut C,
        observer: Option<&mut dyn DynObserver>,
    ) {
        let Memory { open: place, kept } = memory.get_mut();
        let Some(mut open) = place.take() else { return };
        match observer {
            Some(observer) => self.interrupt(at, &mut open, kept, how, &mut Visit::new(ctx, &mut WithDyn(observer))),
            None => self.interrupt(at, &mut open, kept, how, &mut Visit::new(ctx, &mut ())),
        }
        if how.end().is_none() {
            *place = Some(open);
        }
    }

    fn dyn_visit_cleanups(
        &self,
        at: NodeId,
        memory: &mut M,
        how: CleanUp,
        ctx: &mut C,
        observer: Option<&mut dyn DynObserver>,
    ) {
        if memory.is_empty() {
            return;
        }
        let kept = &mut memory.get_mut().kept;
        match observer {
            Some(observer) => self.visit_cleanups(at, kept, how, &mut Visit::new(ctx, &mut WithDyn(observer))),
            None => self.visit_cleanups(at, kept, how, &mut Visit::new(ctx, &mut ())),
        }
    }
}

/// Starts a run without reporting the events of the node itself, which its parent has reported.
#[inline(always)]
fn start<C: ?Sized, N: Node<C>, O: Observer>(
    node: &N,
    at: NodeId,
    Memory { open, kept }: &mut Memory<N>,
    visit: &mut Visit<'_, C, O>,
) -> Status {
    // A panic may have left it open.
    *open = None;
    let step = node.start(at, kept, visit);
    let status = step.status();
    if let Step::Running(opened) = step {
        *open = Some(opened);
    }
    status
}

/// Resumes a run without reporting the events of the node itself. Returns `None` if it is not running.
#[inline(always)]
fn resume<C: ?Sized, N: Node<C>, O: Observer>(
    node: &N,
    at: NodeId,
    Memory { open, kept }: &mut Memory<N>,
    visit: &mut Visit<'_, C, O>,
) -> Option<Status> {
    let ticking = Ticking::new(open, true);
    let step = node.resume(at, ticking.open.as_mut()?, kept, visit);
    if let Step::Done(_) = step {
        *ticking.open = None;
    }
    ticking.done();
    Some(step.status())
}

impl<C: ?Sized, M: Default + Clone + Send + Sync + 'static, D: ?Sized + DynShape<M>> NodeShape for BoxNode<C, M, D> {
    type Open = ();
    /// Empty until the subtree runs for the first time.
    type Kept = M;
    const RETURNS: Outcomes = Outcomes::ANY;
    const FACTS: Facts = Facts::leaf(Self::RETURNS).and_cleans_up(true);
    const COUNT: Option<u32> = None;

    fn count(&self) -> u32 {
        self.node.dyn_count()
    }

    #[inline(always)]
    fn cleans_up(&self, _: &M) -> bool {
        self.cleans_up
    }

    fn walk(&self, at: NodeId, state: NodeState<'_, (), M>, visitor: &mut dyn StateVisitor) {
        if visitor.finds_left() && !self.cleans_up {
            return;
        }
        visitor.node(at, OwnState::new(StateBytes { open: 0, kept: size_of::<M>() }));
        self.node.dyn_walk(at, each_way!(state, |_, kept| kept.into()), visitor);
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        // A save of a boxed tree has another form than one of the tree.
        visitor.state(StateType::of::<M>());
        self.node.dyn_describe(visitor);
    }
}

impl<X, C, M, D> Node<X> for BoxNode<C, M, D>
where
    X: ?Sized,
    C: ?Sized,
    M: Default + Clone + Send + Sync + 'static,
    D: ?Sized + DynNode<X, M>,
{
    fn start<O: Observer>(&self, at: NodeId, kept: &mut M, visit: &mut Visit<'_, X, O>) -> Step<()> {
        match as_dyn(visit.observer) {
            Some(observer) => self.node.dyn_tick_observed(true, at, kept, visit.ctx, observer),
            None => self.node.dyn_start(at, kept, visit.ctx),
        }
        .into()
    }

    fn resume<O: Observer>(&self, at: NodeId, (): &mut (), kept: &mut M, visit: &mut Visit<'_, X, O>) -> Step<()> {
        match as_dyn(visit.observer) {
            Some(observer) => self.node.dyn_tick_observed(false, at, kept, visit.ctx, observer),
            None => self.node.dyn_resume(at, kept, visit.ctx),
        }
        .into()
    }

    fn open_replaced(&self, at: NodeId, kept: &mut M, visit: &mut Visit<'_, X, ()>) -> Option<()> {
        self.node.dyn_open_replaced(at, kept, visit.ctx).then_some(())
    }

    fn interrupt<O: Observer>(
        &self,
        at: NodeId,
        (): &mut (),
        kept: &mut M,
        how: Interrupt,
        visit: &mut Visit<'_, X, O>,
    ) {
        self.node.dyn_interrupt(at, kept, how, visit.ctx, as_dyn(visit.observer));
    }

    fn visit_cleanups<O: Observer>(&self, at: NodeId, kept: &mut M, how: CleanUp, visit: &mut Visit<'_, X, O>) {
        self.node.dyn_visit_cleanups(at, kept, how, visit.ctx, as_dyn(visit.observer));
    }

    fn wake(&self, (): &(), kept: &M, visit: &mut WakeVisit<'_, X>) -> Wake {
        self.node.dyn_wake(kept, visit)
    }

    fn wake_cleanups(&self, kept: &M, visit: &mut WakeVisit<'_, X>) -> Wake {
        self.node.dyn_wake_cleanups(kept, visit)
    }

    fn foresee(&self, kept: &M, ctx: &mut X, event: bool) -> Foreseen {
        self.node.dyn_foresee(kept, ctx, event)
    }
}
