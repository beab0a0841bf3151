//! Which statuses a node can ever give, known at compile time.

use core::fmt;

use crate::status::{Outcome, Status};

/// A set of statuses: what a node can ever give ([`NodeShape::CAN`](crate::NodeShape::CAN)).
///
/// ```
/// use bt_core::prelude::*;
///
/// const ENDS: Outcomes = Outcomes::SUCCESS.or(Outcomes::FAILURE);
/// assert!(ENDS.succeeds() && !ENDS.runs());
/// assert_eq!(ENDS.to_string(), "Success | Failure");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Outcomes(u8);

impl Outcomes {
    /// No status at all.
    pub const NONE: Self = Self(0);
    /// Only `Success`.
    pub const SUCCESS: Self = Self(1);
    /// Only `Failure`.
    pub const FAILURE: Self = Self(2);
    /// Only `Running`.
    pub const RUNNING: Self = Self(4);
    /// Only `Error`.
    pub const ERROR: Self = Self(8);
    /// Every status: what is known of an erased node.
    pub const ANY: Self = Self(15);

    /// Each status with its name, in the order of every text.
    pub(crate) const NAMES: [(Self, &str); 4] =
        [(Self::SUCCESS, "Success"), (Self::FAILURE, "Failure"), (Self::RUNNING, "Running"), (Self::ERROR, "Error")];

    /// Only this outcome.
    pub(crate) const fn only(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Success => Self::SUCCESS,
            Outcome::Failure => Self::FAILURE,
            Outcome::Error => Self::ERROR,
        }
    }

    /// Both sets together.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// This set without the statuses of the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether the two sets share a status.
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether no status is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether just one status is in the set.
    pub const fn is_one(self) -> bool {
        self.0.is_power_of_two()
    }

    /// Whether `Success` is in the set.
    pub const fn succeeds(self) -> bool {
        self.meets(Self::SUCCESS)
    }

    /// Whether `Failure` is in the set.
    pub const fn fails(self) -> bool {
        self.meets(Self::FAILURE)
    }

    /// Whether `Running` is in the set.
    pub const fn runs(self) -> bool {
        self.meets(Self::RUNNING)
    }

    /// Whether `Error` is in the set.
    pub const fn errs(self) -> bool {
        self.meets(Self::ERROR)
    }

    /// The other set where `given` holds, nothing otherwise.
    #[must_use]
    pub(crate) const fn only_if(self, given: bool) -> Self {
        if given { self } else { Self::NONE }
    }
}

/// Only this status.
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

impl fmt::Display for Outcomes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before = "";
        for (_, name) in Self::NAMES.iter().filter(|(status, _)| self.meets(*status)) {
            write!(out, "{before}{name}")?;
            before = " | ";
        }
        if before.is_empty() { out.write_str("nothing") } else { Ok(()) }
    }
}

impl fmt::Debug for Outcomes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Outcomes({self})")
    }
}
