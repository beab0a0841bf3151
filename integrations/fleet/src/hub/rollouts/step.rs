//! The requests of pages about rollouts, and the page that rollouts are at each machine.

use serde::{Deserialize, Serialize};

use crate::hub::machine::{Machine, Outgoing, ToMachine};

/// The page of the rollouts at each machine.
pub(in crate::hub) const PAGE: u64 = 0;

/// What happens with the version of a document that is open in a page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::hub) struct RolloutRequest {
    pub(in crate::hub) document: usize,
    pub(super) step: Step,
    /// Whether other versions than the one of most machines are replaced, too.
    #[serde(default)]
    pub(super) others: bool,
    /// Whether the machines save their files, too.
    #[serde(default)]
    pub(super) save: bool,
}

/// The next step of a rollout.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Step {
    /// A tenth of the machines have the version.
    Tenth,
    /// All machines have it, also those that come later.
    All,
    /// All machines have the version from before again.
    Back,
    /// What machines that come later have is left as it is.
    End,
}

/// Returns a message to the page of the rollouts at a machine.
pub(super) fn message(machine: Machine, message: &serde_json::Value) -> Outgoing {
    Outgoing { machine, page: PAGE, message: ToMachine::Text(message.to_string()) }
}
