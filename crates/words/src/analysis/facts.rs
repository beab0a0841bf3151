//! Facts about a node and the nodes below it that are known before the tree runs.

use crate::analysis::lints::Lints;
use crate::analysis::transitions::TransitionList;
use crate::analysis::unreachable::Unreachable;
use crate::outcomes::Outcomes;

/// Facts about a node and the nodes below it that are known before the tree runs.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// The statuses that the node can return.
    pub returns: Outcomes,
    /// `true` if the statuses may depend on a parameter of the function that contains the tree.
    pub varies: bool,
    /// Its mistakes.
    pub lints: Lints,
    /// The nodes below it.
    pub below: Below<'a>,
    /// `true` if a cleanup in it can continue after the node has been halted: if it contains a `finally`.
    pub cleans_up: bool,
}

/// The facts below a node.
#[derive(Clone, Copy, Debug)]
pub enum Below<'a> {
    /// Nothing.
    Nothing,
    /// The node stands for any number of children of a composite.
    Spread,
    /// The child of a decorator.
    One(&'a Facts<'a>),
    /// The children of a composite.
    Children {
        /// The facts about each child.
        each: ChildFacts<'a>,
        /// The children that are never ticked.
        unreachable: Unreachable,
        /// The keyword of the composite, if it has one.
        keyword: Option<&'static str>,
    },
    /// The states of a machine.
    States(&'a Reach<'a>),
}

impl<'a> Facts<'a> {
    /// Returns the facts about a leaf that can return these statuses.
    pub const fn leaf(returns: Outcomes) -> Self {
        Self { returns, varies: false, lints: Lints::NONE, below: Below::Nothing, cleans_up: false }
    }

    /// Returns the facts about a leaf that depends on a parameter of the function that contains the tree.
    pub const fn parameter(returns: Outcomes) -> Self {
        Self { varies: true, ..Self::leaf(returns) }
    }

    /// Returns the facts about any number of children that can return these statuses.
    pub const fn spread(returns: Outcomes) -> Self {
        Self { below: Below::Spread, ..Self::parameter(returns) }
    }

    /// Returns these facts for a node that depends on a parameter of the function that contains the tree.
    #[must_use]
    pub const fn of_parameter(&self) -> Self {
        Self { lints: self.lints.lasting(), ..Self::parameter(self.returns) }.and_cleans_up(self.cleans_up)
    }

    /// Returns these facts, with the fact whether a cleanup in the node can continue after it has been halted.
    #[must_use]
    pub const fn and_cleans_up(self, cleans_up: bool) -> Self {
        Self { cleans_up, ..self }
    }

    /// Returns the facts about a node with one child.
    pub const fn above(returns: Outcomes, lints: Lints, child: &'a Self) -> Self {
        Self { returns, varies: child.varies, lints, below: Below::One(child), cleans_up: child.cleans_up }
    }

    /// Returns the facts about a machine.
    pub const fn machine(reach: &'a Reach<'a>) -> Self {
        Self { varies: reach.varies(), below: Below::States(reach), ..Self::leaf(reach.gives) }
            .and_cleans_up(reach.clean_up())
    }

    /// Returns the facts about the child at this index.
    ///
    /// # Panics
    ///
    /// Panics if there is no such child.
    pub const fn child(&self, index: usize) -> &'a Self {
        match &self.below {
            Below::One(child) => child,
            Below::Children { each, .. } => each.get(index),
            Below::States(reach) => reach.states.get(index).node,
            Below::Nothing | Below::Spread => panic!("child index out of range"),
        }
    }

    /// Returns the mistakes of the node for all parameters of the function that contains the tree.
    pub const fn certain(&self) -> Lints {
        if self.varies { self.lints.lasting() } else { self.lints }
    }
}

/// Facts about each node of a list, in order.
#[derive(Clone, Copy, Debug)]
pub enum ChildFacts<'a> {
    /// The nodes of one list.
    These(&'a [&'a Facts<'a>]),
    /// Two lists, the length of the first, and the total length. (The lengths are stored since each access to a node needs them.)
    Both(&'a ChildFacts<'a>, &'a ChildFacts<'a>, [usize; 2]),
}

impl<'a> ChildFacts<'a> {
    /// Concatenates two lists.
    pub const fn both(first: &'a Self, second: &'a Self) -> Self {
        Self::Both(first, second, [first.len(), first.len() + second.len()])
    }

    /// Returns the number of nodes.
    #[expect(clippy::len_without_is_empty, reason = "a composite has children")]
    pub const fn len(&self) -> usize {
        match self {
            ChildFacts::These(nodes) => nodes.len(),
            ChildFacts::Both(_, _, [_, len]) => *len,
        }
    }

    /// Returns the facts about the child at this index.
    ///
    /// # Panics
    ///
    /// Panics if there is no such child.
    pub const fn get(&self, index: usize) -> &'a Facts<'a> {
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
    pub const fn any(&self) -> Outcomes {
        let mut returns = Outcomes::NONE;
        let mut at = 0;
        while at < self.len() {
            returns = returns.or(self.get(at).returns);
            at += 1;
        }
        returns
    }

    /// Returns how many of the nodes can return one of the statuses.
    pub const fn how_many(&self, statuses: Outcomes) -> usize {
        let (mut count, mut at) = (0, 0);
        while at < self.len() {
            if self.get(at).returns.meets(statuses) {
                count += 1;
            }
            at += 1;
        }
        count
    }

    /// Returns `true` if the statuses of a child before `end` may depend on a parameter.
    pub const fn varies_before(&self, end: usize) -> bool {
        let mut at = 0;
        while at < end {
            if self.get(at).varies {
                return true;
            }
            at += 1;
        }
        false
    }

    /// Returns `true` if a cleanup in one of the nodes can continue after the node has been halted.
    pub const fn clean_up(&self) -> bool {
        let mut at = 0;
        while at < self.len() {
            if self.get(at).cleans_up {
                return true;
            }
            at += 1;
        }
        false
    }

    /// Returns `true` if each node is exactly one child.
    pub const fn is_exact(&self) -> bool {
        let mut at = 0;
        while at < self.len() {
            if matches!(self.get(at).below, Below::Spread) {
                return false;
            }
            at += 1;
        }
        true
    }
}

/// Facts about a state.
#[derive(Clone, Copy, Debug)]
pub struct StateFacts<'a> {
    /// The facts about its node.
    pub node: &'a Facts<'a>,
    /// Its transitions.
    pub transitions: TransitionList<'a>,
    /// The statuses of its `enter:` and `exit:` actions.
    pub hooks: [Outcomes; 2],
}

/// Facts about each state of a list, in order.
#[derive(Clone, Copy, Debug)]
pub enum StateListFacts<'a> {
    /// The states of one list.
    These(&'a [StateFacts<'a>]),
    /// Two lists.
    Both(&'a StateListFacts<'a>, &'a StateListFacts<'a>),
}

impl<'a> StateListFacts<'a> {
    /// Returns the number of states.
    #[expect(clippy::len_without_is_empty, reason = "a machine has states")]
    pub const fn len(&self) -> usize {
        match self {
            Self::These(states) => states.len(),
            Self::Both(first, second) => first.len() + second.len(),
        }
    }

    /// Returns `true` if a transition waits for an end.
    pub const fn has_ends(&self) -> bool {
        let mut state = 0;
        while state < self.len() {
            if self.get(state).transitions.has_ends() {
                return true;
            }
            state += 1;
        }
        false
    }

    /// Returns the facts about the state at this index.
    ///
    /// # Panics
    ///
    /// Panics if there is no such state.
    pub const fn get(&self, index: usize) -> StateFacts<'a> {
        match self {
            Self::These(states) => states[index],
            Self::Both(first, second) => {
                let len = first.len();
                if index < len { first.get(index) } else { second.get(index - len) }
            }
        }
    }
}

/// The maximum number of states of a checked machine, and of transitions of a state. In a larger machine, every state counts as entered.
pub(super) const MAX_STATES: usize = 128;

/// The reachable parts of a machine that starts in its first state.
#[derive(Clone, Copy, Debug)]
pub struct Reach<'a> {
    /// The states.
    pub states: StateListFacts<'a>,
    /// The transitions from any state.
    pub any: TransitionList<'a>,
    pub(super) is_checked: bool,
    /// The situations of each state that can occur.
    pub(super) seen: [u8; MAX_STATES],
    /// The statuses that the machine can return.
    pub gives: Outcomes,
}

impl Reach<'_> {
    /// Returns `true` if a cleanup in one of the states can continue after the state has been left.
    pub(super) const fn clean_up(&self) -> bool {
        let mut state = 0;
        while state < self.states.len() {
            if self.states.get(state).node.cleans_up {
                return true;
            }
            state += 1;
        }
        false
    }

    /// Returns `true` if the statuses of a state's node may depend on a parameter.
    const fn varies(&self) -> bool {
        let mut state = 0;
        while state < self.states.len() {
            if self.states.get(state).node.varies {
                return true;
            }
            state += 1;
        }
        false
    }
}
