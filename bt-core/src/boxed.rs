//! Erased subtrees: any node over `C` as one type, for recursion and for trees chosen at run time.

use alloc::boxed::Box;
use core::any::Any;

use crate::clock::Shift;
use crate::describe::Visitor;
use crate::id::NodeId;
use crate::memory::{Memory, Ticking};
use crate::node::{Node, NodeShape, Visit};
use crate::observe::{DynObserver, Observer, WithDyn, as_dyn};
use crate::outcomes::Outcomes;
use crate::status::{Status, Step};

/// A subtree over `C` whose type is erased.
///
/// Use it where the type of a tree must not depend on its content: for a subtree that contains itself, for a choice at
/// run time, or for a very deep tree. It costs a virtual call per visit, and one allocation per agent when the subtree
/// runs for the first time. Its memory is stored in that allocation, apart from the memory of the surrounding tree.
///
/// The compiler follows a type about 40 composites deep. A deeper tree needs `#![recursion_limit = "256"]` in the crate
/// that contains it, or a box in between, which has a type of its own.
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
pub struct BoxNode<C: ?Sized>(Box<dyn Erased<C> + Send + Sync>);

/// Erases the type of a subtree. See [`BoxNode`].
pub fn boxed<C: ?Sized, N>(node: N) -> BoxNode<C>
where
    N: Node<C> + Send + Sync + 'static,
{
    BoxNode(Box::new(node))
}

/// The memory of an erased subtree.
pub struct BoxMemory(Box<dyn AnyMemory>);

trait AnyMemory: Any + Send + Sync {
    fn clone_box(&self) -> Box<dyn AnyMemory>;
    fn as_any(&mut self) -> &mut dyn Any;
}

impl<N: NodeShape + 'static> AnyMemory for Parts<N> {
    fn clone_box(&self) -> Box<dyn AnyMemory> {
        Box::new(Parts::<N>(self.0.clone()))
    }

    fn as_any(&mut self) -> &mut dyn Any {
        self
    }
}

/// A wrapper around the memory of `N`, which is `Send` even if `N` is not.
struct Parts<N: NodeShape>(Memory<N>);

impl Clone for BoxMemory {
    fn clone(&self) -> Self {
        Self((*self.0).clone_box())
    }
}

/// The operations of a node whose type is erased.
trait Erased<C: ?Sized> {
    fn count(&self) -> u32;
    fn describe(&self, visitor: &mut dyn Visitor);
    /// Resumes a run, or starts a new one if `opening`.
    fn tick(
        &self,
        opening: bool,
        at: NodeId,
        memory: &mut Option<BoxMemory>,
        ctx: &mut C,
        observer: Option<&mut dyn DynObserver>,
    ) -> Status;
    fn shift_times(&self, memory: &mut Option<BoxMemory>, by: Shift);
    fn halt(&self, at: NodeId, memory: &mut Option<BoxMemory>, ctx: &mut C, observer: Option<&mut dyn DynObserver>);
}

/// Returns the memory of `N` in its box. Creates it on the first call.
fn opened<N: NodeShape + 'static>(memory: &mut Option<BoxMemory>) -> &mut Memory<N> {
    let fits = memory.as_mut().is_some_and(|memory| memory.0.as_any().is::<Parts<N>>());
    if !fits {
        *memory = None;
    }
    let memory = memory.get_or_insert_with(|| BoxMemory(Box::new(Parts::<N>(Memory::new()))));
    let parts: Option<&mut Parts<N>> = memory.0.as_any().downcast_mut();
    &mut parts.expect("the box was created for this node").0
}

impl<C: ?Sized, N: Node<C> + 'static> Erased<C> for N {
    fn count(&self) -> u32 {
        NodeShape::count(self)
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        NodeShape::describe(self, visitor);
    }

    fn tick(
        &self,
        opening: bool,
        at: NodeId,
        memory: &mut Option<BoxMemory>,
        ctx: &mut C,
        observer: Option<&mut dyn DynObserver>,
    ) -> Status {
        let memory = opened::<N>(memory);
        if opening {
            // Clear the state that a panic has left open.
            memory.open = None;
        }
        match observer {
            Some(observer) => tick(self, at, memory, &mut Visit::new(ctx, &mut WithDyn(observer))),
            None => tick(self, at, memory, &mut Visit::new(ctx, &mut ())),
        }
    }

    fn shift_times(&self, memory: &mut Option<BoxMemory>, by: Shift) {
        if memory.is_some() {
            let Memory { open, kept } = opened::<N>(memory);
            NodeShape::shift_times(self, open.as_mut(), kept, by);
        }
    }

    fn halt(&self, at: NodeId, memory: &mut Option<BoxMemory>, ctx: &mut C, observer: Option<&mut dyn DynObserver>) {
        let Memory { open, kept } = opened::<N>(memory);
        if let Some(mut open) = open.take() {
            match observer {
                Some(observer) => {
                    Node::interrupt(self, at, &mut open, kept, &mut Visit::new(ctx, &mut WithDyn(observer)));
                }
                None => Node::interrupt(self, at, &mut open, kept, &mut Visit::new(ctx, &mut ())),
            }
        }
    }
}

/// Visits a node without reporting the events of the node itself, which its parent has reported.
pub fn tick<C: ?Sized, N: Node<C>, O: Observer>(
    node: &N,
    at: NodeId,
    memory: &mut Memory<N>,
    visit: &mut Visit<'_, C, O>,
) -> Status {
    let Memory { open, kept } = memory;
    let ticking = Ticking::new(open, true);
    let status = if let Some(running) = ticking.open {
        let step = node.resume(at, running, kept, visit);
        if let Step::Done(_) = step {
            *ticking.open = None;
        }
        step.status()
    } else {
        let step = node.start(at, kept, visit);
        let status = step.status();
        if let Step::Running(opened) = step {
            *ticking.open = Some(opened);
        }
        status
    };
    ticking.done();
    status
}

impl<C: ?Sized> NodeShape for BoxNode<C> {
    type Open = ();
    /// `None` until the subtree runs for the first time.
    type Kept = Option<BoxMemory>;
    const CAN: Outcomes = Outcomes::ANY;
    const COUNT: Option<u32> = None;

    fn count(&self) -> u32 {
        self.0.count()
    }

    fn shift_times(&self, _: Option<&mut ()>, kept: &mut Self::Kept, by: Shift) {
        self.0.shift_times(kept, by);
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        self.0.describe(visitor);
    }
}

impl<C: ?Sized> Node<C> for BoxNode<C> {
    fn start<O: Observer>(&self, at: NodeId, kept: &mut Self::Kept, visit: &mut Visit<'_, C, O>) -> Step<()> {
        self.0.tick(true, at, kept, visit.ctx, as_dyn(visit.observer)).into()
    }

    fn resume<O: Observer>(
        &self,
        at: NodeId,
        (): &mut (),
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()> {
        self.0.tick(false, at, kept, visit.ctx, as_dyn(visit.observer)).into()
    }

    fn interrupt<O: Observer>(&self, at: NodeId, (): &mut (), kept: &mut Self::Kept, visit: &mut Visit<'_, C, O>) {
        self.0.halt(at, kept, visit.ctx, as_dyn(visit.observer));
    }
}
