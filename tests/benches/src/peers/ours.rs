//! bt-core: one tree for all agents.

use std::hint::black_box;

use bt_core::prelude::*;

use super::{Peer, creating, leaf, taken, ticking};
use crate::agent::Agent;

pub(super) fn stay(agent: &mut Agent) -> Status {
    leaf::first(agent);
    Status::Running
}

fn flips() -> impl Node<Agent> {
    tree! { for Agent: selector { sequence { leaf::odd, leaf::first } leaf::second } }
}

fn stays() -> impl Node<Agent> {
    tree! { for Agent: selector { sequence { leaf::odd, stay } leaf::second } }
}

fn falls() -> impl Node<Agent> {
    tree! {
        for Agent: selector {
            sequence { leaf::never, leaf::never, leaf::first }
            sequence { leaf::never, leaf::first }
            leaf::second,
        }
    }
}

pub(super) fn run(tree: &impl Node<Agent>, ticks: u32, flips: bool) -> u64 {
    let mut memory = tree.memory();
    ticking(ticks, flips, |agent| tree.tick(agent, black_box(&mut memory)))
}

pub(super) fn peer() -> Peer {
    Peer {
        name: "bt-core",
        flips: |ticks| run(&flips(), ticks, true),
        stays: |ticks| run(&stays(), ticks, false),
        falls: |ticks| run(&falls(), ticks, false),
        agent: || {
            let tree = stays();
            taken(|| tree.memory())
        },
        create: |count| {
            let tree = stays();
            creating(count, || tree.memory());
        },
    }
}
