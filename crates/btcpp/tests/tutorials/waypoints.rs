//! Tutorial 18: a queue of waypoints.

use std::collections::VecDeque;

use bt_core::decorator::{AfterChild, Decorator, Gate};
use bt_core::prelude::*;
use serde::Deserialize;

use crate::robot::{Pose2D, Robot, load, registry, tick_while_running};

type Waypoints = VecDeque<Pose2D>;

#[action]
fn generate_waypoints(_: &mut Robot, #[output] waypoints: &mut Option<Waypoints>) {
    *waypoints = Some((0..5).map(|number| Pose2D { x: f64::from(number), y: f64::from(number), theta: 0.0 }).collect());
}

#[action]
fn print_number(robot: &mut Robot, #[input] value: f64) {
    robot.print(format!("PrintNumber: {value}"));
}

/// Takes 100 ms.
#[action]
fn use_waypoint(
    robot: &mut Robot,
    #[input] waypoint: Pose2D,
    #[open(robot.now + millis(100))] end: &mut Duration,
) -> Status {
    if robot.now < *end {
        return Status::Running;
    }
    robot.print(format!("Using waypoint: {}/{}", waypoint.x, waypoint.y));
    Status::Success
}

/// `LoopNode<Pose2D>`: runs its child for each waypoint. The properties are names of variables, in braces.
#[derive(Deserialize)]
struct LoopPose {
    queue: String,
    value: String,
}

fn key<T: Clone + std::fmt::Debug + Send + Sync + 'static>(board: &mut Board, port: &str) -> Option<Key<T>> {
    board.key(port.trim_matches(['{', '}'])).ok()
}

impl LoopPose {
    /// Takes the next waypoint from the queue.
    fn next(&self, board: &mut Board) -> Option<Gate<()>> {
        let (queue, value) = (key::<Waypoints>(board, &self.queue)?, key::<Pose2D>(board, &self.value)?);
        let Some(next) = board.get_mut(&queue)?.pop_front() else { return Some(Gate::End(Outcome::Success)) };
        board.set(&value, next);
        Some(Gate::Go)
    }
}

#[decorator]
impl Decorator<Robot> for LoopPose {
    type Open = bool;
    type Pause = ();

    fn open(&self, _: &mut bool, (): &mut (), robot: &mut Robot) -> Gate<()> {
        self.next(&mut robot.board).unwrap_or(Gate::End(Outcome::Error))
    }

    fn resume(&self, is_running: &mut bool, (): &mut (), robot: &mut Robot) -> Gate<()> {
        if *is_running { Gate::Go } else { self.next(&mut robot.board).unwrap_or(Gate::End(Outcome::Error)) }
    }

    fn running(&self, is_running: &mut bool, (): &mut (), _: &mut Robot) -> Option<Outcome> {
        *is_running = true;
        None
    }

    fn end(&self, outcome: Outcome, is_running: &mut bool, (): &mut (), _: &mut Robot) -> AfterChild<()> {
        *is_running = false;
        if outcome == Outcome::Success { AfterChild::Later(()) } else { AfterChild::End(outcome) }
    }
}

#[test]
fn waypoints() {
    let mut registry = registry();
    registry.add::<generate_waypoints>("GenerateWaypoints").add::<print_number>("PrintNumber");
    registry.add::<use_waypoint>("UseWaypoint").add_decorator("LoopPose", |pose: LoopPose| pose);
    let tree = load(
        &registry,
        r#"<root BTCPP_format="4">
            <BehaviorTree ID="TreeA">
                <Sequence>
                    <LoopDouble queue="1;2;3" value="{number}">
                        <PrintNumber value="{number}"/>
                    </LoopDouble>
                    <GenerateWaypoints waypoints="{waypoints}"/>
                    <LoopPose queue="{waypoints}" value="{wp}">
                        <UseWaypoint waypoint="{wp}"/>
                    </LoopPose>
                </Sequence>
            </BehaviorTree>
        </root>"#,
    );
    let mut robot = Robot::default();
    assert_eq!(tick_while_running(&tree, &mut robot), Status::Success);
    assert_eq!(
        robot.printed,
        [
            "PrintNumber: 1",
            "PrintNumber: 2",
            "PrintNumber: 3",
            "Using waypoint: 0/0",
            "Using waypoint: 1/1",
            "Using waypoint: 2/2",
            "Using waypoint: 3/3",
            "Using waypoint: 4/4"
        ]
    );
    assert!(robot.now >= millis(500));
}

/// Waypoints that are written as text are items of a `LoopString`, which are converted to the type of the leaf.
#[test]
fn waypoints_in_the_file() {
    let mut registry = registry();
    registry.add::<use_waypoint>("UseWaypoint");
    let tree = load(
        &registry,
        r#"<root BTCPP_format="4">
            <BehaviorTree ID="TreeA">
                <LoopString queue='{"x":1,"y":2,"theta":0};{"x":3,"y":4,"theta":0}' value="{wp}">
                    <UseWaypoint waypoint="{wp}"/>
                </LoopString>
            </BehaviorTree>
        </root>"#,
    );
    let mut robot = Robot::default();
    assert_eq!(tick_while_running(&tree, &mut robot), Status::Success);
    assert_eq!(robot.printed, ["Using waypoint: 1/2", "Using waypoint: 3/4"]);
}
