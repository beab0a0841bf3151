//! A robot without an operating system.
#![no_std]
#![forbid(unsafe_code)]

use bt_core::prelude::*;

#[panic_handler]
fn halt(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

pub struct Robot {
    millis: u64,
    bumped: bool,
    speed: i8,
}

impl Clock for Robot {
    fn now(&self) -> Duration {
        millis(self.millis)
    }
}

fn bumped(robot: &Robot) -> bool {
    robot.bumped
}

#[action]
fn drive(robot: &mut Robot, speed: i8) {
    robot.speed = speed;
}

#[subtree]
fn wander() -> impl Node<Robot> {
    tree! { selector { mem_sequence { bumped, drive(-1), wait(secs(1)) } timeout(secs(30)) { repeat { drive(1) } } } }
}

/// Ticks a robot that starts afresh, so that all of a tree is compiled.
pub fn tick_once(now: u64, bumped: bool) -> i8 {
    let tree = wander();
    let mut memory = tree.memory();
    let mut robot = Robot { millis: now, bumped, speed: 0 };
    tree.tick(&mut robot, &mut memory);
    tree.halt(&mut robot, &mut memory);
    robot.speed
}
