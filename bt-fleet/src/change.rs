//! What changes in a fleet.

/// A machine that joined or left a fleet, for [`HubConfig::on_change`](crate::HubConfig::on_change).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Change {
    /// The machine with this name has joined.
    Joined(String),
    /// The machine with this name has left, or its connection is lost.
    Left(String),
}
