//! The default tree of Nav2 with composites of its own: a robot drives to a goal, plans again every second, and recovers from failures.
//!
//! `cargo run --example nav2` prints the tree and what the robot does.

mod composites;
mod rate;
mod robot;
#[cfg(test)]
mod tests;

use bt_core::prelude::*;

use composites::{pipeline_sequence, recovery, round_robin};
use rate::rate;
use robot::{Costmap, Robot, TICK, back_up, clear, compute_path, follow_path, goal_updated, spin, stand};

/// `navigate_to_pose_w_replanning_and_recovery.xml` of Nav2.
#[subtree]
fn navigate() -> impl Node<Robot> {
    tree! {
        recovery(6) "navigate" {
            pipeline_sequence "with replanning" {
                rate(secs(1)) { recovery(1) "plan" { compute_path, clear(Costmap::Global) } }
                recovery(1) "follow" { follow_path, clear(Costmap::Local) }
            }
            selector "recover" {
                goal_updated,
                round_robin "actions" {
                    mem_sequence "clear" { clear(Costmap::Local), clear(Costmap::Global) }
                    spin(1.57),
                    mem_sequence "wait" { stand, wait(secs(5)) }
                    back_up(0.3),
                }
            }
        }
    }
}

/// Drives a robot to its goal. Returns a line per change.
fn drive(mut robot: Robot, most: u32) -> (Robot, Vec<String>) {
    let tree = navigate();
    let mut memory = tree.memory();
    let mut lines = Vec::new();
    let mut before = "";
    for _ in 0..most {
        let status = tree.tick(&mut robot, &mut memory);
        let now = robot.now.as_secs_f32();
        if std::mem::replace(&mut before, robot.activity) != robot.activity {
            lines.push(format!("{now:5.1} s at {:.2} m: {}", robot.position, robot.activity));
        }
        if status != Status::Running {
            lines.push(format!("{now:5.1} s at {:.2} m: {status:?}", robot.position));
            break;
        }
        robot.now += TICK;
    }
    (robot, lines)
}

fn main() {
    println!("{}", navigate().description());
    // Obstacles that are not there, and a person who stands in the way for 9 seconds.
    let robot = Robot { stale: vec![Costmap::Global, Costmap::Local], person: Some((1.5, secs(9))), ..Robot::new(3.0) };
    for line in drive(robot, 1000).1 {
        println!("{line}");
    }
}
