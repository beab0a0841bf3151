//! emergent: boxed conditions and tasks, which each agent owns. A tick decides, then updates the active task.

use emergent::prelude::*;

use super::{Peer, creating, leaf, taken, ticking};
use crate::agent::Agent;

struct Odd;

impl Condition<Agent> for Odd {
    fn validate(&self, agent: &Agent) -> bool {
        leaf::odd(agent)
    }
}

struct Never;

impl Condition<Agent> for Never {
    fn validate(&self, agent: &Agent) -> bool {
        leaf::never(agent)
    }
}

struct First;

impl Task<Agent> for First {
    fn on_update(&mut self, agent: &mut Agent) {
        leaf::first(agent);
    }
}

struct Second;

impl Task<Agent> for Second {
    fn on_update(&mut self, agent: &mut Agent) {
        leaf::second(agent);
    }
}

/// A locked task is not left, whatever the conditions are.
struct Stay;

impl Task<Agent> for Stay {
    fn is_locked(&self, _: &Agent) -> bool {
        true
    }

    fn on_update(&mut self, agent: &mut Agent) {
        leaf::first(agent);
    }
}

fn flips() -> BehaviorTreeTask<Agent> {
    BehaviorTree::selector(true)
        .node(BehaviorTree::selector(Odd).node(BehaviorTree::state(true, First)))
        .node(BehaviorTree::state(true, Second))
        .build()
}

fn stays() -> BehaviorTreeTask<Agent> {
    BehaviorTree::selector(true)
        .node(BehaviorTree::selector(Odd).node(BehaviorTree::state(true, Stay)))
        .node(BehaviorTree::state(true, Second))
        .build()
}

/// A condition is a part of its node, so the tree has 7 nodes.
fn falls() -> BehaviorTreeTask<Agent> {
    BehaviorTree::selector(true)
        .node(BehaviorTree::selector(Never).node(BehaviorTree::state(Never, First)))
        .node(BehaviorTree::selector(Never).node(BehaviorTree::state(true, First)))
        .node(BehaviorTree::state(true, Second))
        .build()
}

fn run(mut tree: BehaviorTreeTask<Agent>, ticks: u32, flips: bool) -> u64 {
    ticking(ticks, flips, |agent| {
        tree.on_process(agent);
        tree.on_update(agent);
    })
}

pub(super) fn peer() -> Peer {
    Peer {
        name: "emergent 1.9",
        flips: |ticks| run(flips(), ticks, true),
        stays: |ticks| run(stays(), ticks, false),
        falls: |ticks| run(falls(), ticks, false),
        agent: || taken(falls),
        create: |count| creating(count, falls),
    }
}
