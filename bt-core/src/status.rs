//! The results of ticks: statuses, outcomes, steps and ends.

use core::fmt;

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
// With the numbers of `Outcome`, converting one takes no instruction.
#[repr(u8)]
pub enum End {
    /// The run ended with [`Outcome::Success`].
    Success,
    /// The run ended with [`Outcome::Failure`].
    Failure,
    /// The run ended with [`Outcome::Error`].
    Error,
    /// The node was halted while it was running, for this cause.
    Halted(Cause),
}

/// Why a running node was halted. The nodes below a node that is halted receive the same cause.
///
/// ```
/// use bt_core::prelude::*;
///
/// struct Robot { now: Duration, cancelled: Option<Cause> }
/// impl Clock for Robot { fn now(&self) -> Duration { self.now } }
///
/// struct Drive;
///
/// #[leaf]
/// impl Leaf<Robot> for Drive {
///     fn tick(&self, _: &mut (), _: &mut Robot) -> Status { Status::Running }
///     fn close(&self, _: &mut (), robot: &mut Robot, end: End) {
///         if let End::Halted(cause) = end { robot.cancelled = Some(cause) }
///     }
/// }
///
/// let tree = tree! { for Robot: timeout(secs(5)) { Drive } };
/// let (mut robot, mut memory) = (Robot { now: secs(0), cancelled: None }, tree.memory());
/// tree.tick(&mut robot, &mut memory);
/// tree.halt(&mut robot, &mut memory);
/// assert_eq!(robot.cancelled, Some(Cause::Stopped));
///
/// tree.tick(&mut robot, &mut memory);
/// robot.now = secs(6);
/// tree.tick(&mut robot, &mut memory);
/// assert_eq!(robot.cancelled, Some(Cause::TimedOut));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Cause {
    /// The composite above has turned to another child, or the machine above has left the state.
    Preempted,
    /// A node above has ended: for example, the condition before the node in a `sequence` has failed, or a `parallel` has
    /// succeeded. Also the cause for a leaf that is running where no leaf can be: a guard, or an `enter:` action.
    Ended,
    /// The time of a `timeout` above has elapsed.
    TimedOut,
    /// The tree was halted from outside, by [`Tree::halt`](crate::Tree::halt).
    Stopped,
    /// The tree was edited or reloaded while it was running, and the node cannot continue in the new tree.
    Edited,
}

impl Cause {
    /// All causes.
    pub const ALL: [Self; 5] = [Self::Preempted, Self::Ended, Self::TimedOut, Self::Stopped, Self::Edited];
}

/// Writes a clause such as `another child took over`.
impl fmt::Display for Cause {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Preempted => "another child took over",
            Self::Ended => "a node above has ended",
            Self::TimedOut => "the time has elapsed",
            Self::Stopped => "the tree was halted",
            Self::Edited => "the tree was edited",
        })
    }
}

/// What happens to a running node between its ticks. See [`Node::interrupt`](crate::Node::interrupt).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interrupt {
    /// The run is halted.
    Halt(Cause),
    /// The tree is not ticked for some time. See [`Tree::pause`](crate::Tree::pause).
    Pause,
    /// The tree is ticked again. See [`Tree::unpause`](crate::Tree::unpause).
    Unpause,
}

impl Interrupt {
    /// A child is halted because its composite has turned to another.
    #[doc(hidden)]
    pub const PREEMPTED: Self = Self::Halt(Cause::Preempted);
    /// A child is halted because a node above has ended.
    #[doc(hidden)]
    pub const ENDED: Self = Self::Halt(Cause::Ended);

    /// Returns how a running child is halted after another child has returned this step, with which the tick of the composite is
    /// over.
    #[inline(always)]
    #[doc(hidden)]
    pub const fn after<Open>(step: &Step<Open>) -> Self {
        match step {
            Step::Running(_) => Self::PREEMPTED,
            Step::Done(_) => Self::ENDED,
        }
    }

    /// Returns how the run ends; `None` if it continues.
    pub const fn end(self) -> Option<End> {
        match self {
            Self::Halt(cause) => Some(End::Halted(cause)),
            Self::Pause | Self::Unpause => None,
        }
    }
}

/// What happens to the cleanups that a halt has left running. See [`Node::visit_cleanups`](crate::Node::visit_cleanups).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CleanUp {
    /// Each is ticked.
    Tick,
    /// Each is interrupted.
    Interrupt(Interrupt),
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
