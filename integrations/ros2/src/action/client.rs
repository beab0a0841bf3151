//! Sending goals.

use std::fmt;
use std::sync::{Arc, Mutex};

use futures::future::join_all;
use ros2_client::action::GoalId;

use super::goal::Goal;
use super::state::{Feedback, Shared, State};
use crate::call::{Caller, Parts};
use crate::error::Ros2Error;
use crate::message::Message;
use crate::name::{Kind, dds_type, default_qos};
use crate::reactor::Host;
use crate::session::Session;
use crate::waiters::lock;

/// Sends goals to the server of an action.
///
/// ```no_run
/// use bt_core::prelude::*;
/// use bt_core::task::AsyncContext;
/// use bt_ros2::{ActionClient, Config, RosNode};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Order { order: i32 }
/// #[derive(Serialize, Deserialize)]
/// struct Sequence { sequence: Vec<i32> }
///
/// struct Robot { fibonacci: ActionClient<Order, Sequence, Sequence>, seen: usize }
///
/// #[action]
/// async fn count(robot: AsyncContext<Robot>, order: i32) -> bool {
///     let mut goal = robot.with(move |robot| robot.fibonacci.send(Order { order })).await;
///     while let Some(feedback) = goal.feedback().await {
///         robot.with(move |robot| robot.seen = feedback.sequence.len()).await;
///     }
///     goal.await.is_ok_and(|outcome| outcome.is_success())
/// }
///
/// let node = RosNode::open(Config::new("robot"))?;
/// let fibonacci = node.action("/fibonacci", "example_interfaces/action/Fibonacci")?;
/// let mut robot = Robot { fibonacci, seen: 0 };
/// let tree = tree! { count(10) };
/// tree.tick(&mut robot, &mut tree.memory());
/// # Ok::<(), bt_ros2::Ros2Error>(())
/// ```
///
/// The types are those of a goal, a result and feedback. Halting the leaf drops the goal, which cancels it in the background. To wait for the acknowledgement of
/// the server, await [`cancel`](Self::cancel) in a leaf that runs then.
///
/// Returned by [`RosNode::action`](crate::RosNode::action). Any number of goals can be active at the same time.
pub struct ActionClient<G: Message, R: Message, F: Message> {
    shared: Arc<Shared<G, R, F>>,
    feedback: Arc<Feedback<G, R, F>>,
    session: Arc<Session>,
}

impl<G: Message, R: Message, F: Message> ActionClient<G, R, F> {
    pub(crate) fn new(session: Arc<Session>, name: &str, of: &str) -> Result<Self, Ros2Error> {
        let qos = default_qos();
        let part = |part: &str| format!("{name}/_action/{part}");
        let own = |part| dds_type(of, "action", part);
        let cancel = |part| dds_type("action_msgs/srv/CancelGoal", "srv", part);
        let parts = Parts {
            name: &part("send_goal"),
            request: own("_SendGoal_Request")?,
            response: own("_SendGoal_Response")?,
        };
        let send = Caller::new(session.clone(), parts, &qos)?;
        let parts = Parts {
            name: &part("get_result"),
            request: own("_GetResult_Request")?,
            response: own("_GetResult_Response")?,
        };
        let result = Caller::new(session.clone(), parts, &qos)?;
        let parts = Parts { name: &part("cancel_goal"), request: cancel("_Request")?, response: cancel("_Response")? };
        let cancel = Caller::new(session.clone(), parts, &qos)?;
        let topic = session.topic(&part("feedback"), Kind::Topic, own("_FeedbackMessage")?, &qos)?;
        let (subscription, number) = session.subscription(&topic)?;
        let shared = Arc::new(Shared {
            name: name.to_owned(),
            send,
            result,
            cancel,
            goals: Mutex::default(),
            waiters: Arc::default(),
        });
        let feedback = Arc::new(Feedback { subscription, shared: shared.clone(), session: Arc::downgrade(&session) });
        session.attach(number, &feedback);
        Ok(Self { shared, feedback, session })
    }

    /// Sends a goal, as soon as there is a server.
    pub fn send(&self, goal: G) -> Goal<G, R, F> {
        let id = GoalId::new_random();
        lock(&self.shared.goals).insert(id, State::default());
        self.session.reactor().spawn(self.shared.clone().run(id, goal));
        Goal { id, shared: self.shared.clone(), _feedback: self.feedback.clone() }
    }

    /// Cancels all goals of this client. The future is ready when the server has acknowledged that, or the goals have ended.
    ///
    /// Goals that were dropped are among them: after a halt, it waits for the acknowledgement of what the halt has canceled.
    ///
    /// # Errors
    ///
    /// Fails if the server refuses, or is gone. A goal that was dropped before its server was gone has ended.
    pub fn cancel(&self) -> impl Future<Output = Result<(), Ros2Error>> + Send + use<G, R, F> {
        let ids: Vec<_> = lock(&self.shared.goals).keys().copied().collect();
        for id in &ids {
            self.shared.cancel_goal(*id);
        }
        let all = join_all(ids.into_iter().map(|id| self.shared.acknowledged(id)).collect::<Vec<_>>());
        async move { all.await.into_iter().collect() }
    }

    /// Returns how many goals have not ended, or have a handle.
    pub fn goals(&self) -> usize {
        lock(&self.shared.goals).len()
    }

    /// Returns `true` if there is a server.
    pub fn has_server(&self) -> bool {
        self.shared.send.has_server() && self.shared.result.has_server() && self.shared.cancel.has_server()
    }
}

impl<G: Message, R: Message, F: Message> fmt::Debug for ActionClient<G, R, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("ActionClient");
        debug.field("name", &self.shared.name).field("goals", &self.goals()).finish_non_exhaustive()
    }
}
