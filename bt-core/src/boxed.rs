//! Erased subtrees: any node over `C` behind one type, for recursion and for trees chosen at run time.

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

/// Any subtree over `C`, behind one type.
///
/// Where the type of a tree must not depend on what is in it: a subtree that contains itself, a choice at run time, a very deep tree.
/// It costs a virtual call per visit, and one allocation per agent when the subtree first runs. Its memory is kept apart from that
/// of the tree around it.
///
/// rustc follows a type about forty composites deep; deeper trees need `#![recursion_limit = "256"]` in your crate, or a box in between, which has
/// a type of its own.
///
/// ```
/// use bt_core::prelude::*;
///
/// // So many steps deep: a plain `impl Node<u32>` could not contain itself.
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

/// Puts a subtree behind one type. See [`BoxNode`].
pub fn boxed<C: ?Sized, N>(node: N) -> BoxNode<C>
where
    N: Node<C> + Send + Sync + 'static,
{
    BoxNode(Box::new(node))
}

/// The memory of an erased node.
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

/// A memory as plain data: it is `Send` whatever the node is.
struct Parts<N: NodeShape>(Memory<N>);

impl Clone for BoxMemory {
    fn clone(&self) -> Self {
        Self((*self.0).clone_box())
    }
}

/// What a node can do without its type being known.
trait Erased<C: ?Sized> {
    fn count(&self) -> u32;
    fn describe(&self, visitor: &mut dyn Visitor);
    /// Goes on with a run, or begins one.
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

/// The memory of `N` in its box, which is made the first time.
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
            // What a panic has left open is over.
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

/// One visit without the events of the node itself, which its parent has told.
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
    /// Made when the subtree first runs.
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
