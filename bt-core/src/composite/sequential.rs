//! Sequences and selectors: composites that tick their children in order.

use core::marker::PhantomData;

use crate::composite::wakes;
use crate::describe::{Info, Kind, Name, Visitor};
use crate::facts::Facts;
use crate::id::NodeId;
use crate::list::flow::{self, Flow};
use crate::list::{List, ListShape};
use crate::node::{Node, NodeShape, Visit, one_more};
use crate::observer::Observer;
use crate::outcomes::Outcomes;
use crate::status::{CleanUp, Interrupt, Step};
use crate::wake::{Foreseen, Wake, WakeVisit};
use crate::walk::{NodeState, OwnState, StateVisitor};

/// Ticks its children in order until one does not fail; starts from the first every tick. Earlier children have
/// priority over later ones.
///
/// The node returns the status of that child, and fails if all children fail. If a running child is not reached in a
/// tick, it is halted, after the child that takes over was ticked. A running child that is reached again is resumed.
/// (Priority in Behavior3, ActiveSelector in the Lua article.)
///
/// ```
/// # use bt_core::prelude::*;
/// # struct Npc { enemy: bool }
/// # fn enemy_near(npc: &Npc) -> bool { npc.enemy }
/// # fn flee(_: &mut Npc) -> Status { Status::Running }
/// # fn graze(_: &mut Npc) -> Status { Status::Running }
/// let tree = tree! { for Npc: selector { sequence { enemy_near, flee }, graze } };
/// # assert_eq!(tree.tick(&mut Npc { enemy: true }, &mut tree.memory()), Status::Running);
/// ```
pub const fn selector<L>(children: L) -> Selector<L> {
    Sequential::new(children)
}

/// Ticks its children in order until one does not succeed; starts from the first every tick.
///
/// The node returns the status of that child, and succeeds if all children succeed. The children before a running one
/// are ticked again every tick, so conditions among them guard it: when one fails, the running child is halted.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for bool: sequence { |light: &bool| *light, run } };
/// let mut memory = tree.memory();
/// assert_eq!(tree.tick(&mut true, &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut false, &mut memory), Status::Failure);
/// ```
pub const fn sequence<L>(children: L) -> Sequence<L> {
    Sequential::new(children)
}

/// Ticks its children in order until one does not fail; resumes at the running child, without ticking the children
/// before it.
///
/// The position is cleared when the node ends or is halted. (MemPriority in Behavior3, Selector in the Lua article.)
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for bool: mem_selector { |first: &bool| *first, run } };
/// let mut memory = tree.memory();
/// assert_eq!(tree.tick(&mut false, &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut true, &mut memory), Status::Running); // the first child is not ticked again
/// ```
pub const fn mem_selector<L>(children: L) -> MemSelector<L> {
    Sequential::new(children)
}

/// Ticks its children in order until one does not succeed; resumes at the running child, without ticking the children
/// before it. Use it for steps that follow each other.
///
/// The position is cleared when the node ends or is halted. (MemSequence in Behavior3, Sequence in the Lua article.)
///
/// ```
/// # use bt_core::prelude::*;
/// let a = |log: &mut Vec<char>| log.push('a');
/// let b = |log: &mut Vec<char>| if log.len() < 3 { log.push('b'); Status::Running } else { Status::Success };
/// let tree = tree! { for Vec<char>: mem_sequence { a, b } };
/// let (mut log, mut memory) = (Vec::new(), tree.memory());
/// while tree.tick(&mut log, &mut memory) == Status::Running {}
/// assert_eq!(log, ['a', 'b', 'b']);
/// ```
pub const fn mem_sequence<L>(children: L) -> MemSequence<L> {
    Sequential::new(children)
}

/// A selector over the children `L`. See [`keywords::selector`](crate::keywords::selector).
pub type Selector<L> = Sequential<flow::Selector, L>;
/// A sequence over the children `L`. See [`keywords::sequence`](crate::keywords::sequence).
pub type Sequence<L> = Sequential<flow::Sequence, L>;
/// A selector with memory. See [`keywords::mem_selector`](crate::keywords::mem_selector).
pub type MemSelector<L> = Sequential<flow::MemSelector, L>;
/// A sequence with memory. See [`keywords::mem_sequence`](crate::keywords::mem_sequence).
pub type MemSequence<L> = Sequential<flow::MemSequence, L>;

/// A composite that ticks its children in order, by the flow `F`.
///
/// It is unrolled over its children. As a rule over [`Children`](super::Children) it took twice the instructions: 52 a tick instead of
/// 27, with memory 101 instead of 44.
#[derive(Clone, Copy)]
pub struct Sequential<F, L> {
    children: L,
    flow: PhantomData<F>,
}

impl<F, L> Sequential<F, L> {
    /// Creates a composite of these children: a tuple of up to 8 nodes, or a [`Join`](super::Join) of lists.
    pub const fn new(children: L) -> Self {
        Self { children, flow: PhantomData }
    }
}

impl<F: Flow, L: ListShape> NodeShape for Sequential<F, L> {
    type Open = L::Open;
    type Kept = L::Kept;
    const RETURNS: Outcomes = Self::FACTS.returns;
    const FACTS: Facts = F::WORD.row().facts(L::EACH);
    const COUNT: Option<u32> = one_more(L::COUNT);
    const RESTARTS: bool = !F::HAS_MEMORY && L::RESTARTS;

    #[inline]
    fn count(&self) -> u32 {
        1 + self.children.count()
    }

    fn walk(&self, at: NodeId, state: NodeState<'_, L::Open, L::Kept>, visitor: &mut dyn StateVisitor) {
        // A byte: which child runs.
        visitor.node(at, OwnState::while_running(1));
        self.children.walk(at.first_child(), state, visitor);
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        let sources = visitor.enter(&Info {
            kind: Kind::Composite,
            name: Name::Known(F::WORD.name()),
            returns: Self::RETURNS,
            params: &[],
        });
        self.children.describe(sources, visitor);
        visitor.leave();
    }
}

impl<C: ?Sized, F: Flow, L: List<C>> Node<C> for Sequential<F, L> {
    #[inline(always)]
    fn start<O: Observer>(&self, at: NodeId, kept: &mut L::Kept, visit: &mut Visit<'_, C, O>) -> Step<L::Open> {
        self.children.start::<F, O>(at.first_child(), kept, visit)
    }

    #[inline(always)]
    fn resume<O: Observer>(
        &self,
        at: NodeId,
        open: &mut L::Open,
        kept: &mut L::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()> {
        self.children.resume::<F, O>(at.first_child(), open, kept, visit)
    }

    #[inline(always)]
    fn interrupt<O: Observer>(
        &self,
        at: NodeId,
        open: &mut L::Open,
        kept: &mut L::Kept,
        how: Interrupt,
        visit: &mut Visit<'_, C, O>,
    ) {
        self.children.interrupt_one(at.first_child(), open, kept, how, visit);
    }

    fn visit_cleanups<O: Observer>(
        &self,
        at: NodeId,
        kept: &mut Self::Kept,
        how: CleanUp,
        visit: &mut Visit<'_, C, O>,
    ) {
        self.children.visit_cleanups(at.first_child(), kept, how, visit);
    }

    fn wake_cleanups(&self, kept: &Self::Kept, visit: &mut WakeVisit<'_, C>) -> Wake {
        self.children.wake_cleanups(kept, visit)
    }

    #[inline]
    fn wake(&self, open: &L::Open, kept: &L::Kept, visit: &mut WakeVisit<'_, C>) -> Wake {
        let before = if F::HAS_MEMORY { 0 } else { self.children.running(open) };
        self.children.wake(open, kept, visit).or_earlier(|| {
            let foresee = |child| self.children.foresee_one(child, kept, visit.ctx, false);
            match wakes::in_order(0..before, F::PASS, foresee) {
                Some((outcome, until)) if outcome == F::PASS => until,
                Some(_) | None => Wake::Next,
            }
        })
    }

    #[inline]
    fn foresee(&self, kept: &L::Kept, ctx: &mut C, event: bool) -> Foreseen {
        let children = 0..self.children.len();
        wakes::in_order(children, F::PASS, |child| self.children.foresee_one(child, kept, ctx, event))
    }
}
