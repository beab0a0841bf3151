//! A tree over a part of the context.

use core::fmt;
use core::marker::PhantomData;

use crate::describe::Visitor;
use crate::facts::Facts;
use crate::id::NodeId;
use crate::leaf::Context;
use crate::node::{Node, NodeShape, Visit};
use crate::observer::Observer;
use crate::outcomes::Outcomes;
use crate::status::{CleanUp, Interrupt, Step};
use crate::wake::{Foreseen, Wake, WakeVisit};
use crate::walk::{NodeState, StateVisitor};

/// A tree over a part `P` of the context. See [`keywords::within`](crate::keywords::within).
#[doc(hidden)]
pub struct Within<F, P: ?Sized, N> {
    part: F,
    child: N,
    of: PhantomData<fn(&mut P)>,
}

impl<F: Clone, P: ?Sized, N: Clone> Clone for Within<F, P, N> {
    fn clone(&self) -> Self {
        Self { part: self.part.clone(), child: self.child.clone(), of: PhantomData }
    }
}

impl<F: Copy, P: ?Sized, N: Copy> Copy for Within<F, P, N> {}

impl<F, P: ?Sized, N: fmt::Debug> fmt::Debug for Within<F, P, N> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Within").field("child", &self.child).finish_non_exhaustive()
    }
}

/// Runs a tree over a part of the context, as in `within(|npc: &mut Npc| &mut npc.weapon) { reload }`.
///
/// The closure returns an exclusive reference to the part. The type of the part is the context of the nodes in the braces.
/// The closure is called in each visit of the tree. `within` is not a node of its own, so it has no label.
///
/// ```
/// use bt_core::prelude::*;
///
/// struct Weapon { rounds: u32 }
/// struct Soldier { weapon: Weapon, shots: u32 }
///
/// fn empty(weapon: &Weapon) -> bool { weapon.rounds == 0 }
/// fn reload(weapon: &mut Weapon) { weapon.rounds = 6; }
/// fn shoot(soldier: &mut Soldier) { soldier.weapon.rounds -= 1; soldier.shots += 1; }
///
/// let tree = tree! {
///     for Soldier: selector {
///         within(|soldier: &mut Soldier| &mut soldier.weapon) {
///             sequence { empty, reload }
///         }
///         shoot,
///     }
/// };
/// let mut ann = Soldier { weapon: Weapon { rounds: 0 }, shots: 0 };
/// let mut memory = tree.memory();
/// assert_eq!(tree.tick(&mut ann, &mut memory), Status::Success);    // reloads
/// assert_eq!(ann.weapon.rounds, 6);
/// tree.tick(&mut ann, &mut memory);
/// assert_eq!((ann.weapon.rounds, ann.shots), (5, 1));
/// ```
#[inline(always)]
pub fn within<C, P, F, N>(_: Context<C>, part: F, child: impl FnOnce(Context<P>) -> N) -> Within<F, P, N>
where
    C: ?Sized,
    P: ?Sized,
    F: for<'a> Fn(&'a mut C) -> &'a mut P,
{
    Within { part, child: child(Context::new()), of: PhantomData }
}

impl<F, P: ?Sized, N: NodeShape> NodeShape for Within<F, P, N> {
    type Open = N::Open;
    type Kept = N::Kept;
    const RETURNS: Outcomes = N::RETURNS;
    const FACTS: Facts = N::FACTS;
    const COUNT: Option<u32> = N::COUNT;
    const RESTARTS: bool = N::RESTARTS;

    #[inline]
    fn count(&self) -> u32 {
        self.child.count()
    }

    #[inline(always)]
    fn cleans_up(&self, kept: &N::Kept) -> bool {
        self.child.cleans_up(kept)
    }

    fn walk(&self, at: NodeId, state: NodeState<'_, N::Open, N::Kept>, visitor: &mut dyn StateVisitor) {
        self.child.walk(at, state, visitor);
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        self.child.describe(visitor);
    }
}

impl<C, P, F, N> Node<C> for Within<F, P, N>
where
    C: ?Sized,
    P: ?Sized,
    F: for<'a> Fn(&'a mut C) -> &'a mut P,
    N: Node<P>,
{
    #[inline(always)]
    fn start<O: Observer>(&self, at: NodeId, kept: &mut N::Kept, visit: &mut Visit<'_, C, O>) -> Step<N::Open> {
        self.child.start(at, kept, &mut Visit::new((self.part)(visit.ctx), &mut *visit.observer))
    }

    #[inline(always)]
    fn resume<O: Observer>(
        &self,
        at: NodeId,
        open: &mut N::Open,
        kept: &mut N::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()> {
        self.child.resume(at, open, kept, &mut Visit::new((self.part)(visit.ctx), &mut *visit.observer))
    }

    fn open_replaced(&self, at: NodeId, kept: &mut N::Kept, visit: &mut Visit<'_, C, ()>) -> Option<N::Open> {
        self.child.open_replaced(at, kept, &mut Visit::new((self.part)(visit.ctx), &mut ()))
    }

    #[inline(always)]
    fn interrupt<O: Observer>(
        &self,
        at: NodeId,
        open: &mut N::Open,
        kept: &mut N::Kept,
        how: Interrupt,
        visit: &mut Visit<'_, C, O>,
    ) {
        self.child.interrupt(at, open, kept, how, &mut Visit::new((self.part)(visit.ctx), &mut *visit.observer));
    }

    fn visit_cleanups<O: Observer>(
        &self,
        at: NodeId,
        kept: &mut Self::Kept,
        how: CleanUp,
        visit: &mut Visit<'_, C, O>,
    ) {
        let part = &mut Visit::new((self.part)(visit.ctx), &mut *visit.observer);
        self.child.visit_cleanups(at, kept, how, part);
    }

    fn wake_cleanups(&self, kept: &Self::Kept, visit: &mut WakeVisit<'_, C>) -> Wake {
        self.child.wake_cleanups(kept, &mut visit.part(&self.part))
    }

    #[inline]
    fn wake(&self, open: &N::Open, kept: &N::Kept, visit: &mut WakeVisit<'_, C>) -> Wake {
        self.child.wake(open, kept, &mut visit.part(&self.part))
    }

    #[inline]
    fn foresee(&self, kept: &N::Kept, ctx: &mut C, event: bool) -> Foreseen {
        self.child.foresee(kept, (self.part)(ctx), event)
    }
}
