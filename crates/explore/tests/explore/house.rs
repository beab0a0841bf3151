//! A robot in a house with a door, whose leaves may do anything: a model for tests and benchmarks.

use bt_core::prelude::*;
use bt_explore::{flip, pick};

#[derive(Clone, Default, Hash, Debug)]
pub(crate) struct Robot {
    pub(crate) battery: u8,
    pub(crate) door_open: bool,
    pub(crate) driving: bool,
    pub(crate) holding: bool,
}

pub(crate) fn any(what: &'static str) -> Status {
    pick(what, &[Status::Running, Status::Success, Status::Failure])
}

pub(crate) fn battery_low(robot: &Robot) -> bool {
    robot.battery == 0
}

pub(crate) fn charge(robot: &mut Robot) -> Status {
    robot.battery = (robot.battery + 1).min(3);
    if robot.battery < 3 { Status::Running } else { Status::Success }
}

pub(crate) fn door_closed(robot: &Robot) -> bool {
    !robot.door_open
}

pub(crate) fn close_door(robot: &mut Robot) -> Status {
    let status = any("close_door");
    robot.door_open &= status != Status::Success;
    status
}

#[derive(Clone)]
pub(crate) struct Drive;

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

pub(crate) fn grasp(robot: &mut Robot) -> Status {
    let status = any("grasp");
    robot.holding |= status == Status::Success;
    status
}

pub(crate) fn release(robot: &mut Robot) -> Status {
    let status = any("release");
    robot.holding &= status != Status::Success;
    status
}

pub(crate) fn look(_: &mut Robot) -> Status {
    any("look")
}

pub(crate) fn go() -> impl Node<Robot> + Save {
    tree! { mem_sequence { selector { door_closed, retry(2) { close_door } } (Drive) } }
}

pub(crate) fn robot() -> impl Node<Robot> + Save {
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

pub(crate) fn start() -> Robot {
    Robot { battery: 3, ..Robot::default() }
}

pub(crate) fn door_moves(robot: &mut Robot) {
    if flip("the door moves") && !robot.driving {
        robot.door_open = !robot.door_open;
    }
}
