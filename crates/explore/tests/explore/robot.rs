//! A robot of 38 nodes whose leaves may do anything.

use bt_core::prelude::*;
use bt_dynamic::Registry;
use bt_explore::explore;

use crate::house::{
    Drive, Robot, battery_low, charge, close_door, door_closed, door_moves, grasp, look, release, robot, start,
};

#[test]
fn both_engines_have_the_same_states() {
    assert_eq!(robot().count(), 38);
    let fixed = explore(robot(), start()).environment(door_moves).run();
    assert!(fixed.is_complete());
    let file = bt_dynamic::to_behavior3(&robot().description(), "robot");
    let mut registry = Registry::<Robot>::new();
    registry.add_leaf("battery_low", battery_low).add_leaf("charge", charge).add_leaf("door_closed", door_closed);
    registry.add_leaf("close_door", close_door).add_leaf("grasp", grasp).add_leaf("release", release);
    registry.add_leaf("look", look).add_leaf("Drive", Drive);
    let loaded = registry.load_from(&file, None).expect("the file has the leaves of the tree");
    let loaded = explore(loaded, start()).environment(door_moves).run();
    assert_eq!((loaded.states(), loaded.transitions()), (fixed.states(), fixed.transitions()));
    assert_eq!(loaded.depth(), fixed.depth());
}

#[test]
fn a_shortest_run_to_a_delivery_is_found() {
    let exploration = explore(robot(), start())
        .environment(door_moves)
        .never("drives with the door open", |tick| tick.ctx.driving && tick.ctx.door_open)
        .sometimes("delivers", |tick| tick.status == Status::Success && tick.returned("parallel", Status::Success))
        .always_possible("can deliver", |tick| tick.returned("parallel", Status::Success))
        .check();
    let delivered = exploration.verdict("delivers").and_then(|verdict| verdict.run()).expect("it delivers");
    assert_eq!(delivered.ticks.len(), 1, "{delivered}");
}
