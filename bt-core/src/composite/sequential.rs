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
    const CAN: Outcomes = L::EACH.sequential(Outcomes::only(F::PASS));
    const FACTS: Facts = {
        let goes_on = Outcomes::only(F::PASS);
        let unreachable = match L::EACH.behind(goes_on) {
            Some(from) => Some(Unreachable { from, keyword: F::NAME, goes_on }),
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
        let sources =
            visitor.enter(&Info { kind: Kind::Composite, name: Name::Known(F::NAME), can: Self::CAN, params: &[] });
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
