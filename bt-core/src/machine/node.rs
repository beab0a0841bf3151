//! The node of a machine.

use crate::check::{Below, Facts};
use crate::describe::{ArrowText, Info, Kind, Name, Visitor, one_more};
use crate::machine::arrows::{Arrows, ArrowsShape, Target};
use crate::machine::reach::Reach;
use crate::machine::states::{Phase, States, StatesShape};
use crate::node::{Node, NodeId, Shape};
use crate::observe::Observer;
use crate::outcomes::Outcomes;
use crate::status::{Outcome, Step};

/// A finite state machine; see [`keywords::machine`](crate::keywords::machine).
#[derive(Clone, Copy)]
pub struct Machine<L, A> {
    pub(crate) states: L,
    /// Arrows from any state.
    any: A,
    texts: &'static [ArrowText],
}

impl<L: StatesShape, A: ArrowsShape> Machine<L, A> {
    /// What can happen in it.
    pub(crate) const REACH: Reach = Reach::new(L::EACH, A::LIST);

    /// A machine of these states, and arrows from any of them.
    pub const fn new(states: L, any: A, texts: &'static [ArrowText]) -> Self {
        Self { states, any, texts }
    }

    /// Goes from one state to another.
    pub(crate) fn go<C: ?Sized, O: Observer>(
        &self,
        id: NodeId,
        to: usize,
        at: &mut L::At,
        kept: &mut L::Kept,
        ctx: &mut C,
        observer: &mut O,
    ) where
        L: States<C>,
    {
        self.leave(id, at, kept, ctx, observer);
        *at = L::idle(to, None);
        self.enter(id, to, ctx, observer);
    }

    #[inline(always)]
    fn enter<C: ?Sized, O: Observer>(&self, id: NodeId, state: usize, ctx: &mut C, observer: &mut O)
    where
        L: States<C>,
    {
        if O::ON {
            observer.state(id, state);
        }
        self.states.enter(state, ctx);
    }

    /// Halts the state's node if it is running, and leaves the state.
    #[inline(always)]
    fn leave<C: ?Sized, O: Observer>(
        &self,
        id: NodeId,
        at: &mut L::At,
        kept: &mut L::Kept,
        ctx: &mut C,
        observer: &mut O,
    ) where
        L: States<C>,
    {
        let states = &self.states;
        states.halt(id.first_child(), at, kept, ctx, observer);
        states.exit(L::phase(at).0, ctx);
    }

    /// One tick: at most one arrow, before the state's node is ticked or, if none was followed then, because it has ended.
    #[inline]
    fn run<C: ?Sized, O: Observer>(
        &self,
        id: NodeId,
        at: &mut L::At,
        kept: &mut L::Kept,
        ctx: &mut C,
        observer: &mut O,
    ) -> Step<()>
    where
        L: States<C>,
        A: Arrows<C>,
    {
        let states = &self.states;
        let (state, phase) = L::phase(at);
        let ended = match phase {
            Phase::Ended(outcome) => Some(outcome),
            Phase::Fresh | Phase::Running => None,
        };
        let arrow = states.first(state, ended, ctx).or_else(|| self.any.first(Some(state), ended, ctx));
        match arrow {
            Some(Target::State(to)) => self.go(id, to, at, kept, ctx, observer),
            Some(Target::End(outcome)) => {
                self.leave(id, at, kept, ctx, observer);
                return Step::Done(outcome);
            }
            None => {}
        }
        let Step::Done(outcome) = states.tick(id.first_child(), at, kept, ctx, observer) else {
            return Step::Running(());
        };
        let (state, _) = L::phase(at);
        if outcome == Outcome::Error {
            states.exit(state, ctx);
            return Step::Done(outcome);
        }
        *at = L::idle(state, Some(outcome));
        if arrow.is_some() {
            return Step::Running(());
        }
        match states.on_end(state, outcome).or_else(|| self.any.on_end(Some(state), outcome)) {
            Some(Target::State(to)) => self.go(id, to, at, kept, ctx, observer),
            Some(Target::End(outcome)) => {
                states.exit(state, ctx);
                return Step::Done(outcome);
            }
            None => {}
        }
        Step::Running(())
    }
}

impl<L: StatesShape, A: ArrowsShape> Shape for Machine<L, A> {
    type Open = L::At;
    type Kept = L::Kept;
    const CAN: Outcomes = Self::REACH.gives;
    const FACTS: Facts = Facts { below: Below::States(&Self::REACH), ..Facts::leaf(Self::CAN) };
    const COUNT: Option<u32> = one_more(L::COUNT);

    #[inline(always)]
    fn count(&self) -> u32 {
        1 + self.states.count()
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        visitor.arrows(self.texts);
        let places =
            visitor.enter(&Info { kind: Kind::Machine, name: Name::Known("machine"), can: Self::CAN, params: &[] });
        self.states.describe(places, visitor);
        visitor.leave();
    }
}

impl<C: ?Sized, L: States<C>, A: Arrows<C>> Node<C> for Machine<L, A> {
    #[inline]
    fn start<O: Observer>(&self, id: NodeId, kept: &mut L::Kept, ctx: &mut C, observer: &mut O) -> Step<L::At> {
        let mut at = L::idle(0, None);
        self.enter(id, 0, ctx, observer);
        self.run(id, &mut at, kept, ctx, observer).map(|()| at)
    }

    #[inline]
    fn resume<O: Observer>(
        &self,
        id: NodeId,
        at: &mut L::At,
        kept: &mut L::Kept,
        ctx: &mut C,
        observer: &mut O,
    ) -> Step<()> {
        self.run(id, at, kept, ctx, observer)
    }

    #[inline]
    fn interrupt<O: Observer>(&self, id: NodeId, at: &mut L::At, kept: &mut L::Kept, ctx: &mut C, observer: &mut O) {
        self.leave(id, at, kept, ctx, observer);
    }
}
