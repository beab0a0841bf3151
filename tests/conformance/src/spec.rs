//! A tree as data.

use std::time::Duration;

use bt_core::Status;
use bt_words::{ParamType, Word};

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
    /// A word of the vocabulary, except machines and states.
    Word(Word, Args, Vec<Spec>),
    Machine {
        states: Vec<StateSpec>,
        any: Vec<TransitionSpec>,
    },
    /// A node of the user above others, with a number. Only in loaded trees.
    Own(Own, u32, Vec<Spec>),
}

/// The decorators and composites of a user. They are in `tests/conformance/own.rs`, by these names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Own {
    /// A decorator that ends its child after some ticks, and refuses each third run.
    Patience,
    /// Resumes at the running child, from the last to the first. It stores nothing.
    Backwards,
    /// Ticks all children. Several run at once.
    Crowd,
    /// Resumes at the child after the last one that succeeded, and knows what to do after an edit.
    RoundRobin,
    /// Runs another child in each run, and does not know what to do after an edit.
    Shift,
}

impl Own {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Patience, Self::Backwards, Self::Crowd, Self::RoundRobin, Self::Shift];

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Patience => "Patience",
            Self::Backwards => "Backwards",
            Self::Crowd => "Crowd",
            Self::RoundRobin => "RoundRobin",
            Self::Shift => "Shift",
        }
    }
}

/// What the arguments of a word are made of, whichever it has.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Args {
    /// A number of times or runs.
    pub times: u32,
    /// A duration in milliseconds.
    pub millis: u64,
    /// A probability in percent.
    pub percent: u8,
    /// The threshold for success.
    pub success: usize,
    /// The threshold for failure.
    pub failure: usize,
    /// Whether the children have weights: 3, 1, 2, 3, ….
    pub weighted: bool,
    /// The number of the action of a service.
    pub action: u32,
    /// What numbers and times are.
    pub how: How,
}

/// What a number or a time is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum How {
    /// A value.
    #[default]
    Fixed,
    /// A function of the world.
    Computed,
    /// Random.
    Ranged,
}

impl Args {
    /// The range of a number of times.
    pub const fn times_range(&self) -> (u32, u32) {
        (self.times, self.times + 2)
    }

    /// The range of a time.
    pub const fn span_range(&self) -> (Duration, Duration) {
        (Duration::from_millis(self.millis), Duration::from_millis(2 * self.millis))
    }

    /// The probability.
    pub fn share(&self) -> f64 {
        f64::from(self.percent) / 100.0
    }

    /// The number of the score of a child.
    pub fn score(&self, child: usize) -> u32 {
        self.times + u32::try_from(child).unwrap_or(0)
    }

    /// What is added to the score of the running child.
    pub fn keep(&self) -> f32 {
        f32::from(self.percent) / 100.0
    }

    /// The weight of a random composite's child.
    pub fn weight(&self, child: usize) -> u8 {
        if self.weighted { [3, 1, 2][child % 3] } else { 1 }
    }
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
    /// A word without arguments.
    pub fn plain(word: Word, children: Vec<Spec>) -> Self {
        Spec::Word(word, Args::default(), children)
    }

    /// The children, in order.
    pub fn children(&self) -> Vec<&Spec> {
        match self {
            Spec::Leaf(_) | Spec::Action(_) | Spec::Condition(_) => Vec::new(),
            Spec::Word(_, _, children) | Spec::Own(_, _, children) => children.iter().collect(),
            Spec::Machine { states, .. } => states.iter().map(|state| &state.node).collect(),
        }
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
            // The node, and the leaves attached to it.
            Spec::Word(word, ..) => {
                let params = word.row().params.iter();
                1 + u32::try_from(params.filter(|param| matches!(param.ty, ParamType::Leaf(_))).count()).unwrap_or(0)
            }
            Spec::Leaf(_) | Spec::Action(_) | Spec::Condition(_) | Spec::Own(..) => 1,
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
