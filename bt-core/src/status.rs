//! The results of ticks: statuses, outcomes, steps and ends.

/// The result of a tick: one of three outcomes, or `Running`.
///
/// The four statuses are the same as in Behavior3JS.
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
    // The numbers are those of `Step<()>`, so that converting one into the other takes no instruction.
    /// The node achieved its goal.
    Success = 0,
    /// The node did not achieve its goal.
    Failure = 1,
    /// The node needs more ticks.
    Running = 3,
    /// The node or its environment is faulty. Ends the whole tree at once, unless a decorator handles it.
    Error = 2,
}

/// The outcome of a run: a [`Status`] other than `Running`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Outcome {
    /// The node achieved its goal.
    Success,
    /// The node did not achieve its goal.
    Failure,
    /// The node or its environment is faulty. Ends every ancestor at once, like `?`, unless a decorator handles it.
    Error,
}

/// The reason why a node was closed: it ended by itself, or it was halted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum End {
    /// The run ended with [`Outcome::Success`].
    Success,
    /// The run ended with [`Outcome::Failure`].
    Failure,
    /// The run ended with [`Outcome::Error`].
    Error,
    /// The node was halted while it was running.
    ///
    /// A node is halted when another child takes over, when an ancestor ends (such as a `timeout`), when a
    /// machine leaves its state, or by [`Tree::halt`](crate::Tree::halt).
    Halted,
}

/// The result of starting or resuming a node: an outcome, or the state that the node needs to continue.
///
/// `Open` exists only while a node is running. A node whose `Open` is [`Never`] cannot be running.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step<Open> {
    /// The run ended.
    Done(Outcome),
    /// The node is running, with this state for its next tick.
    Running(Open),
}

/// A type without values: the `Open` of nodes that can never be running, such as conditions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Never {}

impl Status {
    /// Returns `true` if the node ended.
    pub const fn is_done(self) -> bool {
        !matches!(self, Status::Running)
    }
}

impl<Open> Step<Open> {
    /// Returns the status that corresponds to this step.
    #[inline(always)]
    pub const fn status(&self) -> Status {
        match self {
            Step::Running(_) => Status::Running,
            Step::Done(Outcome::Success) => Status::Success,
            Step::Done(Outcome::Failure) => Status::Failure,
            Step::Done(Outcome::Error) => Status::Error,
        }
    }

    /// Maps the open state, and leaves an outcome unchanged.
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
