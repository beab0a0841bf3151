//! The statuses that a composite can return, and its children that are never ticked, given the statuses of its children.

use crate::analysis::facts::{Below, ChildFacts, Facts};
use crate::analysis::finding::Finding;
use crate::analysis::lints::Lints;
use crate::analysis::parallel::ParallelOutcomes;
use crate::analysis::unreachable::Unreachable;
use crate::columns::Returns;
use crate::outcomes::Outcomes;
use crate::table::Row;

impl Facts<'_> {
    /// Returns why the child at this index is never ticked; `None` if it can be, for some parameters of the function that contains the tree.
    pub const fn unreachable(&self, index: usize) -> Option<Finding> {
        match &self.below {
            Below::Children { each, unreachable, keyword } => unreachable.child(index, each, *keyword),
            Below::States(reach) if !self.varies && !reach.ticks(index) => Some(Finding::Idle),
            Below::States(_) | Below::Nothing | Below::Spread | Below::One(_) => None,
        }
    }
}

impl Unreachable {
    /// Returns why the child at this index is never ticked.
    const fn child(self, index: usize, each: &ChildFacts<'_>, keyword: Option<&'static str>) -> Option<Finding> {
        match self {
            Self::Stopped { from, goes_on } if from <= index => {
                let (is_first, before) = (from == index, each.get(from - 1).returns);
                Some(Finding::Stopped { keyword, from, is_first, before, goes_on })
            }
            Self::Decided(from) if from <= index => Some(Finding::Decided { keyword }),
            Self::Unselected(condition) if index > 0 && !condition.meets(selecting(index)) => {
                Some(Finding::Unselected(condition))
            }
            Self::None | Self::Stopped { .. } | Self::Decided(_) | Self::Unselected(_) => None,
        }
    }
}

impl Returns {
    /// Returns the statuses of a node that returns this, for any statuses of its children.
    pub const fn at_most(self) -> Outcomes {
        match self {
            Self::These(returns) => returns,
            Self::Map(map) | Self::AnyChild(map) => map.of(Outcomes::ANY),
            Self::InOrder(_)
            | Self::AnyOrder(_)
            | Self::Thresholds(_)
            | Self::Branches
            | Self::BodyAndCleanup
            | Self::States => Outcomes::ANY,
        }
    }

    /// Returns the facts about a composite that returns this. `keyword` is for messages.
    /// For a machine, use [`Facts::machine`], since the statuses depend on the transitions.
    pub const fn facts<'a>(self, keyword: Option<&'static str>, each: ChildFacts<'a>) -> Facts<'a> {
        // It may wait for a cleanup that a halt has left in a child, which does not return it.
        let waiting = Outcomes::RUNNING.only_if(each.clean_up());
        let (returns, unreachable, found) = match self {
            Self::These(returns) => (returns, Unreachable::None, [None; 2]),
            Self::Map(map) => (map.of(each.any()), Unreachable::None, [None; 2]),
            Self::AnyChild(map) => (map.of(each.any()).or(waiting), Unreachable::None, [None; 2]),
            Self::InOrder(pass) => (in_order(&each, pass), stopped(&each, pass), [None; 2]),
            Self::AnyOrder(pass) => {
                // Any child can come first, but it passes only if all children let it pass.
                let returns = each.any().without(pass).or(pass.only_if(each.how_many(pass) == each.len()));
                (returns, Unreachable::None, [None; 2])
            }
            Self::Thresholds(thresholds) => match ParallelOutcomes::new(each, thresholds) {
                None => (Outcomes::ANY, Unreachable::None, [None; 2]),
                Some(outcomes) => {
                    let unreachable = match outcomes.decided() {
                        Some(from) if !each.varies_before(from) => Unreachable::Decided(from),
                        _ => Unreachable::None,
                    };
                    (outcomes.returns(), unreachable, [outcomes.no_success(), outcomes.no_failure()])
                }
            },
            Self::Branches => {
                let condition = each.get(0);
                let unreachable =
                    if condition.varies { Unreachable::None } else { Unreachable::Unselected(condition.returns) };
                (branches(&each).or(waiting), unreachable, [None; 2])
            }
            Self::BodyAndCleanup => (body_and_cleanup(&each).or(waiting), Unreachable::None, [None; 2]),
            Self::States => (Outcomes::ANY, Unreachable::None, [None; 2]),
        };
        let below = Below::Children { each, unreachable, keyword };
        let lints = Lints { found, ..Lints::NONE };
        let cleans_up = matches!(self, Self::BodyAndCleanup) || each.clean_up();
        Facts { returns, varies: each.varies_before(each.len()), lints, below, cleans_up }
    }
}

impl Row {
    /// Returns the facts about a composite of the vocabulary. See [`Returns::facts`].
    pub const fn facts<'a>(&self, each: ChildFacts<'a>) -> Facts<'a> {
        self.returns.facts(Some(self.name), each)
    }
}

/// Returns the statuses of a composite that ticks the nodes in order while they return `pass`.
const fn in_order(each: &ChildFacts<'_>, pass: Outcomes) -> Outcomes {
    let mut returns = Outcomes::NONE;
    let mut at = 0;
    while at < each.len() {
        let this = each.get(at).returns;
        returns = returns.or(this.without(pass));
        if !this.meets(pass) {
            return returns;
        }
        at += 1;
    }
    returns.or(pass)
}

/// Returns the children after the first that never returns `pass`, for all parameters.
const fn stopped(each: &ChildFacts<'_>, pass: Outcomes) -> Unreachable {
    let mut from = 1;
    while from < each.len() {
        let before = each.get(from - 1);
        if !before.returns.meets(pass) && !before.varies {
            return Unreachable::Stopped { from, goes_on: pass };
        }
        from += 1;
    }
    Unreachable::None
}

/// Returns the statuses of a composite whose first child is a condition that selects one of the others.
const fn branches(each: &ChildFacts<'_>) -> Outcomes {
    let condition = each.get(0).returns;
    let mut returns = Outcomes::ERROR.only_if(condition.errs());
    let mut branch = 1;
    while branch <= 2 {
        if condition.meets(selecting(branch)) {
            returns = returns.or(if branch < each.len() { each.get(branch).returns } else { Outcomes::FAILURE });
        }
        branch += 1;
    }
    returns
}

/// Returns the statuses of a body, after which a cleanup runs. A composite with another number of children is an error.
const fn body_and_cleanup(each: &ChildFacts<'_>) -> Outcomes {
    if each.len() != 2 || !each.is_exact() {
        return Outcomes::ANY;
    }
    let cleanup = each.get(1).returns;
    let ends = Outcomes::SUCCESS.or(Outcomes::FAILURE);
    let body = each.get(0).returns;
    // The status of the body is only returned if the cleanup can end without an error.
    let of_body = if cleanup.meets(ends) { body } else { Outcomes::RUNNING.only_if(body.runs()) };
    let runs_out = body.meets(ends.or(Outcomes::ERROR));
    if runs_out { of_body.or(cleanup.without(ends)) } else { of_body }
}

/// Returns the statuses of the condition that select this branch. (A condition that runs counts as failed.)
const fn selecting(branch: usize) -> Outcomes {
    if branch == 1 { Outcomes::SUCCESS } else { Outcomes::FAILURE.or(Outcomes::RUNNING) }
}
