//! Tuples as lists, with one enum per arity for the open state, so that the memory of a composite is a sum type.

use crate::describe::{SourceNode, Visitor};
use crate::facts::ChildFacts;
use crate::forward::stands_for_a_node;
use crate::id::NodeId;
use crate::list::{ChildState, Flow, List, ListShape};
use crate::node::{Node, NodeShape, Visit, child_ids, node_ids, plus};
use crate::observer::Observer;
use crate::status::{CleanUp, Interrupt, Status, Step};
use crate::visit;
use crate::wake::{Foreseen, Wake, WakeVisit};
use crate::walk::{NodeState, StateVisitor, each_way};

macro_rules! lists {
    ($($(#[$doc:meta])+ $open:ident: $($N:ident $index:tt),+;)+) => {$(
        $(#[$doc])+
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[allow(missing_docs, reason = "a variant per child, named like the type of what it remembers")]
        pub enum $open<$($N),+> { $($N($N)),+ }

        impl<$($N: NodeShape),+> ListShape for ($($N,)+) {
            type Open = $open<$($N::Open),+>;
            type Slots = ($(ChildState<$N::Open>,)+);
            type Kept = ($($N::Kept,)+);
            type Set = u8;

            const LEN: Option<usize> = Some(Self::ENTRIES);
            const ENTRIES: usize = [$($index),+].len();
            const EACH: ChildFacts = ChildFacts::These(&[$(&<$N as NodeShape>::FACTS),+]);
            const COUNT: Option<u32> = {
                let count = Some(0);
                $(let count = plus(count, $N::COUNT);)+
                count
            };
            const RESTARTS: bool = $($N::RESTARTS)&&+;

            #[inline]
            fn count(&self) -> u32 {
                if let Some(count) = <Self as ListShape>::COUNT { count } else { 0 $(+ self.$index.count())+ }
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
                child < Self::ENTRIES && set & (1 << child) != 0
            }

            fn put(&self, set: &mut u8, child: usize) {
                if child < Self::ENTRIES {
                    *set |= 1 << child;
                }
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
                ($(ChildState::<$N::Open>::Closed,)+)
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
                            ChildState::Running(child) => Some(child),
                            ChildState::Closed => None,
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
                                    self.interrupt_one(first, open, kept, Interrupt::PREEMPTED, visit);
                                }
                                *open = $open::$N(opened);
                                return Step::Running(());
                            }
                            Step::Done(outcome) => if outcome != F::PASS {
                                if running > $index {
                                    self.interrupt_one(first, open, kept, Interrupt::ENDED, visit);
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
                        ChildState::Running(child) => wake.earliest(self.$index.wake(child, &kept.$index, visit)),
                        ChildState::Closed => wake,
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
            fn start_first<Obs: Observer>(
                &self, at: NodeId, kept: &mut Self::Kept, visit: &mut Visit<'_, Ctx, Obs>,
            ) -> Step<Self::Open> {
                visit::start(&self.0, at, &mut kept.0, visit).map($open::A)
            }

            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn start_one<Obs: Observer>(
                &self, child: usize, at: NodeId, kept: &mut Self::Kept, visit: &mut Visit<'_, Ctx, Obs>,
            ) -> Option<Step<Self::Open>> {
                let ids = child_ids!(self, at, $($N: $index),+);
                match child {
                    $($index => Some(visit::start(&self.$index, ids.of($index), &mut kept.$index, visit).map($open::$N)),)+
                    _ => None,
                }
            }

            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn resume_one<const OPENING: bool, Obs: Observer>(
                &self, at: NodeId, open: &mut Self::Open, kept: &mut Self::Kept, visit: &mut Visit<'_, Ctx, Obs>,
            ) -> Step<()> {
                let ids = child_ids!(self, at, $($N: $index),+);
                match open {
                    $($open::$N(child) => {
                        visit::resume_child::<OPENING, Ctx, $N, Obs>(&self.$index, ids.of($index), child, &mut kept.$index, visit)
                    })+
                }
            }

            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn tick_one<const OPENING: bool, const LEAVES: bool, Obs: Observer>(
                &self, child: usize, at: NodeId, open: &mut Option<Self::Open>, kept: &mut Self::Kept,
                visit: &mut Visit<'_, Ctx, Obs>,
            ) -> Option<Step<()>> {
                let ids = child_ids!(self, at, $($N: $index),+);
                match child {
                    $($index => Some({
                        #[allow(irrefutable_let_patterns, reason = "a list of one has one variant")]
                        if let Some(running) = open && let $open::$N(running) = running {
                            let step = visit::resume_child::<OPENING, Ctx, $N, Obs>(
                                &self.$index, ids.of($index), running, &mut kept.$index, visit,
                            );
                            if let Step::Done(_) = step {
                                *open = None;
                            }
                            step
                        } else {
                            if LEAVES && let Some(running) = open {
                                self.interrupt_one(at, running, kept, Interrupt::PREEMPTED, visit);
                                *open = None;
                            }
                            visit::start(&self.$index, ids.of($index), &mut kept.$index, visit).map(|opened| {
                                if !LEAVES && let Some(running) = open {
                                    self.interrupt_one(at, running, kept, Interrupt::PREEMPTED, visit);
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
            fn interrupt_one<Obs: Observer>(
                &self, at: NodeId, open: &mut Self::Open, kept: &mut Self::Kept, how: Interrupt, visit: &mut Visit<'_, Ctx, Obs>,
            ) {
                let running: usize = match open { $($open::$N(_) => $index),+ };
                $(
                    if let (true, $open::$N(child)) = (running == $index, &mut *open) {
                        return visit::interrupt(&self.$index, at, child, &mut kept.$index, how, visit);
                    }
                    let at = at.after(&self.$index);
                )+
                let _ = at;
            }

            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn tick_slot<const OPENING: bool, Obs: Observer>(
                &self, child: usize, at: NodeId, slots: &mut Self::Slots, kept: &mut Self::Kept,
                visit: &mut Visit<'_, Ctx, Obs>,
            ) -> Option<Step<()>> {
                let ids = child_ids!(self, at, $($N: $index),+);
                match child {
                    $($index => {
                        let (slot, kept) = (&mut slots.$index, &mut kept.$index);
                        Some(slot.tick::<OPENING, Ctx, $N, Obs>(&self.$index, ids.of($index), kept, visit))
                    })+
                    _ => None,
                }
            }

            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn tick_rest<const OPENING: bool, R, Obs: Observer>(
                &self, at: NodeId, slots: &mut Self::Slots, set: &mut u8, kept: &mut Self::Kept, visit: &mut Visit<'_, Ctx, Obs>,
                decide: &mut impl FnMut(Status) -> Option<R>,
            ) -> Option<R> {
                $(
                    if *set & (1 << $index) == 0 {
                        let status = slots.$index.tick::<OPENING, Ctx, $N, Obs>(&self.$index, at, &mut kept.$index, visit).status();
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
                let ids = child_ids!(self, at, $($N: $index),+);
                match child {
                    $($index => slots.$index.halt(&self.$index, ids.of($index), &mut kept.$index, visit),)+
                    _ => {}
                }
            }

            #[inline]
            fn visit_cleanups<Obs: Observer>(
                &self, at: NodeId, kept: &mut Self::Kept, how: CleanUp, visit: &mut Visit<'_, Ctx, Obs>,
            ) {
                $(
                    visit::cleanups(&self.$index, at, &mut kept.$index, how, visit);
                    let at = at.after(&self.$index);
                )+
                let _ = at;
            }

            #[inline]
            fn wake_cleanups(&self, kept: &Self::Kept, visit: &mut WakeVisit<'_, Ctx>) -> Wake {
                let wake = Wake::Event;
                $(let wake = wake.or_earlier(|| visit::wake_of_cleanups(&self.$index, &kept.$index, visit));)+
                wake
            }

            #[inline]
            fn interrupt_all<Obs: Observer>(
                &self, at: NodeId, slots: &mut Self::Slots, kept: &mut Self::Kept, how: Interrupt, visit: &mut Visit<'_, Ctx, Obs>,
            ) {
                $(
                    if let ChildState::Running(child) = &mut slots.$index {
                        visit::interrupt(&self.$index, at, child, &mut kept.$index, how, visit);
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
