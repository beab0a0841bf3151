//! A sequence whose position is kept across runs.

use bt_words::Word;

use crate::check::{Facts, Thresholds};
use crate::clock::Shift;
use crate::composite::list::{List, ListShape};
use crate::describe::{Info, Kind, Name, Visitor};
use crate::id::NodeId;
use crate::node::{Node, NodeShape, Visit, one_more};
use crate::observe::Observer;
use crate::outcomes::Outcomes;
use crate::status::{Outcome, Step};
use crate::wake::{Wake, WakeVisit};

/// Ticks its children in order until one does not succeed, like `mem_sequence`; after a failure, an error or a halt, the
/// next run starts at the child where this one ended.
///
/// The position is cleared when all children have succeeded. An interrupted patrol continues at its post. (`SequenceWithMemory` in BehaviorTree.CPP.)
///
/// ```
/// # use bt_core::prelude::*;
/// # fn enemy(npc: &(bool, Vec<u32>)) -> bool { npc.0 }
/// #[action]
/// fn walk_to(npc: &mut (bool, Vec<u32>), post: u32) -> Status {
///     npc.1.push(post);
///     Status::Success
/// }
/// # #[action] fn look(_: &mut (bool, Vec<u32>)) -> Status { Status::Running }
///
/// let tree = tree! {
///     for (bool, Vec<u32>): selector { sequence { enemy, run } kept_sequence { walk_to(1), walk_to(2), look, walk_to(3) } }
/// };
/// let (mut npc, mut memory) = ((false, vec![]), tree.memory());
/// for enemy in [false, true, false] {
///     npc.0 = enemy;
///     tree.tick(&mut npc, &mut memory);
/// }
/// assert_eq!(npc.1, [1, 2]);                     // the first posts are not visited again after the fight
/// ```
pub const fn kept_sequence<L>(children: L) -> KeptSequence<L> {
    KeptSequence { children }
}

/// A sequence whose position is kept across runs. See [`keywords::kept_sequence`](crate::keywords::kept_sequence).
#[derive(Clone, Copy)]
pub struct KeptSequence<L> {
    children: L,
}

impl<L: ListShape> KeptSequence<L> {
    /// Starts the child at the kept position and, as long as they succeed, those after it.
    fn go_on<C: ?Sized, O: Observer>(
        &self,
        at: NodeId,
        (kept, position): &mut (L::Kept, u32),
        visit: &mut Visit<'_, C, O>,
    ) -> Step<L::Open>
    where
        L: List<C>,
    {
        // Without such a child, all have succeeded.
        while let Some(step) = self.children.start_one(*position as usize, at, kept, visit) {
            match step {
                Step::Done(Outcome::Success) => *position += 1,
                step => return step,
            }
        }
        *position = 0;
        Step::Done(Outcome::Success)
    }
}

impl<L: ListShape> NodeShape for KeptSequence<L> {
    type Open = L::Open;
    /// The states of the children, and the index of the child where the next run starts.
    type Kept = (L::Kept, u32);
    const CAN: Outcomes = Self::FACTS.can;
    const FACTS: Facts = Word::KeptSequence.row().facts(L::EACH, Thresholds::UNKNOWN);
    const COUNT: Option<u32> = one_more(L::COUNT);
    const SLEEPS: bool = L::SLEEPS;

    #[inline]
    fn count(&self) -> u32 {
        1 + self.children.count()
    }

    fn shift_times(&self, open: Option<&mut L::Open>, kept: &mut Self::Kept, by: Shift) {
        self.children.shift_times(open, &mut kept.0, by);
    }

    fn machines(&self, at: NodeId, open: &L::Open, kept: &Self::Kept, call: &mut dyn FnMut(NodeId, usize)) {
        self.children.machines(at.first_child(), open, &kept.0, call);
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        let name = Name::Known(Word::KeptSequence.name());
        let sources = visitor.enter(&Info { kind: Kind::Composite, name, can: Self::CAN, params: &[] });
        self.children.describe(sources, visitor);
        visitor.leave();
    }
}

impl<C: ?Sized, L: List<C>> Node<C> for KeptSequence<L> {
    #[inline]
    fn wake(&self, open: &L::Open, kept: &Self::Kept, visit: &mut WakeVisit<'_, C>) -> Wake {
        self.children.wake(open, &kept.0, visit)
    }

    #[inline]
    fn start<O: Observer>(&self, at: NodeId, kept: &mut Self::Kept, visit: &mut Visit<'_, C, O>) -> Step<L::Open> {
        self.go_on(at.first_child(), kept, visit)
    }

    #[inline]
    fn resume<O: Observer>(
        &self,
        at: NodeId,
        open: &mut L::Open,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()> {
        let (at, running) = (at.first_child(), self.children.running(open));
        match self.children.resume_one(at, open, &mut kept.0, visit) {
            Step::Done(Outcome::Success) => {
                kept.1 = u32::try_from(running + 1).unwrap_or(0);
                self.go_on(at, kept, visit).map(|opened| *open = opened)
            }
            step => step,
        }
    }

    #[inline]
    fn interrupt<O: Observer>(
        &self,
        at: NodeId,
        open: &mut L::Open,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) {
        self.children.halt(at.first_child(), open, &mut kept.0, visit);
    }
}
