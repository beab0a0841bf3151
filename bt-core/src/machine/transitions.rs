//! Transitions: when to go to which state.

use crate::check::{Target, TransitionFacts, TransitionList};
use crate::clock::Shift;
use crate::composite::plus;
use crate::describe::{Role, SourceNode, Visitor};
use crate::id::NodeId;
use crate::node::{Node, NodeShape, Visit};
use crate::observe::Observer;
use crate::outcomes::Outcomes;
use crate::status::Outcome;
use crate::visit;

/// When a transition may be followed, apart from the context.
pub trait GuardShape {
    /// What its condition keeps from one tick to the next.
    type Kept: Default + Clone + Send + Sync + 'static;
    /// Whether it holds only for an end of the state's node, and for which.
    const ENDS: Outcomes = Outcomes::NONE;
    /// What its condition can give: it holds when that succeeds.
    const CAN: Outcomes = Outcomes::NONE;
    /// How many nodes its condition has, where the type says it.
    const COUNT: Option<u32> = Some(0);

    /// How many nodes its condition has.
    #[inline(always)]
    fn count(&self) -> u32 {
        0
    }

    /// Arity times that its condition stores over to another clock.
    fn shift_times(&self, kept: &mut Self::Kept, by: Shift) {
        let _ = (kept, by);
    }

    /// Shows its condition to a visitor. Arity the condition's place off the front of `sources`.
    fn describe(&self, sources: &mut &'static [SourceNode], visitor: &mut dyn Visitor) {
        let _ = (sources, visitor);
    }
}

/// When a transition may be followed.
pub trait Guard<C: ?Sized>: GuardShape {
    /// Whether it may be followed now: `Success` if so. `ended` says how the state's node ended, if it did and nothing has come of that yet.
    fn ask<O: Observer>(
        &self,
        ended: Option<Outcome>,
        at: NodeId,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Outcome;
}

/// If a condition holds: any node that cannot be running.
#[derive(Clone, Copy, Debug)]
pub struct When<N>(N);

impl<N: NodeShape> When<N> {
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

impl<N: NodeShape> GuardShape for When<N> {
    type Kept = N::Kept;
    const CAN: Outcomes = N::CAN;
    const COUNT: Option<u32> = N::COUNT;

    #[inline(always)]
    fn count(&self) -> u32 {
        self.0.count()
    }

    fn shift_times(&self, kept: &mut N::Kept, by: Shift) {
        self.0.shift_times(None, kept, by);
    }

    fn describe(&self, sources: &mut &'static [SourceNode], visitor: &mut dyn Visitor) {
        visitor.attachment(sources, Role::Guard, &self.0);
    }
}

impl<C: ?Sized, N: Node<C>> Guard<C> for When<N> {
    #[inline(always)]
    fn ask<O: Observer>(
        &self,
        _: Option<Outcome>,
        at: NodeId,
        kept: &mut N::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Outcome {
        visit::at_once(&self.0, at, kept, visit)
    }
}

impl GuardShape for OnSuccess {
    type Kept = ();
    const ENDS: Outcomes = Outcomes::SUCCESS;
}

impl<C: ?Sized> Guard<C> for OnSuccess {
    #[inline(always)]
    fn ask<O: Observer>(&self, ended: Option<Outcome>, _: NodeId, (): &mut (), _: &mut Visit<'_, C, O>) -> Outcome {
        Outcome::from(ended == Some(Outcome::Success))
    }
}

impl GuardShape for OnFailure {
    type Kept = ();
    const ENDS: Outcomes = Outcomes::FAILURE;
}

impl<C: ?Sized> Guard<C> for OnFailure {
    #[inline(always)]
    fn ask<O: Observer>(&self, ended: Option<Outcome>, _: NodeId, (): &mut (), _: &mut Visit<'_, C, O>) -> Outcome {
        Outcome::from(ended == Some(Outcome::Failure))
    }
}

/// Where a transition leads, as a type.
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
pub struct Transition<G, T> {
    /// When.
    pub guard: G,
    /// Where to.
    pub to: T,
}

/// Transitions in order, apart from the context: `(first, (second, ()))`.
pub trait TransitionsShape {
    /// What their conditions keep from one tick to the next.
    type Kept: Default + Clone + Send + Sync + 'static;
    /// How many there are.
    const LEN: usize;
    /// What is known of each.
    const LIST: TransitionList;
    /// How many nodes their conditions have together, where the type says it.
    const COUNT: Option<u32>;

    /// How many nodes their conditions have together.
    fn count(&self) -> u32;
    /// Arity times that their conditions store over to another clock.
    fn shift_times(&self, kept: &mut Self::Kept, by: Shift);
    /// Shows their conditions to a visitor. Arity the conditions' sources off the front of `sources`.
    fn describe(&self, sources: &mut &'static [SourceNode], visitor: &mut dyn Visitor);
}

/// Transitions over the context `C`.
pub trait Transitions<C: ?Sized>: TransitionsShape {
    /// The target of the first that may be followed; an end with `Error` if a condition returns that before. Those back to `here` are passed over.
    /// `at` is the id of the first condition.
    fn first<O: Observer>(
        &self,
        here: Option<usize>,
        ended: Option<Outcome>,
        at: NodeId,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Option<Target>;
    /// The target of the first that waits for this end of the state's node. Those back to `here` are passed over.
    fn on_end(&self, here: Option<usize>, ended: Outcome) -> Option<Target>;
}

impl TransitionsShape for () {
    type Kept = ();
    const LEN: usize = 0;
    const LIST: TransitionList = TransitionList::End;
    const COUNT: Option<u32> = Some(0);

    #[inline(always)]
    fn count(&self) -> u32 {
        0
    }

    fn shift_times(&self, (): &mut (), _: Shift) {}

    fn describe(&self, _: &mut &'static [SourceNode], _: &mut dyn Visitor) {}
}

impl<C: ?Sized> Transitions<C> for () {
    #[inline(always)]
    fn first<O: Observer>(
        &self,
        _: Option<usize>,
        _: Option<Outcome>,
        _: NodeId,
        (): &mut (),
        _: &mut Visit<'_, C, O>,
    ) -> Option<Target> {
        None
    }

    #[inline(always)]
    fn on_end(&self, _: Option<usize>, _: Outcome) -> Option<Target> {
        None
    }
}

impl<G: GuardShape, T: Leads, R: TransitionsShape> TransitionsShape for (Transition<G, T>, R) {
    type Kept = (G::Kept, R::Kept);
    const LEN: usize = 1 + R::LEN;
    const LIST: TransitionList =
        TransitionList::Then(TransitionFacts { ends: G::ENDS, can: G::CAN, target: T::TARGET }, &R::LIST);
    const COUNT: Option<u32> = plus(G::COUNT, R::COUNT);

    #[inline(always)]
    fn count(&self) -> u32 {
        match Self::COUNT {
            Some(count) => count,
            None => self.0.guard.count() + self.1.count(),
        }
    }

    fn shift_times(&self, kept: &mut Self::Kept, by: Shift) {
        self.0.guard.shift_times(&mut kept.0, by);
        self.1.shift_times(&mut kept.1, by);
    }

    fn describe(&self, sources: &mut &'static [SourceNode], visitor: &mut dyn Visitor) {
        self.0.guard.describe(sources, visitor);
        self.1.describe(sources, visitor);
    }
}

impl<C: ?Sized, G: Guard<C>, T: Leads, R: Transitions<C>> Transitions<C> for (Transition<G, T>, R) {
    #[inline(always)]
    fn first<O: Observer>(
        &self,
        here: Option<usize>,
        ended: Option<Outcome>,
        at: NodeId,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Option<Target> {
        let guard = &self.0.guard;
        if !T::TARGET.is(here) {
            match guard.ask(ended, at, &mut kept.0, visit) {
                Outcome::Success => return Some(T::TARGET),
                Outcome::Failure => {}
                Outcome::Error => return Some(Target::End(Outcome::Error)),
            }
        }
        self.1.first(here, ended, at.skip(guard.count()), &mut kept.1, visit)
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
