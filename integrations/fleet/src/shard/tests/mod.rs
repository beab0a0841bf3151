//! What is done at which instant, and in which order: one test per rule.

mod keeper;
mod member;
mod program;
mod table;

use std::time::Duration;

use crate::keys::MemberId;
use crate::shard::message::{Action, Epoch, Owned, Request, State};

const LEASE: Duration = Duration::from_secs(2);

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

fn owned(agent: &str, term: u64, number: u64) -> Owned {
    Owned { agent: agent.to_owned(), epoch: Epoch { term, number } }
}

fn state(ticks: u64) -> State {
    State { ticks, clock: Duration::ZERO, data: ticks.to_le_bytes().to_vec() }
}

fn member(machine: &str) -> MemberId {
    MemberId { machine: machine.to_owned(), session: machine.to_owned() }
}

fn add(number: u64, agent: &str) -> Request {
    Request { number, action: Action::Add { agent: agent.to_owned(), state: state(0) } }
}
