//! What a process and the keeper tell each other.

use std::fmt;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::network::MAX_RECEIVED;

/// The maximum size of an agent, in bytes.
pub(crate) const MAX_AGENT: usize = 4 * 1024 * 1024;
/// The maximum number of agents in one message, and the number of their bytes after which a message ends.
const MAX_AGENTS: usize = 256;
const MAX_PART: usize = 1024 * 1024;

/// The time in which one process owns an agent. Each hand-over begins a new one, which is greater.
///
/// It is a *fencing token*: a service outside the fleet that remembers the greatest epoch of an agent, and refuses requests with a lesser one, is never changed by a process
/// that has lost the agent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Epoch {
    pub(crate) term: u64,
    pub(crate) number: u64,
}

impl Epoch {
    /// Returns it as one number, for services that store it.
    #[must_use]
    pub const fn number(self) -> u128 {
        (self.term as u128) << 64 | self.number as u128
    }
}

impl fmt::Display for Epoch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.term, self.number)
    }
}

/// What an agent is between two of its ticks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct State {
    /// The number of its ticks.
    pub(crate) ticks: u64,
    /// Its clock, which stands still while no process owns it.
    pub(crate) clock: Duration,
    /// Its memory and its context, which only programs read.
    #[serde(with = "serde_bytes")]
    pub(crate) data: Vec<u8>,
}

/// An agent in one of its epochs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(crate) struct Owned {
    pub(crate) agent: String,
    pub(crate) epoch: Epoch,
}

/// Why an agent has arrived at a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Arrival {
    /// It is new.
    Added,
    /// Another process has handed it over, with everything that it did there.
    Moved,
    /// Its process is gone. It continues from its last snapshot: what it did after that is lost.
    Recovered {
        /// How old the snapshot is. In the last part of this time, the agent stood still.
        age: Duration,
    },
}

/// An agent that a process is to own.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Taken {
    pub(crate) owned: Owned,
    pub(crate) state: State,
    pub(crate) arrival: Arrival,
}

/// A message of a process. The first one of a connection is `Hello`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct ToKeeper {
    /// The connection, which is numbered by the process.
    pub(crate) connection: u64,
    /// The number of the message in its connection.
    pub(crate) number: u64,
    pub(crate) body: ProcessSays,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) enum ProcessSays {
    Hello {
        /// The term of the keeper to which this is said. Another one answers with its own term.
        term: u64,
        /// Whether the lease of the process holds. Then no other process owns what it owns.
        is_leased: bool,
        owned: Vec<Owned>,
        /// What it has handed over, until another process has taken it.
        copies: Vec<(Owned, State)>,
        requests: Vec<Request>,
    },
    /// Asks for a longer lease.
    Beat,
    Requests(Vec<Request>),
    Snapshots(Vec<(Owned, State)>),
}

/// What a process asks until it is done. A keeper does it once.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Request {
    pub(crate) number: u64,
    pub(crate) action: Action,
}

impl Request {
    /// Returns the state that the request contains.
    pub(crate) fn state(&self) -> Option<&State> {
        match &self.action {
            Action::Add { state, .. } | Action::Refuse { state, .. } | Action::Release(_, state) => Some(state),
            Action::Move { .. } | Action::Remove(_) | Action::Take(_) | Action::Leave => None,
        }
    }
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) enum Action {
    Add { agent: String, state: State },
    Move { agent: String, machine: String },
    Remove(Owned),
    Take(Owned),
    Refuse { owned: Owned, state: State, reason: String },
    Release(Owned, State),
    Leave,
}

/// A message of the keeper.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct ToProcess {
    /// The keeper, of which there is one at a time. A later one has a greater term.
    pub(crate) term: u64,
    pub(crate) connection: u64,
    pub(crate) number: u64,
    pub(crate) body: KeeperSays,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) enum KeeperSays {
    /// Answers `Hello`.
    Welcome {
        /// How long the process may tick its agents, from when it said `Hello`.
        lease: Duration,
        /// What the process has lost of what it owned, and whether it keeps a copy, since the new owner has not taken it yet.
        dropped: Vec<(Owned, bool)>,
        /// New epochs of what it has although its lease was over.
        renewed: Vec<(Owned, Epoch)>,
        /// The copies that are not needed.
        forget: Vec<Owned>,
    },
    /// The lease lasts from when the message with this number was sent. The requests up to a number are done.
    Lease {
        beat: u64,
        done: u64,
    },
    /// Why the request with this number was not done.
    Refused {
        request: u64,
        reason: String,
    },
    Take(Vec<Taken>),
    Release(Vec<Owned>),
    /// Another process has taken these agents: no copy is needed.
    Forget(Vec<Owned>),
    /// The connection is not known, or messages are missing: say `Hello`.
    Again,
}

/// Divides agents into the parts that one message contains.
pub(crate) fn parts<T>(all: Vec<T>, state: impl Fn(&T) -> Option<&State>) -> Vec<Vec<T>> {
    let (mut parts, mut bytes) = (Vec::<Vec<T>>::new(), 0);
    for one in all {
        let size = state(&one).map_or(0, |state| state.data.len());
        match parts.last_mut() {
            Some(part) if part.len() < MAX_AGENTS && bytes + size <= MAX_PART => {
                bytes += size;
                part.push(one);
            }
            _ => {
                bytes = size;
                parts.push(vec![one]);
            }
        }
    }
    parts
}

/// Returns the bytes of a message.
pub(crate) fn encode<T: Serialize>(message: &T) -> Vec<u8> {
    // Plain data is always encoded.
    rmp_serde::to_vec(message).unwrap_or_default()
}

/// Returns a message, or `None` if the bytes are none.
pub(crate) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    if bytes.len() > MAX_RECEIVED { None } else { rmp_serde::from_slice(bytes).ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_bounded_and_keep_the_order() {
        let state = |size| State { ticks: 0, clock: Duration::ZERO, data: vec![0; size] };
        let lengths = |sizes: &[usize]| {
            let all = sizes.iter().map(|size| state(*size)).collect();
            parts(all, |one| Some(one)).iter().map(Vec::len).collect::<Vec<_>>()
        };
        assert_eq!(lengths(&[]), [0; 0]);
        assert_eq!(lengths(&[1; 600]), [256, 256, 88]);
        assert_eq!(lengths(&[MAX_PART - 1, 1, 1, MAX_AGENT, 0]), [2, 1, 1, 1]);
        let numbers: Vec<u32> = (0..1000).collect();
        assert_eq!(parts(numbers.clone(), |_| None).concat(), numbers);
    }

    #[test]
    fn what_is_encoded_is_decoded() {
        let owned = Owned { agent: "a".to_owned(), epoch: Epoch { term: 3, number: 1 } };
        let state = State { ticks: 7, clock: Duration::from_millis(8), data: vec![0, 255, 1] };
        let arrival = Arrival::Recovered { age: Duration::from_secs(1) };
        let body = KeeperSays::Take(vec![Taken { owned: owned.clone(), state, arrival }]);
        let message = ToProcess { term: 1, connection: 2, number: 3, body };
        let bytes = encode(&message);
        assert_eq!(decode(&bytes), Some(message));
        for end in 0..bytes.len() {
            assert_eq!(decode::<ToProcess>(&bytes[..end]), None);
        }
        assert_eq!(decode::<ToKeeper>(&bytes), None);
        assert_eq!((owned.epoch.to_string().as_str(), owned.epoch.number()), ("3.1", (3 << 64) + 1));
    }
}
