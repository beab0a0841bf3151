//! A tree as data.

use bt_core::Status;

/// A tree as data: what both the reference interpreter and the library run.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the variants are the vocabulary")]
pub enum Spec {
    /// A leaf with the full lifecycle.
    Leaf(u32),
    /// A plain action.
    Action(u32),
    /// A condition.
    Condition(u32),
    /// A ready leaf that always gives this.
    Just(Status),
    Selector {
        remembers: bool,
        children: Vec<Spec>,
    },
    Sequence {
        remembers: bool,
        children: Vec<Spec>,
    },
    Parallel {
        remembers: bool,
        success: usize,
        failure: usize,
        children: Vec<Spec>,
    },
    /// Weights of 1 to 3, by the children's places.
    Random {
        selects: bool,
        weighted: bool,
        children: Vec<Spec>,
    },
    Machine {
        states: Vec<StateSpec>,
        any: Vec<TransitionSpec>,
    },
    Invert(Box<Spec>),
    ForceSuccess(Box<Spec>),
    ForceFailure(Box<Spec>),
    Repeat(Box<Spec>),
    RepeatTimes(u32, Box<Spec>),
    Retry(u32, Box<Spec>),
    UntilFailure(Box<Spec>),
    UntilSuccess(Box<Spec>),
    WaitUntil(Box<Spec>),
    Limit(u32, Box<Spec>),
    RunOnce(Box<Spec>),
    Timeout(u64, Box<Spec>),
    Delay(u64, Box<Spec>),
    Cooldown(u64, Box<Spec>),
    /// The action of this number is done every so often.
    Service(u64, u32, Box<Spec>),
}

/// A state of a machine.
#[derive(Clone, Debug, PartialEq)]
pub struct StateSpec {
    /// Its node.
    pub node: Spec,
    /// The number that is noted on entering and leaving.
    pub number: u32,
    /// Its transitions, in order.
    pub transitions: Vec<TransitionSpec>,
}

/// A transition of a machine.
#[derive(Clone, Debug, PartialEq)]
pub struct TransitionSpec {
    /// When it may be followed.
    pub on: On,
    /// The index of the state it leads to, or the outcome with which it leads out.
    pub to: Result<usize, Status>,
}

/// When a transition may be followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum On {
    /// The node has succeeded.
    Success,
    /// The node has failed.
    Failure,
    /// The condition of this number holds.
    Condition(u32),
    /// The condition of this number does not hold.
    Not(u32),
    /// A ready leaf gives this: it holds if that is success.
    Just(Status),
}

impl Spec {
    /// The children, in order.
    pub fn children(&self) -> Vec<&Spec> {
        match self {
            Spec::Leaf(_) | Spec::Action(_) | Spec::Condition(_) | Spec::Just(_) => Vec::new(),
            Spec::Selector { children, .. }
            | Spec::Sequence { children, .. }
            | Spec::Parallel { children, .. }
            | Spec::Random { children, .. } => children.iter().collect(),
            Spec::Machine { states, .. } => states.iter().map(|state| &state.node).collect(),
            Spec::Invert(child)
            | Spec::ForceSuccess(child)
            | Spec::ForceFailure(child)
            | Spec::Repeat(child)
            | Spec::RepeatTimes(_, child)
            | Spec::Retry(_, child)
            | Spec::UntilFailure(child)
            | Spec::UntilSuccess(child)
            | Spec::WaitUntil(child)
            | Spec::Limit(_, child)
            | Spec::RunOnce(child)
            | Spec::Timeout(_, child)
            | Spec::Delay(_, child)
            | Spec::Cooldown(_, child)
            | Spec::Service(_, _, child) => vec![child],
        }
    }

    /// The weight of a random composite's child.
    pub fn weight(weighted: bool, child: usize) -> u8 {
        if weighted { [3, 1, 2][child % 3] } else { 1 }
    }

    /// How many nodes there are.
    pub fn count(&self) -> u32 {
        let own = match self {
            // The machine; its states, with what is done on entering and leaving them; the conditions of transitions.
            Spec::Machine { states, any } => {
                let transitions = states.iter().flat_map(|state| &state.transitions).chain(any);
                let states = u32::try_from(states.len()).unwrap_or(u32::MAX);
                1 + 3 * states + transitions.map(|transition| transition.on.count()).sum::<u32>()
            }
            // The service and its action.
            Spec::Service(..) => 2,
            _ => 1,
        };
        own + self.children().into_iter().map(Spec::count).sum::<u32>()
    }
}

impl On {
    /// How many nodes the condition has.
    pub const fn count(self) -> u32 {
        match self {
            On::Success | On::Failure => 0,
            On::Condition(_) | On::Just(_) => 1,
            On::Not(_) => 2,
        }
    }
}
