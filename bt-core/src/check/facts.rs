//! What is known of a node and those below it.

use crate::check::lints::Lints;
use crate::check::transitions::TransitionList;
use crate::node::NodeShape;
use crate::outcomes::Outcomes;

/// What is known of a node and those below it.
#[derive(Clone, Copy)]
pub struct Facts {
    /// What it can give.
    pub(crate) can: Outcomes,
    /// What is wrong with it, given what its children can give.
    pub(crate) lints: Lints,
    pub(crate) below: Below,
}

/// What is below a node.
#[derive(Clone, Copy)]
pub(crate) enum Below {
    Nothing,
    /// Nothing; and what it can give depends on a parameter of the function that the tree stands in.
    Parameter,
    One(&'static Facts),
    Children {
        each: ChildFacts,
        unreachable: Option<Unreachable>,
    },
    States(&'static Reach),
}

impl Facts {
    /// What is known of a leaf that can give this.
    pub const fn leaf(can: Outcomes) -> Self {
        Self { can, lints: Lints::NONE, below: Below::Nothing }
    }

    /// What is known of a leaf that depends on a parameter of the function that the tree stands in.
    pub(crate) const fn parameter(can: Outcomes) -> Self {
        Self { below: Below::Parameter, ..Self::leaf(can) }
    }

    /// What is known of a node with one child.
    pub(crate) const fn above(can: Outcomes, lints: Lints, child: &'static Facts) -> Self {
        Self { can, lints, below: Below::One(child) }
    }

    /// What is known of a composite.
    pub(crate) const fn composite(
        can: Outcomes,
        lints: Lints,
        each: ChildFacts,
        unreachable: Option<Unreachable>,
    ) -> Self {
        Self { can, lints, below: Below::Children { each, unreachable } }
    }

    /// What is known of the child of this index, which there has to be.
    pub(crate) const fn child(&self, index: usize) -> &'static Facts {
        match &self.below {
            Below::One(child) => child,
            Below::Children { each, .. } => each.get(index),
            Below::States(reach) => reach.states.get(index).node,
            Below::Nothing | Below::Parameter => panic!("there is no such child"),
        }
    }

    /// Whether what it can give may depend on a parameter of the function that the tree stands in.
    pub(crate) const fn varies(&self) -> bool {
        match &self.below {
            Below::Nothing => false,
            Below::Parameter => true,
            Below::One(child) => child.varies(),
            Below::Children { each, .. } => each.varies_before(each.len()),
            Below::States(reach) => reach.varies(),
        }
    }

    /// What is wrong with it, whatever the parameters of the function that the tree stands in.
    pub(crate) const fn certain(&self) -> Lints {
        if self.lints.is_empty() || !self.varies() { self.lints } else { self.lints.lasting() }
    }
}

/// What is known of each node of a list, in order.
#[derive(Clone, Copy)]
pub enum ChildFacts {
    /// The nodes of one tuple.
    These(&'static [&'static Facts]),
    /// Two lists one after the other, and how many nodes there are in the first and in both. (Counted once: each look at a node asks.)
    Both(&'static ChildFacts, &'static ChildFacts, [usize; 2]),
}

impl ChildFacts {
    /// What is known of a node of this type.
    pub const fn of<N: NodeShape>() -> &'static Facts {
        &N::FACTS
    }

    /// Two lists one after the other.
    pub(crate) const fn both(first: &'static Self, second: &'static Self) -> Self {
        Self::Both(first, second, [first.len(), first.len() + second.len()])
    }

    /// How many there are.
    pub(crate) const fn len(&self) -> usize {
        match self {
            ChildFacts::These(nodes) => nodes.len(),
            ChildFacts::Both(_, _, [_, len]) => *len,
        }
    }

    /// The child of this index, which there has to be.
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

    /// What any of these can give.
    #[cfg(feature = "random")]
    pub(crate) const fn any(&self) -> Outcomes {
        let mut can = Outcomes::NONE;
        let mut at = 0;
        while at < self.len() {
            can = can.or(self.get(at).can);
            at += 1;
        }
        can
    }

    /// How many of these can give one of the statuses.
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

    /// What a sequence (`pass` = Success) or selector (`pass` = Failure) of these can give.
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

    /// Whether what one of the first children can give may depend on a parameter.
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

    /// The first child that stands behind one that never lets the tick pass, whatever the parameters are.
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

/// The children that can never run, and why.
#[derive(Clone, Copy)]
pub(crate) struct Unreachable {
    /// This one and those after it.
    pub(crate) from: usize,
    /// The composite.
    pub(crate) keyword: &'static str,
    /// After which outcome it goes on to the next child; none if it ends by counting.
    pub(crate) goes_on: Outcomes,
}

/// What is known of a state.
#[derive(Clone, Copy)]
pub struct StateFacts {
    /// What is known of its node.
    pub node: &'static Facts,
    /// Its transitions.
    pub transitions: TransitionList,
    /// What is done on entering and on leaving it can give.
    pub hooks: [Outcomes; 2],
}

/// What is known of each state of a list, in order.
#[derive(Clone, Copy)]
pub enum StateListFacts {
    /// The states of one tuple.
    These(&'static [StateFacts]),
    /// Two lists one after the other.
    Both(&'static StateListFacts, &'static StateListFacts),
}

impl StateListFacts {
    pub(crate) const fn len(&self) -> usize {
        match self {
            Self::These(states) => states.len(),
            Self::Both(first, second) => first.len() + second.len(),
        }
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

/// Of so many states it is known which are entered; of a larger machine it is taken for granted.
pub(super) const MOST: usize = 128;

/// What can happen in a machine that begins in its first state.
#[derive(Clone, Copy)]
pub struct Reach {
    pub(crate) states: StateListFacts,
    pub(crate) any: TransitionList,
    /// Which situations each state can be in.
    pub(super) seen: [u8; MOST],
    /// What the machine can give.
    pub(crate) gives: Outcomes,
}

impl Reach {
    /// Whether what one of the states' nodes can give may depend on a parameter.
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
