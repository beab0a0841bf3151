//! Sequences and selectors: children one after the other.

use core::marker::PhantomData;

use crate::check::{Facts, Lints, Unreachable};
use crate::clock::Shift;
use crate::composite::flow::{self, Flow};
use crate::composite::list::{List, ListShape};
use crate::describe::{Info, Kind, Name, Visitor};
use crate::id::NodeId;
use crate::node::{Node, NodeShape, Visit, one_more};
use crate::observe::Observer;
use crate::outcomes::Outcomes;
use crate::status::Step;

/// Asks its children in order until one does not fail, each tick from the first: left is more important.
///
/// Ends or runs as that child does; fails when all fail. A child that was running and is not reached, or not asked, any more is halted,
/// after the one that took over was ticked. A running child that is reached again is resumed. (Behavior3's Priority, the Lua text's
/// ActiveSelector.)
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

/// Asks its children in order until one does not succeed, each tick from the first.
///
/// Ends or runs as that child does; succeeds when all succeed. Because the children before a running one are asked again each
/// tick, conditions there guard it: once they fail, it is halted.
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

/// A selector that goes on at the running child, without asking those before it; forgets when it ends or is halted.
///
/// (Behavior3's MemPriority, the Lua text's Selector.)
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for bool: mem_selector { |first: &bool| *first, run } };
/// let mut memory = tree.memory();
/// assert_eq!(tree.tick(&mut false, &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut true, &mut memory), Status::Running); // does not ask again
/// ```
pub const fn mem_selector<L>(children: L) -> MemSelector<L> {
    Sequential::new(children)
}

/// A sequence that goes on at the running child, without asking those before it: do this, then that, then that.
///
/// Forgets when it ends or is halted. (Behavior3's MemSequence, the Lua text's Sequence.)
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

/// A selector over the children `L`; see [`keywords::selector`](crate::keywords::selector).
pub type Selector<L> = Sequential<flow::Selector, L>;
/// A sequence over the children `L`; see [`keywords::sequence`](crate::keywords::sequence).
pub type Sequence<L> = Sequential<flow::Sequence, L>;
/// A selector that remembers; see [`keywords::mem_selector`](crate::keywords::mem_selector).
pub type MemSelector<L> = Sequential<flow::MemSelector, L>;
/// A sequence that remembers; see [`keywords::mem_sequence`](crate::keywords::mem_sequence).
pub type MemSequence<L> = Sequential<flow::MemSequence, L>;

/// Children one after the other, as the flow `F` says.
#[derive(Clone, Copy)]
pub struct Sequential<F, L> {
    children: L,
    flow: PhantomData<F>,
}

impl<F, L> Sequential<F, L> {
    /// A composite of these children: a tuple of up to eight, or a [`Join`](super::Join) of lists.
    pub const fn new(children: L) -> Self {
        Self { children, flow: PhantomData }
    }
}

impl<F: Flow, L: ListShape> NodeShape for Sequential<F, L> {
    type Open = L::Open;
    type Kept = L::Kept;
    const CAN: Outcomes = L::EACH.sequential(F::PASS.set());
    const FACTS: Facts = {
        let goes_on = F::PASS.set();
        let unreachable = match L::EACH.behind(goes_on) {
            Some(from) => Some(Unreachable { from, keyword: F::WORD.name(), goes_on }),
            None => None,
        };
        Facts::composite(Self::CAN, Lints::NONE, L::EACH, unreachable)
    };
    const COUNT: Option<u32> = one_more(L::COUNT);
    const RESTARTS: bool = !F::HAS_MEMORY && L::RESTARTS;

    #[inline(always)]
    fn count(&self) -> u32 {
        1 + self.children.count()
    }

    fn shift_times(&self, open: Option<&mut Self::Open>, kept: &mut L::Kept, by: Shift) {
        self.children.shift_times(open, kept, by);
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        let sources = visitor.enter(&Info {
            kind: Kind::Composite,
            name: Name::Known(F::WORD.name()),
            can: Self::CAN,
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
    fn interrupt<O: Observer>(&self, at: NodeId, open: &mut L::Open, kept: &mut L::Kept, visit: &mut Visit<'_, C, O>) {
        self.children.halt(at.first_child(), open, kept, visit);
    }
}
