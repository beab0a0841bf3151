//! behaviortree: BehaviorTree.CPP in Rust, with XML and async ticks. Functions have no context, so those of an agent share it behind a mutex.

use behaviortree::prelude::{BehaviorKind, BehaviorResult, BehaviorState, BehaviorTree, BehaviorTreeFactory};
use behaviortree::{Arc, Mutex};
use futures::executor::block_on;

use super::{Peer, creating, leaf, taken, ticking};
use crate::agent::Agent;

type Shared = Arc<Mutex<Agent>>;

const FLIPS: &str = r#"<root BTCPP_format="4"><BehaviorTree ID="main"><ReactiveFallback>
    <ReactiveSequence><Odd/><First/></ReactiveSequence>
    <Second/>
</ReactiveFallback></BehaviorTree></root>"#;

const STAYS: &str = r#"<root BTCPP_format="4"><BehaviorTree ID="main"><ReactiveFallback>
    <ReactiveSequence><Odd/><Stay/></ReactiveSequence>
    <Second/>
</ReactiveFallback></BehaviorTree></root>"#;

const FALLS: &str = r#"<root BTCPP_format="4"><BehaviorTree ID="main"><ReactiveFallback>
    <ReactiveSequence><Never/><Never/><First/></ReactiveSequence>
    <ReactiveSequence><Never/><First/></ReactiveSequence>
    <Second/>
</ReactiveFallback></BehaviorTree></root>"#;

fn answer(success: bool) -> BehaviorState {
    if success { BehaviorState::Success } else { BehaviorState::Failure }
}

fn make(xml: &str) -> (BehaviorTree, Shared) {
    let shared = Shared::new(Mutex::new(Agent::default()));
    let mut factory = BehaviorTreeFactory::new().expect("the built-in nodes have different names");
    let mut register = |name, kind, tick: fn(&mut Agent) -> BehaviorState| {
        let shared = Shared::clone(&shared);
        let tick = move || -> BehaviorResult { Ok(tick(&mut shared.lock())) };
        factory.register_simple_function(name, Arc::new(Box::new(tick)), kind).expect("the name is new");
    };
    register("Odd", BehaviorKind::Condition, |agent| answer(leaf::odd(agent)));
    register("Never", BehaviorKind::Condition, |agent| answer(leaf::never(agent)));
    register("First", BehaviorKind::Action, |agent| {
        leaf::first(agent);
        BehaviorState::Success
    });
    register("Second", BehaviorKind::Action, |agent| {
        leaf::second(agent);
        BehaviorState::Success
    });
    register("Stay", BehaviorKind::Action, |agent| {
        leaf::first(agent);
        BehaviorState::Running
    });
    (factory.create_from_text(xml).expect("the tree is well-formed"), shared)
}

fn run(xml: &str, ticks: u32, flips: bool) -> u64 {
    let (mut tree, shared) = make(xml);
    ticking(ticks, flips, |agent| {
        shared.lock().sees = agent.sees;
        block_on(tree.tick_exactly_once()).expect("no leaf fails");
        agent.done = shared.lock().done;
    })
}

pub(super) fn peer() -> Peer {
    Peer {
        name: "behaviortree 0.8",
        flips: |ticks| run(FLIPS, ticks, true),
        stays: |ticks| run(STAYS, ticks, false),
        falls: |ticks| run(FALLS, ticks, false),
        agent: || taken(|| make(FALLS)),
        create: |count| creating(count, || make(FALLS)),
    }
}
