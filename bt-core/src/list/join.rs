//! Two lists in sequence, for composites with more children than the longest tuple.

use crate::describe::{SourceNode, Visitor};
use crate::facts::ChildFacts;
use crate::id::NodeId;
use crate::list::{Flow, List, ListShape};
use crate::node::{Visit, plus};
use crate::observer::Observer;
use crate::status::{CleanUp, Interrupt, Status, Step};
use crate::wake::{Foreseen, Wake, WakeVisit};
use crate::walk::{NodeState, StateVisitor, each_way};

/// Two lists in sequence. `tree!` splits long lists into joins; a composite treats a join as one list.
#[derive(Clone, Copy, Debug)]
pub struct Join<A, B>(pub A, pub B);

/// The open state of a [`Join`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum OpenJoin<A, B> {
    /// A child of the first list is running.
    First(A),
    /// A child of the second list is running.
    Second(B),
}

impl<A: ListShape, B: ListShape> ListShape for Join<A, B> {
    type Open = OpenJoin<A::Open, B::Open>;
    type Slots = (A::Slots, B::Slots);
    type Kept = (A::Kept, B::Kept);
    type Set = (A::Set, B::Set);

    const LEN: Option<usize> = match (A::LEN, B::LEN) {
        (Some(first), Some(second)) => Some(first + second),
        _ => None,
    };
    const ENTRIES: usize = A::ENTRIES + B::ENTRIES;
    const EACH: ChildFacts = ChildFacts::both(&A::EACH, &B::EACH);
    const COUNT: Option<u32> = plus(A::COUNT, B::COUNT);
    const RESTARTS: bool = A::RESTARTS && B::RESTARTS;

    #[inline]
    fn count(&self) -> u32 {
        self.0.count() + self.1.count()
    }

    #[inline(always)]
    fn len(&self) -> usize {
        self.0.len() + self.1.len()
    }

    fn id_of(&self, child: usize, at: NodeId) -> NodeId {
        match child.checked_sub(self.0.len()) {
            None => self.0.id_of(child, at),
            Some(child) => self.1.id_of(child, at.skip(self.0.count())),
        }
    }

    fn has(&self, set: &Self::Set, child: usize) -> bool {
        let first = self.0.len();
        if child < first { self.0.has(&set.0, child) } else { self.1.has(&set.1, child - first) }
    }

    fn put(&self, set: &mut Self::Set, child: usize) {
        let first = self.0.len();
        if child < first { self.0.put(&mut set.0, child) } else { self.1.put(&mut set.1, child - first) }
    }

    #[inline(always)]
    fn running(&self, open: &Self::Open) -> usize {
        match open {
            OpenJoin::First(open) => self.0.running(open),
            OpenJoin::Second(open) => self.0.len() + self.1.running(open),
        }
    }

    #[inline(always)]
    fn is_running(&self, slots: &Self::Slots, child: usize) -> bool {
        let first = self.0.len();
        if child < first { self.0.is_running(&slots.0, child) } else { self.1.is_running(&slots.1, child - first) }
    }

    fn closed(&self) -> Self::Slots {
        (self.0.closed(), self.1.closed())
    }

    fn walk(&self, at: NodeId, state: NodeState<'_, Self::Open, Self::Kept>, visitor: &mut dyn StateVisitor) {
        each_way!(state, |open, (kept, others)| {
            let (first, second) = match open {
                Some(OpenJoin::First(open)) => (Some(open), None),
                Some(OpenJoin::Second(open)) => (None, Some(open)),
                None => (None, None),
            };
            self.0.walk(at, (first, kept).into(), visitor);
            self.1.walk(self.second(at), (second, others).into(), visitor);
        });
    }

    fn walk_all(&self, at: NodeId, state: NodeState<'_, Self::Slots, Self::Kept>, visitor: &mut dyn StateVisitor) {
        each_way!(state, |slots, (kept, others)| {
            let (first, second) = slots.map(|(first, second)| (first, second)).unzip();
            self.0.walk_all(at, (first, kept).into(), visitor);
            self.1.walk_all(self.second(at), (second, others).into(), visitor);
        });
    }

    fn describe(&self, sources: &'static [SourceNode], visitor: &mut dyn Visitor) {
        let (first, second) = sources.split_at(A::ENTRIES.min(sources.len()));
        self.0.describe(first, visitor);
        self.1.describe(second, visitor);
    }
}

impl<A: ListShape, B> Join<A, B> {
    #[inline(always)]
    fn second(&self, first: NodeId) -> NodeId {
        first.skip(self.0.count())
    }
}

impl<C: ?Sized, A: List<C>, B: List<C>> List<C> for Join<A, B> {
    #[inline]
    fn wake(&self, open: &Self::Open, kept: &Self::Kept, visit: &mut WakeVisit<'_, C>) -> Wake {
        match open {
            OpenJoin::First(open) => self.0.wake(open, &kept.0, visit),
            OpenJoin::Second(open) => self.1.wake(open, &kept.1, visit),
        }
    }

    #[inline]
    fn wake_all(&self, slots: &Self::Slots, kept: &Self::Kept, visit: &mut WakeVisit<'_, C>) -> Wake {
        let first = self.0.wake_all(&slots.0, &kept.0, visit);
        first.earliest(self.1.wake_all(&slots.1, &kept.1, visit))
    }

    #[inline]
    fn foresee_one(&self, child: usize, kept: &Self::Kept, ctx: &mut C, event: bool) -> Foreseen {
        match child.checked_sub(self.0.len()) {
            None => self.0.foresee_one(child, &kept.0, ctx, event),
            Some(child) => self.1.foresee_one(child, &kept.1, ctx, event),
        }
    }

    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn start<F: Flow, O: Observer>(
        &self,
        at: NodeId,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<Self::Open> {
        match self.0.start::<F, O>(at, &mut kept.0, visit) {
            Step::Running(opened) => Step::Running(OpenJoin::First(opened)),
            Step::Done(outcome) if outcome != F::PASS => Step::Done(outcome),
            Step::Done(_) => self.1.start::<F, O>(self.second(at), &mut kept.1, visit).map(OpenJoin::Second),
        }
    }

    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn resume<F: Flow, O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()> {
        let mut resumed = false;
        if let OpenJoin::First(running) = open {
            match self.0.resume::<F, O>(at, running, &mut kept.0, visit) {
                Step::Done(outcome) if outcome == F::PASS => resumed = true,
                step => return step,
            }
        } else if !F::HAS_MEMORY {
            let step = self.0.start::<F, O>(at, &mut kept.0, visit);
            if !matches!(step, Step::Done(outcome) if outcome == F::PASS) {
                self.interrupt_one(at, open, kept, Interrupt::after(&step), visit);
                return step.map(|opened| *open = OpenJoin::First(opened));
            }
        }
        match open {
            OpenJoin::Second(running) if !resumed => {
                self.1.resume::<F, O>(self.second(at), running, &mut kept.1, visit)
            }
            _ => {
                let step = self.1.start::<F, O>(self.second(at), &mut kept.1, visit);
                step.map(|opened| *open = OpenJoin::Second(opened))
            }
        }
    }

    #[inline]
    fn start_first<O: Observer>(
        &self,
        at: NodeId,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<Self::Open> {
        self.0.start_first(at, &mut kept.0, visit).map(OpenJoin::First)
    }

    #[inline]
    fn start_one<O: Observer>(
        &self,
        child: usize,
        at: NodeId,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Option<Step<Self::Open>> {
        if child < self.0.len() {
            return Some(self.0.start_one(child, at, &mut kept.0, visit)?.map(OpenJoin::First));
        }
        Some(self.1.start_one(child - self.0.len(), self.second(at), &mut kept.1, visit)?.map(OpenJoin::Second))
    }

    #[inline]
    fn resume_one<const OPENING: bool, O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()> {
        match open {
            OpenJoin::First(running) => self.0.resume_one::<OPENING, O>(at, running, &mut kept.0, visit),
            OpenJoin::Second(running) => self.1.resume_one::<OPENING, O>(self.second(at), running, &mut kept.1, visit),
        }
    }

    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn interrupt_one<O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        kept: &mut Self::Kept,
        how: Interrupt,
        visit: &mut Visit<'_, C, O>,
    ) {
        match open {
            OpenJoin::First(running) => self.0.interrupt_one(at, running, &mut kept.0, how, visit),
            OpenJoin::Second(running) => self.1.interrupt_one(self.second(at), running, &mut kept.1, how, visit),
        }
    }

    #[inline]
    fn tick_slot<const OPENING: bool, O: Observer>(
        &self,
        child: usize,
        at: NodeId,
        slots: &mut Self::Slots,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Option<Step<()>> {
        if child < self.0.len() {
            self.0.tick_slot::<OPENING, O>(child, at, &mut slots.0, &mut kept.0, visit)
        } else {
            self.1.tick_slot::<OPENING, O>(child - self.0.len(), self.second(at), &mut slots.1, &mut kept.1, visit)
        }
    }

    #[inline]
    fn tick_rest<const OPENING: bool, R, O: Observer>(
        &self,
        at: NodeId,
        slots: &mut Self::Slots,
        set: &mut Self::Set,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
        decide: &mut impl FnMut(Status) -> Option<R>,
    ) -> Option<R> {
        let first = self.0.tick_rest::<OPENING, R, O>(at, &mut slots.0, &mut set.0, &mut kept.0, visit, decide);
        first.or_else(|| {
            self.1.tick_rest::<OPENING, R, O>(self.second(at), &mut slots.1, &mut set.1, &mut kept.1, visit, decide)
        })
    }

    #[inline]
    fn halt_slot<O: Observer>(
        &self,
        child: usize,
        at: NodeId,
        slots: &mut Self::Slots,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) {
        if child < self.0.len() {
            self.0.halt_slot(child, at, &mut slots.0, &mut kept.0, visit);
        } else {
            self.1.halt_slot(child - self.0.len(), self.second(at), &mut slots.1, &mut kept.1, visit);
        }
    }

    fn visit_cleanups<O: Observer>(
        &self,
        at: NodeId,
        kept: &mut Self::Kept,
        how: CleanUp,
        visit: &mut Visit<'_, C, O>,
    ) {
        self.0.visit_cleanups(at, &mut kept.0, how, visit);
        self.1.visit_cleanups(self.second(at), &mut kept.1, how, visit);
    }

    fn wake_cleanups(&self, kept: &Self::Kept, visit: &mut WakeVisit<'_, C>) -> Wake {
        self.0.wake_cleanups(&kept.0, visit).earliest(self.1.wake_cleanups(&kept.1, visit))
    }

    #[inline]
    fn interrupt_all<O: Observer>(
        &self,
        at: NodeId,
        slots: &mut Self::Slots,
        kept: &mut Self::Kept,
        how: Interrupt,
        visit: &mut Visit<'_, C, O>,
    ) {
        self.0.interrupt_all(at, &mut slots.0, &mut kept.0, how, visit);
        self.1.interrupt_all(self.second(at), &mut slots.1, &mut kept.1, how, visit);
    }
}
