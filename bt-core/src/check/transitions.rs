//! What is known of the transitions of a machine.

use crate::outcomes::Outcomes;
use crate::status::Outcome;

/// Where a transition leads.
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

/// What is known of a transition.
#[derive(Clone, Copy)]
pub struct TransitionFacts {
    /// For which end of the state's node it waits, if it does.
    pub ends: Outcomes,
    /// What its condition can give, if it has one.
    pub can: Outcomes,
    /// Where it leads.
    pub target: Target,
}

impl TransitionFacts {
    /// Whether it may be followed, given how the state's node has ended.
    pub(crate) const fn may_hold(self, ended: Option<Outcome>) -> bool {
        self.can.succeeds() || self.waits_for(ended)
    }

    /// Whether no transition after it is asked, given how the state's node has ended: it is followed, or its condition ends the machine with an error.
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

/// What is known of transitions, in order.
#[derive(Clone, Copy)]
pub enum TransitionList {
    /// No more.
    End,
    /// One, and those after it.
    Then(TransitionFacts, &'static TransitionList),
}

impl TransitionList {
    /// The transition of this index, which there has to be.
    pub(crate) const fn get(&self, index: usize) -> TransitionFacts {
        match (self, index) {
            (Self::Then(transition, _), 0) => *transition,
            (Self::Then(_, rest), _) => rest.get(index - 1),
            (Self::End, _) => panic!("there is no such transition"),
        }
    }

    /// Whether one of the first so many surely [settles](TransitionFacts::settles) it. Those back to `here` are passed over.
    pub(crate) const fn stops(&self, before: usize, here: Option<usize>, ended: Option<Outcome>) -> bool {
        match self {
            Self::Then(transition, rest) if before > 0 => {
                transition.settles(ended) && !transition.target.is(here) || rest.stops(before - 1, here, ended)
            }
            _ => false,
        }
    }

    /// Whether one of the first so many waits for this end. Those back to `here` are passed over.
    pub(crate) const fn waits(&self, before: usize, here: Option<usize>, ended: Outcome) -> bool {
        match self {
            Self::Then(transition, rest) if before > 0 => {
                transition.waits_for(Some(ended)) && !transition.target.is(here) || rest.waits(before - 1, here, ended)
            }
            _ => false,
        }
    }

    /// The target of the first that waits for this end. Those back to `here` are passed over.
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
