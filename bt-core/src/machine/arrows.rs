//! Arrows: when to go to which state.

use crate::node::{Node, NodeId, Shape};
use crate::outcomes::Outcomes;
use crate::status::{Outcome, Step};

/// Where an arrow leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// To the state of this index.
    State(usize),
    /// Out of the machine, which ends with this outcome.
    End(Outcome),
}

impl Target {
    /// Whether it is this state.
    #[inline(always)]
    pub(crate) const fn is(self, state: Option<usize>) -> bool {
        matches!((self, state), (Self::State(there), Some(here)) if there == here)
    }
}

/// When an arrow may be followed, apart from the context.
pub trait GuardShape {
    /// Whether it holds only for an end of the state's node, and for which.
    const ENDS: Outcomes = Outcomes::NONE;
    /// What its condition can give: it holds when that succeeds.
    const CAN: Outcomes = Outcomes::NONE;
}

/// When an arrow may be followed.
pub trait Guard<C: ?Sized>: GuardShape {
    /// Whether it may be followed now. `ended` says how the state's node ended, if it did and nothing has come of that yet.
    fn holds(&self, ended: Option<Outcome>, ctx: &mut C) -> bool;
}

/// If a condition holds: any node that cannot be running.
#[derive(Clone, Copy, Debug)]
pub struct When<N>(N);

impl<N: Shape> When<N> {
    /// If this holds.
    pub const fn new(condition: N) -> Self {
        Self(condition)
    }
}

/// If the state's node has succeeded.
#[derive(Clone, Copy, Debug)]
pub struct OnSuccess;

/// If the state's node has failed.
#[derive(Clone, Copy, Debug)]
pub struct OnFailure;

impl<N: Shape> GuardShape for When<N> {
    const CAN: Outcomes = N::CAN;
}

impl<C: ?Sized, N: Node<C>> Guard<C> for When<N> {
    #[inline(always)]
    fn holds(&self, _: Option<Outcome>, ctx: &mut C) -> bool {
        matches!(self.0.start(NodeId::ROOT, &mut N::Kept::default(), ctx, &mut ()), Step::Done(Outcome::Success))
    }
}

impl GuardShape for OnSuccess {
    const ENDS: Outcomes = Outcomes::SUCCESS;
}

impl<C: ?Sized> Guard<C> for OnSuccess {
    #[inline(always)]
    fn holds(&self, ended: Option<Outcome>, _: &mut C) -> bool {
        ended == Some(Outcome::Success)
    }
}

impl GuardShape for OnFailure {
    const ENDS: Outcomes = Outcomes::FAILURE;
}

impl<C: ?Sized> Guard<C> for OnFailure {
    #[inline(always)]
    fn holds(&self, ended: Option<Outcome>, _: &mut C) -> bool {
        ended == Some(Outcome::Failure)
    }
}

/// Where an arrow leads, as a type.
pub trait Leads: Copy {
    /// The target.
    const TARGET: Target;
}

/// Leads to the state of this index.
#[derive(Clone, Copy, Debug)]
pub struct To<const STATE: usize>;

/// Leads out of the machine.
#[derive(Clone, Copy, Debug)]
pub struct Out<const SUCCESS: bool>;

impl<const STATE: usize> Leads for To<STATE> {
    const TARGET: Target = Target::State(STATE);
}

impl<const SUCCESS: bool> Leads for Out<SUCCESS> {
    const TARGET: Target = Target::End(if SUCCESS { Outcome::Success } else { Outcome::Failure });
}

/// A guard and where it leads.
#[derive(Clone, Copy, Debug)]
pub struct Arrow<G, T> {
    /// When.
    pub guard: G,
    /// Where to.
    pub to: T,
}

/// What is known of an arrow.
#[derive(Clone, Copy)]
pub struct ArrowFacts {
    /// For which end of the state's node it waits, if it does.
    pub ends: Outcomes,
    /// What its condition can give, if it has one.
    pub can: Outcomes,
    /// Where it leads.
    pub target: Target,
}

impl ArrowFacts {
    /// Whether it may be followed, given how the state's node has ended.
    pub(crate) const fn may_hold(self, ended: Option<Outcome>) -> bool {
        self.can.succeeds() || self.waits_for(ended)
    }

    /// Whether it is followed, given how the state's node has ended.
    pub(crate) const fn holds(self, ended: Option<Outcome>) -> bool {
        self.always() || self.waits_for(ended)
    }

    /// Whether it has a condition that always holds.
    pub(crate) const fn always(self) -> bool {
        self.can.succeeds() && self.can.is_one()
    }

    const fn waits_for(self, ended: Option<Outcome>) -> bool {
        match ended {
            Some(outcome) => self.ends.meets(Outcomes::only(outcome)),
            None => false,
        }
    }
}

/// What is known of arrows, in order.
#[derive(Clone, Copy)]
pub enum ArrowList {
    /// No more.
    End,
    /// One, and those after it.
    Then(ArrowFacts, &'static ArrowList),
}

impl ArrowList {
    /// The arrow of this index, which there has to be.
    pub(crate) const fn get(&self, index: usize) -> ArrowFacts {
        match (self, index) {
            (Self::Then(arrow, _), 0) => *arrow,
            (Self::Then(_, rest), _) => rest.get(index - 1),
            (Self::End, _) => panic!("there is no such arrow"),
        }
    }

    /// Whether one of the first so many is surely followed. Those back to `here` are passed over.
    pub(crate) const fn stops(&self, before: usize, here: Option<usize>, ended: Option<Outcome>) -> bool {
        match self {
            Self::Then(arrow, rest) if before > 0 => {
                arrow.holds(ended) && !arrow.target.is(here) || rest.stops(before - 1, here, ended)
            }
            _ => false,
        }
    }

    /// Whether one of the first so many waits for this end. Those back to `here` are passed over.
    pub(crate) const fn waits(&self, before: usize, here: Option<usize>, ended: Outcome) -> bool {
        match self {
            Self::Then(arrow, rest) if before > 0 => {
                arrow.waits_for(Some(ended)) && !arrow.target.is(here) || rest.waits(before - 1, here, ended)
            }
            _ => false,
        }
    }

    /// The target of the first that waits for this end. Those back to `here` are passed over.
    pub(crate) const fn on_end(&self, here: Option<usize>, ended: Outcome) -> Option<Target> {
        match self {
            Self::Then(arrow, _) if arrow.ends.meets(Outcomes::only(ended)) && !arrow.target.is(here) => {
                Some(arrow.target)
            }
            Self::Then(_, rest) => rest.on_end(here, ended),
            Self::End => None,
        }
    }
}

/// Arrows in order, apart from the context: `(first, (second, ()))`.
pub trait ArrowsShape {
    /// How many there are.
    const LEN: usize;
    /// What is known of each.
    const LIST: ArrowList;
}

/// Arrows over the context `C`.
pub trait Arrows<C: ?Sized>: ArrowsShape {
    /// The target of the first that may be followed. Those back to `here` are passed over.
    fn first(&self, here: Option<usize>, ended: Option<Outcome>, ctx: &mut C) -> Option<Target>;
    /// The target of the first that waits for this end of the state's node. Those back to `here` are passed over.
    fn on_end(&self, here: Option<usize>, ended: Outcome) -> Option<Target>;
}

impl ArrowsShape for () {
    const LEN: usize = 0;
    const LIST: ArrowList = ArrowList::End;
}

impl<C: ?Sized> Arrows<C> for () {
    #[inline(always)]
    fn first(&self, _: Option<usize>, _: Option<Outcome>, _: &mut C) -> Option<Target> {
        None
    }

    #[inline(always)]
    fn on_end(&self, _: Option<usize>, _: Outcome) -> Option<Target> {
        None
    }
}

impl<G: GuardShape, T: Leads, R: ArrowsShape> ArrowsShape for (Arrow<G, T>, R) {
    const LEN: usize = 1 + R::LEN;
    const LIST: ArrowList = ArrowList::Then(ArrowFacts { ends: G::ENDS, can: G::CAN, target: T::TARGET }, &R::LIST);
}

impl<C: ?Sized, G: Guard<C>, T: Leads, R: Arrows<C>> Arrows<C> for (Arrow<G, T>, R) {
    #[inline(always)]
    fn first(&self, here: Option<usize>, ended: Option<Outcome>, ctx: &mut C) -> Option<Target> {
        if !T::TARGET.is(here) && self.0.guard.holds(ended, ctx) {
            return Some(T::TARGET);
        }
        self.1.first(here, ended, ctx)
    }

    #[inline(always)]
    fn on_end(&self, here: Option<usize>, ended: Outcome) -> Option<Target> {
        let waited_for = match ended {
            Outcome::Success => G::ENDS.succeeds(),
            Outcome::Failure => G::ENDS.fails(),
            Outcome::Error => false,
        };
        if waited_for && !T::TARGET.is(here) { Some(T::TARGET) } else { self.1.on_end(here, ended) }
    }
}
