//! Nodes that only describe: a place in the source, a stored subtree.

use crate::describe::{Info, Kind, Name, Param, Place, Visitor};
use crate::node::{Node, NodeId, Shape};
use crate::observe::Observer;
use crate::outcomes::Outcomes;
use crate::status::Step;
use crate::visit;

/// A node together with its place in the source: the root of a `tree!`, the child of a decorator. Not a node of its own.
#[derive(Clone, Copy, Debug)]
pub struct Placed<N> {
    pub(crate) node: N,
    place: &'static Place,
}

impl<N> Placed<N> {
    /// Says where a node stands.
    pub const fn new(place: &'static Place, node: N) -> Self {
        Self { node, place }
    }
}

impl<N: Shape> Shape for Placed<N> {
    type Open = N::Open;
    type Kept = N::Kept;
    const CAN: Outcomes = N::CAN;
    const COUNT: Option<u32> = N::COUNT;
    const RESTARTS: bool = N::RESTARTS;

    #[inline(always)]
    fn count(&self) -> u32 {
        self.node.count()
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        visitor.place(self.place);
        self.node.describe(visitor);
    }
}

impl<C: ?Sized, N: Node<C>> Node<C> for Placed<N> {
    #[inline(always)]
    fn start<O: Observer>(&self, at: NodeId, kept: &mut N::Kept, ctx: &mut C, observer: &mut O) -> Step<N::Open> {
        self.node.start(at, kept, ctx, observer)
    }

    #[inline(always)]
    fn resume<O: Observer>(
        &self,
        at: NodeId,
        open: &mut N::Open,
        kept: &mut N::Kept,
        ctx: &mut C,
        observer: &mut O,
    ) -> Step<()> {
        self.node.resume(at, open, kept, ctx, observer)
    }

    #[inline(always)]
    fn interrupt<O: Observer>(
        &self,
        at: NodeId,
        open: &mut N::Open,
        kept: &mut N::Kept,
        ctx: &mut C,
        observer: &mut O,
    ) {
        self.node.interrupt(at, open, kept, ctx, observer);
    }
}

/// A stored subtree: what a [`#[subtree]`](crate::subtree) function builds. It shows as a named node above its tree.
#[derive(Clone, Copy)]
pub struct Subtree<N, P> {
    pub(crate) child: N,
    name: &'static str,
    params: P,
}

impl<N, P: Fn(&mut dyn FnMut(&[Param<'_>]))> Subtree<N, P> {
    /// Names a tree. `params` shows the function's arguments to whoever asks.
    pub const fn new(name: &'static str, params: P, child: N) -> Self {
        Self { child, name, params }
    }
}

impl<N: Shape, P: Fn(&mut dyn FnMut(&[Param<'_>]))> Shape for Subtree<N, P> {
    type Open = N::Open;
    type Kept = N::Kept;
    const CAN: Outcomes = N::CAN;
    const COUNT: Option<u32> = one_more(N::COUNT);
    const RESTARTS: bool = N::RESTARTS;

    #[inline(always)]
    fn count(&self) -> u32 {
        match Self::COUNT {
            Some(count) => count,
            None => 1 + self.child.count(),
        }
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        (self.params)(&mut |params| {
            visitor.enter(&Info { kind: Kind::Subtree, name: Name::Known(self.name), can: Self::CAN, params });
        });
        self.child.describe(visitor);
        visitor.leave();
    }
}

impl<C: ?Sized, N: Node<C>, P: Fn(&mut dyn FnMut(&[Param<'_>]))> Node<C> for Subtree<N, P> {
    #[inline(always)]
    fn start<O: Observer>(&self, at: NodeId, kept: &mut N::Kept, ctx: &mut C, observer: &mut O) -> Step<N::Open> {
        visit::start(&self.child, at.first_child(), kept, ctx, observer)
    }

    #[inline(always)]
    fn resume<O: Observer>(
        &self,
        at: NodeId,
        open: &mut N::Open,
        kept: &mut N::Kept,
        ctx: &mut C,
        observer: &mut O,
    ) -> Step<()> {
        visit::resume(&self.child, at.first_child(), open, kept, ctx, observer)
    }

    #[inline(always)]
    fn interrupt<O: Observer>(
        &self,
        at: NodeId,
        open: &mut N::Open,
        kept: &mut N::Kept,
        ctx: &mut C,
        observer: &mut O,
    ) {
        visit::halt(&self.child, at.first_child(), open, kept, ctx, observer);
    }
}

/// The count of a node with one child of its own.
pub(crate) const fn one_more(count: Option<u32>) -> Option<u32> {
    match count {
        Some(count) => Some(count + 1),
        None => None,
    }
}
