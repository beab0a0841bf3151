//! The statuses of BehaviorTree.CPP.

use std::fmt;

use bt_core::Status;

/// The status of a node in BehaviorTree.CPP.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum NodeStatus {
    /// The node has not been ticked, was halted, or the node above it has ended.
    #[default]
    Idle,
    /// The node is running.
    Running,
    /// The node has succeeded.
    Success,
    /// The node has failed.
    Failure,
    /// The node was skipped. Logs of BehaviorTree.CPP do not contain this status.
    Skipped,
}

impl NodeStatus {
    /// Returns the number of the status.
    ///
    /// ```
    /// use bt_groot2::NodeStatus;
    ///
    /// assert_eq!(NodeStatus::Success.number(), 2);
    /// assert_eq!(NodeStatus::from_number(2), Some(NodeStatus::Success));
    /// assert_eq!(NodeStatus::from_number(5), None);
    /// ```
    pub const fn number(self) -> u8 {
        match self {
            Self::Idle => 0,
            Self::Running => 1,
            Self::Success => 2,
            Self::Failure => 3,
            Self::Skipped => 4,
        }
    }

    /// Returns the status with this number; `None` if there is none.
    pub const fn from_number(number: u8) -> Option<Self> {
        Some(match number {
            0 => Self::Idle,
            1 => Self::Running,
            2 => Self::Success,
            3 => Self::Failure,
            4 => Self::Skipped,
            _ => return None,
        })
    }

    /// Returns `true` for the statuses that end a run.
    pub(crate) const fn is_completed(self) -> bool {
        matches!(self, Self::Success | Self::Failure)
    }
}

impl From<Status> for NodeStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Success => Self::Success,
            Status::Failure | Status::Error => Self::Failure,
            Status::Running => Self::Running,
        }
    }
}

/// Formats the status as BehaviorTree.CPP does, such as `SUCCESS`.
impl fmt::Display for NodeStatus {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            Self::Idle => "IDLE",
            Self::Running => "RUNNING",
            Self::Success => "SUCCESS",
            Self::Failure => "FAILURE",
            Self::Skipped => "SKIPPED",
        })
    }
}
