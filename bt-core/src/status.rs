//! What a tick gives: statuses, outcomes, steps and ends.

/// What a tick gives back: the node ended in one of three ways, or it goes on.
///
/// The four statuses are those of Behavior3JS.
///
/// ```
/// use bt_core::prelude::*;
///
/// assert_eq!(Status::from(true), Status::Success);
/// assert!(!Status::Running.is_done());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Status {
    /// The node did what it is for.
    Success,
    /// The node could not do what it is for.
    Failure,
    /// The node needs more ticks.
    Running,
    /// Something is wrong with the node or its surroundings; ends the whole tree at once.
    Error,
}

/// How a node ended: a [`Status`] that is not `Running`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Outcome {
    /// The node did what it is for.
    Success,
    /// The node could not do what it is for.
    Failure,
    /// Something is wrong; passes through every parent at once, like `?`.
    Error,
}

/// Why a node was closed: it ended by itself, or somebody halted it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum End {
    /// It ended with [`Outcome::Success`].
    Success,
    /// It ended with [`Outcome::Failure`].
    Failure,
    /// It ended with [`Outcome::Error`].
    Error,
    /// It was running and something more important took over.
    Halted,
}

/// What a node's start or resume gives: an outcome, or what it must remember in order to go on.
///
/// `Open` exists only while a node is running. A node whose `Open` is [`Never`] cannot be running at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step<Open> {
    /// The node ended.
    Done(Outcome),
    /// The node goes on and remembers this until its next tick.
    Running(Open),
}

/// A type without values: the `Open` of what can never be running, such as a condition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Never {}

impl Status {
    /// Whether the node ended.
    pub const fn is_done(self) -> bool {
        !matches!(self, Status::Running)
    }
}

impl<Open> Step<Open> {
    /// The status that a user sees.
    #[inline(always)]
    pub const fn status(&self) -> Status {
        match self {
            Step::Running(_) => Status::Running,
            Step::Done(Outcome::Success) => Status::Success,
            Step::Done(Outcome::Failure) => Status::Failure,
            Step::Done(Outcome::Error) => Status::Error,
        }
    }

    /// The same step with another memory.
    #[inline(always)]
    pub fn map<Other>(self, remember: impl FnOnce(Open) -> Other) -> Step<Other> {
        match self {
            Step::Done(outcome) => Step::Done(outcome),
            Step::Running(open) => Step::Running(remember(open)),
        }
    }
}

impl From<bool> for Status {
    fn from(success: bool) -> Self {
        Outcome::from(success).into()
    }
}

impl From<bool> for Outcome {
    #[inline(always)]
    fn from(success: bool) -> Self {
        if success { Outcome::Success } else { Outcome::Failure }
    }
}

impl From<Outcome> for Status {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Success => Status::Success,
            Outcome::Failure => Status::Failure,
            Outcome::Error => Status::Error,
        }
    }
}

impl From<Outcome> for End {
    #[inline(always)]
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Success => End::Success,
            Outcome::Failure => End::Failure,
            Outcome::Error => End::Error,
        }
    }
}

impl From<Status> for Step<()> {
    #[inline(always)]
    fn from(status: Status) -> Self {
        match status {
            Status::Success => Step::Done(Outcome::Success),
            Status::Failure => Step::Done(Outcome::Failure),
            Status::Error => Step::Done(Outcome::Error),
            Status::Running => Step::Running(()),
        }
    }
}
