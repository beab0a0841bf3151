//! A robot: its state, and its tree.

use bt_core::prelude::*;
use serde::{Deserialize, Serialize};

/// The distance that a robot drives in a tick, in meters, and what that takes of its battery, in percent.
const STEP: f32 = 0.5;
const USE: f32 = 0.05;

/// The context of the tree. All of it moves with the robot.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Robot {
    number: u64,
    pub(crate) now: Duration,
    /// The number of the tick, and the epoch in which the robot was ticked: an epoch is at one machine.
    pub(crate) tick: u64,
    pub(crate) epoch: String,
    /// The distance from the dock, in meters.
    position: f32,
    /// In percent.
    battery: f32,
    is_loaded: bool,
    pub(crate) delivered: u64,
}

impl Clock for Robot {
    fn now(&self) -> Duration {
        self.now
    }
}

impl Robot {
    pub(crate) fn new(number: usize) -> Self {
        Self { number: number as u64, battery: 100.0, ..Self::default() }
    }

    /// Drives towards a position.
    fn drive(&mut self, to: f32) -> Status {
        let distance = to - self.position;
        if distance.abs() < STEP {
            self.position = to;
            return Status::Success;
        }
        self.position += STEP.copysign(distance);
        self.battery -= USE;
        Status::Running
    }

    /// Where the next order is.
    #[expect(clippy::cast_precision_loss, reason = "it is less than 40")]
    fn shelf(&self) -> f32 {
        ((self.number * 11 + self.delivered * 7) % 31 + 5) as f32
    }
}

fn is_low(robot: &Robot) -> bool {
    robot.battery < 30.0
}

fn is_loaded(robot: &Robot) -> bool {
    robot.is_loaded
}

fn to_dock(robot: &mut Robot) -> Status {
    robot.drive(0.0)
}

fn to_shelf(robot: &mut Robot) -> Status {
    robot.drive(robot.shelf())
}

fn charge(robot: &mut Robot) -> Status {
    robot.battery = (robot.battery + 2.0).min(100.0);
    if robot.battery < 100.0 { Status::Running } else { Status::Success }
}

fn load(robot: &mut Robot) {
    robot.is_loaded = true;
}

fn unload(robot: &mut Robot) {
    robot.is_loaded = false;
    robot.delivered += 1;
}

/// The tree of all robots.
pub(crate) fn robot() -> impl Node<Robot> + Save {
    tree! {
        selector {
            mem_sequence { is_low, to_dock, charge }
            mem_sequence { is_loaded, to_dock, wait(millis(500)) "turn", unload }
            mem_sequence { to_shelf, wait(secs(1)) "search", load }
        }
    }
}
