//! The messages of Nav2's actions, as in ROS 2 Jazzy. A definition without fields has one.

use bt_ros2::ros2_client::builtin_interfaces::{Duration, Time};
use serde::{Deserialize, Serialize};

/// Messages of the server, for which ros2-client has a trait.
macro_rules! messages {
    ($($(#[$doc:meta])* struct $name:ident { $($field:ident: $type:ty),* $(,)? })*) => { $(
        $(#[$doc])*
        #[derive(Clone, Debug, Serialize, Deserialize)]
        pub(crate) struct $name { $(pub(crate) $field: $type),* }

        impl bt_ros2::ros2_client::Message for $name {}
    )* };
}

messages! {
    /// `std_msgs/msg/Header`
    struct Header { stamp: Time, frame_id: String }
    /// `geometry_msgs/msg/Point`
    struct Point { x: f64, y: f64, z: f64 }
    /// `geometry_msgs/msg/PoseStamped`
    struct Pose { header: Header, position: Point, orientation: [f64; 4] }
    /// `nav_msgs/msg/Path`
    struct Path { header: Header, poses: Vec<Pose> }
    /// `std_msgs/msg/Empty`, and other definitions without fields.
    struct Empty { structure_needs_at_least_one_member: u8 }

    /// The goal of `nav2_msgs/action/ComputePathToPose`.
    struct Plan { goal: Pose, start: Pose, planner_id: String, use_start: bool }
    struct PlanResult { path: Path, planning_time: Duration, error_code: u16, error_msg: String }

    /// The goal of `nav2_msgs/action/FollowPath`.
    struct Follow { path: Path, controller_id: String, goal_checker_id: String, progress_checker_id: String }
    struct FollowResult { result: Empty, error_code: u16, error_msg: String }
    struct FollowFeedback { distance_to_goal: f32, speed: f32 }

    /// The goal of `nav2_msgs/action/Spin`.
    struct Spin { target_yaw: f32, time_allowance: Duration }
    struct SpinFeedback { angular_distance_traveled: f32 }

    /// The goal of `nav2_msgs/action/Wait`.
    struct Pause { time: Duration }
    struct PauseFeedback { time_left: Duration }

    /// The goal of `nav2_msgs/action/BackUp`.
    struct BackUp { target: Point, speed: f32, time_allowance: Duration }
    struct BackUpFeedback { distance_traveled: f32 }

    /// The result of the last three.
    struct BehaviorResult { total_elapsed_time: Duration, error_code: u16, error_msg: String }
}

impl Header {
    pub(crate) fn map() -> Self {
        Self { stamp: Time::ZERO, frame_id: "map".to_owned() }
    }
}

impl Pose {
    pub(crate) fn at(x: f64, y: f64) -> Self {
        Self { header: Header::map(), position: Point { x, y, z: 0.0 }, orientation: [0.0, 0.0, 0.0, 1.0] }
    }
}
