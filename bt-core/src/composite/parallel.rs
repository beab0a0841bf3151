//! Parallels: composites that tick all children every tick until a threshold is reached.

use core::marker::PhantomData;

use crate::check::{Facts, Thresholds};
use crate::clock::Shift;
use crate::composite::list::{List, ListShape};
#[cfg(feature = "serde")]
use crate::composite::tally::Ended;
use crate::composite::tally::{Counts, ParallelMode, Reactive, Tally, WithMemory};
use crate::composite::threshold::Threshold;
use crate::composite::wakes;
use crate::describe::{Info, Kind, Name, Param, Visitor};
use crate::id::NodeId;
use crate::node::{Node, NodeShape, Visit, one_more};
use crate::observe::Observer;
use crate::outcomes::Outcomes;
use crate::status::{Outcome, Step};
use crate::wake::{Wake, WakeVisit};

/// Ticks all of its children every tick, in order, until enough of them succeed or fail in the same tick:
/// `parallel(success = all, failure = one)`.
///
/// A threshold is `all`, `one` or a number of children. The default for success is `all`, that for failure is `one`.
/// The node stops at the first threshold reached; success is checked first. Children that are running then are halted.
/// A child that has ended starts again in the next tick. (The Parallel of the Lua text.)
///
/// A literal threshold larger than the number of children is a compile error. If a *computed* threshold for success is
/// larger, the node fails at once without ticking a child. If a computed threshold for failure is larger, it is never
/// reached. A computed threshold of 0 counts as 1.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for (): parallel(success = one) { run, succeed } };
/// assert_eq!(tree.tick(&mut (), &mut tree.memory()), Status::Success);
/// ```
pub const fn parallel<S: Threshold, F: Threshold, L>(success: S, failure: F, children: L) -> Parallel<S, F, L> {
    Concurrent::new(success, failure, children)
}

/// Ticks all of its children in order, each until it ends, until enough of them have succeeded or failed.
///
/// Finished children are not ticked again. The node fails at once when it can no longer succeed. For the thresholds see
/// [`parallel`]. (The Parallel of BehaviorTree.CPP.)
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for u32: mem_parallel { |n: &mut u32| *n += 1, wait_until { |n: &u32| *n > 5 } } };
/// let (mut n, mut memory) = (0, tree.memory());
/// assert_eq!(tree.tick(&mut n, &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut n, &mut memory), Status::Running);
/// assert_eq!(n, 1); // the first child has ended and is not ticked again
/// ```
pub const fn mem_parallel<S: Threshold, F: Threshold, L>(success: S, failure: F, children: L) -> MemParallel<S, F, L> {
    Concurrent::new(success, failure, children)
}

/// The open state of a parallel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Slots<S, K> {
    slots: S,
    counts: K,
}

#[cfg(feature = "serde")]
impl<'de, S, K> serde::Deserialize<'de> for Slots<S, K>
where
    S: serde::Deserialize<'de> + Ended,
    K: serde::Deserialize<'de> + Copy + Into<Counts>,
{
    fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(rename = "Slots")]
        struct Read<S, K> {
            slots: S,
            counts: K,
        }
        let Read { slots, counts } = Read::<S, K>::deserialize(input)?;
        let (of, ended) = (counts.into(), slots.ended());
        if usize::from(of.successes) + usize::from(of.failures) != ended {
            let message = "a parallel of which other children have ended than it has counted";
            return Err(serde::de::Error::custom(message));
        }
        Ok(Self { slots, counts })
    }
}

/// A composite that ticks all children every tick. See [`keywords::parallel`](crate::keywords::parallel).
#[derive(Clone, Copy)]
pub struct Concurrent<W, S, F, L> {
    children: L,
    success: S,
    failure: F,
    watch: PhantomData<W>,
}

/// A parallel whose children start again after they have ended.
pub type Parallel<S, F, L> = Concurrent<Reactive, S, F, L>;
/// A parallel whose children end once.
pub type MemParallel<S, F, L> = Concurrent<WithMemory, S, F, L>;

impl<W, S, F, L> Concurrent<W, S, F, L> {
    /// Creates a parallel of these children with these thresholds.
    ///
    /// The children are a tuple of up to 8 nodes, or a [`Join`](super::Join) of lists.
    pub const fn new(success: S, failure: F, children: L) -> Self {
        Self { children, success, failure, watch: PhantomData }
    }
}

impl<W: ParallelMode, S: Threshold, F: Threshold, L: ListShape> Concurrent<W, S, F, L> {
    #[inline(always)]
    fn tally(&self, counts: Counts) -> Tally<W> {
        let len = self.children.len();
        Tally::new(counts, len, self.success.of(len), self.failure.of(len))
    }
}

impl<W: ParallelMode, S: Threshold, F: Threshold, L: ListShape> NodeShape for Concurrent<W, S, F, L> {
    type Open = Slots<L::Slots<W>, W::Kept>;
    type Kept = L::Kept;
    const CAN: Outcomes = Self::FACTS.can;
    const FACTS: Facts = {
        let thresholds = Thresholds { success: S::FIXED, failure: F::FIXED, has_memory: W::HAS_MEMORY };
        W::WORD.row().facts(L::EACH, thresholds)
    };
    const COUNT: Option<u32> = one_more(L::COUNT);
    const RESTARTS: bool = !W::HAS_MEMORY && L::RESTARTS;
    const SLEEPS: bool = L::SLEEPS;

    #[inline]
    fn count(&self) -> u32 {
        1 + self.children.count()
    }

    fn shift_times(&self, open: Option<&mut Self::Open>, kept: &mut L::Kept, by: Shift) {
        self.children.shift_all::<W>(open.map(|open| &mut open.slots), kept, by);
    }

    fn machines(&self, at: NodeId, open: &Self::Open, kept: &L::Kept, call: &mut dyn FnMut(NodeId, usize)) {
        self.children.machines_all::<W>(at.first_child(), &open.slots, kept, call);
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        let params = &[
            Param::new(W::WORD.row().params[0].name, &self.success),
            Param::new(W::WORD.row().params[1].name, &self.failure),
        ];
        let sources =
            visitor.enter(&Info { kind: Kind::Composite, name: Name::Known(W::WORD.name()), can: Self::CAN, params });
        self.children.describe(sources, visitor);
        visitor.leave();
    }
}

impl<C: ?Sized, W: ParallelMode, S: Threshold, F: Threshold, L: List<C>> Node<C> for Concurrent<W, S, F, L> {
    #[inline]
    fn wake(&self, open: &Self::Open, kept: &L::Kept, visit: &mut WakeVisit<'_, C>) -> Wake {
        let running = self.children.wake_all::<W>(&open.slots, kept, visit);
        if W::HAS_MEMORY {
            return running;
        }
        let (list, len) = (&self.children, self.children.len());
        let ended = (0..len).filter(|child| !list.is_running::<W>(&open.slots, *child));
        let thresholds = [self.success.of(len), self.failure.of(len)];
        running.earliest(wakes::parallel(thresholds, ended, |child| list.foresee_one(child, kept, visit.ctx, false)))
    }

    #[inline]
    fn start<O: Observer>(&self, at: NodeId, kept: &mut L::Kept, visit: &mut Visit<'_, C, O>) -> Step<Self::Open> {
        let len = self.children.len();
        // Success is out of reach, so no child is ticked.
        if self.success.of(len) > len {
            return Step::Done(Outcome::Failure);
        }
        // All of no children have succeeded.
        if len == 0 {
            return Step::Done(Outcome::Success);
        }
        let mut open = Slots { slots: self.children.closed::<W>(), counts: W::Kept::default() };
        self.resume(at, &mut open, kept, visit).map(|()| open)
    }

    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn resume<O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        kept: &mut L::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()> {
        let list = &self.children;
        let at = at.first_child();
        let mut tally = self.tally(open.counts.into());
        if let Some(outcome) = list.tick_all(at, &mut open.slots, kept, visit, &mut tally) {
            list.halt_all::<W, O>(at, &mut open.slots, kept, visit);
            return Step::Done(outcome);
        }
        open.counts = tally.counts().into();
        Step::Running(())
    }

    #[inline]
    fn interrupt<O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        kept: &mut L::Kept,
        visit: &mut Visit<'_, C, O>,
    ) {
        self.children.halt_all::<W, O>(at.first_child(), &mut open.slots, kept, visit);
    }
}
