//! The node of a machine.

use bt_words::Word;

use crate::describe::{Info, Kind, Name, TransitionText, Visitor};
use crate::facts::{Facts, Reach};
use crate::id::NodeId;
use crate::machine::hook::Edge;
use crate::machine::rule::{MachineParts, Visited};
use crate::machine::states::{Branch, Phase, States, StatesShape};
use crate::machine::target::Target;
use crate::machine::transitions::{Transitions, TransitionsShape};
use crate::node::{Node, NodeShape, Visit, one_more, plus};
use crate::observer::Observer;
use crate::outcomes::Outcomes;
use crate::status::{Cause, CleanUp, Interrupt, Outcome, Status, Step};
use crate::wake::{Wake, WakeVisit};
use crate::walk::{NodeState, OwnState, StateVisitor, any_left, each_way};

/// A finite state machine whose states contain nodes.
///
/// ```
/// use bt_core::prelude::*;
///
/// # struct Sheep { herded: bool, wolf: bool, tired: u8, log: Vec<&'static str> }
/// fn herded(sheep: &Sheep) -> bool { sheep.herded }
/// fn wolf_near(sheep: &Sheep) -> bool { sheep.wolf }
/// # fn graze(sheep: &mut Sheep) -> Status { sheep.log.push("graze"); Status::Running }
/// # fn follow(sheep: &mut Sheep) -> Status { sheep.log.push("follow"); Status::Running }
/// # fn slow_down(sheep: &mut Sheep) -> Status { sheep.log.push("slow down"); Status::Success }
/// # fn run_away(sheep: &mut Sheep) -> Status { sheep.log.push("run"); Status::Running }
/// # fn bleat(sheep: &mut Sheep) { sheep.log.push("bleat") }
///
/// let tree = tree! {
///     for Sheep: machine "sheep" {
///         state idle     { graze, herded -> obey }
///         state obey     { follow, !herded -> stopping }
///         state stopping { slow_down, success -> idle, herded -> obey }
///         state fear     { enter: bleat, run_away, !wolf_near -> idle }
///         any            { wolf_near -> fear }
///     }
/// };
/// # let (mut sheep, mut memory) = (Sheep { herded: false, wolf: false, tired: 0, log: vec![] }, tree.memory());
/// # tree.tick(&mut sheep, &mut memory); sheep.herded = true;
/// # tree.tick(&mut sheep, &mut memory); sheep.herded = false;
/// # tree.tick(&mut sheep, &mut memory);
/// # tree.tick(&mut sheep, &mut memory);
/// # tree.tick(&mut sheep, &mut memory); sheep.wolf = true;
/// # tree.tick(&mut sheep, &mut memory);
/// # assert_eq!(sheep.log, ["graze", "follow", "slow down", "graze", "graze", "bleat", "run"]);
/// assert_eq!(size_of_val(&tree.memory()), 1);
/// ```
///
/// # Rules
///
/// - The first state is the initial one. Each state has one node, and optionally an `enter:` and an `exit:` action.
/// - Before the node of the state is ticked, the guards of the state's transitions are evaluated in order, followed by
///   the guards of `any`. Transitions of `any` that lead to the present state are skipped.
/// - The first transition whose guard succeeds is followed. The node of the state is halted, then the `exit:` action and
///   the `enter:` action of the new state run. In the same tick the node of the new state is ticked.
/// - `success ->` and `failure ->` are followed when the node ends. The node of the new state starts in the next tick.
///   Without such a transition, the node of the state starts again in the next tick.
/// - A tick follows at most one transition, so that it always ends. If the node ends in a tick that has already
///   followed a transition, its outcome is stored. The transition for the outcome is then considered in the next tick.
/// - `-> success` and `-> failure` end the machine. Until then it is running.
/// - If the node of the state, a guard, an `enter:` or an `exit:` action returns `Error`, the machine ends with `Error`. Running
///   nodes are halted, and the `exit:` action of the state runs. A state whose `enter:` action returns `Error` is not entered, so
///   its `exit:` action does not run.
/// - If the machine is halted from outside, an error of an `exit:` action is passed to the context and has no other
///   effect.
/// - In descriptions, the guards and actions of a state are nodes below it. The guards of `any` are below the machine.
/// - An observer receives the events of guards and actions within the visit of the machine: the events of guards before the
///   visit of the state, of `exit:` after the state's node is closed, and of `enter:` after
///   [`Observer::state`](crate::Observer::state).
///
/// # Machine or tree?
///
/// A machine suits an agent that is in one of several modes and changes from each mode to a few others. The mode
/// determines what can happen next.
///
/// A tree suits an agent for which a more important task can take over at any time. The order of the
/// children is the priority, and no transitions are needed. As a tree, the sheep above checks in each tick what is
/// more important. The tree does not store that the sheep was herded just before:
///
/// ```text
/// selector {
///     sequence { wolf_near, run_away }
///     sequence { herded, follow }
///     graze                              // when to slow down?
/// }
/// ```
///
/// The two can be combined: states contain trees, and a machine can be used anywhere in a tree.
/// [`StateMachine`](crate::machine::StateMachine) queries and forces its state.
pub const fn machine<L: StatesShape, A: TransitionsShape>(
    states: L,
    any: A,
    texts: &'static [TransitionText],
) -> Machine<L, A> {
    Machine::new(states, any, texts)
}

/// A finite state machine. See [`keywords::machine`](crate::keywords::machine).
#[derive(Clone, Copy)]
#[doc(hidden)]
pub struct Machine<L, A> {
    pub(crate) states: L,
    /// The transitions from any state.
    any: A,
    texts: &'static [TransitionText],
}

impl<L: StatesShape, A: TransitionsShape> Machine<L, A> {
    /// The reachable states and the possible outcomes.
    pub(crate) const REACH: Reach = Reach::new(L::EACH, A::LIST);
    /// Whether a transition waits for the end of a node. Otherwise, outcomes are not stored.
    const STORES_OUTCOMES: bool = L::EACH.has_ends() || A::LIST.has_ends();

    /// Creates a machine from states and the transitions from any of them.
    pub const fn new(states: L, any: A, texts: &'static [TransitionText]) -> Self {
        Self { states, any, texts }
    }
}

/// A machine during a tick, with its present state and its kept state.
pub(super) struct Parts<'a, L: StatesShape, A: TransitionsShape, O> {
    pub(super) machine: &'a Machine<L, A>,
    pub(super) id: NodeId,
    pub(super) at: &'a mut L::At,
    pub(super) kept: &'a mut (L::Kept, A::Kept),
    pub(super) observer: &'a mut O,
}

impl<C: ?Sized, L: States<C>, A: Transitions<C>, O: Observer> MachineParts<C> for Parts<'_, L, A, O> {
    #[inline(always)]
    fn current(&self) -> (usize, Option<Outcome>) {
        let (state, phase) = L::phase(self.at);
        (state, phase.ended())
    }

    #[inline(always)]
    fn set_current(&mut self, state: usize, ended: Option<Outcome>) {
        *self.at = L::idle(state, ended.filter(|_| Machine::<L, A>::STORES_OUTCOMES));
    }

    #[inline(always)]
    fn report(&mut self, state: usize) {
        if O::ON {
            self.observer.state(self.id, state);
        }
    }

    #[inline(always)]
    fn forced(&mut self) -> Option<usize> {
        if O::ON { self.observer.force_state(self.id).filter(|state| *state < L::LEN) } else { None }
    }

    #[inline(always)]
    fn hook(&mut self, edge: Edge, state: usize, ctx: &mut C) -> Outcome {
        let visit = &mut Visit::new(ctx, self.observer);
        self.machine.states.hook(edge, state, self.id.first_child(), &mut self.kept.0, visit)
    }

    #[inline(always)]
    fn first(&mut self, state: usize, ended: Option<Outcome>, ctx: &mut C) -> Option<Target> {
        let Machine { states, any, .. } = self.machine;
        let (at, visit) = (self.id.first_child(), &mut Visit::new(ctx, self.observer));
        let own = states.first(state, ended, at, &mut self.kept.0, visit);
        own.or_else(|| any.first(Some(state), ended, at.skip(states.count()), &mut self.kept.1, visit))
    }

    #[inline(always)]
    fn on_end(&mut self, state: usize, ended: Outcome) -> Option<Target> {
        let Machine { states, any, .. } = self.machine;
        states.on_end(state, ended).or_else(|| any.on_end(Some(state), ended))
    }

    #[inline(always)]
    fn tick_node(&mut self, state: usize, ctx: &mut C) -> Status {
        let visit = &mut Visit::new(ctx, self.observer);
        self.machine.states.tick(state, self.id.first_child(), self.at, &mut self.kept.0, visit).status()
    }

    #[inline(always)]
    fn start_node(&mut self, state: usize, ctx: &mut C) -> Status {
        let visit = &mut Visit::new(ctx, self.observer);
        self.machine.states.start(state, self.id.first_child(), self.at, &mut self.kept.0, visit).status()
    }

    #[inline(always)]
    fn visit(&mut self, ctx: &mut C) -> Visited {
        let Parts { machine, id, at, kept, observer } = self;
        L::present(at, Visiting { machine, id: *id, kept, observer, ctx })
    }

    #[inline(always)]
    fn waits(&mut self) -> bool {
        if const { !Machine::<L, A>::FACTS.cleans_up } || L::phase(self.at).1 == Phase::Running {
            return false;
        }
        any_left(|visitor| self.machine.states.walk(self.id.first_child(), (None, &self.kept.0).into(), visitor))
    }

    #[inline(always)]
    fn halt_node(&mut self, why: Cause, ctx: &mut C) {
        let visit = &mut Visit::new(ctx, self.observer);
        let (states, how) = (&self.machine.states, Interrupt::Halt(why));
        states.interrupt(self.id.first_child(), self.at, &mut self.kept.0, how, visit);
    }
}

/// Visits the present state of a machine in a branch of its own, in which the index of the state is a constant.
struct Visiting<'v, 'm, C: ?Sized, L: StatesShape, A: TransitionsShape, O> {
    machine: &'m Machine<L, A>,
    id: NodeId,
    kept: &'v mut (L::Kept, A::Kept),
    observer: &'v mut O,
    ctx: &'v mut C,
}

impl<C: ?Sized, L: States<C>, A: Transitions<C>, O: Observer> Branch<L::At> for Visiting<'_, '_, C, L, A, O> {
    type Output = Visited;

    #[inline(always)]
    fn state(self, state: usize, ended: Option<Outcome>, at: &mut L::At) -> Visited {
        let Self { machine, id, kept, observer, ctx } = self;
        let ended = ended.filter(|_| Machine::<L, A>::STORES_OUTCOMES);
        Parts { machine, id, at, kept, observer }.visit_state(state, ended, ctx)
    }
}

impl<L: StatesShape, A: TransitionsShape> NodeShape for Machine<L, A> {
    type Open = L::At;
    type Kept = (L::Kept, A::Kept);
    const RETURNS: Outcomes = Self::REACH.gives;
    const FACTS: Facts = Facts::machine(&Self::REACH);
    const COUNT: Option<u32> = one_more(plus(L::COUNT, A::COUNT));

    #[inline]
    fn count(&self) -> u32 {
        1 + self.states.count() + self.any.count()
    }

    fn walk(&self, at: NodeId, state: NodeState<'_, L::At, Self::Kept>, visitor: &mut dyn StateVisitor) {
        each_way!(state, |open, (states, any)| {
            let present = open.as_ref().map(|open| L::phase(open).0);
            // A byte: the present state.
            visitor.node(at, OwnState::while_running(1).in_state(present));
            let first = at.first_child();
            self.states.walk(first, (open, states).into(), visitor);
            self.any.walk(first.skip(self.states.count()), any.into(), visitor);
        });
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        visitor.transitions(self.texts);
        let sources = visitor.enter(&Info {
            kind: Kind::Machine,
            name: Name::Known(Word::Machine.name()),
            returns: Self::RETURNS,
            params: &[],
        });
        self.states.describe(sources, visitor);
        self.any.describe(&mut sources.get(L::LEN..).unwrap_or_default(), visitor);
        visitor.leave();
    }
}

impl<C: ?Sized, L: States<C>, A: Transitions<C>> Node<C> for Machine<L, A> {
    #[inline]
    fn start<O: Observer>(&self, id: NodeId, kept: &mut Self::Kept, visit: &mut Visit<'_, C, O>) -> Step<L::At> {
        let mut at = L::idle(0, None);
        let parts = &mut Parts { machine: self, id, at: &mut at, kept, observer: visit.observer };
        Step::<()>::from(parts.tick(true, visit.ctx)).map(|()| at)
    }

    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn resume<O: Observer>(
        &self,
        id: NodeId,
        at: &mut L::At,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()> {
        let parts = &mut Parts { machine: self, id, at, kept, observer: visit.observer };
        parts.tick(false, visit.ctx).into()
    }

    #[inline]
    fn interrupt<O: Observer>(
        &self,
        id: NodeId,
        at: &mut L::At,
        kept: &mut Self::Kept,
        how: Interrupt,
        visit: &mut Visit<'_, C, O>,
    ) {
        let Interrupt::Halt(why) = how else {
            return self.states.interrupt(id.first_child(), at, &mut kept.0, how, visit);
        };
        let parts = &mut Parts { machine: self, id, at, kept, observer: visit.observer };
        // An error of the `exit:` action was passed to the context; the machine ends in any case.
        let _ = parts.leave(Outcome::Success, why, visit.ctx);
    }

    fn visit_cleanups<O: Observer>(
        &self,
        at: NodeId,
        kept: &mut Self::Kept,
        how: CleanUp,
        visit: &mut Visit<'_, C, O>,
    ) {
        self.states.visit_cleanups(at.first_child(), &mut kept.0, how, visit);
    }

    fn wake_cleanups(&self, kept: &Self::Kept, visit: &mut WakeVisit<'_, C>) -> Wake {
        self.states.wake_cleanups(&kept.0, visit)
    }

    #[inline]
    fn wake(&self, at: &L::At, kept: &Self::Kept, visit: &mut WakeVisit<'_, C>) -> Wake {
        let until = self.states.wake(at, &kept.0, visit);
        until.or_earlier(|| self.any.stays(Some(L::phase(at).0), &kept.1, visit.ctx))
    }
}
