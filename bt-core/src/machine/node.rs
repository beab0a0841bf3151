//! The node of a machine.

use crate::check::Reach;
use crate::check::Target;
use crate::check::{Below, Facts};
use crate::clock::Shift;
use crate::composite::plus;
use crate::describe::{Info, Kind, Name, TransitionText, Visitor};
use crate::id::NodeId;
use crate::machine::hook::Edge;
use crate::machine::states::{Phase, States, StatesShape};
use crate::machine::transitions::{Transitions, TransitionsShape};
use crate::node::{Node, NodeShape, Visit, one_more};
use crate::observe::Observer;
use crate::outcomes::Outcomes;
use crate::status::{Outcome, Step};

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

    /// Goes from one state to another. Ends with an error if what is done on leaving or entering gives one.
    pub(crate) fn go<C: ?Sized, O: Observer>(
        &self,
        id: NodeId,
        to: usize,
        at: &mut L::At,
        kept: &mut (L::Kept, A::Kept),
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()>
    where
        L: States<C>,
    {
        if self.leave(id, at, kept, visit, Outcome::Success) == Outcome::Error {
            return Step::Done(Outcome::Error);
        }
        self.enter(id, to, kept, visit).map(|entered| *at = entered)
    }

    /// Enters a state, whose node is then ready to start. One whose `enter:` gives an error has not been entered, and is not left.
    #[inline(always)]
    pub(crate) fn enter<C: ?Sized, O: Observer>(
        &self,
        id: NodeId,
        state: usize,
        kept: &mut (L::Kept, A::Kept),
        visit: &mut Visit<'_, C, O>,
    ) -> Step<L::At>
    where
        L: States<C>,
    {
        if O::ON {
            visit.observer.state(id, state);
        }
        match self.states.hook(Edge::Enter, state, id.first_child(), &mut kept.0, visit) {
            Outcome::Error => Step::Done(Outcome::Error),
            Outcome::Success | Outcome::Failure => Step::Running(L::idle(state, None)),
        }
    }

    /// Halts the state's node if it is running, and leaves the state. Returns `then`, or `Error` if `exit:` returns it.
    #[inline(always)]
    fn leave<C: ?Sized, O: Observer>(
        &self,
        id: NodeId,
        at: &mut L::At,
        kept: &mut (L::Kept, A::Kept),
        visit: &mut Visit<'_, C, O>,
        then: Outcome,
    ) -> Outcome
    where
        L: States<C>,
    {
        self.states.halt(id.first_child(), at, &mut kept.0, visit);
        self.exit(id, L::phase(at).0, kept, visit, then)
    }

    /// Leaves a state whose node is not running. Returns `then`, or `Error` if `exit:` returns it.
    #[inline(always)]
    fn exit<C: ?Sized, O: Observer>(
        &self,
        id: NodeId,
        state: usize,
        kept: &mut (L::Kept, A::Kept),
        visit: &mut Visit<'_, C, O>,
        then: Outcome,
    ) -> Outcome
    where
        L: States<C>,
    {
        match self.states.hook(Edge::Exit, state, id.first_child(), &mut kept.0, visit) {
            Outcome::Error => Outcome::Error,
            Outcome::Success | Outcome::Failure => then,
        }
    }

    /// The target of the first transition that may be followed from a state: one of its own, or one from any state.
    #[inline(always)]
    fn first<C: ?Sized, O: Observer>(
        &self,
        id: NodeId,
        state: usize,
        ended: Option<Outcome>,
        kept: &mut (L::Kept, A::Kept),
        visit: &mut Visit<'_, C, O>,
    ) -> Option<Target>
    where
        L: States<C>,
        A: Transitions<C>,
    {
        let at = id.first_child();
        let own = self.states.first(state, ended, at, &mut kept.0, visit);
        own.or_else(|| self.any.first(Some(state), ended, at.skip(self.states.count()), &mut kept.1, visit))
    }

    /// One tick: at most one transition, before the state's node is ticked or, if none was followed then, because it has ended.
    #[inline]
    fn run<C: ?Sized, O: Observer>(
        &self,
        id: NodeId,
        at: &mut L::At,
        kept: &mut (L::Kept, A::Kept),
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()>
    where
        L: States<C>,
        A: Transitions<C>,
    {
        let states = &self.states;
        let (state, phase) = L::phase(at);
        let ended = match phase {
            Phase::Ended(outcome) => Some(outcome),
            Phase::Fresh | Phase::Running => None,
        };
        let transition = self.first(id, state, ended, kept, visit);
        match transition {
            Some(Target::State(to)) => {
                if let Step::Done(error) = self.go(id, to, at, kept, visit) {
                    return Step::Done(error);
                }
            }
            Some(Target::End(outcome)) => return Step::Done(self.leave(id, at, kept, visit, outcome)),
            None => {}
        }
        let Step::Done(outcome) = states.tick(id.first_child(), at, &mut kept.0, visit) else {
            return Step::Running(());
        };
        let (state, _) = L::phase(at);
        if outcome == Outcome::Error {
            return Step::Done(self.exit(id, state, kept, visit, Outcome::Error));
        }
        *at = L::idle(state, Some(outcome));
        if transition.is_some() {
            return Step::Running(());
        }
        match states.on_end(state, outcome).or_else(|| self.any.on_end(Some(state), outcome)) {
            Some(Target::State(to)) => self.go(id, to, at, kept, visit),
            Some(Target::End(outcome)) => Step::Done(self.exit(id, state, kept, visit, outcome)),
            None => Step::Running(()),
        }
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
        let sources =
            visitor.enter(&Info { kind: Kind::Machine, name: Name::Known("machine"), can: Self::CAN, params: &[] });
        self.states.describe(sources, visitor);
        self.any.describe(&mut sources.get(L::LEN..).unwrap_or_default(), visitor);
        visitor.leave();
    }
}

impl<C: ?Sized, L: States<C>, A: Transitions<C>> Node<C> for Machine<L, A> {
    #[inline]
    fn start<O: Observer>(&self, id: NodeId, kept: &mut Self::Kept, visit: &mut Visit<'_, C, O>) -> Step<L::At> {
        match self.enter(id, 0, kept, visit) {
            Step::Running(mut at) => self.run(id, &mut at, kept, visit).map(|()| at),
            Step::Done(error) => Step::Done(error),
        }
    }

    #[inline]
    fn resume<O: Observer>(
        &self,
        id: NodeId,
        at: &mut L::At,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()> {
        self.run(id, at, kept, visit)
    }

    #[inline]
    fn interrupt<O: Observer>(&self, id: NodeId, at: &mut L::At, kept: &mut Self::Kept, visit: &mut Visit<'_, C, O>) {
        // An error in leaving has been handed to the context; nothing else is left to end.
        let _ = self.leave(id, at, kept, visit, Outcome::Success);
    }
}
