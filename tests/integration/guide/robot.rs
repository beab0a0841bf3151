use bt_core::board::ParameterError;
use bt_core::prelude::*;

#[derive(Clone, Copy, PartialEq, Debug)]
struct Pose { x: i32 }

#[derive(Default)]
struct Robot {
    board: Board,
    x: i32,
    stop: bool,               // the operator's button
    obstacle: Option<i32>,    // something stands there
    carries: Option<String>,
    log: Vec<String>,
}

impl HasBoard for Robot {
    fn board(&self) -> &Board { &self.board }
    fn board_mut(&mut self) -> &mut Board { &mut self.board }
}

impl OnError<ParameterError> for Robot {
    fn on_error(&mut self, at: NodeId, error: ParameterError) { self.log.push(format!("{at}: {error}")) }
}

fn stop_pressed(robot: &Robot) -> bool { robot.stop }
fn brake(robot: &mut Robot) -> Status { robot.log.push("brake".into()); Status::Running }

/// Finds where an item is.
#[action]
fn locate(robot: &mut Robot, #[input] item: &str, #[output] pose: &mut Option<Pose>) -> bool {
    *pose = match item { "package" => Some(Pose { x: 3 }), "customer" => Some(Pose { x: 1 }), _ => None };
    robot.log.push(format!("locate {item}"));
    pose.is_some()
}

/// Plans a path.
#[action]
fn plan(robot: &mut Robot, #[input] goal: Pose, #[output] path: &mut Option<Vec<Pose>>) {
    let steps: Vec<_> = if goal.x > robot.x { (robot.x + 1..=goal.x).collect() } else { (goal.x..robot.x).rev().collect() };
    *path = Some(steps.into_iter().map(|x| Pose { x }).collect());
}

/// Drives one step per tick. Fails at an obstacle.
#[action]
fn follow(robot: &mut Robot, #[input] path: &[Pose], #[open] done: &mut usize) -> Status {
    let Some(next) = path.get(*done) else { return Status::Success };
    if robot.obstacle == Some(next.x) {
        return Status::Failure;
    }
    (robot.x, *done) = (next.x, *done + 1);
    robot.log.push(format!("at {}", robot.x));
    if *done == path.len() { Status::Success } else { Status::Running }
}

/// Removes the obstacle.
fn honk(robot: &mut Robot) { robot.obstacle = None; robot.log.push("honk".into()) }

#[action]
fn grasp(robot: &mut Robot, #[input] item: &str) { robot.carries = Some(item.into()); robot.log.push(format!("grasp {item}")) }
fn release(robot: &mut Robot) -> bool { robot.log.push("release".into()); robot.carries.take().is_some() }

/// Runs a delivery, in which the operator stops the robot for two ticks, and returns the log.
fn run<N: Node<Robot>>(tree: &N) -> String {
    let (mut robot, mut memory) = (Robot { obstacle: Some(2), ..Robot::default() }, tree.memory());
    for tick in 0.. {
        robot.stop = (2..4).contains(&tick);
        if tree.tick(&mut robot, &mut memory) == Status::Success { break }
    }
    robot.log.join(", ")
}
