//! The states of a machine: tuples, with one flat enum per arity for the present state, so that it fits in a byte.

use crate::describe::{SourceNode, Visitor};
use crate::facts::{StateFacts, StateListFacts};
use crate::id::NodeId;
use crate::list::{Join, OpenJoin};
use crate::machine::hook::Edge;
use crate::machine::state::{State, StateRulesOver, StateRulesShape};
use crate::machine::target::Target;
use crate::machine::transitions::TransitionsShape;
use crate::node::{Node, NodeShape, Visit, child_ids, node_ids, plus};
use crate::observer::Observer;
use crate::status::{CleanUp, Interrupt, Outcome, Step};
use crate::visit;
use crate::wake::{Wake, WakeVisit};
use crate::walk::{NodeState, StateVisitor, each_way};

/// The phase of a state's node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The node starts in the next tick.
    Fresh,
    /// The node is running.
    Running,
    /// The node has ended, and no transition has been followed yet.
    Ended(Outcome),
}

impl Phase {
    /// Returns the outcome of the node, if it has ended.
    #[inline(always)]
    pub(super) const fn ended(self) -> Option<Outcome> {
        match self {
            Self::Ended(outcome) => Some(outcome),
            Self::Fresh | Self::Running => None,
        }
    }
}

/// An operation on the present state of a machine. `At` is [`StatesShape::At`].
pub trait Branch<At> {
    /// The result.
    type Output;
    /// Called with the index of the present state and the outcome of its node, if the node has ended.
    fn state(self, state: usize, ended: Option<Outcome>, at: &mut At) -> Self::Output;
}

/// The context-independent part of a list of states.
pub trait StatesShape {
    /// The present state of the machine: one variant per state and [`Phase`].
    type At: Clone + Send + Sync + 'static;
    /// The state that the states' nodes and rules keep across runs.
    type Kept: Default + Clone + Send + Sync + 'static;
    /// The number of states.
    const LEN: usize;
    /// The facts about each state that are known at compile time.
    const EACH: StateListFacts;
    /// The number of nodes in all states together; `None` if it is only known at run time.
    const COUNT: Option<u32>;

    /// Returns the number of nodes in all states together.
    fn count(&self) -> u32;
    /// Walks over the states' nodes and rules. `id` is the id of the first node of the list. See [`NodeShape::walk`].
    fn walk(&self, id: NodeId, state: NodeState<'_, Self::At, Self::Kept>, visitor: &mut dyn StateVisitor);
    /// Describes each state to a visitor.
    fn describe(&self, sources: &'static [SourceNode], visitor: &mut dyn Visitor);
    /// Returns the name of a state.
    fn name(&self, state: usize) -> Option<&'static str>;
    /// Returns the present state of the machine, and the phase of its node.
    fn phase(at: &Self::At) -> (usize, Phase);
    /// Calls a branch. Each state has its own call, in which the index is a constant.
    fn present<B: Branch<Self::At>>(at: &mut Self::At, branch: B) -> B::Output;
    /// Returns a state whose node is not running. For an index without a state, returns the last state.
    fn idle(state: usize, ended: Option<Outcome>) -> Self::At;
}

/// A list of states over the context `C`. In all methods, `id` is the id of the first node of the list.
pub trait States<C: ?Sized>: StatesShape {
    /// Starts or resumes the node of the present state, which has this index.
    fn tick<O: Observer>(
        &self,
        state: usize,
        id: NodeId,
        at: &mut Self::At,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()>;

    /// Starts the node of the present state, which has this index and whose node is not running.
    fn start<O: Observer>(
        &self,
        state: usize,
        id: NodeId,
        at: &mut Self::At,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()>;

    /// Returns when the machine has to be ticked again.
    fn wake(&self, at: &Self::At, kept: &Self::Kept, visit: &mut WakeVisit<'_, C>) -> Wake;

    /// Interrupts the node of the present state if it is running.
    fn interrupt<O: Observer>(
        &self,
        id: NodeId,
        at: &mut Self::At,
        kept: &mut Self::Kept,
        how: Interrupt,
        visit: &mut Visit<'_, C, O>,
    );

    /// Visits the cleanups in the states' nodes that a halt has left running. See [`Node::visit_cleanups`].
    fn visit_cleanups<O: Observer>(&self, id: NodeId, kept: &mut Self::Kept, how: CleanUp, visit: &mut Visit<'_, C, O>);

    /// Returns when one of the cleanups that [`visit_cleanups`](Self::visit_cleanups) visits has to be ticked again.
    fn wake_cleanups(&self, kept: &Self::Kept, visit: &mut WakeVisit<'_, C>) -> Wake;

    /// Returns the target of a state's first transition whose guard holds.
    fn first<O: Observer>(
        &self,
        state: usize,
        ended: Option<Outcome>,
        id: NodeId,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Option<Target>;

    /// Returns the target of a state's first transition for this outcome of its node.
    fn on_end(&self, state: usize, ended: Outcome) -> Option<Target>;

    /// Runs the `enter:` or `exit:` action of a state and returns its outcome.
    fn hook<O: Observer>(
        &self,
        edge: Edge,
        state: usize,
        id: NodeId,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Outcome;
}

macro_rules! states {
    ($($(#[$doc:meta])+ $at:ident: $($N:ident $R:ident $index:tt $fresh:ident $won:ident $lost:ident),+;)+) => {$(
        $(#[$doc])+
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[allow(missing_docs, reason = "for each state: running, fresh, ended with success, ended with failure")]
        pub enum $at<$($N),+> { $($N($N), $fresh, $won, $lost),+ }

        impl<$($N: NodeShape, $R: StateRulesShape),+> StatesShape for ($(State<$N, $R>,)+) {
            type At = $at<$($N::Open),+>;
            type Kept = ($(($N::Kept, $R::Kept),)+);

            const LEN: usize = [$($index),+].len();
            const EACH: StateListFacts = StateListFacts::These(&[$(
                StateFacts { node: &<$N as NodeShape>::FACTS, transitions: <$R::Transitions as TransitionsShape>::LIST, hooks: $R::HOOKS },
            )+]);
            const COUNT: Option<u32> = {
                let count = Some(0);
                $(let count = plus(count, <State<$N, $R> as NodeShape>::COUNT);)+
                count
            };

            #[inline]
            fn count(&self) -> u32 {
                if let Some(count) = <Self as StatesShape>::COUNT { count } else { 0 $(+ self.$index.count())+ }
            }

            fn walk(&self, id: NodeId, state: NodeState<'_, Self::At, Self::Kept>, visitor: &mut dyn StateVisitor) {
                let ids = node_ids!(self, id, $($index),+);
                #[allow(non_snake_case, reason = "the variables are named like the types of the nodes")]
                {
                    each_way!(state, |mut at, kept| {
                        let ($(($N, $R),)+) = kept;
                        $(
                            let running = match &mut at {
                                Some($at::$N(running)) => Some(running),
                                _ => None,
                            };
                            self.$index.walk(ids[$index], (running, $N).into(), visitor);
                            self.$index.rules.walk(self.$index.rules_at(ids[$index]), $R.into(), visitor);
                        )+
                    });
                }
            }

            fn describe(&self, sources: &'static [SourceNode], visitor: &mut dyn Visitor) {
                $(visitor.child(sources, $index, &self.$index);)+
            }

            fn name(&self, state: usize) -> Option<&'static str> {
                match state {
                    $($index => Some(self.$index.name),)+
                    _ => None,
                }
            }

            #[inline(always)]
            fn phase(at: &Self::At) -> (usize, Phase) {
                match at {
                    $(
                        $at::$N(_) => ($index, Phase::Running),
                        $at::$fresh => ($index, Phase::Fresh),
                        $at::$won => ($index, Phase::Ended(Outcome::Success)),
                        $at::$lost => ($index, Phase::Ended(Outcome::Failure)),
                    )+
                }
            }

            #[inline(always)]
            fn present<Br: Branch<Self::At>>(at: &mut Self::At, branch: Br) -> Br::Output {
                match at {
                    $(
                        $at::$N(_) | $at::$fresh | $at::$won | $at::$lost => {
                            let (_, phase) = Self::phase(at);
                            branch.state($index, phase.ended(), at)
                        }
                    )+
                }
            }

            #[inline(always)]
            fn idle(state: usize, ended: Option<Outcome>) -> Self::At {
                $(
                    if state == $index || $index + 1 == Self::LEN {
                        return match ended {
                            Some(Outcome::Success) => $at::$won,
                            Some(Outcome::Failure) => $at::$lost,
                            Some(Outcome::Error) | None => $at::$fresh,
                        };
                    }
                )+
                let first = [$($at::$fresh),+];
                let [first, ..] = first;
                first
            }
        }

        impl<Ctx: ?Sized, $($N: Node<Ctx>, $R: StateRulesOver<Ctx>),+> States<Ctx> for ($(State<$N, $R>,)+) {
            #[inline]
            fn wake(&self, at: &Self::At, kept: &Self::Kept, visit: &mut WakeVisit<'_, Ctx>) -> Wake {
                match at {
                    $(
                        $at::$N(running) => {
                            let until = self.$index.wake(running, &kept.$index.0, visit);
                            until.or_earlier(|| self.$index.rules.stays(&kept.$index.1, visit.ctx))
                        }
                        $at::$fresh | $at::$won | $at::$lost => Wake::Next,
                    )+
                }
            }

            #[inline(always)]
            fn tick<Obs: Observer>(
                &self, state: usize, id: NodeId, at: &mut Self::At, kept: &mut Self::Kept, visit: &mut Visit<'_, Ctx, Obs>,
            ) -> Step<()> {
                let ids = child_ids!(self, id, $(State<$N, $R>: $index),+);
                match state {
                    $(
                        $index => match at {
                            // A node that restarts is not resumed while nothing observes it: then both phases share their code.
                            $at::$N(running) if Obs::ON || !$N::RESTARTS => {
                                visit::resume(&self.$index, ids.of($index), running, &mut kept.$index.0, visit)
                            }
                            _ => {
                                visit::start(&self.$index, ids.of($index), &mut kept.$index.0, visit)
                                    .map(|opened| *at = $at::$N(opened))
                            }
                        },
                    )+
                    _ => Step::Running(()),
                }
            }

            #[inline(always)]
            fn start<Obs: Observer>(
                &self, state: usize, id: NodeId, at: &mut Self::At, kept: &mut Self::Kept, visit: &mut Visit<'_, Ctx, Obs>,
            ) -> Step<()> {
                let ids = child_ids!(self, id, $(State<$N, $R>: $index),+);
                match state {
                    $(
                        $index => visit::start(&self.$index, ids.of($index), &mut kept.$index.0, visit).map(|opened| *at = $at::$N(opened)),
                    )+
                    _ => Step::Running(()),
                }
            }

            #[inline(always)]
            fn interrupt<Obs: Observer>(
                &self, id: NodeId, at: &mut Self::At, kept: &mut Self::Kept, how: Interrupt, visit: &mut Visit<'_, Ctx, Obs>,
            ) {
                let ids = child_ids!(self, id, $(State<$N, $R>: $index),+);
                match at {
                    $(
                        $at::$N(running) => visit::interrupt(&self.$index, ids.of($index), running, &mut kept.$index.0, how, visit),
                        $at::$fresh | $at::$won | $at::$lost => {}
                    )+
                }
            }

            fn visit_cleanups<Obs: Observer>(
                &self, id: NodeId, kept: &mut Self::Kept, how: CleanUp, visit: &mut Visit<'_, Ctx, Obs>,
            ) {
                let ids = child_ids!(self, id, $(State<$N, $R>: $index),+);
                $(visit::cleanups(&self.$index, ids.of($index), &mut kept.$index.0, how, visit);)+
            }

            fn wake_cleanups(&self, kept: &Self::Kept, visit: &mut WakeVisit<'_, Ctx>) -> Wake {
                let wake = Wake::Event;
                $(let wake = wake.or_earlier(|| visit::wake_of_cleanups(&self.$index, &kept.$index.0, visit));)+
                wake
            }

            #[inline(always)]
            fn first<Obs: Observer>(
                &self, state: usize, ended: Option<Outcome>, id: NodeId, kept: &mut Self::Kept, visit: &mut Visit<'_, Ctx, Obs>,
            ) -> Option<Target> {
                let ids = child_ids!(self, id, $(State<$N, $R>: $index),+);
                match state {
                    $($index => {
                        let state = &self.$index;
                        state.rules.first(ended, state.rules_at(ids.of($index)), &mut kept.$index.1, visit)
                    })+
                    _ => None,
                }
            }

            #[inline(always)]
            fn on_end(&self, state: usize, ended: Outcome) -> Option<Target> {
                match state {
                    $($index => self.$index.rules.on_end(ended),)+
                    _ => None,
                }
            }

            #[inline(always)]
            fn hook<Obs: Observer>(
                &self, edge: Edge, state: usize, id: NodeId, kept: &mut Self::Kept, visit: &mut Visit<'_, Ctx, Obs>,
            ) -> Outcome {
                let ids = child_ids!(self, id, $(State<$N, $R>: $index),+);
                match state {
                    $($index => {
                        let state = &self.$index;
                        state.rules.hook(edge, state.rules_at(ids.of($index)), &mut kept.$index.1, visit)
                    })+
                    _ => Outcome::Success,
                }
            }
        }
    )+};
}

states! {
    /// The present state of a machine with 1 state.
    At1: A Ra 0 FreshA WonA LostA;
    /// The present state of a machine with 2 states.
    At2: A Ra 0 FreshA WonA LostA, B Rb 1 FreshB WonB LostB;
    /// The present state of a machine with 3 states.
    At3: A Ra 0 FreshA WonA LostA, B Rb 1 FreshB WonB LostB, C Rc 2 FreshC WonC LostC;
    /// The present state of a machine with 4 states.
    At4: A Ra 0 FreshA WonA LostA, B Rb 1 FreshB WonB LostB, C Rc 2 FreshC WonC LostC, D Rd 3 FreshD WonD LostD;
    /// The present state of a machine with 5 states.
    At5: A Ra 0 FreshA WonA LostA, B Rb 1 FreshB WonB LostB, C Rc 2 FreshC WonC LostC, D Rd 3 FreshD WonD LostD,
        E Re 4 FreshE WonE LostE;
    /// The present state of a machine with 6 states.
    At6: A Ra 0 FreshA WonA LostA, B Rb 1 FreshB WonB LostB, C Rc 2 FreshC WonC LostC, D Rd 3 FreshD WonD LostD,
        E Re 4 FreshE WonE LostE, F Rf 5 FreshF WonF LostF;
    /// The present state of a machine with 7 states.
    At7: A Ra 0 FreshA WonA LostA, B Rb 1 FreshB WonB LostB, C Rc 2 FreshC WonC LostC, D Rd 3 FreshD WonD LostD,
        E Re 4 FreshE WonE LostE, F Rf 5 FreshF WonF LostF, G Rg 6 FreshG WonG LostG;
    /// The present state of a machine with 8 states.
    At8: A Ra 0 FreshA WonA LostA, B Rb 1 FreshB WonB LostB, C Rc 2 FreshC WonC LostC, D Rd 3 FreshD WonD LostD,
        E Re 4 FreshE WonE LostE, F Rf 5 FreshF WonF LostF, G Rg 6 FreshG WonG LostG, H Rh 7 FreshH WonH LostH;
    /// The present state of a machine with 9 states.
    At9: A Ra 0 FreshA WonA LostA, B Rb 1 FreshB WonB LostB, C Rc 2 FreshC WonC LostC, D Rd 3 FreshD WonD LostD,
        E Re 4 FreshE WonE LostE, F Rf 5 FreshF WonF LostF, G Rg 6 FreshG WonG LostG, H Rh 7 FreshH WonH LostH,
        I Ri 8 FreshI WonI LostI;
    /// The present state of a machine with 10 states.
    At10: A Ra 0 FreshA WonA LostA, B Rb 1 FreshB WonB LostB, C Rc 2 FreshC WonC LostC, D Rd 3 FreshD WonD LostD,
        E Re 4 FreshE WonE LostE, F Rf 5 FreshF WonF LostF, G Rg 6 FreshG WonG LostG, H Rh 7 FreshH WonH LostH,
        I Ri 8 FreshI WonI LostI, J Rj 9 FreshJ WonJ LostJ;
    /// The present state of a machine with 11 states.
    At11: A Ra 0 FreshA WonA LostA, B Rb 1 FreshB WonB LostB, C Rc 2 FreshC WonC LostC, D Rd 3 FreshD WonD LostD,
        E Re 4 FreshE WonE LostE, F Rf 5 FreshF WonF LostF, G Rg 6 FreshG WonG LostG, H Rh 7 FreshH WonH LostH,
        I Ri 8 FreshI WonI LostI, J Rj 9 FreshJ WonJ LostJ, K Rk 10 FreshK WonK LostK;
    /// The present state of a machine with 12 states.
    At12: A Ra 0 FreshA WonA LostA, B Rb 1 FreshB WonB LostB, C Rc 2 FreshC WonC LostC, D Rd 3 FreshD WonD LostD,
        E Re 4 FreshE WonE LostE, F Rf 5 FreshF WonF LostF, G Rg 6 FreshG WonG LostG, H Rh 7 FreshH WonH LostH,
        I Ri 8 FreshI WonI LostI, J Rj 9 FreshJ WonJ LostJ, K Rk 10 FreshK WonK LostK, L Rl 11 FreshL WonL LostL;
}

impl<A: StatesShape, B: StatesShape> StatesShape for Join<A, B> {
    type At = OpenJoin<A::At, B::At>;
    type Kept = (A::Kept, B::Kept);
    const LEN: usize = A::LEN + B::LEN;
    const EACH: StateListFacts = StateListFacts::Both(&A::EACH, &B::EACH);
    const COUNT: Option<u32> = plus(A::COUNT, B::COUNT);

    #[inline]
    fn count(&self) -> u32 {
        self.0.count() + self.1.count()
    }

    fn walk(&self, id: NodeId, state: NodeState<'_, Self::At, Self::Kept>, visitor: &mut dyn StateVisitor) {
        each_way!(state, |at, (kept, others)| {
            let (first, second) = match at {
                Some(OpenJoin::First(at)) => (Some(at), None),
                Some(OpenJoin::Second(at)) => (None, Some(at)),
                None => (None, None),
            };
            self.0.walk(id, (first, kept).into(), visitor);
            self.1.walk(self.second_state(id), (second, others).into(), visitor);
        });
    }

    fn describe(&self, sources: &'static [SourceNode], visitor: &mut dyn Visitor) {
        let (first, second) = sources.split_at(A::LEN.min(sources.len()));
        self.0.describe(first, visitor);
        self.1.describe(second, visitor);
    }

    fn name(&self, state: usize) -> Option<&'static str> {
        if state < A::LEN { self.0.name(state) } else { self.1.name(state - A::LEN) }
    }

    #[inline(always)]
    fn phase(at: &Self::At) -> (usize, Phase) {
        match at {
            OpenJoin::First(at) => A::phase(at),
            OpenJoin::Second(at) => {
                let (state, phase) = B::phase(at);
                (A::LEN + state, phase)
            }
        }
    }

    #[inline(always)]
    fn present<Br: Branch<Self::At>>(at: &mut Self::At, branch: Br) -> Br::Output {
        let (state, phase) = Self::phase(at);
        branch.state(state, phase.ended(), at)
    }

    #[inline(always)]
    fn idle(state: usize, ended: Option<Outcome>) -> Self::At {
        if state < A::LEN {
            OpenJoin::First(A::idle(state, ended))
        } else {
            OpenJoin::Second(B::idle(state - A::LEN, ended))
        }
    }
}

impl<A: StatesShape, B> Join<A, B> {
    /// Returns the id of the first node of the second list.
    #[inline(always)]
    fn second_state(&self, first: NodeId) -> NodeId {
        first.skip(self.0.count())
    }
}

impl<C: ?Sized, A: States<C>, B: States<C>> States<C> for Join<A, B> {
    #[inline]
    fn wake(&self, at: &Self::At, kept: &Self::Kept, visit: &mut WakeVisit<'_, C>) -> Wake {
        match at {
            OpenJoin::First(at) => self.0.wake(at, &kept.0, visit),
            OpenJoin::Second(at) => self.1.wake(at, &kept.1, visit),
        }
    }

    #[inline(always)]
    fn tick<O: Observer>(
        &self,
        state: usize,
        id: NodeId,
        at: &mut Self::At,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()> {
        match at {
            OpenJoin::First(at) => self.0.tick(state, id, at, &mut kept.0, visit),
            OpenJoin::Second(at) => {
                self.1.tick(state.wrapping_sub(A::LEN), self.second_state(id), at, &mut kept.1, visit)
            }
        }
    }

    #[inline(always)]
    fn start<O: Observer>(
        &self,
        state: usize,
        id: NodeId,
        at: &mut Self::At,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()> {
        match at {
            OpenJoin::First(at) => self.0.start(state, id, at, &mut kept.0, visit),
            OpenJoin::Second(at) => {
                self.1.start(state.wrapping_sub(A::LEN), self.second_state(id), at, &mut kept.1, visit)
            }
        }
    }

    #[inline(always)]
    fn interrupt<O: Observer>(
        &self,
        id: NodeId,
        at: &mut Self::At,
        kept: &mut Self::Kept,
        how: Interrupt,
        visit: &mut Visit<'_, C, O>,
    ) {
        match at {
            OpenJoin::First(at) => self.0.interrupt(id, at, &mut kept.0, how, visit),
            OpenJoin::Second(at) => self.1.interrupt(self.second_state(id), at, &mut kept.1, how, visit),
        }
    }

    fn visit_cleanups<O: Observer>(
        &self,
        id: NodeId,
        kept: &mut Self::Kept,
        how: CleanUp,
        visit: &mut Visit<'_, C, O>,
    ) {
        self.0.visit_cleanups(id, &mut kept.0, how, visit);
        self.1.visit_cleanups(self.second_state(id), &mut kept.1, how, visit);
    }

    fn wake_cleanups(&self, kept: &Self::Kept, visit: &mut WakeVisit<'_, C>) -> Wake {
        self.0.wake_cleanups(&kept.0, visit).earliest(self.1.wake_cleanups(&kept.1, visit))
    }

    #[inline(always)]
    fn first<O: Observer>(
        &self,
        state: usize,
        ended: Option<Outcome>,
        id: NodeId,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Option<Target> {
        if state < A::LEN {
            return self.0.first(state, ended, id, &mut kept.0, visit);
        }
        self.1.first(state - A::LEN, ended, self.second_state(id), &mut kept.1, visit)
    }

    #[inline(always)]
    fn on_end(&self, state: usize, ended: Outcome) -> Option<Target> {
        if state < A::LEN { self.0.on_end(state, ended) } else { self.1.on_end(state - A::LEN, ended) }
    }

    #[inline(always)]
    fn hook<O: Observer>(
        &self,
        edge: Edge,
        state: usize,
        id: NodeId,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Outcome {
        if state < A::LEN {
            return self.0.hook(edge, state, id, &mut kept.0, visit);
        }
        self.1.hook(edge, state - A::LEN, self.second_state(id), &mut kept.1, visit)
    }
}
