//! A robot of 38 nodes whose leaves may do anything.

use bt_core::prelude::*;
use bt_dynamic::Registry;
use bt_explore::{explore, flip, pick};

#[derive(Clone, Default, Hash, Debug)]
struct Robot {
    battery: u8,
    door_open: bool,
    driving: bool,
    holding: bool,
}

fn any(what: &'static str) -> Status {
    pick(what, &[Status::Running, Status::Success, Status::Failure])
}

fn battery_low(robot: &Robot) -> bool {
    robot.battery == 0
}

fn charge(robot: &mut Robot) -> Status {
    robot.battery = (robot.battery + 1).min(3);
    if robot.battery < 3 { Status::Running } else { Status::Success }
}

fn door_closed(robot: &Robot) -> bool {
    !robot.door_open
}

fn close_door(robot: &mut Robot) -> Status {
    let status = any("close_door");
    robot.door_open &= status != Status::Success;
    status
}

#[derive(Clone)]
struct Drive;

#[leaf]
impl Leaf<Robot> for Drive {
    fn open(&self, robot: &mut Robot) {
        robot.driving = true;
    }

    fn tick(&self, (): &mut (), robot: &mut Robot) -> Status {
        robot.battery = robot.battery.saturating_sub(1);
        any("Drive")
    }

    fn close(&self, (): &mut (), robot: &mut Robot, _: End) {
        robot.driving = false;
    }
}

fn grasp(robot: &mut Robot) -> Status {
    let status = any("grasp");
    robot.holding |= status == Status::Success;
    status
}

fn release(robot: &mut Robot) -> Status {
    let status = any("release");
    robot.holding &= status != Status::Success;
    status
}

fn look(_: &mut Robot) -> Status {
    any("look")
}

fn go() -> impl Node<Robot> + Save {
    tree! { mem_sequence { selector { door_closed, retry(2) { close_door } } (Drive) } }
}

fn robot() -> impl Node<Robot> + Save {
    tree! {
        selector {
            sequence { battery_low, charge }
            mem_sequence {
                go(),
                mem_selector { look, mem_sequence { go(), look } }
                retry(3) { mem_sequence { look, grasp } }
                go(),
                release,
                parallel(success = all, failure = one) { look, mem_sequence { look, look, look } }
            }
        }
    }
}

fn start() -> Robot {
    Robot { battery: 3, ..Robot::default() }
}

fn door_moves(robot: &mut Robot) {
    if flip("the door moves") && !robot.driving {
        robot.door_open = !robot.door_open;
    }
}

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
