//! A sequence whose position is kept across runs.

use bt_words::{ChildCount, Word};

use crate::composite::adopted::Adopted;
use crate::composite::custom::{Composed, Composite, CompositeShape, compose};
use crate::composite::marks::NoMarks;
use crate::composite::rule::Children;
use crate::composite::running::OneAtATime;
use crate::composite::wakes::ChildWakes;
use crate::status::Status;
use crate::wake::Wake;

/// Ticks its children in order until one does not succeed, like `mem_sequence`; after a failure, an error or a halt, the
/// next run starts at the child where this run ended.
///
/// The position is cleared when all children have succeeded. A patrol that was halted continues at its post.
/// (`SequenceWithMemory` in BehaviorTree.CPP.)
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
pub const fn kept_sequence<L>(children: L) -> Composed<KeptSequence, L> {
    compose(KeptSequence, children)
}

/// The position of a sequence that continues at its first child: an edit has moved the child there. At 0, nothing has begun.
const FIRST: u32 = u32::MAX;

/// Returns the index of the child at a position.
#[inline(always)]
const fn child_at(position: u32) -> usize {
    if position == FIRST { 0 } else { position as usize }
}

/// The rule of [`keywords::kept_sequence`](crate::keywords::kept_sequence).
#[derive(Clone, Copy, Debug)]
pub struct KeptSequence;

impl CompositeShape for KeptSequence {
    type Open = ();
    /// The index of the child where the next run starts; `u32::MAX` for the first one, if that has been moved there.
    type Kept = u32;
    type Running = OneAtATime;
    type Marks = NoMarks;
    const WORD: Option<Word> = Some(Word::KeptSequence);
    const CHILDREN: ChildCount = ChildCount::ANY_OR_NONE;

    fn adopt(&self, (): &mut (), position: &mut u32, children: &mut Adopted<'_>) -> bool {
        let has_begun = *position != 0;
        // A child that was removed is over.
        let next = children.moved().skip(child_at(*position)).find_map(|child| child).filter(|_| has_begun);
        *position = match children.running().next().or(next) {
            Some(0) if has_begun => FIRST,
            child => child.map_or(0, |child| u32::try_from(child).unwrap_or(0)),
        };
        true
    }
    fn wake(&self, (): &(), _: &u32, children: &mut dyn ChildWakes) -> Wake {
        children.running()
    }
}

impl<C: ?Sized> Composite<C> for KeptSequence {
    #[inline(always)]
    fn tick(&self, children: &mut impl Children<C>, (): &mut (), position: &mut u32, ctx: &mut C) -> Status {
        let first = children.running().unwrap_or(child_at(*position));
        for child in first..children.len() {
            match children.tick(child, ctx) {
                Status::Success => *position = u32::try_from(child + 1).unwrap_or(0),
                status => return status,
            }
        }
        *position = 0;
        Status::Success
    }
}
