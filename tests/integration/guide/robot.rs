use bt_core::prelude::*;

#[derive(Default)]
struct Robot {
    board: Board,
    at: i32,
    stop: bool,               // the operator's button
    obstacle: Option<i32>,    // something is there
    log: Vec<String>,
}

impl HasBoard for Robot {
    fn board(&self) -> &Board { &self.board }
    fn board_mut(&mut self) -> &mut Board { &mut self.board }
}

fn stop_pressed(robot: &Robot) -> bool { robot.stop }
fn brake(robot: &mut Robot) -> Status { robot.log.push("brake".into()); Status::Running }

/// Finds where an item is.
#[action]
fn locate(robot: &mut Robot, #[input] item: &str, #[output] place: &mut Option<i32>) -> bool {
    robot.log.push(format!("locate {item}"));
    *place = match item { "package" => Some(3), "customer" => Some(1), _ => None };
    place.is_some()
}

/// Drives one step per tick. Fails at an obstacle.
#[action]
fn drive(robot: &mut Robot, #[input] goal: i32) -> Status {
    let next = robot.at + (goal - robot.at).signum();
    if robot.obstacle == Some(next) { return Status::Failure }
    robot.at = next;
    robot.log.push(format!("at {next}"));
    if next == goal { Status::Success } else { Status::Running }
}

/// Removes the obstacle.
fn honk(robot: &mut Robot) { robot.obstacle = None; robot.log.push("honk".into()) }

fn grasp(robot: &mut Robot) { robot.log.push("grasp".into()) }
fn release(robot: &mut Robot) { robot.log.push("release".into()) }
