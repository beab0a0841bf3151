//! Computes how a parallel can end from what its children can return. The result is exact if the thresholds are known
//! at compile time; otherwise it holds for every threshold.

use crate::analysis::facts::ChildFacts;
use crate::analysis::finding::Finding;
use crate::columns::Thresholds;
use crate::outcomes::Outcomes;

/// The children of a parallel and its thresholds.
#[derive(Clone, Copy)]
pub(super) struct ParallelOutcomes<'a> {
    children: ChildFacts<'a>,
    len: usize,
    /// The number of successes that ends it; `None` if it is computed while the tree is built.
    success: Option<usize>,
    failure: Option<usize>,
    /// `true` if children that have ended are not ticked again.
    has_memory: bool,
}

/// The outcomes that children are forced to return if each avoids ending whenever it can.
#[derive(Clone, Copy)]
struct Forced {
    /// The number of children that can only succeed.
    successes: usize,
    /// The number of children that can only fail.
    failures: usize,
    /// The number of children that can do either, but cannot keep running.
    either: usize,
}

impl Forced {
    /// The forced outcomes of no children.
    const NONE: Self = Self { successes: 0, failures: 0, either: 0 };

    /// Adds a child; returns `None` if a child can only return an error.
    const fn and(forced: Option<Self>, returns: Outcomes) -> Option<Self> {
        let Some(mut forced) = forced else { return None };
        match (returns.runs(), returns.succeeds(), returns.fails()) {
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

impl<'a> ParallelOutcomes<'a> {
    /// Returns `None` if the number of children is not known.
    pub(super) const fn new(children: ChildFacts<'a>, thresholds: Thresholds) -> Option<Self> {
        if !children.is_exact() {
            return None;
        }
        let Thresholds { success, failure, has_memory } = thresholds;
        let len = children.len();
        Some(Self { children, len, success: number(success, len), failure: number(failure, len), has_memory })
    }

    /// Returns the statuses that the parallel can return.
    pub(super) const fn returns(&self) -> Outcomes {
        if self.fails_at_once() {
            return Outcomes::FAILURE;
        }
        Outcomes::SUCCESS
            .only_if(self.can_succeed())
            .or(Outcomes::FAILURE.only_if(self.can_fail()))
            .or(Outcomes::RUNNING.only_if(self.goes_on(self.forced())))
            .or(Outcomes::ERROR.only_if(self.can_err()))
    }

    /// Returns the first child that is never ticked, because the parallel has always ended before it.
    pub(super) const fn decided(&self) -> Option<usize> {
        let (mut forced, mut child) = (Some(Forced::NONE), 1);
        while child < self.len {
            forced = Forced::and(forced, self.children.get(child - 1).returns);
            if !self.goes_on(forced) {
                return Some(child);
            }
            child += 1;
        }
        None
    }

    /// Returns a lint if the threshold for success can never be reached.
    pub(super) const fn no_success(&self) -> Option<Finding> {
        match self.success {
            Some(asked) if !self.can_succeed() => Some(self.found(true, asked)),
            _ => None,
        }
    }

    /// Returns a lint if the threshold for failure exceeds the number of children, or if it can never be reached and that for success can.
    pub(super) const fn no_failure(&self) -> Option<Finding> {
        match self.failure {
            Some(asked) if asked > self.len || !self.fails_at_once() && !self.can_fail() => {
                Some(self.found(false, asked))
            }
            _ => None,
        }
    }

    const fn found(&self, success: bool, asked: usize) -> Finding {
        let outcome = if success { Outcomes::SUCCESS } else { Outcomes::FAILURE };
        Finding::Threshold { success, able: self.children.how_many(outcome), children: self.len, asked }
    }

    /// Returns the number of failures that ends the parallel, given the threshold for success. With memory, failures
    /// also count that make success impossible.
    const fn failures(&self, success: usize) -> usize {
        let failure = match self.failure {
            Some(failure) => failure,
            None => NEVER,
        };
        if !self.has_memory {
            return failure;
        }
        let hopeless = (self.len + 1).saturating_sub(success);
        if hopeless < failure { hopeless } else { failure }
    }

    /// Returns `true` if the parallel can still be undecided after children with these forced outcomes were ticked.
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
                may_fail && (!self.has_memory || ended < self.len)
            }
        }
    }

    /// Returns the forced outcomes of all children; `None` if a child can only return an error.
    const fn forced(&self) -> Option<Forced> {
        let (mut forced, mut child) = (Some(Forced::NONE), 0);
        while child < self.len {
            forced = Forced::and(forced, self.children.get(child).returns);
            child += 1;
        }
        forced
    }

    /// Returns `true` if the threshold for success exceeds the number of children: it fails before any child is ticked.
    const fn fails_at_once(&self) -> bool {
        matches!(self.success, Some(success) if success > self.len)
    }

    const fn can_succeed(&self) -> bool {
        let success = match self.success {
            Some(success) => success,
            None => 1,
        };
        self.wins(Outcomes::SUCCESS, success, Outcomes::FAILURE, self.failures(success))
    }

    const fn can_fail(&self) -> bool {
        let Some(success) = self.success else {
            // A computed threshold may exceed the number of children.
            return true;
        };
        let failure = match self.failure {
            None => 1,
            Some(_) => self.failures(success),
        };
        self.wins(Outcomes::FAILURE, failure, Outcomes::SUCCESS, success)
    }

    /// Returns `true` if `wanted` children can return `outcome` before `allowed` children are forced to return `other`.
    const fn wins(&self, outcome: Outcomes, wanted: usize, other: Outcomes, allowed: usize) -> bool {
        let (mut wins, mut losses, mut child) = (0, 0, 0);
        while child < self.len {
            let returns = self.children.get(child).returns;
            if returns.contains(outcome) {
                wins += 1;
                if wins >= wanted {
                    return true;
                }
            } else if !returns.runs() {
                losses += 1;
                if losses >= allowed || !returns.contains(other) {
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
            let returns = self.children.get(child).returns;
            if returns.errs() && self.goes_on(forced) {
                return true;
            }
            forced = Forced::and(forced, returns);
            child += 1;
        }
        false
    }
}

/// Returns a threshold as a number of children. A threshold of 0 counts as 1.
const fn number(threshold: Option<usize>, children: usize) -> Option<usize> {
    match threshold {
        Some(usize::MAX) => Some(children),
        Some(0) => Some(1),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::collections::BTreeSet;
    use std::vec;
    use std::vec::Vec;

    use super::*;
    use crate::analysis::facts::Facts;

    /// What a parallel does in all of its runs, found by trying everything.
    struct Seen {
        returns: Outcomes,
        ticked: Vec<bool>,
    }

    /// A parallel with known thresholds. In memory of its children: the outcomes of those that have ended for good.
    struct Naive<'a> {
        children: &'a [Outcomes],
        success: usize,
        failure: usize,
        has_memory: bool,
    }

    type Ended = Vec<Option<bool>>;

    impl Naive<'_> {
        fn run(&self) -> Seen {
            let mut seen = Seen { returns: Outcomes::NONE, ticked: vec![false; self.children.len()] };
            if self.success > self.children.len() {
                seen.returns = Outcomes::FAILURE;
                return seen;
            }
            let (mut known, mut next) = (BTreeSet::new(), vec![vec![None; self.children.len()]]);
            while let Some(state) = next.pop() {
                if known.insert(state.clone()) {
                    let count = |outcome| state.iter().filter(|ended| **ended == Some(outcome)).count();
                    self.tick(0, state.clone(), [count(true), count(false)], &mut seen, &mut next);
                }
            }
            seen
        }

        fn tick(&self, child: usize, ended: Ended, [won, lost]: [usize; 2], seen: &mut Seen, next: &mut Vec<Ended>) {
            let Some(returns) = self.children.get(child) else {
                seen.returns = seen.returns.or(Outcomes::RUNNING);
                return next.push(ended);
            };
            if ended[child].is_some() {
                return self.tick(child + 1, ended, [won, lost], seen, next);
            }
            seen.ticked[child] = true;
            if returns.runs() {
                self.tick(child + 1, ended.clone(), [won, lost], seen, next);
            }
            if returns.errs() {
                seen.returns = seen.returns.or(Outcomes::ERROR);
            }
            for outcome in [true, false] {
                let is_possible = if outcome { returns.succeeds() } else { returns.fails() };
                let (won, lost) = (won + usize::from(outcome), lost + usize::from(!outcome));
                let is_hopeless = self.has_memory && self.children.len() - lost.min(self.children.len()) < self.success;
                if !is_possible {
                } else if outcome && won >= self.success {
                    seen.returns = seen.returns.or(Outcomes::SUCCESS);
                } else if !outcome && (lost >= self.failure || is_hopeless) {
                    seen.returns = seen.returns.or(Outcomes::FAILURE);
                } else {
                    let mut after = ended.clone();
                    after[child] = self.has_memory.then_some(outcome);
                    self.tick(child + 1, after, [won, lost], seen, next);
                }
            }
        }
    }

    /// All sets of statuses but the empty one.
    fn sets() -> Vec<Outcomes> {
        let all = [Outcomes::SUCCESS, Outcomes::FAILURE, Outcomes::RUNNING, Outcomes::ERROR];
        let set = |bits: u32| (0..4).fold(Outcomes::NONE, |set, one| set.or(all[one].only_if(bits >> one & 1 == 1)));
        (1..16).map(set).collect()
    }

    fn parallels(mut check: impl FnMut(&[Outcomes], ParallelOutcomes<'_>, [Option<usize>; 2], bool)) {
        let mut lists: Vec<Vec<Outcomes>> = vec![vec![]];
        for _ in 0..3 {
            lists = lists.iter().flat_map(|list| sets().into_iter().map(|set| [&**list, &[set]].concat())).collect();
            for list in &lists {
                let facts: Vec<_> = list.iter().map(|returns| Facts::leaf(*returns)).collect();
                let facts: Vec<_> = facts.iter().collect();
                let facts = ChildFacts::These(&facts);
                let thresholds = || [None, Some(0), Some(1), Some(2), Some(3), Some(4), Some(usize::MAX)];
                for success in thresholds() {
                    for failure in thresholds() {
                        for has_memory in [false, true] {
                            let thresholds = Thresholds { success, failure, has_memory };
                            let outcomes = ParallelOutcomes::new(facts, thresholds).expect("the number is known");
                            check(list, outcomes, [success, failure], has_memory);
                        }
                    }
                }
            }
        }
    }

    /// The numbers that a threshold can be.
    fn numbers(threshold: Option<usize>, children: usize) -> core::ops::RangeInclusive<usize> {
        match threshold {
            Some(usize::MAX) => children..=children,
            Some(given) => given.max(1)..=given.max(1),
            None => 1..=children + 1,
        }
    }

    #[test]
    fn the_outcomes_of_a_parallel_are_those_of_all_its_runs() {
        parallels(|children, outcomes, [success, failure], has_memory| {
            let mut returns = Outcomes::NONE;
            let mut ticked = vec![false; children.len()];
            for success in numbers(success, children.len()) {
                for failure in numbers(failure, children.len()) {
                    let seen = Naive { children, success, failure, has_memory }.run();
                    returns = returns.or(seen.returns);
                    ticked.iter_mut().zip(seen.ticked).for_each(|(one, other)| *one |= other);
                }
            }
            let what = || (children.to_vec(), success, failure, has_memory);
            // Of a computed threshold for success, `parallel` does not know that it is reached in the first tick.
            let is_exact = success.is_some() || has_memory || !outcomes.returns().without(returns).runs();
            let returns = if is_exact { returns } else { returns.or(Outcomes::RUNNING) };
            assert_eq!(outcomes.returns(), returns, "{:?}", what());
            let is_larger = |threshold: usize| threshold > children.len() && threshold != usize::MAX;
            let is_too_large = failure.is_some_and(is_larger);
            if success.is_some_and(is_larger) {
                assert!(
                    outcomes.no_success().is_some() && outcomes.no_failure().is_some() == is_too_large,
                    "{:?}",
                    what()
                );
                return;
            }
            assert_eq!(outcomes.decided(), ticked.iter().position(|ticked| !ticked), "{:?}", what());
            assert_eq!(outcomes.no_success().is_some(), success.is_some() && !returns.succeeds(), "{:?}", what());
            assert_eq!(
                outcomes.no_failure().is_some(),
                is_too_large || failure.is_some() && !returns.fails(),
                "{:?}",
                what()
            );
        });
    }
}
