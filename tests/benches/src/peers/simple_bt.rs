//! simple_bt: nodes in an `Arc`, shared by all agents. A running node is a new `Arc` each tick.

use std::sync::Arc;

use simple_bt::composite::{Selector, Sequence};
use simple_bt::{BehaviorArc, BehaviorNode, BehaviorRunner, NodeResult};

use super::{Peer, creating, leaf, taken, ticking};
use crate::agent::Agent;

macro_rules! leaves {
    ($($leaf:ident: |$this:ident, $agent:ident| $tick:expr;)+) => {$(
        #[derive(Debug)]
        struct $leaf;

        impl BehaviorNode<Agent> for $leaf {
            fn tick(self: Arc<Self>, $agent: &mut Agent) -> NodeResult<Agent> {
                let $this = self;
                $tick
            }
        }
    )+};
}

fn result(success: bool) -> NodeResult<Agent> {
    if success { NodeResult::Success } else { NodeResult::Failure }
}

leaves! {
    Odd: |_this, agent| result(leaf::odd(agent));
    Never: |_this, agent| result(leaf::never(agent));
    First: |_this, agent| {
        leaf::first(agent);
        NodeResult::Success
    };
    Stay: |this, agent| {
        leaf::first(agent);
        NodeResult::Running(this)
    };
    Second: |_this, agent| {
        leaf::second(agent);
        NodeResult::Success
    };
}

fn sequence<const N: usize>(children: [BehaviorArc<Agent>; N]) -> BehaviorArc<Agent> {
    Sequence::from_iter(children).arc()
}

fn selector<const N: usize>(children: [BehaviorArc<Agent>; N]) -> BehaviorArc<Agent> {
    Selector::from_iter(children).arc()
}

fn flips() -> BehaviorArc<Agent> {
    selector([sequence([Odd.arc(), First.arc()]), Second.arc()])
}

fn stays() -> BehaviorArc<Agent> {
    selector([sequence([Odd.arc(), Stay.arc()]), Second.arc()])
}

fn falls() -> BehaviorArc<Agent> {
    selector([sequence([Never.arc(), Never.arc(), First.arc()]), sequence([Never.arc(), First.arc()]), Second.arc()])
}

fn run(tree: BehaviorArc<Agent>, ticks: u32, flips: bool) -> u64 {
    let mut runner = BehaviorRunner::new(tree);
    ticking(ticks, flips, |agent| runner.proceed(agent))
}

pub(super) fn peer() -> Peer {
    Peer {
        name: "simple_bt 1.0",
        flips: |ticks| run(flips(), ticks, true),
        stays: |ticks| run(stays(), ticks, false),
        falls: |ticks| run(falls(), ticks, false),
        agent: || {
            let tree = falls();
            taken(|| BehaviorRunner::new(tree.clone()))
        },
        create: |count| {
            let tree = falls();
            creating(count, || BehaviorRunner::new(tree.clone()));
        },
    }
}
