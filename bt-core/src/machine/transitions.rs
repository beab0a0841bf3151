//! Transitions: guards and targets.

use bt_words::analysis::TransitionFacts;

use crate::describe::{Role, SourceNode, Visitor};
use crate::facts::TransitionList;
use crate::id::NodeId;
use crate::machine::attached::{Attached, AttachedShape};
use crate::machine::rule::stays;
use crate::machine::target::Target;
use crate::node::{Node, NodeShape, Visit, plus};
use crate::observer::Observer;
use crate::outcomes::Outcomes;
use crate::status::Outcome;
use crate::visit;
use crate::wake::Wake;
use crate::walk::{KeptState, StateVisitor, each_way};

/// The context-independent part of a [`Guard`].
pub trait GuardShape: AttachedShape {
    /// The outcomes of the state's node for which this guard holds; empty for a condition.
    const ENDS: Outcomes = Outcomes::NONE;
}

/// A guard, which decides whether a transition may be followed.
#[expect(unused_variables, reason = "the defaults ignore their arguments")]
pub trait Guard<C: ?Sized>: GuardShape {
    /// Evaluates the guard. `Success` means that the transition may be followed. `ended` is the outcome of the state's
    /// node, if it has ended and no transition has followed yet.
    fn ask<O: Observer>(
        &self,
        ended: Option<Outcome>,
        at: NodeId,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Outcome;

    /// Returns the [`Wake`] until which the guard does not hold while the state's node is running; [`Wake::Next`] if the guard
    /// holds, or if that is not known without an effect.
    fn stays(&self, kept: &Self::Kept, ctx: &mut C) -> Wake {
        Wake::Event
    }
}

impl<N: NodeShape> GuardShape for Attached<N> {}

impl<C: ?Sized, N: Node<C>> Guard<C> for Attached<N> {
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

    fn stays(&self, kept: &N::Kept, ctx: &mut C) -> Wake {
        stays(self.0.foresee(kept, ctx, false))
    }
}

/// A guard that holds if the state's node has ended with this outcome.
#[derive(Clone, Copy, Debug)]
pub struct OnEnd<const SUCCESS: bool>;

impl<const SUCCESS: bool> OnEnd<SUCCESS> {
    const OUTCOME: Outcome = if SUCCESS { Outcome::Success } else { Outcome::Failure };
}

impl<const SUCCESS: bool> AttachedShape for OnEnd<SUCCESS> {
    type Kept = ();
}

impl<const SUCCESS: bool> GuardShape for OnEnd<SUCCESS> {
    const ENDS: Outcomes = if SUCCESS { Outcomes::SUCCESS } else { Outcomes::FAILURE };
}

impl<C: ?Sized, const SUCCESS: bool> Guard<C> for OnEnd<SUCCESS> {
    #[inline(always)]
    fn ask<O: Observer>(&self, ended: Option<Outcome>, _: NodeId, (): &mut (), _: &mut Visit<'_, C, O>) -> Outcome {
        Outcome::from(ended == Some(Self::OUTCOME))
    }
}

/// The target of a transition, as a type.
pub trait Leads: Copy {
    /// The target.
    const TARGET: Target;
}

/// The state with this index, as a target.
#[derive(Clone, Copy, Debug)]
pub struct To<const STATE: usize>;

/// The end of the machine, as a target.
#[derive(Clone, Copy, Debug)]
pub struct Out<const SUCCESS: bool>;

impl<const STATE: usize> Leads for To<STATE> {
    const TARGET: Target = Target::State(STATE);
}

impl<const SUCCESS: bool> Leads for Out<SUCCESS> {
    const TARGET: Target = Target::End(if SUCCESS { Outcome::Success } else { Outcome::Failure });
}

/// A transition: a guard and a target.
#[derive(Clone, Copy, Debug)]
pub struct Guarded<G, T> {
    /// The guard.
    pub guard: G,
    /// The target.
    pub to: T,
}

/// The context-independent part of a list of transitions: `(first, (second, ()))`.
pub trait TransitionsShape {
    /// The state that the guards keep across their runs.
    type Kept: Default + Clone + Send + Sync + 'static;
    /// The number of transitions.
    const LEN: usize;
    /// The facts about each transition that are known at compile time.
    const LIST: TransitionList;
    /// The number of nodes in all guards together; `None` if it is only known at run time.
    const COUNT: Option<u32>;

    /// Returns the number of nodes in all guards together.
    fn count(&self) -> u32;
    /// Walks over the state of the guards. `at` is the id of the first guard.
    fn walk(&self, at: NodeId, kept: KeptState<'_, Self::Kept>, visitor: &mut dyn StateVisitor);
    /// Describes the guards to a visitor. Removes their source locations from the front of `sources`.
    fn describe(&self, sources: &mut &'static [SourceNode], visitor: &mut dyn Visitor);
}

/// A list of transitions over the context `C`.
pub trait Transitions<C: ?Sized>: TransitionsShape {
    /// Returns the target of the first transition whose guard holds. If a guard returns `Error` before that, returns an
    /// end with `Error`. Transitions to `here` are skipped. `at` is the id of the first guard.
    fn first<O: Observer>(
        &self,
        here: Option<usize>,
        ended: Option<Outcome>,
        at: NodeId,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Option<Target>;
    /// Returns the target of the first transition for this outcome of the state's node. Transitions to `here` are
    /// skipped.
    fn on_end(&self, here: Option<usize>, ended: Outcome) -> Option<Target>;
    /// Returns the [`Wake`] until which no guard holds while the state's node is running. Transitions to `here` are skipped.
    fn stays(&self, here: Option<usize>, kept: &Self::Kept, ctx: &mut C) -> Wake;
}

impl TransitionsShape for () {
    type Kept = ();
    const LEN: usize = 0;
    const LIST: TransitionList = TransitionList::End;
    const COUNT: Option<u32> = Some(0);

    #[inline]
    fn count(&self) -> u32 {
        0
    }

    fn walk(&self, _: NodeId, _: KeptState<'_, ()>, _: &mut dyn StateVisitor) {}

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

    fn stays(&self, _: Option<usize>, (): &(), _: &mut C) -> Wake {
        Wake::Event
    }
}

impl<G: GuardShape, T: Leads, R: TransitionsShape> TransitionsShape for (Guarded<G, T>, R) {
    type Kept = (G::Kept, R::Kept);
    const LEN: usize = 1 + R::LEN;
    const LIST: TransitionList = TransitionList::Then(
        TransitionFacts { ends: G::ENDS, returns: G::RETURNS, target: T::TARGET.facts() },
        &R::LIST,
    );
    const COUNT: Option<u32> = plus(G::COUNT, R::COUNT);

    #[inline]
    fn count(&self) -> u32 {
        self.0.guard.count() + self.1.count()
    }

    fn walk(&self, at: NodeId, kept: KeptState<'_, Self::Kept>, visitor: &mut dyn StateVisitor) {
        each_way!(kept, |_, (first, rest)| {
            self.0.guard.walk(at, first.into(), visitor);
            self.1.walk(at.skip(self.0.guard.count()), rest.into(), visitor);
        });
    }

    fn describe(&self, sources: &mut &'static [SourceNode], visitor: &mut dyn Visitor) {
        self.0.guard.describe(Role::Guard, sources, visitor);
        self.1.describe(sources, visitor);
    }
}

impl<C: ?Sized, G: Guard<C>, T: Leads, R: Transitions<C>> Transitions<C> for (Guarded<G, T>, R) {
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

    fn stays(&self, here: Option<usize>, kept: &Self::Kept, ctx: &mut C) -> Wake {
        let own = if T::TARGET.is(here) { Wake::Event } else { self.0.guard.stays(&kept.0, ctx) };
        own.or_earlier(|| self.1.stays(here, &kept.1, ctx))
    }
}
