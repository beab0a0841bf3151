//! Conversions of statuses and outcomes to sets of statuses.

pub use bt_words::Outcomes;

use crate::status::{Outcome, Status};

/// Returns the set that contains only this status.
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
    /// Returns the set that contains only this outcome.
    pub(crate) const fn set(self) -> Outcomes {
        match self {
            Self::Success => Outcomes::SUCCESS,
            Self::Failure => Outcomes::FAILURE,
            Self::Error => Outcomes::ERROR,
        }
    }
}
