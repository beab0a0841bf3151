//! behaviortree-rs: BehaviorTree.CPP in Rust, with XML and async ticks. Leaves have no context, so the leaves of an agent share it behind a mutex.

use std::sync::{Arc, Mutex, PoisonError};

use behaviortree_rs::basic_types::NodeStatus;
use behaviortree_rs::macros::register_action_node;
use behaviortree_rs::prelude::*;
use behaviortree_rs::tree::SyncTree;

use super::{Peer, creating, leaf, taken, ticking};
use crate::agent::Agent;

type Shared = Arc<Mutex<Agent>>;

fn with<R>(shared: &Shared, look: impl FnOnce(&mut Agent) -> R) -> R {
    look(&mut shared.lock().unwrap_or_else(PoisonError::into_inner))
}

fn answer(success: bool) -> NodeStatus {
    if success { NodeStatus::Success } else { NodeStatus::Failure }
}

macro_rules! leaves {
    ($($Leaf:ident: |$agent:ident| $tick:expr;)+) => {$(
        #[bt_node(SyncActionNode)]
        struct $Leaf {
            agent: Shared,
        }

        #[bt_node(SyncActionNode)]
        impl $Leaf {
            async fn tick(&mut self) -> NodeResult {
                Ok(with(&self_.agent, |$agent| $tick))
            }
        }
    )+};
}

leaves! {
    Odd: |agent| answer(leaf::odd(agent));
    Never: |agent| answer(leaf::never(agent));
    First: |agent| { leaf::first(agent); NodeStatus::Success };
    Second: |agent| { leaf::second(agent); NodeStatus::Success };
}

/// A synchronous action must not return `Running`, so this action is stateful.
#[bt_node(StatefulActionNode)]
struct Stay {
    agent: Shared,
}

#[bt_node(StatefulActionNode)]
impl Stay {
    async fn on_start(&mut self) -> NodeResult {
        with(&self_.agent, leaf::first);
        Ok(NodeStatus::Running)
    }

    async fn on_running(&mut self) -> NodeResult {
        with(&self_.agent, leaf::first);
        Ok(NodeStatus::Running)
    }
}

const FLIPS: &str = r#"<root><BehaviorTree ID="main"><ReactiveFallback>
    <ReactiveSequence><Odd/><First/></ReactiveSequence>
    <Second/>
</ReactiveFallback></BehaviorTree></root>"#;

const STAYS: &str = r#"<root><BehaviorTree ID="main"><ReactiveFallback>
    <ReactiveSequence><Odd/><Stay/></ReactiveSequence>
    <Second/>
</ReactiveFallback></BehaviorTree></root>"#;

const FALLS: &str = r#"<root><BehaviorTree ID="main"><ReactiveFallback>
    <ReactiveSequence><Never/><Never/><First/></ReactiveSequence>
    <ReactiveSequence><Never/><First/></ReactiveSequence>
    <Second/>
</ReactiveFallback></BehaviorTree></root>"#;

fn make(xml: &str) -> (SyncTree, Shared) {
    let shared = Shared::new(Mutex::new(Agent::default()));
    let mut factory = Factory::new();
    register_action_node!(factory, "Odd", Odd, shared);
    register_action_node!(factory, "Never", Never, shared);
    register_action_node!(factory, "First", First, shared);
    register_action_node!(factory, "Second", Second, shared);
    register_action_node!(factory, "Stay", Stay, shared);
    let tree = factory.create_sync_tree_from_text(xml.to_owned(), &Blackboard::create());
    (tree.expect("the tree is well-formed"), shared)
}

fn run(xml: &str, ticks: u32, flips: bool) -> u64 {
    let (mut tree, shared) = make(xml);
    ticking(ticks, flips, |agent| {
        with(&shared, |shared| shared.sees = agent.sees);
        tree.tick_exactly_once().expect("no leaf fails");
        agent.done = with(&shared, |shared| shared.done);
    })
}

pub(super) fn peer() -> Peer {
    Peer {
        name: "behaviortree-rs 0.2",
        flips: |ticks| run(FLIPS, ticks, true),
        stays: |ticks| run(STAYS, ticks, false),
        falls: |ticks| run(FALLS, ticks, false),
        agent: || taken(|| make(FALLS)),
        create: |count| creating(count, || make(FALLS)),
    }
}
