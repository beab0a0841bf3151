//! What changes in a fleet.

/// What changes in a fleet, for [`HubConfig::on_change`](crate::HubConfig::on_change).
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
        /// How many agents it had.
        agents: usize,
    },
    /// The folder of [recordings](crate::HubConfig::record) cannot be written, for example because the disk is full. For 10 s, nothing is recorded.
    #[non_exhaustive]
    Unrecorded {
        /// The message of the system.
        reason: String,
    },
    /// The hub has the lock of [etcd](crate::HubConfig::etcd), and is the keeper from now on.
    Keeping,
    /// The hub is not the keeper, or no longer: another hub has the lock, or etcd cannot be reached. It tries again each second.
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
