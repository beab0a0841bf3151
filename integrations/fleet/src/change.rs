//! What changes in a fleet.

use std::fmt;

/// What changes in a fleet, for [`HubConfig::on_change`](crate::HubConfig::on_change).
///
/// It is displayed as one line. The pages of the hub show those that are [problems](Self::is_problem).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Change {
    /// The machine with this name has joined.
    Joined(String),
    /// The machine with this name has left, or its connection is lost.
    Left(String),
    /// A machine could not be reached for longer than its lease. Its agents continue elsewhere, from their last snapshots.
    #[non_exhaustive]
    Recovered {
        /// The machine.
        machine: String,
        /// How many agents continue.
        agents: usize,
    },
    /// Agents of [`Sharded`](crate::Sharded) herds are lost: their process is gone, and the keeper, which was restarted just before, has no snapshots of them. They can be
    /// [added](crate::Sharded::add) again.
    #[non_exhaustive]
    Lost {
        /// The agents.
        agents: Vec<String>,
    },
    /// The folder of [recordings](crate::HubConfig::record) cannot be written, for example because the disk is full. For 10 s, nothing is recorded.
    #[non_exhaustive]
    Unrecorded {
        /// The message of the system.
        reason: String,
    },
    /// The hub has the lock of [etcd](crate::HubConfig::etcd), and is the keeper from now on.
    Keeping,
    /// The hub is not the keeper, or no longer: another hub has the lock, etcd cannot be reached, or a process follows a keeper with a greater term. It tries again each second.
    #[non_exhaustive]
    NotKeeping {
        /// Why.
        reason: String,
    },
    /// A machine cannot load an agent of a [`Sharded`](crate::Sharded) herd, for example because its tree is another one. Another machine gets the agent.
    #[non_exhaustive]
    Refused {
        /// The machine.
        machine: String,
        /// The agent.
        agent: String,
        /// Why.
        reason: String,
    },
}

impl Change {
    /// Returns whether something does not work as it should.
    #[must_use]
    pub const fn is_problem(&self) -> bool {
        match self {
            Self::Lost { .. } | Self::Unrecorded { .. } | Self::NotKeeping { .. } | Self::Refused { .. } => true,
            Self::Joined(_) | Self::Left(_) | Self::Recovered { .. } | Self::Keeping => false,
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Joined(machine) => write!(f, "{machine} joined"),
            Self::Left(machine) => write!(f, "{machine} left"),
            Self::Recovered { machine, agents } => {
                write!(f, "{machine} could not be reached: {agents} of its agents continue from snapshots")
            }
            Self::Lost { agents } => write!(f, "lost, since there are no snapshots: {}", agents.join(", ")),
            Self::Unrecorded { reason } => write!(f, "cannot record: {reason}"),
            Self::Keeping => write!(f, "this hub is the keeper"),
            Self::NotKeeping { reason } => write!(f, "this hub is not the keeper: {reason}"),
            Self::Refused { machine, agent, reason } => write!(f, "{machine} cannot load {agent}: {reason}"),
        }
    }
}
