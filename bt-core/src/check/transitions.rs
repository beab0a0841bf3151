//! Facts about the transitions of a machine.

use crate::outcomes::Outcomes;
use crate::status::Outcome;

/// The target of a transition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// The state with this index.
    State(usize),
    /// The end of the machine, with this outcome.
    End(Outcome),
}

impl Target {
    /// Returns `true` if the target is this state.
    #[inline(always)]
    pub(crate) const fn is(self, state: Option<usize>) -> bool {
        matches!((self, state), (Self::State(there), Some(here)) if there == here)
    }
}

/// Facts about a transition.
#[derive(Clone, Copy)]
pub struct TransitionFacts {
    /// The outcomes of the state's node that trigger the transition; empty for a condition.
    pub ends: Outcomes,
    /// The statuses of its condition; empty without a condition.
    pub can: Outcomes,
    /// The target.
    pub target: Target,
}

impl TransitionFacts {
    /// Returns `true` if the transition may be followed, given how the state's node has ended.
    pub(crate) const fn may_hold(self, ended: Option<Outcome>) -> bool {
        self.can.succeeds() || self.waits_for(ended)
    }

    /// Returns `true` if no transition after it is evaluated, given how the state's node has ended: it is followed, or its condition ends the machine
    /// with an error.
    pub(crate) const fn settles(self, ended: Option<Outcome>) -> bool {
        self.waits_for(ended) || !self.can.is_empty() && !self.can.fails()
    }

    const fn waits_for(self, ended: Option<Outcome>) -> bool {
        match ended {
            Some(outcome) => self.ends.meets(outcome.set()),
            None => false,
        }
    }
}

/// Facts about transitions, in order.
#[derive(Clone, Copy)]
pub enum TransitionList {
    /// The end of the list.
    End,
    /// A transition and the rest of the list.
    Then(TransitionFacts, &'static TransitionList),
}

impl TransitionList {
    /// Returns the transition at this index, which must exist.
    pub(crate) const fn get(&self, index: usize) -> TransitionFacts {
        match (self, index) {
            (Self::Then(transition, _), 0) => *transition,
            (Self::Then(_, rest), _) => rest.get(index - 1),
            (Self::End, _) => panic!("transition index out of range"),
        }
    }

    /// Returns `true` if one of the first `before` transitions certainly [settles](TransitionFacts::settles) it. Ignores transitions back to `here`.
    pub(crate) const fn stops(&self, before: usize, here: Option<usize>, ended: Option<Outcome>) -> bool {
        match self {
            Self::Then(transition, rest) if before > 0 => {
                transition.settles(ended) && !transition.target.is(here) || rest.stops(before - 1, here, ended)
            }
            _ => false,
        }
    }

    /// Returns `true` if one of the first `before` transitions waits for this end. Ignores transitions back to `here`.
    pub(crate) const fn waits(&self, before: usize, here: Option<usize>, ended: Outcome) -> bool {
        match self {
            Self::Then(transition, rest) if before > 0 => {
                transition.waits_for(Some(ended)) && !transition.target.is(here) || rest.waits(before - 1, here, ended)
            }
            _ => false,
        }
    }

    /// Returns `true` if a transition waits for an end.
    pub(crate) const fn has_ends(&self) -> bool {
        match self {
            Self::Then(transition, rest) => !transition.ends.is_empty() || rest.has_ends(),
            Self::End => false,
        }
    }

    /// Returns the target of the first transition that waits for this end. Ignores transitions back to `here`.
    pub(crate) const fn on_end(&self, here: Option<usize>, ended: Outcome) -> Option<Target> {
        match self {
            Self::Then(transition, _) if transition.ends.meets(ended.set()) && !transition.target.is(here) => {
                Some(transition.target)
            }
            Self::Then(_, rest) => rest.on_end(here, ended),
            Self::End => None,
        }
    }
}
