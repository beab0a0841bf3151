//! The target of a transition.

use bt_words::analysis;

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
    pub(super) const fn is(self, state: Option<usize>) -> bool {
        matches!((self, state), (Self::State(there), Some(here)) if there == here)
    }

    /// Returns the target in the form of the compile-time analysis.
    pub(super) const fn facts(self) -> analysis::Target {
        match self {
            Self::State(state) => analysis::Target::State(state),
            Self::End(outcome) => analysis::Target::End(outcome.set()),
        }
    }
}
