//! The number of children of a custom composite that may run at once, which determines its memory.

use crate::id::NodeId;
use crate::list::{List, ListShape};
use crate::node::Visit;
use crate::observer::Observer;
use crate::status::{Interrupt, Outcome, Status, Step};
use crate::wake::{Wake, WakeVisit};
use crate::walk::{NodeState, OwnState, StateVisitor, each_way};

/// The number of children that may run at once: [`OneAtATime`] or [`Several`].
#[doc(hidden)]
pub trait Running: sealed::Sealed {
    /// The open state of the running children.
    type Open<L: ListShape>: Clone + Send + Sync + 'static;
    /// `true` if at most one child runs at once.
    const IS_ONE: bool;

    /// Returns the state in which no child is running.
    fn none<L: ListShape>(list: &L) -> Self::Open<L>;

    /// Returns the slots of the children, if each has one.
    fn slots<L: ListShape>(open: &mut Self::Open<L>) -> Option<&mut L::Slots>;

    /// Returns the first running child.
    fn first<L: ListShape>(list: &L, open: &Self::Open<L>) -> Option<usize>;

    /// Returns `true` if this child is running.
    fn has<L: ListShape>(list: &L, open: &Self::Open<L>, child: usize) -> bool;

    /// Ticks this child; returns `None` if there is no such child. If `LEAVES`, and only one child may run, another running child
    /// is halted first.
    /// `OPENING` if the composite starts in this tick.
    fn tick<const OPENING: bool, const LEAVES: bool, C: ?Sized, L: List<C>, O: Observer>(
        list: &L,
        child: usize,
        at: NodeId,
        open: &mut Self::Open<L>,
        kept: &mut L::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Option<Status>;

    /// Ticks the first child, a condition, and returns its outcome. If it is running, it is halted, and the outcome is failure.
    fn condition<C: ?Sized, L: List<C>, O: Observer>(
        list: &L,
        at: NodeId,
        open: &mut Self::Open<L>,
        kept: &mut L::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Outcome;

    /// Halts this child if it is running.
    fn halt<C: ?Sized, L: List<C>, O: Observer>(
        list: &L,
        child: usize,
        at: NodeId,
        open: &mut Self::Open<L>,
        kept: &mut L::Kept,
        visit: &mut Visit<'_, C, O>,
    );

    /// Interrupts the running children, in order.
    fn interrupt_all<C: ?Sized, L: List<C>, O: Observer>(
        list: &L,
        at: NodeId,
        open: &mut Self::Open<L>,
        kept: &mut L::Kept,
        how: Interrupt,
        visit: &mut Visit<'_, C, O>,
    );

    /// Walks over the children. `at` is the id of the composite.
    fn walk<L: ListShape>(
        list: &L,
        at: NodeId,
        state: NodeState<'_, Self::Open<L>, L::Kept>,
        visitor: &mut dyn StateVisitor,
    );

    /// Returns when the running children have to be ticked again.
    fn wake<C: ?Sized, L: List<C>>(
        list: &L,
        open: &Self::Open<L>,
        kept: &L::Kept,
        visit: &mut WakeVisit<'_, C>,
    ) -> Wake;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::OneAtATime {}
    impl Sealed for super::Several {}
}

/// At most one child runs at once. The memory of the composite is as large as that of its largest child.
///
/// If a child returns `Running`, another child that was running is halted.
#[derive(Clone, Copy, Debug)]
pub enum OneAtATime {}

/// Any number of children may run at once. The memory of the composite contains that of all its children.
#[derive(Clone, Copy, Debug)]
pub enum Several {}

impl Running for OneAtATime {
    type Open<L: ListShape> = Option<L::Open>;
    const IS_ONE: bool = true;

    #[inline(always)]
    fn none<L: ListShape>(_: &L) -> Self::Open<L> {
        None
    }

    #[inline(always)]
    fn slots<L: ListShape>(_: &mut Self::Open<L>) -> Option<&mut L::Slots> {
        None
    }

    #[inline(always)]
    fn first<L: ListShape>(list: &L, open: &Self::Open<L>) -> Option<usize> {
        open.as_ref().map(|open| list.running(open))
    }

    #[inline(always)]
    fn has<L: ListShape>(list: &L, open: &Self::Open<L>, child: usize) -> bool {
        Self::first(list, open) == Some(child)
    }

    #[inline(always)]
    fn tick<const OPENING: bool, const LEAVES: bool, C: ?Sized, L: List<C>, O: Observer>(
        list: &L,
        child: usize,
        at: NodeId,
        open: &mut Self::Open<L>,
        kept: &mut L::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Option<Status> {
        list.tick_one::<OPENING, LEAVES, O>(child, at, open, kept, visit).map(|step| step.status())
    }

    #[inline(always)]
    fn condition<C: ?Sized, L: List<C>, O: Observer>(
        list: &L,
        at: NodeId,
        open: &mut Self::Open<L>,
        kept: &mut L::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Outcome {
        match list.start_first(at, kept, visit) {
            Step::Done(outcome) => outcome,
            Step::Running(mut condition) => {
                // Like any other child that runs, it replaces the one that was running.
                Self::interrupt_all(list, at, open, kept, Interrupt::PREEMPTED, visit);
                list.interrupt_one(at, &mut condition, kept, Interrupt::PREEMPTED, visit);
                Outcome::Failure
            }
        }
    }

    #[inline(always)]
    fn halt<C: ?Sized, L: List<C>, O: Observer>(
        list: &L,
        child: usize,
        at: NodeId,
        open: &mut Self::Open<L>,
        kept: &mut L::Kept,
        visit: &mut Visit<'_, C, O>,
    ) {
        if Self::has(list, open, child) {
            Self::interrupt_all(list, at, open, kept, Interrupt::PREEMPTED, visit);
        }
    }

    #[inline(always)]
    fn interrupt_all<C: ?Sized, L: List<C>, O: Observer>(
        list: &L,
        at: NodeId,
        open: &mut Self::Open<L>,
        kept: &mut L::Kept,
        how: Interrupt,
        visit: &mut Visit<'_, C, O>,
    ) {
        if let Some(running) = open {
            list.interrupt_one(at, running, kept, how, visit);
            if how.end().is_some() {
                *open = None;
            }
        }
    }

    fn walk<L: ListShape>(
        list: &L,
        at: NodeId,
        state: NodeState<'_, Self::Open<L>, L::Kept>,
        visitor: &mut dyn StateVisitor,
    ) {
        // A byte: which child runs.
        visitor.node(at, OwnState::while_running(1));
        each_way!(state, |open, kept| {
            let open = match open {
                Some(Some(open)) => Some(open),
                Some(None) | None => None,
            };
            list.walk(at.first_child(), (open, kept).into(), visitor);
        });
    }

    fn wake<C: ?Sized, L: List<C>>(
        list: &L,
        open: &Self::Open<L>,
        kept: &L::Kept,
        visit: &mut WakeVisit<'_, C>,
    ) -> Wake {
        open.as_ref().map_or(Wake::Event, |open| list.wake(open, kept, visit))
    }
}

impl Running for Several {
    type Open<L: ListShape> = L::Slots;
    const IS_ONE: bool = false;

    #[inline(always)]
    fn none<L: ListShape>(list: &L) -> Self::Open<L> {
        list.closed()
    }

    #[inline(always)]
    fn slots<L: ListShape>(open: &mut Self::Open<L>) -> Option<&mut L::Slots> {
        Some(open)
    }

    #[inline(always)]
    fn first<L: ListShape>(list: &L, open: &Self::Open<L>) -> Option<usize> {
        (0..list.len()).find(|child| Self::has(list, open, *child))
    }

    #[inline(always)]
    fn has<L: ListShape>(list: &L, open: &Self::Open<L>, child: usize) -> bool {
        list.is_running(open, child)
    }

    #[inline(always)]
    fn tick<const OPENING: bool, const LEAVES: bool, C: ?Sized, L: List<C>, O: Observer>(
        list: &L,
        child: usize,
        at: NodeId,
        open: &mut Self::Open<L>,
        kept: &mut L::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Option<Status> {
        list.tick_slot::<OPENING, O>(child, at, open, kept, visit).map(|step| step.status())
    }

    #[inline(always)]
    fn condition<C: ?Sized, L: List<C>, O: Observer>(
        list: &L,
        at: NodeId,
        open: &mut Self::Open<L>,
        kept: &mut L::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Outcome {
        let step = list.tick_slot::<false, O>(0, at, open, kept, visit).unwrap_or(Step::Done(Outcome::Failure));
        match step {
            Step::Done(outcome) => outcome,
            Step::Running(()) => {
                list.halt_slot(0, at, open, kept, visit);
                Outcome::Failure
            }
        }
    }

    #[inline(always)]
    fn halt<C: ?Sized, L: List<C>, O: Observer>(
        list: &L,
        child: usize,
        at: NodeId,
        open: &mut Self::Open<L>,
        kept: &mut L::Kept,
        visit: &mut Visit<'_, C, O>,
    ) {
        list.halt_slot(child, at, open, kept, visit);
    }

    #[inline(always)]
    fn interrupt_all<C: ?Sized, L: List<C>, O: Observer>(
        list: &L,
        at: NodeId,
        open: &mut Self::Open<L>,
        kept: &mut L::Kept,
        how: Interrupt,
        visit: &mut Visit<'_, C, O>,
    ) {
        list.interrupt_all(at, open, kept, how, visit);
    }

    fn walk<L: ListShape>(
        list: &L,
        at: NodeId,
        state: NodeState<'_, Self::Open<L>, L::Kept>,
        visitor: &mut dyn StateVisitor,
    ) {
        // A byte for each child: whether it runs.
        visitor.node(at, OwnState::while_running(list.len()));
        list.walk_all(at.first_child(), state, visitor);
    }

    fn wake<C: ?Sized, L: List<C>>(
        list: &L,
        open: &Self::Open<L>,
        kept: &L::Kept,
        visit: &mut WakeVisit<'_, C>,
    ) -> Wake {
        list.wake_all(open, kept, visit)
    }
}
