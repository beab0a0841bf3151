//! The node of a machine.

use bt_words::Word;

use crate::check::Reach;
use crate::check::Target;
use crate::check::{Below, Facts};
use crate::clock::Shift;
use crate::composite::plus;
use crate::describe::{Info, Kind, Name, TransitionText, Visitor};
use crate::id::NodeId;
use crate::machine::hook::Edge;
use crate::machine::rule::{self, MachineParts};
use crate::machine::states::{Phase, States, StatesShape};
use crate::machine::transitions::{Transitions, TransitionsShape};
use crate::node::{Node, NodeShape, Visit, one_more};
use crate::observe::Observer;
use crate::outcomes::Outcomes;
use crate::status::{Outcome, Status, Step};

/// A finite state machine whose states hold nodes.
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
/// - The first state is the initial one. Each holds one node, and perhaps `enter:` and `exit:` actions.
/// - Before the state's node is ticked its transitions are asked in order, then those of `any` (but for those that lead back). The first whose
///   condition holds is followed: the node is halted, `exit:` and the new state's `enter:` are done, and its node is ticked.
/// - `success ->` and `failure ->` are followed when the node ends; the new state's node starts in the next tick. Without one the node starts
///   again in the next tick.
/// - A tick follows at most one transition, so that none can hang: a node that ends in a tick that has followed one already is remembered, and its transition
///   is among those asked in the next tick.
/// - `-> success` and `-> failure` end the machine, which is running otherwise.
/// - An error of a condition, of `enter:` or of `exit:` ends the machine with `Error`: what is open is halted, and the state is left with its `exit:`. A state whose `enter:` gives an error was not
///   entered, and is not left. Where the machine is halted from outside, an error of `exit:` goes to the context, and nothing else comes of it.
/// - Conditions and hooks are nodes below their state in descriptions, those of `any` below the machine. An observer receives their events within the visit of the machine: conditions before
///   the visit of the state, `exit:` after the state's node is closed, `enter:` after [`Observer::state`](crate::Observer::state).
///
/// When it is a machine, and when a tree? A machine where an agent is in one of several modes and goes from each to a few others: what can
/// happen next is written with the mode. A tree where anything may be more important than what is going on: there, priority is the order, and
/// no transitions need be drawn. The sheep above as a tree has to ask what is more important each tick, and cannot know that it was herded
/// just before:
///
/// ```text
/// selector {
///     sequence { wolf_near, run_away }
///     sequence { herded, follow }
///     graze                              // and when to slow down?
/// }
/// ```
///
/// The two mix: states hold trees, and a machine can stand anywhere in a tree. See [`StateMachine`](crate::StateMachine) for asking and forcing its
/// state.
pub const fn machine<L: StatesShape, A: TransitionsShape>(
    states: L,
    any: A,
    texts: &'static [TransitionText],
) -> Machine<L, A> {
    Machine::new(states, any, texts)
}

/// A finite state machine; see [`keywords::machine`](crate::keywords::machine).
#[derive(Clone, Copy)]
pub struct Machine<L, A> {
    pub(crate) states: L,
    /// Transitions from any state.
    any: A,
    texts: &'static [TransitionText],
}

impl<L: StatesShape, A: TransitionsShape> Machine<L, A> {
    /// What can happen in it.
    pub(crate) const REACH: Reach = Reach::new(L::EACH, A::LIST);

    /// A machine of these states, and transitions from any of them.
    pub const fn new(states: L, any: A, texts: &'static [TransitionText]) -> Self {
        Self { states, any, texts }
    }
}

/// A machine while it is ticked: with the state it is in, and what it keeps.
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
        match L::phase(self.at) {
            (state, Phase::Ended(outcome)) => (state, Some(outcome)),
            (state, Phase::Fresh | Phase::Running) => (state, None),
        }
    }

    #[inline(always)]
    fn set_current(&mut self, state: usize, ended: Option<Outcome>) {
        *self.at = L::idle(state, ended);
    }

    #[inline(always)]
    fn report(&mut self, state: usize) {
        if O::ON {
            self.observer.state(self.id, state);
        }
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
    fn tick_node(&mut self, ctx: &mut C) -> Status {
        let visit = &mut Visit::new(ctx, self.observer);
        self.machine.states.tick(self.id.first_child(), self.at, &mut self.kept.0, visit).status()
    }

    #[inline(always)]
    fn halt_node(&mut self, ctx: &mut C) {
        let visit = &mut Visit::new(ctx, self.observer);
        self.machine.states.halt(self.id.first_child(), self.at, &mut self.kept.0, visit);
    }
}

impl<L: StatesShape, A: TransitionsShape> NodeShape for Machine<L, A> {
    type Open = L::At;
    type Kept = (L::Kept, A::Kept);
    const CAN: Outcomes = Self::REACH.gives;
    const FACTS: Facts = Facts { below: Below::States(&Self::REACH), ..Facts::leaf(Self::CAN) };
    const COUNT: Option<u32> = one_more(plus(L::COUNT, A::COUNT));

    #[inline(always)]
    fn count(&self) -> u32 {
        match Self::COUNT {
            Some(count) => count,
            None => 1 + self.states.count() + self.any.count(),
        }
    }

    fn shift_times(&self, open: Option<&mut L::At>, kept: &mut Self::Kept, by: Shift) {
        self.states.shift_times(open, &mut kept.0, by);
        self.any.shift_times(&mut kept.1, by);
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        visitor.transitions(self.texts);
        let sources = visitor.enter(&Info {
            kind: Kind::Machine,
            name: Name::Known(Word::Machine.name()),
            can: Self::CAN,
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
        Step::<()>::from(rule::machine(true, parts, visit.ctx)).map(|()| at)
    }

    #[inline]
    fn resume<O: Observer>(
        &self,
        id: NodeId,
        at: &mut L::At,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()> {
        let parts = &mut Parts { machine: self, id, at, kept, observer: visit.observer };
        rule::machine(false, parts, visit.ctx).into()
    }

    #[inline]
    fn interrupt<O: Observer>(&self, id: NodeId, at: &mut L::At, kept: &mut Self::Kept, visit: &mut Visit<'_, C, O>) {
        let parts = &mut Parts { machine: self, id, at, kept, observer: visit.observer };
        // An error in leaving has been handed to the context; nothing else is left to end.
        let _ = rule::leave(Outcome::Success, parts, visit.ctx);
    }
}
