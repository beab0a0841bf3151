//! The messages of actions.

use ros2_client::action::{GoalId, GoalInfo};
use ros2_client::builtin_interfaces::Time;
use serde::{Deserialize, Serialize};

/// The request of `_action/cancel_goal`. That of ros2-client has no constructor.
#[derive(Serialize, Deserialize)]
pub(super) struct CancelRequest {
    goal: GoalInfo,
}

impl CancelRequest {
    /// Cancels one goal, whenever it was accepted.
    pub(super) fn of(goal_id: GoalId) -> Self {
        Self { goal: GoalInfo { goal_id, stamp: Time::ZERO } }
    }
}

/// The response.
#[derive(Serialize, Deserialize)]
pub(super) struct CancelResponse {
    code: i8,
    goals: Vec<GoalInfo>,
}

impl CancelResponse {
    /// Returns `true` if the goal is being canceled, or has ended.
    pub(super) fn is_acknowledged(&self) -> bool {
        const REJECTED: i8 = 1;
        self.code != REJECTED
    }
}
