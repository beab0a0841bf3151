//! A robot on a line, its costmaps and its leaves.

use bt_core::prelude::*;

/// The duration of a tick.
pub(crate) const TICK: Duration = millis(100);

/// Two costmaps: what the planner and the controller take for free.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Costmap {
    Global,
    Local,
}

/// A robot: the context of the tree.
#[derive(Clone, Debug)]
pub(crate) struct Robot {
    pub(crate) position: f32,
    pub(crate) goal: f32,
    /// The goal of the current path.
    pub(crate) path: Option<f32>,
    /// The costmaps that show obstacles which are not there.
    pub(crate) stale: Vec<Costmap>,
    /// The position of a person in the way, until they leave.
    pub(crate) person: Option<(f32, Duration)>,
    pub(crate) activity: &'static str,
    pub(crate) now: Duration,
}

impl Clock for Robot {
    fn now(&self) -> Duration {
        self.now
    }
}

impl Robot {
    /// Creates a robot at 0 with a goal.
    pub(crate) const fn new(goal: f32) -> Self {
        Self { position: 0.0, goal, path: None, stale: Vec::new(), person: None, activity: "", now: Duration::ZERO }
    }

    /// Moves by a distance per tick. Returns `false` if a person is in the way.
    fn step(&mut self, distance: f32) -> bool {
        let next = self.position + distance;
        let is_blocked = self.person.is_some_and(|(place, until)| {
            self.now < until && (place - next).abs() < 0.5 && (place - next).abs() < (place - self.position).abs()
        });
        if !is_blocked {
            self.position = next;
        }
        !is_blocked
    }
}

#[condition]
pub(crate) fn goal_updated(robot: &Robot) -> bool {
    robot.path.is_some_and(|goal| goal.total_cmp(&robot.goal).is_ne())
}

#[action]
pub(crate) fn compute_path(robot: &mut Robot) -> bool {
    let is_free = !robot.stale.contains(&Costmap::Global);
    robot.path = is_free.then_some(robot.goal);
    is_free
}

#[action]
pub(crate) fn follow_path(robot: &mut Robot) -> Status {
    robot.activity = "follows the path";
    let Some(goal) = robot.path.filter(|_| !robot.stale.contains(&Costmap::Local)) else { return Status::Failure };
    let left = goal - robot.position;
    if left.abs() < 0.05 {
        return Status::Success;
    }
    if robot.step(left.clamp(-0.05, 0.05)) { Status::Running } else { Status::Failure }
}

#[action]
pub(crate) fn clear(robot: &mut Robot, costmap: Costmap) {
    robot.activity = "clears costmaps";
    robot.stale.retain(|stale| *stale != costmap);
}

/// Turns by an angle, at 1 radian per second.
#[action]
pub(crate) fn spin(robot: &mut Robot, #[open(0.0)] turned: &mut f32, angle: f32) -> Status {
    robot.activity = "spins";
    *turned += TICK.as_secs_f32();
    if *turned < angle { Status::Running } else { Status::Success }
}

#[action]
pub(crate) fn stand(robot: &mut Robot) {
    robot.activity = "waits";
}

/// Drives backwards, at 0.5 m per second.
#[action]
pub(crate) fn back_up(robot: &mut Robot, #[open(0.0)] driven: &mut f32, distance: f32) -> Status {
    robot.activity = "backs up";
    *driven += 0.05;
    match (robot.step(-0.05), *driven < distance) {
        (false, _) => Status::Failure,
        (true, true) => Status::Running,
        (true, false) => Status::Success,
    }
}
