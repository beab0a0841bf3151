//! The columns of the table: what a row states of a word.

use crate::outcomes::Outcomes;
use crate::role::Role;
use crate::status_map::StatusMap;

/// What kind of node a word is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Family {
    /// Ticks several children by a rule.
    Composite,
    /// Changes when its one child is ticked, or what becomes of its outcome.
    Decorator,
    /// A state machine. Its children are states.
    Machine,
    /// A state of a machine. Its child is ticked while the machine is in it.
    State,
    /// Has no children.
    Leaf,
}

/// How many children a node takes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Arity {
    /// None.
    Zero,
    /// Exactly one.
    One,
    /// One or more.
    Many,
}

/// An argument of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Param {
    /// Its name: of the property in files, of the parameter in descriptions, of the option where `tree!` has it by name.
    pub name: &'static str,
    /// What it is.
    pub ty: ParamType,
    /// Whether a file has to give it. (In `tree!` the syntax decides.)
    pub required: bool,
    /// An example, as it is written in `tree!`.
    pub example: &'static str,
}

/// What an argument is, and so how it is written, checked and stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamType {
    /// A number of times that a child is started, of type `u32`. Written as a number it is part of the node's type.
    Times,
    /// A number of runs in the life of a memory, of type `u32`.
    Runs,
    /// A duration: of type `Duration` in `tree!`, milliseconds or text such as `1.5s` in files.
    Time,
    /// A probability from 0 to 1, of type `f64`.
    Probability,
    /// How many children decide: `all`, `one` or a number from 1 to the number of children.
    Threshold(Bound),
    /// A positive number for each child, all 1 if left out. In `tree!` each is written before its child: `3 => child`.
    Weights,
    /// A leaf that the node calls without being its parent: in files by name, in `tree!` as a node.
    Leaf(Role),
    /// Transitions of a machine: in files a list of texts such as `herded -> obey`.
    Transitions,
    /// The name of a state.
    Name,
}

/// What a threshold is if it is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// As many as there are children.
    All,
    /// One.
    One,
}

/// Which statuses a word can return.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Returns {
    /// These.
    These(Outcomes),
    /// What this map makes of what the child can return.
    Map(StatusMap),
    /// What follows from ticking the children in order as long as they return this.
    InOrder(Outcomes),
    /// What follows from ticking the children in any order as long as they return this.
    AnyOrder(Outcomes),
    /// What follows from the thresholds and the children.
    Thresholds,
    /// What follows from the transitions and the nodes of the states.
    States,
}
