//! Sets of statuses, from statuses and outcomes.

pub use bt_words::Outcomes;

use crate::status::{Outcome, Status};

/// The set of this status alone.
impl From<Status> for Outcomes {
    fn from(status: Status) -> Self {
        match status {
            Status::Success => Self::SUCCESS,
            Status::Failure => Self::FAILURE,
            Status::Running => Self::RUNNING,
            Status::Error => Self::ERROR,
        }
    }
}

impl Outcome {
    /// The set of this outcome alone.
    pub(crate) const fn set(self) -> Outcomes {
        match self {
            Self::Success => Outcomes::SUCCESS,
            Self::Failure => Outcomes::FAILURE,
            Self::Error => Outcomes::ERROR,
        }
    }
}
