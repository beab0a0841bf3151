use bt_core::prelude::*;
use bt_explore::{explore, flip, pick};

#[derive(Clone, Hash, Debug)]
struct Robot { battery: u8, holds_cup: bool, dropped: bool }

fn battery_low(robot: &Robot) -> bool { robot.battery == 0 }

fn charge(robot: &mut Robot) -> Status {
    if flip("charged") { robot.battery = 2; Status::Success } else { Status::Running }
}

fn fetch(robot: &mut Robot) -> Status {
    robot.dropped = robot.holds_cup;                         // it opens the gripper first
    robot.holds_cup = flip("grasps the cup");
    if robot.holds_cup { Status::Success } else { Status::Failure }
}

fn drive(robot: &mut Robot) -> Status {
    robot.battery = robot.battery.saturating_sub(1);
    pick("drive", &[Status::Running, Status::Success])
}

fn put_down(robot: &mut Robot) { robot.holds_cup = false }

fn robot() -> Robot { Robot { battery: 2, holds_cup: false, dropped: false } }
