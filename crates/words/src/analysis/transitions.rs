//! Facts about the transitions of a machine.

use crate::outcomes::Outcomes;

/// The target of a transition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// The state with this index.
    State(usize),
    /// The end of the machine, with this outcome.
    End(Outcomes),
}

impl Target {
    /// Returns `true` if the target is this state.
    pub const fn is(self, state: Option<usize>) -> bool {
        matches!((self, state), (Self::State(there), Some(here)) if there == here)
    }
}

/// Facts about a transition.
#[derive(Clone, Copy, Debug)]
pub struct TransitionFacts {
    /// The outcomes of the state's node that trigger the transition; empty for a condition.
    pub ends: Outcomes,
    /// The statuses of its condition; empty without a condition.
    pub returns: Outcomes,
    /// The target.
    pub target: Target,
}

impl TransitionFacts {
    /// Returns `true` if the transition may be followed, given how the state's node has ended.
    pub const fn may_hold(self, ended: Option<Outcomes>) -> bool {
        self.returns.succeeds() || self.waits_for(ended)
    }

    /// Returns `true` if no transition after it is evaluated, given how the state's node has ended: it is followed, or its condition ends the machine
    /// with an error.
    pub const fn settles(self, ended: Option<Outcomes>) -> bool {
        self.waits_for(ended) || !self.returns.is_empty() && !self.returns.fails()
    }

    const fn waits_for(self, ended: Option<Outcomes>) -> bool {
        match ended {
            Some(outcome) => self.ends.contains(outcome),
            None => false,
        }
    }
}

/// Facts about transitions, in order.
#[derive(Clone, Copy, Debug)]
pub enum TransitionList<'a> {
    /// The end of the list.
    End,
    /// The transitions of a slice.
    These(&'a [TransitionFacts]),
    /// A transition and the rest of the list.
    Then(TransitionFacts, &'a TransitionList<'a>),
}

impl TransitionList<'_> {
    /// Returns the first transition and the others.
    pub const fn split(self) -> Option<(TransitionFacts, Self)> {
        match self {
            Self::Then(transition, rest) => Some((transition, *rest)),
            Self::These(list) => match list.split_first() {
                Some((transition, rest)) => Some((*transition, Self::These(rest))),
                None => None,
            },
            Self::End => None,
        }
    }

    /// Returns the number of transitions.
    pub(super) const fn len(mut self) -> usize {
        let mut len = 0;
        while let Some((_, rest)) = self.split() {
            (self, len) = (rest, len + 1);
        }
        len
    }

    /// Returns the transition at this index.
    ///
    /// # Panics
    ///
    /// Panics if there is no such transition.
    pub const fn get(mut self, mut index: usize) -> TransitionFacts {
        while let Some((transition, rest)) = self.split() {
            if index == 0 {
                return transition;
            }
            (self, index) = (rest, index - 1);
        }
        panic!("transition index out of range")
    }

    /// Returns `true` if one of the first `before` transitions [settles](TransitionFacts::settles) the tick. Ignores transitions back to `here`.
    pub const fn stops(mut self, mut before: usize, here: Option<usize>, ended: Option<Outcomes>) -> bool {
        while let (Some((transition, rest)), 1..) = (self.split(), before) {
            if transition.settles(ended) && !transition.target.is(here) {
                return true;
            }
            (self, before) = (rest, before - 1);
        }
        false
    }

    /// Returns `true` if one of the first `before` transitions waits for this end. Ignores transitions back to `here`.
    pub const fn waits(mut self, mut before: usize, here: Option<usize>, ended: Outcomes) -> bool {
        while let (Some((transition, rest)), 1..) = (self.split(), before) {
            if transition.waits_for(Some(ended)) && !transition.target.is(here) {
                return true;
            }
            (self, before) = (rest, before - 1);
        }
        false
    }

    /// Returns `true` if a transition waits for an end.
    pub const fn has_ends(mut self) -> bool {
        while let Some((transition, rest)) = self.split() {
            if !transition.ends.is_empty() {
                return true;
            }
            self = rest;
        }
        false
    }

    /// Returns the target of the first transition that waits for this end. Ignores transitions back to `here`.
    pub const fn on_end(mut self, here: Option<usize>, ended: Outcomes) -> Option<Target> {
        while let Some((transition, rest)) = self.split() {
            if transition.ends.contains(ended) && !transition.target.is(here) {
                return Some(transition.target);
            }
            self = rest;
        }
        None
    }
}
