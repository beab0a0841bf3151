//! Clones, saves, panics and loaded trees.

use std::sync::Arc;

use bt_core::Status::{Running, Success};
use bt_core::prelude::*;
use bt_core::task::AsyncContext;
use bt_core::{Wake, protocol::WakeVisit};
use bt_dynamic::Registry;

use super::{Robot, fetch, go, is_hit};

#[test]
fn a_clone_and_a_loaded_memory_start_the_future_again() {
    let tree = tree! { mem_sequence { |robot: &mut Robot| robot.stock += 1, go("dock") } };
    let (mut robot, mut memory) = (Robot::default(), tree.memory());
    assert_eq!(tree.tick(&mut robot, &mut memory), Running);
    let mut copy = memory.clone();
    let waker = || std::task::Waker::noop().clone();
    let mut due = |memory| tree.due_with(Running, memory, &mut WakeVisit::with_waker(&mut robot, &waker));
    assert_eq!((due(&memory), due(&copy)), (Wake::Event, Wake::Next));
    let saved = serde_json::to_string(&tree.saved(&memory)).unwrap();
    assert_eq!(tree.tick(&mut robot, &mut copy), Running);
    let mut loaded = tree.memory();
    tree.load(&mut loaded, &mut serde_json::Deserializer::from_str(&saved)).unwrap();
    assert_eq!(tree.tick(&mut robot, &mut loaded), Running);
    assert_eq!((robot.drives.len(), robot.stock), (3, 1));
    robot.drives[0].send(true);
    assert_eq!(tree.tick(&mut robot, &mut copy), Running);
    assert_eq!(tree.tick(&mut robot, &mut memory), Success);
    // Binary saves as well.
    let bytes = postcard::to_allocvec(&tree.saved(&copy)).unwrap();
    let mut loaded = tree.memory();
    tree.load(&mut loaded, &mut postcard::Deserializer::from_bytes(&bytes)).unwrap();
    assert_eq!(tree.tick(&mut robot, &mut loaded), Running);
    assert_eq!(robot.drives.len(), 4);
}

#[test]
fn a_future_that_panics_is_dropped_and_the_action_starts_again() {
    #[action]
    async fn break_down(robot: AsyncContext<Robot>) {
        assert!(!robot.with(|robot| robot.hit).await, "hit");
    }
    let tree = tree! { for Robot: selector { fail, break_down } };
    let (mut robot, mut memory) = (Robot { hit: true, ..Robot::default() }, tree.memory());
    let panics = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| tree.tick(&mut robot, &mut memory)));
    assert!(panics.is_err() && !memory.is_running());
    robot.hit = false;
    assert_eq!(tree.tick(&mut robot, &mut memory), Success);
}

#[test]
fn loaded_trees_have_asynchronous_leaves() {
    let mut registry = Registry::<Robot>::new().with_clock();
    registry
        .add_with("Go", |_: Nothing| go("dock"))
        .add::<is_hit>("IsHit")
        .add_leaf("Fetch", || fetch("shelf".to_owned()));
    let tree = registry
        .load(
            r#"{ "root": "1", "nodes": {
                "1": { "name": "Priority", "children": ["2", "3"] },
                "2": { "name": "Sequence", "children": ["4", "5"] },
                "3": { "name": "MemSequence", "children": ["6", "7"] },
                "4": { "name": "IsHit" },
                "5": { "name": "Runner" },
                "6": { "name": "Go" },
                "7": { "name": "Fetch" }
            } }"#,
        )
        .unwrap();
    let tree = Arc::new(tree);
    let (mut robot, mut brain) = (Robot::default(), Brain::new(&tree));
    assert_eq!((brain.tick_due(secs(0), &mut robot), brain.due()), (Some(Running), Wake::Event));
    assert_eq!(brain.tick_due(secs(0), &mut robot), None);
    robot.drives[0].send(true);
    assert_eq!(brain.tick_due(secs(0), &mut robot), Some(Running));
    assert_eq!(robot.log, ["drive to dock", "drive to shelf"]);
    let mut copy = brain.clone();
    assert_eq!(copy.tick_due(secs(0), &mut robot), Some(Running));
    assert_eq!(robot.log[2..], ["drive to shelf"]);
    robot.hit = true;
    brain.wake();
    assert_eq!(brain.tick_due(secs(0), &mut robot), Some(Running));
    assert!(!robot.drives[1].is_waited_for() && robot.drives[2].is_waited_for());
}

#[derive(serde::Serialize, serde::Deserialize)]
struct Nothing {}
