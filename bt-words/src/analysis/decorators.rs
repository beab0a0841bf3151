//! What the decorators of the vocabulary can return, and what they require of their child.

use crate::analysis::requirement::Requirement;
use crate::columns::Returns;
use crate::lint::Lint;
use crate::outcomes::Outcomes;
use crate::status_map::StatusMap;
use crate::table::Word;

/// What is known of the argument of a word before it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Given {
    /// `true` if a number is known to be different from 0.
    pub is_positive: bool,
    /// `true` if there may be no value. The node then returns `Error`.
    pub can_fail: bool,
}

impl Given {
    /// No argument.
    pub const NOTHING: Self = Self { is_positive: false, can_fail: false };
}

impl Word {
    /// Returns the statuses that a decorator with this argument can return.
    ///
    /// # Panics
    ///
    /// Panics if the word is not a decorator.
    pub const fn statuses(self, given: Given) -> StatusMap {
        let Returns::Map(map) = self.row().returns else { panic!("the word is not a decorator") };
        let without_runs = self.decorator().0.only_if(!given.is_positive);
        map.and_always(without_runs).and_always(Outcomes::ERROR.only_if(given.can_fail))
    }

    /// Returns what the word requires of its child with this argument; nothing if it is not a decorator.
    pub const fn requires(self, given: Given) -> &'static [Requirement] {
        let (without_runs, requires) = self.decorator();
        // Without a run, the child does not matter.
        if given.is_positive || without_runs.is_empty() { requires } else { &[] }
    }

    /// Returns what a word with a number of runs returns if that is 0, and what a decorator requires of its child.
    const fn decorator(self) -> (Outcomes, &'static [Requirement]) {
        const NONE: Outcomes = Outcomes::NONE;
        match self {
            Self::Invert => (NONE, const { &[Requirement::an_end("`invert` has no effect")] }),
            Self::ForceSuccess => (NONE, const { &[Requirement::an_end("`force_success` has no effect")] }),
            Self::ForceFailure => (NONE, const { &[Requirement::an_end("`force_failure` has no effect")] }),
            Self::Repeat => (NONE, const { &[Requirement::an_end("`repeat` has no effect")] }),
            Self::RepeatTimes => (Outcomes::SUCCESS, const { &[Requirement::an_end("`repeat` has no effect")] }),
            Self::Retry => {
                (Outcomes::FAILURE, const { &[Requirement::pointless(Outcomes::FAILURE, "`retry` has no effect")] })
            }
            Self::RepeatWhileSuccess => (
                Outcomes::SUCCESS,
                const { &[Requirement::pointless(Outcomes::SUCCESS, "`repeat_while_success` has no effect")] },
            ),
            Self::UntilFailure => (
                NONE,
                const {
                    let instead = "write `invert`, or change the child";
                    &ends(Outcomes::FAILURE, "`until_failure` never ends", "`until_failure` never repeats", instead)
                },
            ),
            Self::UntilSuccess => (
                NONE,
                const {
                    let instead = Requirement::REMOVE;
                    &ends(Outcomes::SUCCESS, "`until_success` never ends", "`until_success` has no effect", instead)
                },
            ),
            Self::WaitUntil => (
                NONE,
                const {
                    let instead = Requirement::REMOVE;
                    &ends(Outcomes::SUCCESS, "`wait_until` never ends", "`wait_until` has no effect", instead)
                },
            ),
            Self::RunOnce => (NONE, const { &[Requirement::an_end("`run_once` has no effect")] }),
            Self::SucceedOnce => {
                (NONE, const { &[Requirement::pointless(Outcomes::SUCCESS, "`succeed_once` has no effect")] })
            }
            Self::Timeout => (NONE, const { &[Requirement::pointless(Outcomes::RUNNING, "`timeout` has no effect")] }),
            Self::Limit
            | Self::Fresh
            | Self::ByEvent
            | Self::Delay
            | Self::Cooldown
            | Self::Chance
            | Self::Service
            | Self::Selector
            | Self::Sequence
            | Self::MemSelector
            | Self::KeptSequence
            | Self::MemSequence
            | Self::UtilitySelector
            | Self::MemUtilitySelector
            | Self::RandomSelector
            | Self::RandomSequence
            | Self::Parallel
            | Self::MemParallel
            | Self::If
            | Self::MemIf
            | Self::Match
            | Self::MemMatch
            | Self::Machine
            | Self::State
            | Self::Wait
            | Self::Succeed
            | Self::Fail
            | Self::Run
            | Self::Error => (NONE, &[]),
        }
    }
}

/// Returns the requirements of a loop that one outcome ends. A child that cannot return `last` makes it endless; a
/// child that can return nothing else is never started again, so `instead` is meant.
const fn ends(last: Outcomes, endless: &'static str, single: &'static str, instead: &'static str) -> [Requirement; 2] {
    let others = Outcomes::SUCCESS.or(Outcomes::FAILURE).or(Outcomes::RUNNING).without(last);
    [
        Requirement { any_of: last, lint: Lint::Endless, or: endless, help: "change the child" },
        Requirement { help: instead, ..Requirement::pointless(others, single) },
    ]
}
