//! How a parallel can end, from what its children can give: exact where the thresholds are known, for every threshold where not.

use crate::check::{ChildFacts, LintDetail};
use crate::outcomes::Outcomes;

/// The children of a parallel and what ends it.
#[derive(Clone, Copy)]
pub(crate) struct ParallelOutcomes {
    children: ChildFacts,
    len: usize,
    /// How many successes end it; unknown if that is computed while the tree is built.
    success: Option<usize>,
    failure: Option<usize>,
    /// Whether children that ended are not ticked again.
    remembers: bool,
}

/// What children have to give so that none of them ends the race, if they can.
#[derive(Clone, Copy)]
struct Forced {
    /// Can only succeed.
    successes: usize,
    /// Can only fail.
    failures: usize,
    /// Can do either, but not run on.
    either: usize,
}

impl Forced {
    /// What no children have to give.
    const NONE: Self = Self { successes: 0, failures: 0, either: 0 };

    /// The same with one more child; `None` if one of them can give nothing but an error.
    const fn and(forced: Option<Self>, can: Outcomes) -> Option<Self> {
        let Some(mut forced) = forced else { return None };
        match (can.runs(), can.succeeds(), can.fails()) {
            (true, _, _) => {}
            (false, true, true) => forced.either += 1,
            (false, true, false) => forced.successes += 1,
            (false, false, true) => forced.failures += 1,
            (false, false, false) => return None,
        }
        Some(forced)
    }
}

/// A threshold that is never reached.
const NEVER: usize = usize::MAX;

impl ParallelOutcomes {
    /// `success` and `failure` as in [`Threshold::FIXED`](super::Threshold::FIXED).
    pub(crate) const fn new(
        children: ChildFacts,
        success: Option<usize>,
        failure: Option<usize>,
        remembers: bool,
    ) -> Self {
        let len = children.len();
        Self { children, len, success: number(success, len), failure: number(failure, len), remembers }
    }

    /// What the parallel can give.
    pub(crate) const fn can(&self) -> Outcomes {
        if let Some(success) = self.success
            && success > self.len
        {
            // It fails before any child is ticked.
            return Outcomes::FAILURE;
        }
        Outcomes::SUCCESS
            .only_if(self.can_succeed())
            .or(Outcomes::FAILURE.only_if(self.can_fail()))
            .or(Outcomes::RUNNING.only_if(self.goes_on(self.forced())))
            .or(Outcomes::ERROR.only_if(self.can_err()))
    }

    /// The first child before which it has always ended.
    pub(crate) const fn decided(&self) -> Option<usize> {
        let (mut forced, mut child) = (Some(Forced::NONE), 1);
        while child < self.len {
            forced = Forced::and(forced, self.children.get(child - 1).can);
            if !self.goes_on(forced) {
                return Some(child);
            }
            child += 1;
        }
        None
    }

    /// What is wrong if the threshold for success can never be reached.
    pub(crate) const fn no_success(&self) -> Option<LintDetail> {
        match self.success {
            Some(asked) if !self.can_succeed() => Some(self.found(true, asked)),
            _ => None,
        }
    }

    /// What is wrong if the threshold for failure can never be reached.
    pub(crate) const fn no_failure(&self) -> Option<LintDetail> {
        match self.failure {
            Some(asked) if !self.can_fail() => Some(self.found(false, asked)),
            _ => None,
        }
    }

    const fn found(&self, success: bool, asked: usize) -> LintDetail {
        let outcome = if success { Outcomes::SUCCESS } else { Outcomes::FAILURE };
        LintDetail::Threshold { success, able: self.children.how_many(outcome), children: self.len, asked }
    }

    /// How many failures end it if so many successes do: where finished children stay finished, also those that make success impossible.
    const fn failures(&self, success: usize) -> usize {
        let failure = match self.failure {
            Some(failure) => failure,
            None => NEVER,
        };
        if !self.remembers {
            return failure;
        }
        let hopeless = (self.len + 1).saturating_sub(success);
        if hopeless < failure { hopeless } else { failure }
    }

    /// Whether the children that have to give this may have been ticked without an end.
    const fn goes_on(&self, forced: Option<Forced>) -> bool {
        let Some(Forced { successes, failures, either }) = forced else { return false };
        let ended = successes + failures + either;
        match self.success {
            Some(success) => {
                let failure = self.failures(success);
                ended == 0
                    || successes < success
                        && failures < failure
                        && ended <= (success - 1).saturating_add(failure.saturating_sub(1))
            }
            None => {
                let may_fail = match self.failure {
                    Some(failure) => failures < failure,
                    None => true,
                };
                may_fail && (!self.remembers || ended < self.len)
            }
        }
    }

    /// What all children have to give; `None` if one of them can give nothing but an error.
    const fn forced(&self) -> Option<Forced> {
        let (mut forced, mut child) = (Some(Forced::NONE), 0);
        while child < self.len {
            forced = Forced::and(forced, self.children.get(child).can);
            child += 1;
        }
        forced
    }

    const fn can_succeed(&self) -> bool {
        let success = match self.success {
            Some(success) => success,
            None => 1,
        };
        self.wins(Outcomes::SUCCESS, success, Outcomes::FAILURE, self.failures(success))
    }

    const fn can_fail(&self) -> bool {
        if self.success.is_none() {
            // It may be out of reach.
            return true;
        }
        match self.success {
            Some(success) if success <= self.len => {
                let failure = match self.failure {
                    None => 1,
                    Some(_) => self.failures(success),
                };
                self.wins(Outcomes::FAILURE, failure, Outcomes::SUCCESS, success)
            }
            _ if self.remembers => self.wins(Outcomes::SUCCESS.or(Outcomes::FAILURE), 1, Outcomes::NONE, NEVER),
            _ => {
                let failure = match self.failure {
                    Some(failure) => failure,
                    None => 1,
                };
                self.wins(Outcomes::FAILURE, failure, Outcomes::SUCCESS, NEVER)
            }
        }
    }

    /// Whether so many children can give one outcome before so many have to give the other.
    const fn wins(&self, outcome: Outcomes, wanted: usize, other: Outcomes, allowed: usize) -> bool {
        let (mut wins, mut losses, mut child) = (0, 0, 0);
        while child < self.len {
            let can = self.children.get(child).can;
            if can.meets(outcome) {
                wins += 1;
                if wins >= wanted {
                    return true;
                }
            } else if !can.runs() {
                losses += 1;
                if losses >= allowed || !can.meets(other) {
                    return false;
                }
            }
            child += 1;
        }
        false
    }

    const fn can_err(&self) -> bool {
        let (mut forced, mut child) = (Some(Forced::NONE), 0);
        while child < self.len {
            let can = self.children.get(child).can;
            if can.errs() && self.goes_on(forced) {
                return true;
            }
            forced = Forced::and(forced, can);
            child += 1;
        }
        false
    }
}

/// A threshold as a number of children; a threshold of none counts as one.
const fn number(threshold: Option<usize>, children: usize) -> Option<usize> {
    match threshold {
        Some(usize::MAX) => Some(children),
        Some(0) => Some(1),
        other => other,
    }
}
