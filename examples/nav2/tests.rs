//! Tests of the example.

use bt_core::prelude::*;

use crate::robot::{Costmap, Robot};
use crate::{drive, navigate};

#[test]
fn a_robot_with_a_free_way_drives_there() {
    let (robot, lines) = drive(Robot::new(2.0), 1000);
    assert!((robot.position - 2.0).abs() < 0.1);
    assert_eq!(lines.len(), 2, "{lines:?}");
}

#[test]
fn a_stale_costmap_is_cleared() {
    let robot = Robot { stale: vec![Costmap::Global, Costmap::Local], ..Robot::new(1.0) };
    let (robot, lines) = drive(robot, 1000);
    assert!(robot.stale.is_empty() && lines.last().is_some_and(|line| line.ends_with("Success")), "{lines:?}");
}

#[test]
fn the_recoveries_take_turns_while_a_person_is_in_the_way() {
    let robot = Robot { person: Some((1.5, secs(9))), ..Robot::new(3.0) };
    let (robot, lines) = drive(robot, 1000);
    let order = ["spins", "waits", "backs up"].map(|word| lines.iter().position(|line| line.ends_with(word)));
    assert!(order[0].is_some() && order[0] < order[1], "{lines:?}");
    assert!((robot.position - 3.0).abs() < 0.1 && lines.last().is_some_and(|line| line.ends_with("Success")));
}

#[test]
fn a_way_that_stays_blocked_is_given_up_after_six_recoveries() {
    let robot = Robot { person: Some((1.5, secs(10_000))), ..Robot::new(3.0) };
    let (_, lines) = drive(robot, 10_000);
    assert!(lines.last().is_some_and(|line| line.ends_with("Failure")), "{lines:?}");
}

#[test]
fn a_new_goal_is_followed_at_once() {
    let tree = navigate();
    let (mut robot, mut memory) = (Robot::new(3.0), tree.memory());
    for _ in 0..200 {
        if robot.now == secs(2) {
            robot.goal = -1.0;
        }
        if tree.tick(&mut robot, &mut memory) == Status::Success {
            break;
        }
        robot.now += crate::TICK;
    }
    assert!((robot.position + 1.0).abs() < 0.1, "{}", robot.position);
}
