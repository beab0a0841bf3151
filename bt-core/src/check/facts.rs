//! Compile-time facts about a node and the nodes below it.

use bt_words::Returns;

use crate::check::lints::Lints;
use crate::check::transitions::TransitionList;
use crate::composite::{CompositeShape, ListShape, ParallelOutcomes};
use crate::node::NodeShape;
use crate::outcomes::Outcomes;

/// Facts about a node and the nodes below it.
#[derive(Clone, Copy)]
pub struct Facts {
    /// The statuses that it can return.
    pub(crate) can: Outcomes,
    /// Its lints, given the statuses of its children.
    pub(crate) lints: Lints,
    pub(crate) below: Below,
}

/// The facts below a node.
#[derive(Clone, Copy)]
pub(crate) enum Below {
    Nothing,
    /// Nothing; its statuses depend on a parameter of the function that contains the tree.
    Parameter,
    One(&'static Facts),
    Children {
        each: ChildFacts,
        unreachable: Option<Unreachable>,
    },
    /// A condition, and the children that it selects.
    Branches {
        each: ChildFacts,
    },
    States(&'static Reach),
}

impl Facts {
    /// Returns the facts about a leaf that can return these statuses.
    pub const fn leaf(can: Outcomes) -> Self {
        Self { can, lints: Lints::NONE, below: Below::Nothing }
    }

    /// Returns the facts about a leaf that depends on a parameter of the function that contains the tree.
    pub(crate) const fn parameter(can: Outcomes) -> Self {
        Self { below: Below::Parameter, ..Self::leaf(can) }
    }

    /// Returns these facts for a node that depends on a parameter of the function that contains the tree.
    pub(crate) const fn of_parameter(&self) -> Self {
        Self { lints: self.lints.lasting(), ..Self::parameter(self.can) }
    }

    /// Returns the facts about a node with one child.
    pub(crate) const fn above(can: Outcomes, lints: Lints, child: &'static Facts) -> Self {
        Self { can, lints, below: Below::One(child) }
    }

    /// Returns the facts about a composite.
    pub(crate) const fn composite(
        can: Outcomes,
        lints: Lints,
        each: ChildFacts,
        unreachable: Option<Unreachable>,
    ) -> Self {
        Self { can, lints, below: Below::Children { each, unreachable } }
    }

    /// Returns the facts about a composite with the rule `R`.
    pub(crate) const fn of_composite<R: CompositeShape, L: ListShape>() -> Self {
        let lints = Lints::NONE.children(R::CHILDREN, L::LEN);
        let keyword = match R::WORD {
            Some(word) => Some(word.name()),
            None => None,
        };
        let each = L::EACH;
        match R::RETURNS {
            Returns::These(can) => Self::composite(can, lints, each, None),
            Returns::Map(map) | Returns::AnyChild(map) => Self::composite(map.of(each.any()), lints, each, None),
            Returns::InOrder(pass) => {
                let unreachable = match each.behind(pass) {
                    Some(from) => Some(Unreachable { from, keyword, goes_on: pass }),
                    None => None,
                };
                Self::composite(each.sequential(pass), lints, each, unreachable)
            }
            Returns::AnyOrder(pass) => {
                // Any child can come first, but the composite passes only if all children let it pass.
                let passes = each.how_many(pass) == each.len();
                Self::composite(each.any().without(pass).or(pass.only_if(passes)), lints, each, None)
            }
            Returns::Branches => Self { can: each.branches(), lints, below: Below::Branches { each } },
            Returns::Thresholds(thresholds) => match L::LEN {
                Some(len) if len == L::ENTRIES => {
                    let outcomes = ParallelOutcomes::new(each, thresholds);
                    let lints = lints.thresholds(outcomes.no_success(), outcomes.no_failure());
                    let unreachable = match outcomes.decided() {
                        Some(from) => Some(Unreachable { from, keyword, goes_on: Outcomes::NONE }),
                        None => None,
                    };
                    Self::composite(outcomes.can(), lints, each, unreachable)
                }
                // The number of children is not that of its entries in the source.
                _ => Self::composite(Outcomes::ANY, lints, each, None),
            },
            Returns::States => Self::composite(Outcomes::ANY, lints, each, None),
        }
    }

    /// Returns the facts about the child at this index, which must exist.
    pub(crate) const fn child(&self, index: usize) -> &'static Facts {
        match &self.below {
            Below::One(child) => child,
            Below::Children { each, .. } | Below::Branches { each } => each.get(index),
            Below::States(reach) => reach.states.get(index).node,
            Below::Nothing | Below::Parameter => panic!("child index out of range"),
        }
    }

    /// Returns `true` if its statuses may depend on a parameter of the function that contains the tree.
    pub(crate) const fn varies(&self) -> bool {
        match &self.below {
            Below::Nothing => false,
            Below::Parameter => true,
            Below::One(child) => child.varies(),
            Below::Children { each, .. } | Below::Branches { each } => each.varies_before(each.len()),
            Below::States(reach) => reach.varies(),
        }
    }

    /// Returns the lints that hold for all parameters of the function that contains the tree.
    pub(crate) const fn certain(&self) -> Lints {
        if self.lints.is_empty() || !self.varies() { self.lints } else { self.lints.lasting() }
    }
}

/// Facts about each node of a list, in order.
#[derive(Clone, Copy)]
pub enum ChildFacts {
    /// The nodes of one tuple.
    These(&'static [&'static Facts]),
    /// Two lists, the length of the first, and the total length. (The lengths are stored since each access to a node needs them.)
    Both(&'static ChildFacts, &'static ChildFacts, [usize; 2]),
}

impl ChildFacts {
    /// Returns the facts about a node of this type.
    pub const fn of<N: NodeShape>() -> &'static Facts {
        &N::FACTS
    }

    /// Concatenates two lists.
    pub(crate) const fn both(first: &'static Self, second: &'static Self) -> Self {
        Self::Both(first, second, [first.len(), first.len() + second.len()])
    }

    /// Returns the number of nodes.
    pub(crate) const fn len(&self) -> usize {
        match self {
            ChildFacts::These(nodes) => nodes.len(),
            ChildFacts::Both(_, _, [_, len]) => *len,
        }
    }

    /// Returns the child at this index, which must exist.
    pub(crate) const fn get(&self, index: usize) -> &'static Facts {
        match self {
            ChildFacts::These(nodes) => nodes[index],
            ChildFacts::Both(first, second, [len, _]) => {
                if index < *len {
                    first.get(index)
                } else {
                    second.get(index - *len)
                }
            }
        }
    }

    /// Returns the statuses that any of the nodes can return.
    pub(crate) const fn any(&self) -> Outcomes {
        let mut can = Outcomes::NONE;
        let mut at = 0;
        while at < self.len() {
            can = can.or(self.get(at).can);
            at += 1;
        }
        can
    }

    /// Returns how many of the nodes can return one of the statuses.
    pub(crate) const fn how_many(&self, statuses: Outcomes) -> usize {
        let (mut count, mut at) = (0, 0);
        while at < self.len() {
            if self.get(at).can.meets(statuses) {
                count += 1;
            }
            at += 1;
        }
        count
    }

    /// Returns the statuses of a sequence (`pass` = Success) or selector (`pass` = Failure) of the nodes.
    pub(crate) const fn sequential(&self, pass: Outcomes) -> Outcomes {
        let mut can = Outcomes::NONE;
        let mut at = 0;
        while at < self.len() {
            let this = self.get(at).can;
            can = can.or(this.without(pass));
            if !this.meets(pass) {
                return can;
            }
            at += 1;
        }
        can.or(pass)
    }

    /// Returns the statuses of a composite whose first child is a condition that selects one of the others.
    pub(crate) const fn branches(&self) -> Outcomes {
        let condition = self.get(0).can;
        let mut can = Outcomes::ERROR.only_if(condition.errs());
        let mut branch = 1;
        while branch <= 2 {
            if condition.meets(Self::selecting(branch)) {
                can = can.or(if branch < self.len() { self.get(branch).can } else { Outcomes::FAILURE });
            }
            branch += 1;
        }
        can
    }

    /// Returns the statuses of the condition that select this branch. (A condition that runs counts as failed.)
    pub(crate) const fn selecting(branch: usize) -> Outcomes {
        if branch == 1 { Outcomes::SUCCESS } else { Outcomes::FAILURE.or(Outcomes::RUNNING) }
    }

    /// Returns `true` if the statuses of a child before `end` may depend on a parameter.
    pub(crate) const fn varies_before(&self, end: usize) -> bool {
        let mut at = 0;
        while at < end {
            if self.get(at).varies() {
                return true;
            }
            at += 1;
        }
        false
    }

    /// Returns the first child after one that never returns `pass`, for all parameters.
    pub(crate) const fn behind(&self, pass: Outcomes) -> Option<usize> {
        let mut at = 1;
        while at < self.len() {
            let before = self.get(at - 1);
            if !before.can.meets(pass) && !before.varies() {
                return Some(at);
            }
            at += 1;
        }
        None
    }
}

/// The unreachable children, and the reason.
#[derive(Clone, Copy)]
pub(crate) struct Unreachable {
    /// The index of the first unreachable child.
    pub(crate) from: usize,
    /// The keyword of the composite, if it has one.
    pub(crate) keyword: Option<&'static str>,
    /// The outcome after which it continues with the next child; empty if it ends by counting.
    pub(crate) goes_on: Outcomes,
}

/// Facts about a state.
#[derive(Clone, Copy)]
pub struct StateFacts {
    /// The facts about its node.
    pub node: &'static Facts,
    /// Its transitions.
    pub transitions: TransitionList,
    /// The statuses of its `enter:` and `exit:` actions.
    pub hooks: [Outcomes; 2],
}

/// Facts about each state of a list, in order.
#[derive(Clone, Copy)]
pub enum StateListFacts {
    /// The states of one tuple.
    These(&'static [StateFacts]),
    /// Two lists.
    Both(&'static StateListFacts, &'static StateListFacts),
}

impl StateListFacts {
    pub(crate) const fn len(&self) -> usize {
        match self {
            Self::These(states) => states.len(),
            Self::Both(first, second) => first.len() + second.len(),
        }
    }

    /// Returns `true` if a transition waits for an end.
    pub(crate) const fn has_ends(&self) -> bool {
        let mut state = 0;
        while state < self.len() {
            if self.get(state).transitions.has_ends() {
                return true;
            }
            state += 1;
        }
        false
    }

    pub(crate) const fn get(&self, index: usize) -> StateFacts {
        match self {
            Self::These(states) => states[index],
            Self::Both(first, second) => {
                let len = first.len();
                if index < len { first.get(index) } else { second.get(index - len) }
            }
        }
    }
}

/// The maximum number of states of a checked machine. In a larger machine, every state counts as entered.
pub(super) const MAX_STATES: usize = 128;

/// The reachable parts of a machine that starts in its first state.
#[derive(Clone, Copy)]
pub struct Reach {
    pub(crate) states: StateListFacts,
    pub(crate) any: TransitionList,
    /// The situations of each state that can occur.
    pub(super) seen: [u8; MAX_STATES],
    /// The statuses that the machine can return.
    pub(crate) gives: Outcomes,
}

impl Reach {
    /// Returns `true` if the statuses of a state's node may depend on a parameter.
    pub(crate) const fn varies(&self) -> bool {
        let mut state = 0;
        while state < self.states.len() {
            if self.states.get(state).node.varies() {
                return true;
            }
            state += 1;
        }
        false
    }
}
