//! A robot with the leaves of Nav2's default tree. Its ports name variables, of which this robot has one each: they are fields.

use std::collections::BTreeMap;

use bt_btcpp::{Nav2Nodes, Nodes};
use bt_core::prelude::*;
use bt_core::task::AsyncContext;
use bt_dynamic::Registry;
use bt_ros2::ros2_client::builtin_interfaces::Duration as RosDuration;
use bt_ros2::{ActionClient, Message, Outcome, Ros2Error, RosClock, RosNode, ServiceClient, Topic};
use futures::future::join_all;
use serde_json::{Map, Value};

use crate::messages::{
    BackUp, BackUpFeedback, BehaviorResult, Empty, Follow, FollowFeedback, FollowResult, Path, Pause, PauseFeedback,
    Plan, PlanResult, Point, Pose, Spin, SpinFeedback,
};

pub(crate) struct Robot {
    board: Board,
    clock: RosClock,
    goal: Pose,
    path: Option<Path>,
    plan_error: u16,
    follow_error: u16,
    /// The last feedback of the controller.
    pub(crate) left: Option<f32>,
    goals: Topic<Pose>,
    seen_goals: u64,
    plan: ActionClient<Plan, PlanResult, Empty>,
    follow: ActionClient<Follow, FollowResult, FollowFeedback>,
    spin: ActionClient<Spin, BehaviorResult, SpinFeedback>,
    wait: ActionClient<Pause, BehaviorResult, PauseFeedback>,
    back_up: ActionClient<BackUp, BehaviorResult, BackUpFeedback>,
    costmaps: BTreeMap<&'static str, ServiceClient<Empty, Empty>>,
}

impl Clock for Robot {
    fn now(&self) -> Duration {
        self.clock.now()
    }
}

impl HasBoard for Robot {
    fn board(&self) -> &Board {
        &self.board
    }

    fn board_mut(&mut self) -> &mut Board {
        &mut self.board
    }
}

impl Robot {
    pub(crate) fn new(node: &RosNode, goal: Pose) -> Result<Self, Ros2Error> {
        let costmap = |name: &'static str| {
            let client = node.service(&format!("/{name}/clear_entirely_{name}"), "nav2_msgs/srv/ClearEntireCostmap")?;
            Ok::<_, Ros2Error>((name, client))
        };
        Ok(Self {
            board: Board::new(),
            clock: node.clock(),
            goal,
            path: None,
            plan_error: 0,
            follow_error: 0,
            left: None,
            goals: node.topic("/goal_update", "geometry_msgs/msg/PoseStamped")?,
            seen_goals: 0,
            plan: node.action("/compute_path_to_pose", "nav2_msgs/action/ComputePathToPose")?,
            follow: node.action("/follow_path", "nav2_msgs/action/FollowPath")?,
            spin: node.action("/spin", "nav2_msgs/action/Spin")?,
            wait: node.action("/wait", "nav2_msgs/action/Wait")?,
            back_up: node.action("/backup", "nav2_msgs/action/BackUp")?,
            costmaps: [costmap("global_costmap")?, costmap("local_costmap")?].into(),
        })
    }

    /// Waits until the servers have acknowledged that all goals are canceled.
    pub(crate) async fn cancel(&self) -> Result<(), Ros2Error> {
        self.plan.cancel().await?;
        self.follow.cancel().await?;
        let behaviors = [self.spin.cancel().await, self.wait.cancel().await, self.back_up.cancel().await];
        behaviors.into_iter().collect()
    }
}

/// A change of the robot, with what its leaf returns.
type Change = Box<dyn FnOnce(&mut Robot) -> bool + Send>;

fn compute_path(robot: &mut Robot) -> impl Future<Output = Change> + use<> {
    let (goal, start) = (robot.goal.clone(), Pose::at(0.0, 0.0));
    let plan = robot.plan.send(Plan { goal, start, planner_id: "GridBased".to_owned(), use_start: false });
    async move {
        let (is_success, result) = end(plan.outcome().await);
        Box::new(move |robot: &mut Robot| {
            // 200 is an unknown error.
            robot.plan_error = result.as_ref().map_or(200, |result| result.error_code);
            robot.path = result.map(|result| result.path);
            is_success
        }) as Change
    }
}

#[action]
async fn follow_path(robot: AsyncContext<Robot>) -> bool {
    let goal = robot.with(|robot| {
        let path = robot.path.clone()?;
        let (controller_id, checker) = ("FollowPath".to_owned(), String::new());
        let (goal_checker_id, progress_checker_id) = (checker.clone(), checker);
        Some(robot.follow.send(Follow { path, controller_id, goal_checker_id, progress_checker_id }))
    });
    let Some(mut goal) = goal.await else { return false };
    while let Some(feedback) = goal.feedback().await {
        robot.with(move |robot| robot.left = Some(feedback.distance_to_goal)).await;
    }
    let (is_success, result) = end(goal.await);
    // 100 is an unknown error.
    robot.with(move |robot| robot.follow_error = result.map_or(100, |result| result.error_code)).await;
    is_success
}

/// Returns whether a goal was reached, and its result.
fn end<R>(outcome: Result<Outcome<R>, Ros2Error>) -> (bool, Option<R>) {
    match outcome {
        Ok(outcome) => (outcome.is_success(), outcome.result()),
        Err(error) => {
            eprintln!("{error}");
            (false, None)
        }
    }
}

/// Sends a goal of a behavior.
fn behave<G: Message, F: Message>(
    client: &ActionClient<G, BehaviorResult, F>,
    goal: G,
) -> impl Future<Output = bool> + use<G, F> {
    let goal = client.send(goal);
    async move { end(goal.outcome().await).0 }
}

/// Whether the goal has changed since the last time.
fn goal_updated(robot: &mut Robot) -> bool {
    let count = robot.goals.count();
    if let Some(goal) = robot.goals.latest().filter(|_| count > robot.seen_goals) {
        (robot.goal, robot.seen_goals) = (goal, count);
        return true;
    }
    false
}

/// The ports of a leaf.
type Ports = Map<String, Value>;

/// Returns the nodes of the tree.
pub(crate) fn registry() -> Registry<Robot> {
    let mut registry = Registry::<Robot>::new().with_clock().with_board::<Board>();
    Nodes::new().add_to(&mut registry);
    Nav2Nodes::add_to(&mut registry);
    // This robot has one controller and one planner.
    registry.add_with("ControllerSelector", |_: Ports| |_: &mut Robot| true);
    registry.add_with("PlannerSelector", |_: Ports| |_: &mut Robot| true);
    registry.add_with("GlobalUpdatedGoal", |_: Ports| goal_updated);
    registry.add_with("GoalUpdated", |_: Ports| goal_updated);
    registry.add_with("IsGoalNearby", |_: Ports| |robot: &Robot| robot.left.is_some_and(|left| left < 4.0));
    registry.add_with("ValidatePath", |_: Ports| |robot: &Robot| robot.path.is_some());
    registry.add_with("ComputePathToPose", |_: Ports| compute_path);
    registry.add_with("FollowPath", |_: Ports| follow_path());
    // Unknown, a timeout, and no valid path; unknown, out of patience, no progress, and no valid control.
    registry
        .add_with("WouldAPlannerRecoveryHelp", |_: Ports| |robot: &Robot| matches!(robot.plan_error, 200 | 207 | 208));
    registry.add_with("WouldAControllerRecoveryHelp", |_: Ports| {
        |robot: &Robot| matches!(robot.follow_error, 100 | 104..=106)
    });
    registry.add_with("ClearEntireCostmap", |ports: Ports| {
        let name = ports.get("service_name").and_then(Value::as_str).unwrap_or_default().to_owned();
        move |robot: &mut Robot| {
            let request = Empty { structure_needs_at_least_one_member: 0 };
            let calls = join_all(robot.costmaps.get(name.as_str()).map(|costmap| costmap.call(request)));
            async move { calls.await.iter().all(Result::is_ok) }
        }
    });
    registry.add_with("Spin", |_: Ports| {
        |robot: &mut Robot| behave(&robot.spin, Spin { target_yaw: 1.57, time_allowance: RosDuration::from_secs(10) })
    });
    registry.add_with("btcpp::Wait", |_: Ports| {
        |robot: &mut Robot| behave(&robot.wait, Pause { time: RosDuration::from_secs(5) })
    });
    registry.add_with("BackUp", |_: Ports| {
        |robot: &mut Robot| {
            let target = Point { x: 0.3, y: 0.0, z: 0.0 };
            behave(&robot.back_up, BackUp { target, speed: 0.15, time_allowance: RosDuration::from_secs(10) })
        }
    });
    registry
}
