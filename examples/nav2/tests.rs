//! Tests of the example.

use bt_core::prelude::*;
use bt_core::testing::TreeTest;

use crate::robot::{Costmap, Robot, TICK};
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
    let mut test = test(Robot::new(3.0));
    test.tick_until(21, |test| test.ctx.now > secs(2));
    test.ctx.goal = -1.0;
    assert_eq!(test.tick_to_end(200), Status::Success);
    assert!((test.ctx.position + 1.0).abs() < 0.1, "{}", test.ctx.position);
}

#[test]
fn each_failure_of_the_planner_is_followed_by_the_next_action() {
    let mut test = test(Robot::new(3.0));
    test.replace("compute_path", Status::Failure).replace("goal_updated", Status::Failure);
    test.replace("spin", [Status::Running, Status::Success]).replace("wait/wait", Status::Success);
    test.replace("back_up", Status::Success);
    assert_eq!(test.tick_to_end(100), Status::Failure);
    let actions: Vec<_> = test
        .log()
        .into_iter()
        .filter_map(|line| line.strip_suffix(": success").map(|line| line.split('(').next().unwrap_or(line).to_owned()))
        .collect();
    // The planner clears its costmap once per attempt. Then the next action is tried.
    let rounds = [&["clear", "clear"][..], &["spin"], &["stand", "wait"], &["back_up"], &["clear", "clear"], &["spin"]];
    let expected: Vec<_> = rounds.iter().flat_map(|round| [&["clear"][..], round].concat()).chain(["clear"]).collect();
    assert_eq!(actions, expected);
}

/// The tree with a robot, ten ticks per second.
fn test(robot: Robot) -> TreeTest<impl Node<Robot>, Robot> {
    TreeTest::new(navigate(), robot).before_each_tick(|robot| robot.now += TICK)
}
