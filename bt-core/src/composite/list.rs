//! Lists of children: tuples, with one enum per arity for the open state, so that the memory of a composite is a sum
//! type.

use crate::check::ChildFacts;
use crate::composite::flow::Flow;
use crate::composite::slot::Slot;
use crate::describe::{SourceNode, Visitor};
use crate::forward::stands_for_a_node;
use crate::id::NodeId;
use crate::node::{Node, NodeShape, Visit};
use crate::observe::Observer;
use crate::status::{Status, Step};
use crate::visit;
use crate::wake::{Foreseen, Wake, WakeVisit};
use crate::walk::{NodeState, StateVisitor, each_way};

/// The context-independent part of a list of nodes.
#[expect(clippy::len_without_is_empty, reason = "a list has at least one entry")]
pub trait ListShape {
    /// The open state while one child of the list is running: one variant per child.
    type Open: Clone + Send + Sync + 'static;
    /// The open state while any number of children may be running: one slot per child.
    type Slots: Clone + Send + Sync + 'static;
    /// The state that the children keep across runs.
    type Kept: Default + Clone + Send + Sync + 'static;
    /// A set of children.
    type Set: Default + Clone + Send + Sync + 'static;

    /// The number of children; `None` if it is only known at run time.
    const LEN: Option<usize>;
    /// The number of entries in the source: a spread is one.
    const ENTRIES: usize;
    /// What is known of each child at compile time.
    const EACH: ChildFacts;
    /// The number of nodes in all subtrees together; `None` if it is only known at run time.
    const COUNT: Option<u32>;
    /// `true` if every child [restarts](NodeShape::RESTARTS).
    const RESTARTS: bool;

    /// Returns the number of children.
    fn len(&self) -> usize;
    /// Returns the number of nodes in all subtrees together.
    fn count(&self) -> u32;
    /// Returns the id of a child, given that of the first child; that id if there is no such child.
    fn id_of(&self, child: usize, at: NodeId) -> NodeId;
    /// Returns `true` if a child is in a set.
    fn has(&self, set: &Self::Set, child: usize) -> bool;
    /// Adds a child to a set.
    fn put(&self, set: &mut Self::Set, child: usize);
    /// Returns the index of the running child.
    fn running(&self, open: &Self::Open) -> usize;
    /// Returns `true` if this child is running.
    fn is_running(&self, slots: &Self::Slots, child: usize) -> bool;
    /// Returns slots without a running child.
    fn closed(&self) -> Self::Slots;
    /// Walks over all children, of which one may be running. See [`NodeShape::walk`].
    fn walk(&self, at: NodeId, state: NodeState<'_, Self::Open, Self::Kept>, visitor: &mut dyn StateVisitor);
    /// Walks over all children, of which any number may be running. See [`NodeShape::walk`].
    fn walk_all(&self, at: NodeId, state: NodeState<'_, Self::Slots, Self::Kept>, visitor: &mut dyn StateVisitor);
    /// Describes each child to a visitor.
    fn describe(&self, sources: &'static [SourceNode], visitor: &mut dyn Visitor);
}

/// A list of nodes over the context `C`. In all methods, `at` is the id of the first node of the list.
pub trait List<C: ?Sized>: ListShape {
    /// `true` if a child [sleeps](crate::Sleep::SLEEPS).
    const SLEEPS: bool;

    /// Starts the children in order, as long as they return the outcome with which the flow continues.
    fn start<F: Flow, O: Observer>(
        &self,
        at: NodeId,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<Self::Open>;

    /// Makes one pass: starts the children before the running one (unless the flow has memory), resumes the running
    /// one, and starts those after it.
    fn resume<F: Flow, O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()>;

    /// Starts one child; returns `None` if there is no such child.
    fn start_one<O: Observer>(
        &self,
        child: usize,
        at: NodeId,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Option<Step<Self::Open>>;

    /// Resumes the running child.
    fn resume_one<O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()>;

    /// Ticks one child: resumes its run, or starts one. If another child was running and this one runs, the other is
    /// halted. Returns `None` if there is no such child.
    #[inline(always)]
    fn tick_one<O: Observer>(
        &self,
        child: usize,
        at: NodeId,
        open: &mut Option<Self::Open>,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Option<Step<()>> {
        if let Some(running) = open.as_mut().filter(|running| self.running(running) == child) {
            let step = self.resume_one(at, running, kept, visit);
            if let Step::Done(_) = step {
                *open = None;
            }
            return Some(step);
        }
        let step = self.start_one(child, at, kept, visit)?;
        Some(step.map(|opened| {
            if let Some(running) = open {
                self.halt(at, running, kept, visit);
            }
            *open = Some(opened);
        }))
    }

    /// Returns when the running child has to be ticked again.
    fn wake(&self, open: &Self::Open, kept: &Self::Kept, visit: &mut WakeVisit<'_, C>) -> Wake;

    /// Returns when one of the running children has to be ticked again.
    fn wake_all(&self, slots: &Self::Slots, kept: &Self::Kept, visit: &mut WakeVisit<'_, C>) -> Wake;

    /// Returns what starting a child would do; `None` if there is no such child.
    fn foresee_one(&self, child: usize, kept: &Self::Kept, ctx: &mut C, event: bool) -> Foreseen;

    /// Halts the running child.
    fn halt<O: Observer>(&self, at: NodeId, open: &mut Self::Open, kept: &mut Self::Kept, visit: &mut Visit<'_, C, O>);

    /// Ticks one child: resumes its run, or starts one. Returns `None` if there is no such child.
    fn tick_slot<O: Observer>(
        &self,
        child: usize,
        at: NodeId,
        slots: &mut Self::Slots,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Option<Step<()>>;

    /// Ticks each child that is not in the set, in order, and adds it to the set if it ends, until `decide` returns a value.
    /// Unrolled, a `mem_parallel` takes 42 instead of 126 instructions a tick.
    fn tick_rest<R, O: Observer>(
        &self,
        at: NodeId,
        slots: &mut Self::Slots,
        set: &mut Self::Set,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
        decide: &mut impl FnMut(Status) -> Option<R>,
    ) -> Option<R>;

    /// Halts one child if it is running.
    fn halt_slot<O: Observer>(
        &self,
        child: usize,
        at: NodeId,
        slots: &mut Self::Slots,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    );

    /// Halts the running children, in order.
    fn halt_all<O: Observer>(
        &self,
        at: NodeId,
        slots: &mut Self::Slots,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    );
}

pub(crate) const fn plus(first: Option<u32>, second: Option<u32>) -> Option<u32> {
    match (first, second) {
        (Some(first), Some(second)) => Some(first + second),
        _ => None,
    }
}

/// The ids of the nodes in a tuple.
macro_rules! node_ids {
    ($list:ident, $first:ident, $($index:tt),+) => {{
        let mut next = $first;
        #[allow(unused_assignments, reason = "nothing comes after the last child")]
        let ids = [$({
            let this = next;
            next = next.after(&$list.$index);
            this
        }),+];
        ids
    }};
}

pub(crate) use node_ids;

macro_rules! lists {
    ($($(#[$doc:meta])+ $open:ident: $($N:ident $index:tt),+;)+) => {$(
        $(#[$doc])+
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[allow(missing_docs, reason = "a variant per child, named like the type of what it remembers")]
        pub enum $open<$($N),+> { $($N($N)),+ }

        impl<$($N: NodeShape),+> ListShape for ($($N,)+) {
            type Open = $open<$($N::Open),+>;
            type Slots = ($(Slot<$N::Open>,)+);
            type Kept = ($($N::Kept,)+);
            type Set = u8;

            const LEN: Option<usize> = Some(Self::ENTRIES);
            const ENTRIES: usize = [$($index),+].len();
            const EACH: ChildFacts = ChildFacts::These(&[$(ChildFacts::of::<$N>()),+]);
            const COUNT: Option<u32> = {
                let count = Some(0);
                $(let count = plus(count, $N::COUNT);)+
                count
            };
            const RESTARTS: bool = $($N::RESTARTS)&&+;

            #[inline]
            fn count(&self) -> u32 {
                match <Self as ListShape>::COUNT {
                    Some(count) => count,
                    None => 0 $(+ self.$index.count())+,
                }
            }

            #[inline(always)]
            fn len(&self) -> usize {
                Self::ENTRIES
            }

            fn id_of(&self, child: usize, at: NodeId) -> NodeId {
                let ids = node_ids!(self, at, $($index),+);
                ids.get(child).copied().unwrap_or(at)
            }

            fn has(&self, set: &u8, child: usize) -> bool {
                set & (1 << child) != 0
            }

            fn put(&self, set: &mut u8, child: usize) {
                *set |= 1 << child;
            }

            #[inline(always)]
            fn running(&self, open: &Self::Open) -> usize {
                match open { $($open::$N(_) => $index),+ }
            }

            #[inline(always)]
            fn is_running(&self, slots: &Self::Slots, child: usize) -> bool {
                match child {
                    $($index => slots.$index.is_running(),)+
                    _ => false,
                }
            }

            fn closed(&self) -> Self::Slots {
                ($(Slot::<$N::Open>::Closed,)+)
            }

            #[allow(non_snake_case, reason = "the variables are named like the types of the nodes")]
            fn walk(&self, at: NodeId, state: NodeState<'_, Self::Open, Self::Kept>, visitor: &mut dyn StateVisitor) {
                let ids = node_ids!(self, at, $($index),+);
                each_way!(state, |mut open, kept| {
                    let ($($N,)+) = kept;
                    $(
                        #[allow(unreachable_patterns, reason = "a list of one has one variant")]
                        let running = match &mut open {
                            Some($open::$N(child)) => Some(child),
                            _ => None,
                        };
                        self.$index.walk(ids[$index], (running, $N).into(), visitor);
                    )+
                });
            }

            #[allow(non_snake_case, reason = "the variables are named like the types of the nodes")]
            fn walk_all(&self, at: NodeId, state: NodeState<'_, Self::Slots, Self::Kept>, visitor: &mut dyn StateVisitor) {
                let ids = node_ids!(self, at, $($index),+);
                each_way!(state, |slots, kept| {
                    let running = match slots {
                        Some(($($N,)+)) => ($(match $N {
                            Slot::Running(child) => Some(child),
                            Slot::Closed => None,
                        },)+),
                        None => ($({
                            let _: usize = $index;
                            None
                        },)+),
                    };
                    let ($($N,)+) = kept;
                    $(self.$index.walk(ids[$index], (running.$index, $N).into(), visitor);)+
                });
            }

            fn describe(&self, sources: &'static [SourceNode], visitor: &mut dyn Visitor) {
                $(visitor.child(sources, $index, &self.$index);)+
            }
        }

        impl<Ctx: ?Sized, $($N: Node<Ctx>),+> List<Ctx> for ($($N,)+) {
            const SLEEPS: bool = $($N::SLEEPS)||+;

            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn start<F: Flow, Obs: Observer>(
                &self, at: NodeId, kept: &mut Self::Kept, visit: &mut Visit<'_, Ctx, Obs>,
            ) -> Step<Self::Open> {
                $(
                    match visit::start(&self.$index, at, &mut kept.$index, visit) {
                        Step::Running(opened) => return Step::Running($open::$N(opened)),
                        Step::Done(outcome) => if outcome != F::PASS { return Step::Done(outcome) },
                    }
                    let at = at.after(&self.$index);
                )+
                let _ = at;
                Step::Done(F::PASS)
            }

            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            #[allow(unused_comparisons, reason = "nothing is before the first child")]
            fn resume<F: Flow, Obs: Observer>(
                &self, first: NodeId, open: &mut Self::Open, kept: &mut Self::Kept, visit: &mut Visit<'_, Ctx, Obs>,
            ) -> Step<()> {
                let running: usize = match open { $($open::$N(_) => $index),+ };
                let at = first;
                $(
                    if let (true, $open::$N(child)) = (running == $index, &mut *open) {
                        match visit::resume(&self.$index, at, child, &mut kept.$index, visit) {
                            Step::Running(()) => return Step::Running(()),
                            Step::Done(outcome) => if outcome != F::PASS { return Step::Done(outcome) },
                        }
                    } else if !F::HAS_MEMORY || running < $index {
                        // Tick the preempting child first, then halt the running one.
                        match visit::start(&self.$index, at, &mut kept.$index, visit) {
                            Step::Running(opened) => {
                                if running > $index {
                                    self.halt(first, open, kept, visit);
                                }
                                *open = $open::$N(opened);
                                return Step::Running(());
                            }
                            Step::Done(outcome) => if outcome != F::PASS {
                                if running > $index {
                                    self.halt(first, open, kept, visit);
                                }
                                return Step::Done(outcome);
                            },
                        }
                    }
                    let at = at.after(&self.$index);
                )+
                let _ = at;
                Step::Done(F::PASS)
            }

            #[inline]
            fn wake(&self, open: &Self::Open, kept: &Self::Kept, visit: &mut WakeVisit<'_, Ctx>) -> Wake {
                match open { $($open::$N(child) => self.$index.wake(child, &kept.$index, visit)),+ }
            }

            #[inline]
            fn wake_all(&self, slots: &Self::Slots, kept: &Self::Kept, visit: &mut WakeVisit<'_, Ctx>) -> Wake {
                let wake = Wake::Event;
                $(
                    let wake = match &slots.$index {
                        Slot::Running(child) => wake.earliest(self.$index.wake(child, &kept.$index, visit)),
                        Slot::Closed => wake,
                    };
                )+
                wake
            }

            #[inline]
            fn foresee_one(&self, child: usize, kept: &Self::Kept, ctx: &mut Ctx, event: bool) -> Foreseen {
                match child {
                    $($index => self.$index.foresee(&kept.$index, ctx, event),)+
                    _ => None,
                }
            }

            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn start_one<Obs: Observer>(
                &self, child: usize, at: NodeId, kept: &mut Self::Kept, visit: &mut Visit<'_, Ctx, Obs>,
            ) -> Option<Step<Self::Open>> {
                let ids = node_ids!(self, at, $($index),+);
                match child {
                    $($index => Some(visit::start(&self.$index, ids[$index], &mut kept.$index, visit).map($open::$N)),)+
                    _ => None,
                }
            }

            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn resume_one<Obs: Observer>(
                &self, at: NodeId, open: &mut Self::Open, kept: &mut Self::Kept, visit: &mut Visit<'_, Ctx, Obs>,
            ) -> Step<()> {
                let ids = node_ids!(self, at, $($index),+);
                match open {
                    $($open::$N(child) => visit::resume(&self.$index, ids[$index], child, &mut kept.$index, visit),)+
                }
            }

            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn tick_one<Obs: Observer>(
                &self, child: usize, at: NodeId, open: &mut Option<Self::Open>, kept: &mut Self::Kept,
                visit: &mut Visit<'_, Ctx, Obs>,
            ) -> Option<Step<()>> {
                let ids = node_ids!(self, at, $($index),+);
                match child {
                    $($index => Some({
                        #[allow(irrefutable_let_patterns, reason = "a list of one has one variant")]
                        if let Some(running) = open && let $open::$N(running) = running {
                            let step = visit::resume(&self.$index, ids[$index], running, &mut kept.$index, visit);
                            if let Step::Done(_) = step {
                                *open = None;
                            }
                            step
                        } else {
                            visit::start(&self.$index, ids[$index], &mut kept.$index, visit).map(|opened| {
                                if let Some(running) = open {
                                    self.halt(at, running, kept, visit);
                                }
                                *open = Some($open::$N(opened));
                            })
                        }
                    }),)+
                    _ => None,
                }
            }

            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn halt<Obs: Observer>(
                &self, at: NodeId, open: &mut Self::Open, kept: &mut Self::Kept, visit: &mut Visit<'_, Ctx, Obs>,
            ) {
                let running: usize = match open { $($open::$N(_) => $index),+ };
                $(
                    if let (true, $open::$N(child)) = (running == $index, &mut *open) {
                        return visit::halt(&self.$index, at, child, &mut kept.$index, visit);
                    }
                    let at = at.after(&self.$index);
                )+
                let _ = at;
            }

            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn tick_slot<Obs: Observer>(
                &self, child: usize, at: NodeId, slots: &mut Self::Slots, kept: &mut Self::Kept,
                visit: &mut Visit<'_, Ctx, Obs>,
            ) -> Option<Step<()>> {
                let ids = node_ids!(self, at, $($index),+);
                match child {
                    $($index => {
                        let (slot, kept) = (&mut slots.$index, &mut kept.$index);
                        Some(slot.tick(&self.$index, ids[$index], kept, visit))
                    })+
                    _ => None,
                }
            }

            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn tick_rest<R, Obs: Observer>(
                &self, at: NodeId, slots: &mut Self::Slots, set: &mut u8, kept: &mut Self::Kept, visit: &mut Visit<'_, Ctx, Obs>,
                decide: &mut impl FnMut(Status) -> Option<R>,
            ) -> Option<R> {
                $(
                    if *set & (1 << $index) == 0 {
                        let status = slots.$index.tick(&self.$index, at, &mut kept.$index, visit).status();
                        if status.is_done() {
                            *set |= 1 << $index;
                        }
                        if let Some(decided) = decide(status) {
                            return Some(decided);
                        }
                    }
                    let at = at.after(&self.$index);
                )+
                let _ = at;
                None
            }

            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn halt_slot<Obs: Observer>(
                &self, child: usize, at: NodeId, slots: &mut Self::Slots, kept: &mut Self::Kept,
                visit: &mut Visit<'_, Ctx, Obs>,
            ) {
                let ids = node_ids!(self, at, $($index),+);
                match child {
                    $($index => slots.$index.halt(&self.$index, ids[$index], &mut kept.$index, visit),)+
                    _ => {}
                }
            }

            #[inline]
            fn halt_all<Obs: Observer>(
                &self, at: NodeId, slots: &mut Self::Slots, kept: &mut Self::Kept, visit: &mut Visit<'_, Ctx, Obs>,
            ) {
                $(
                    if let Slot::Running(child) = &mut slots.$index {
                        visit::halt(&self.$index, at, child, &mut kept.$index, visit);
                    }
                    let at = at.after(&self.$index);
                )+
                let _ = at;
            }
        }
    )+};
}

lists! {
    /// The open state of a list of 1 child.
    Open1: A 0;
    /// The open state of a list of 2 children.
    Open2: A 0, B 1;
    /// The open state of a list of 3 children.
    Open3: A 0, B 1, C 2;
    /// The open state of a list of 4 children.
    Open4: A 0, B 1, C 2, D 3;
    /// The open state of a list of 5 children.
    Open5: A 0, B 1, C 2, D 3, E 4;
    /// The open state of a list of 6 children.
    Open6: A 0, B 1, C 2, D 3, E 4, G 5;
    /// The open state of a list of 7 children.
    Open7: A 0, B 1, C 2, D 3, E 4, G 5, H 6;
    /// The open state of a list of 8 children.
    Open8: A 0, B 1, C 2, D 3, E 4, G 5, H 6, I 7;
}

// A decorator of the user has one child and a composite has several. An expansion cannot distinguish them, so it passes
// a list to both. A list of one node is also that node.
stands_for_a_node! {
    (N,), |this| this.0;
}
