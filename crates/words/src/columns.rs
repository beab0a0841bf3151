//! The columns of the table of words.

use crate::child_count::ChildCount;
use crate::outcomes::Outcomes;
use crate::role::Role;
use crate::status_map::StatusMap;

/// The kind of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Family {
    /// Ticks several children by a rule.
    Composite,
    /// Changes when its only child is ticked, or changes its outcome.
    Decorator,
    /// A state machine. Its children are states.
    Machine,
    /// A state of a machine. Its child is ticked while the machine is in the state.
    State,
    /// Has no children.
    Leaf,
}

/// The number of children of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Arity {
    /// None.
    Zero,
    /// Exactly one.
    One,
    /// One or more.
    Many,
    /// A condition, a node for its success, and optionally a node for its failure.
    Branches,
    /// A body and its cleanup.
    BodyAndCleanup,
}

impl Arity {
    /// Returns the number as a range.
    pub const fn count(self) -> Option<ChildCount> {
        match self {
            Self::Zero => None,
            Self::One => Some(ChildCount::exactly(1)),
            Self::Many => Some(ChildCount::ANY),
            Self::Branches => Some(ChildCount::between(2, 3).note(
                "the first is the condition, the second the node for its success, the third the node for its failure",
            )),
            Self::BodyAndCleanup => Some(ChildCount::exactly(2).note("the first is the body, the second its cleanup")),
        }
    }
}

/// An argument of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Param {
    /// The name: of the property in files, of the parameter in descriptions, and of the option in `tree!` if it is named there.
    pub name: &'static str,
    /// The type.
    pub ty: ParamType,
    /// Whether files must provide the argument. (In `tree!` the syntax decides.)
    pub required: bool,
    /// An example, as written in `tree!`.
    pub example: &'static str,
}

/// The type of an argument, which determines how it is written, checked and stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamType {
    /// The number of times that a child is started, of type `u32`. A literal number is part of the node's type.
    Times,
    /// The number of runs in the lifetime of a memory, of type `u32`.
    Runs,
    /// A duration: of type `Duration` in `tree!`, milliseconds or text such as `1.5s` in files.
    Time,
    /// A probability from 0 to 1, of type `f64`.
    Probability,
    /// The number of children that decide: `all`, `one` or a number from 1 to the number of children.
    Threshold(Bound),
    /// A positive number for each child; all 1 by default. In `tree!` each weight is written before its child: `3 => child`.
    Weights,
    /// A score for each child, of type `f32`: a number or a function of the context. In `tree!` each score is written
    /// before its child: `hunger => child`.
    Scores,
    /// A finite number that is added to the score of the running child, of type `f32`.
    Bonus,
    /// A function of the context: in files the name of a registered value, or a variable in braces.
    Value,
    /// The values that select the children. In `tree!` each pattern is written before its child. In files a list of text
    /// and numbers, for all children except the last, which is selected by any other value.
    Cases,
    /// A leaf that the node calls without being its parent: in files by name, in `tree!` as a node.
    Leaf(Role),
    /// Transitions of a machine: in files a list of strings such as `herded -> obey`.
    Transitions,
    /// The name of a state.
    Name,
}

/// How an argument is written in `tree!`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written {
    /// As an expression in parentheses.
    Expression,
    /// As an option by name in parentheses.
    Option,
    /// As an expression before each child.
    BeforeChildren,
    /// As a node in parentheses.
    Node,
    /// Among the parts of a state or a machine.
    InState,
    /// As what a `match` evaluates, and its patterns.
    InMatch,
}

impl ParamType {
    /// Returns how an argument of this type is written in `tree!`.
    pub const fn written(self) -> Written {
        match self {
            Self::Times | Self::Runs | Self::Time | Self::Probability => Written::Expression,
            Self::Threshold(_) | Self::Bonus => Written::Option,
            Self::Weights | Self::Scores => Written::BeforeChildren,
            Self::Leaf(Role::Service) => Written::Node,
            Self::Leaf(_) | Self::Transitions | Self::Name => Written::InState,
            Self::Value | Self::Cases => Written::InMatch,
        }
    }

    /// Returns `true` for a list with an entry for each child, or for each except the last.
    pub const fn is_of_children(self) -> bool {
        matches!(self, Self::Weights | Self::Scores | Self::Cases)
    }
}

/// The default of a threshold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The number of children.
    All,
    /// One.
    One,
}

impl Bound {
    /// Both.
    pub const ALL: [Self; 2] = [Self::All, Self::One];

    /// Returns its name, in `tree!` and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::One => "one",
        }
    }
}

/// The statuses that a word can return.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Returns {
    /// A fixed set.
    These(Outcomes),
    /// The result of this map for the statuses of the child.
    Map(StatusMap),
    /// The result of ticking the children in order while they return this status.
    InOrder(Outcomes),
    /// The result of ticking the children in any order while they return this status.
    AnyOrder(Outcomes),
    /// The result of this map for the statuses of all children together.
    AnyChild(StatusMap),
    /// The result of ticking all children until one of these thresholds is reached.
    Thresholds(Thresholds),
    /// The result of the second child if the first succeeds, of the third if it fails.
    Branches,
    /// The result of the first child, after the second has ended.
    BodyAndCleanup,
    /// The result of the transitions and the nodes of the states.
    States,
}

/// The numbers of children that decide a parallel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thresholds {
    /// The number of successes with which it succeeds: `usize::MAX` for all children, `None` if it is only known at run time. 0 counts as 1.
    pub success: Option<usize>,
    /// The number of failures with which it fails, likewise.
    pub failure: Option<usize>,
    /// `true` if children that have ended are not ticked again in the same run.
    pub has_memory: bool,
}
