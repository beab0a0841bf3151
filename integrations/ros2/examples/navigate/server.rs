//! A robot's servers: planner, controller, behaviors and costmaps, whose goals take a few feedbacks each.

use std::net::Ipv4Addr;
use std::time::Duration;

use bt_ros2::ros2_client::action::{ActionServerQosPolicies, AsyncActionServer, GoalEndStatus};
use bt_ros2::ros2_client::qos::{History, QosProfile};
use bt_ros2::ros2_client::{
    ActionTypeName, Context, Message, Name, Node, NodeName, NodeOptions, ServiceMapping, ServiceTypeName,
};
use futures::future::{BoxFuture, Either, FutureExt, join_all, select};
use rustdds::DomainParticipantBuilder;

use crate::messages::{
    BackUp, BackUpFeedback, BehaviorResult, Empty, Follow, FollowFeedback, FollowResult, Header, Path, Pause,
    PauseFeedback, Plan, PlanResult, Spin, SpinFeedback,
};

type Error = Box<dyn std::error::Error>;
type Zero = bt_ros2::ros2_client::builtin_interfaces::Duration;

/// What happens to a goal: feedback, and then its end.
struct Course<R, F> {
    feedback: Box<dyn Iterator<Item = F> + Send>,
    status: GoalEndStatus,
    result: R,
}

impl<R, F: Send + 'static> Course<R, F> {
    fn success(feedback: impl IntoIterator<Item = F, IntoIter: Send + 'static>, result: R) -> Self {
        Self { feedback: Box::new(feedback.into_iter()), status: GoalEndStatus::Succeeded, result }
    }
}

/// How the controller behaves.
#[derive(Clone, Copy)]
pub(crate) enum Controller {
    /// The first goals are aborted, this number of them.
    Aborts(u32),
    /// It never arrives.
    Endless,
}

/// Serves until the process ends.
pub(crate) fn serve(domain: u16, controller: Controller) -> Result<(), Error> {
    let participant = DomainParticipantBuilder::new(domain).with_only_networks([Ipv4Addr::LOCALHOST]).build()?;
    let context = Context::from_domain_participant(participant)?;
    let node = &mut context.new_node(NodeName::new("/", "servers")?, NodeOptions::new().enable_rosout(false))?;
    let done = || BehaviorResult { total_elapsed_time: Zero::zero(), error_code: 0, error_msg: String::new() };
    let mut goals = 0;
    let plan = move |plan: &Plan| {
        let path = Path { header: Header::map(), poses: vec![plan.start.clone(), plan.goal.clone()] };
        let result = PlanResult { path, planning_time: Zero::zero(), error_code: 0, error_msg: String::new() };
        Course::<_, Empty>::success([], result)
    };
    let follow = move |_: &Follow| {
        goals += 1;
        let result = |error_code, error_msg: &str| FollowResult {
            result: Empty { structure_needs_at_least_one_member: 0 },
            error_code,
            error_msg: error_msg.to_owned(),
        };
        let feedback = |left: u8| FollowFeedback { distance_to_goal: left.into(), speed: 0.5 };
        match controller {
            Controller::Aborts(number) if goals <= number => {
                let result = result(105, "failed to make progress");
                Course { feedback: Box::new([feedback(3)].into_iter()), status: GoalEndStatus::Aborted, result }
            }
            Controller::Aborts(_) => Course::success((0..3).rev().map(feedback), result(0, "")),
            Controller::Endless => Course::success((0..).map(move |_| feedback(9)), result(0, "")),
        }
    };
    let spin = move |_: &Spin| Course::success([SpinFeedback { angular_distance_traveled: 1.0 }], done());
    let wait = move |_: &Pause| Course::success([PauseFeedback { time_left: Zero::zero() }], done());
    let back_up = move |_: &BackUp| Course::success([BackUpFeedback { distance_traveled: 0.3 }], done());
    let servers = vec![
        action(node, "compute_path_to_pose", "ComputePathToPose", plan)?,
        action(node, "follow_path", "FollowPath", follow)?,
        action(node, "spin", "Spin", spin)?,
        action(node, "wait", "Wait", wait)?,
        action(node, "backup", "BackUp", back_up)?,
        costmap(node, "global_costmap")?,
        costmap(node, "local_costmap")?,
    ];
    let ended = bt_ros2::block_on(join_all(servers));
    ended.into_iter().collect()
}

fn qos() -> QosProfile {
    QosProfile::publisher_default().history(History::KeepLast { depth: 10 })
}

/// Serves an action: one goal after the other.
fn action<G, R, F>(
    node: &mut Node,
    name: &'static str,
    of: &str,
    mut course: impl FnMut(&G) -> Course<R, F> + Send + 'static,
) -> Result<BoxFuture<'static, Result<(), Error>>, Error>
where
    G: Message + Clone + Send + Sync + 'static,
    R: Message + Clone + Send + Sync + 'static,
    F: Message + Send + Sync + 'static,
{
    let policies = ActionServerQosPolicies {
        goal_service: qos(),
        result_service: qos(),
        cancel_service: qos(),
        feedback_publisher: qos(),
        status_publisher: qos(),
    };
    let of = ActionTypeName::new("nav2_msgs", of);
    let server = node.create_action_server(ServiceMapping::Enhanced, &Name::new("/", name)?, &of, policies)?;
    let server = AsyncActionServer::<G, R, F>::new(server);
    let failed = move |error| Error::from(format!("{name}: {error:?}"));
    Ok(async move {
        loop {
            let new = server.receive_new_goal().await?;
            let Some(goal) = server.get_new_goal(new.clone()) else { continue };
            println!("{name}");
            let Course { feedback, mut status, result } = course(&goal);
            let accepted = server.accept_goal(new).await.map_err(failed)?;
            let handle = server.start_executing_goal(accepted).await.map_err(failed)?;
            for message in feedback {
                // A goal that is being canceled has no feedback.
                _ = server.publish_feedback(handle.clone(), message).await;
                let time = futures_timer::Delay::new(Duration::from_millis(20));
                let cancel = std::pin::pin!(server.receive_cancel_request());
                if let Either::Right((request, _)) = select(time, cancel).await {
                    let request = request?;
                    server.respond_to_cancel_requests(&request, request.goals()).await?;
                    println!("{name} canceled");
                    status = GoalEndStatus::Canceled;
                    break;
                }
            }
            server.send_result_response(handle, status, result).await.map_err(failed)?;
        }
    }
    .boxed())
}

/// Serves a costmap that can be cleared.
fn costmap(node: &mut Node, name: &'static str) -> Result<BoxFuture<'static, Result<(), Error>>, Error> {
    let service = Name::new(&format!("/{name}"), &format!("clear_entirely_{name}"))?;
    let of = ServiceTypeName::new("nav2_msgs", "ClearEntireCostmap");
    let server = node.create_server::<Empty, Empty>(ServiceMapping::Enhanced, &service, &of, qos(), qos())?;
    Ok(async move {
        loop {
            let (id, request) = server.async_receive_request().await?;
            println!("clear {name}");
            server.async_send_response(id, request).await?;
        }
    }
    .boxed())
}
