//! Goals of actions.

use crate::common::{domain, finish, node};
use crate::server::{Counter, Numbers, Order, accept, counter, plain_node};
use bt_core::prelude::*;
use bt_core::task::AsyncContext;
use bt_ros2::ros2_client::action::GoalEndStatus;
use bt_ros2::{ActionClient, Outcome, Ros2Error, RosNode, ServiceMapping};
use futures::future::join;

type Counts = ActionClient<Order, Numbers, Numbers>;

/// A client, and the server with its node.
fn pair() -> (RosNode, Counts, Counter, bt_ros2::ros2_client::Node) {
    let domain = domain();
    let client = node("client", domain);
    let counts = client.action("/count", "example_interfaces/action/Fibonacci").expect("a valid action");
    let mut other = plain_node("server", domain);
    let server = counter(&mut other, ServiceMapping::Enhanced);
    (client, counts, server, other)
}

fn numbers(count: i32) -> Numbers {
    Numbers { sequence: (0..count).collect() }
}

/// Accepts a cancel request. Returns how many goals it is for.
async fn accept_cancel(server: &Counter) -> usize {
    let request = server.receive_cancel_request().await.expect("a request");
    server.respond_to_cancel_requests(&request, request.goals()).await.expect("it is sent");
    request.goals().count()
}

#[test]
fn a_goal_has_feedback_and_a_result() {
    let (_node, counts, server, _other) = pair();
    let mut goal = counts.send(Order { order: 3 });
    let serves = async {
        let (order, handle) = accept(&server).await;
        server.publish_feedback(handle, numbers(1)).await.expect("it is sent");
        server.send_result_response(handle, GoalEndStatus::Succeeded, numbers(order)).await.expect("it is sent");
    };
    let follows = async {
        let mut last = None;
        while let Some(feedback) = goal.feedback().await {
            last = Some(feedback);
        }
        (last, goal.await)
    };
    let ((), (feedback, outcome)) = finish("the result", join(serves, follows));
    // The feedback may come after the result, on another topic.
    assert!(feedback.is_none_or(|feedback| feedback == numbers(1)));
    assert_eq!(outcome.expect("an outcome"), Outcome::Succeeded(numbers(3)));
    assert_eq!(counts.goals(), 0);
}

#[test]
fn the_last_feedback_is_kept_until_it_is_read() {
    let (_node, counts, server, _other) = pair();
    let mut goal = counts.send(Order { order: 3 });
    finish("the feedback", async {
        let (_, handle) = accept(&server).await;
        server.publish_feedback(handle, numbers(1)).await.expect("it is sent");
        assert_eq!(goal.feedback().await, Some(numbers(1)));
        server.publish_feedback(handle, numbers(2)).await.expect("it is sent");
        assert_eq!(goal.feedback().await, Some(numbers(2)));
    });
}

#[test]
fn goals_are_rejected_aborted_and_lost() {
    let (_node, counts, server, other) = pair();
    let rejects = async {
        let goal = server.receive_new_goal().await.expect("a goal");
        server.reject_goal(goal).await.expect("it is sent");
    };
    let ((), outcome) = finish("the rejection", join(rejects, counts.send(Order { order: 1 }).outcome()));
    assert_eq!(outcome.expect("an outcome"), Outcome::Rejected);
    let aborts = async {
        let (_, handle) = accept(&server).await;
        server.send_result_response(handle, GoalEndStatus::Aborted, numbers(1)).await.expect("it is sent");
    };
    let ((), outcome) = finish("the result", join(aborts, counts.send(Order { order: 2 }).outcome()));
    assert_eq!(outcome.expect("an outcome"), Outcome::Aborted(numbers(1)));
    let leaves = async {
        accept(&server).await;
        drop((server, other));
    };
    let ((), outcome) = finish("the error", join(leaves, counts.send(Order { order: 3 }).outcome()));
    let error = outcome.expect_err("there is no result").to_string();
    // The response to the goal may have been on its way.
    assert!(error.starts_with("the server of `/count/_action/") && error.contains("is gone"), "{error}");
    assert_eq!(counts.goals(), 0);
}

#[test]
fn canceling_waits_for_the_acknowledgement_of_the_server() {
    let (_node, counts, server, _other) = pair();
    let mut goal = counts.send(Order { order: 3 });
    let (_, handle) = finish("the goal", accept(&server));
    let (acknowledged, canceled) = finish("the acknowledgement", join(goal.cancel(), accept_cancel(&server)));
    acknowledged.expect("it is acknowledged");
    assert_eq!(canceled, 1);
    let ends = server.send_result_response(handle, GoalEndStatus::Canceled, numbers(1));
    let (sent, outcome) = finish("the result", join(ends, goal.outcome()));
    sent.expect("it is sent");
    assert_eq!(outcome.expect("an outcome"), Outcome::Canceled(Some(numbers(1))));
}

#[test]
fn a_server_can_refuse_and_be_asked_again() {
    let (_node, counts, server, _other) = pair();
    let mut goal = counts.send(Order { order: 3 });
    finish("the goal", accept(&server));
    let refuses = async {
        let request = server.receive_cancel_request().await.expect("a request");
        server.respond_to_cancel_requests(&request, std::iter::empty()).await.expect("it is sent");
    };
    let (refused, ()) = finish("the refusal", join(goal.cancel(), refuses));
    let error = refused.expect_err("it is refused").to_string();
    assert_eq!(error, "the server of `/count` refuses to cancel the goal");
    let (acknowledged, canceled) = finish("the acknowledgement", join(goal.cancel(), accept_cancel(&server)));
    acknowledged.expect("it is acknowledged");
    assert_eq!(canceled, 1);
}

#[test]
fn a_dropped_goal_is_canceled_in_the_background_and_the_client_can_wait_for_it() {
    let (_node, counts, server, _other) = pair();
    let goals = (counts.send(Order { order: 1 }), counts.send(Order { order: 2 }));
    finish("the goals", accept(&server));
    finish("the goals", accept(&server));
    drop(goals);
    let cancels = async { accept_cancel(&server).await + accept_cancel(&server).await };
    let (acknowledged, canceled) = finish("the acknowledgement", join(counts.cancel(), cancels));
    acknowledged.expect("it is acknowledged");
    assert_eq!((canceled, counts.goals()), (2, 0));
    // Nothing is left to cancel.
    finish("nothing", counts.cancel()).expect("nothing to cancel");
}

#[test]
fn a_goal_that_is_dropped_before_it_is_accepted_is_canceled_after_that() {
    let (_node, counts, server, _other) = pair();
    let goal = counts.send(Order { order: 1 });
    let new = finish("the goal", server.receive_new_goal()).expect("a goal");
    drop(goal);
    let serves = async {
        let goal = server.accept_goal(new).await.expect("it can be accepted");
        server.start_executing_goal(goal).await.expect("it can start");
        accept_cancel(&server).await
    };
    assert_eq!(finish("the cancel request", serves), 1);
}

#[test]
fn a_goal_that_is_dropped_before_there_is_a_server_is_not_sent() {
    let domain = domain();
    let client = node("client", domain);
    let counts: Counts = client.action("/count", "example_interfaces/action/Fibonacci").expect("a valid action");
    drop(counts.send(Order { order: 1 }));
    finish("the end of the goal", counts.cancel()).expect("there is nothing to cancel");
    assert_eq!(counts.goals(), 0);
    let mut other = plain_node("server", domain);
    let server = counter(&mut other, ServiceMapping::Enhanced);
    let _goal = counts.send(Order { order: 2 });
    assert_eq!(finish("the goal", accept(&server)).0, 2);
}

struct Robot {
    counts: Counts,
    seen: usize,
    may: bool,
}

#[action]
async fn count(robot: AsyncContext<Robot>, order: i32) -> bool {
    let mut goal = robot.with(move |robot| robot.counts.send(Order { order })).await;
    while let Some(feedback) = goal.feedback().await {
        robot.with(move |robot| robot.seen = feedback.sequence.len()).await;
    }
    goal.await.is_ok_and(|outcome| outcome.is_success())
}

#[test]
fn a_halted_leaf_cancels_its_goal_and_the_acknowledgement_can_be_awaited() {
    let (_node, counts, server, _other) = pair();
    let tree = tree! { sequence { |robot: &mut Robot| robot.may, count(5) } };
    let mut robot = Robot { counts, seen: 0, may: true };
    let mut memory = tree.memory();
    assert_eq!(tree.tick(&mut robot, &mut memory), Status::Running);
    let (order, handle) = finish("the goal", accept(&server));
    assert_eq!(order, 5);
    finish("the feedback", async {
        server.publish_feedback(handle, numbers(2)).await.expect("it is sent");
        // Ticks take feedback to the context.
        while robot.seen == 0 {
            assert_eq!(tree.tick(&mut robot, &mut memory), Status::Running);
            futures_timer::Delay::new(millis(1)).await;
        }
    });
    assert_eq!(robot.seen, 2);
    robot.may = false;
    assert_eq!(tree.tick(&mut robot, &mut memory), Status::Failure);
    assert_eq!(robot.counts.goals(), 1);
    let (acknowledged, canceled) = finish("the acknowledgement", join(robot.counts.cancel(), accept_cancel(&server)));
    acknowledged.expect("it is acknowledged");
    assert_eq!((canceled, robot.counts.goals()), (1, 0));
}

#[action]
fn cancel(robot: &mut Robot) -> impl Future<Output = bool> + use<> {
    let acknowledged = robot.counts.cancel();
    async move { acknowledged.await.is_ok() }
}

#[test]
fn a_stopped_loop_ends_after_the_acknowledgement_of_its_cleanup() {
    let (node, counts, server, _other) = pair();
    let tree = tree! { finally { count(5), cancel } };
    let mut robot = Robot { counts, seen: 0, may: true };
    let mut driver = node.drive(&tree, &mut robot).every(millis(5));
    let stop = driver.stop_handle();
    let serves = async {
        accept(&server).await;
        stop.stop();
        accept_cancel(&server).await
    };
    let (report, canceled) = finish("the end of the loop", join(driver.until_end(), serves));
    assert!(report.is_stopped);
    drop(driver);
    assert_eq!((canceled, robot.counts.goals()), (1, 0));
}

#[test]
fn goals_of_other_clients_are_not_canceled() {
    let (client, counts, server, _other) = pair();
    let others: Counts = client.action("/count", "example_interfaces/action/Fibonacci").expect("a valid action");
    let _theirs = others.send(Order { order: 1 });
    let _ours = counts.send(Order { order: 2 });
    let goals = async { (accept(&server).await, accept(&server).await) };
    finish("the goals", goals);
    let (acknowledged, canceled) = finish("the acknowledgement", join(counts.cancel(), accept_cancel(&server)));
    acknowledged.expect("it is acknowledged");
    assert_eq!((canceled, others.goals()), (1, 1));
}

#[test]
fn a_goal_that_was_lost_is_canceled_when_there_is_a_server_again() {
    let domain = domain();
    let client = node("client", domain);
    let counts: Counts = client.action("/count", "example_interfaces/action/Fibonacci").expect("a valid action");
    let mut first = plain_node("first", domain);
    let server = counter(&mut first, ServiceMapping::Enhanced);
    let leaves = async {
        accept(&server).await;
        drop((server, first));
    };
    let ((), outcome) = finish("the loss", join(leaves, counts.send(Order { order: 3 }).outcome()));
    assert!(matches!(outcome, Err(Ros2Error::ServerLost { .. })), "{outcome:?}");
    let mut second = plain_node("second", domain);
    let server = counter(&mut second, ServiceMapping::Enhanced);
    let request = finish("the cancel request", server.receive_cancel_request()).expect("a request");
    assert_eq!(request.goals().count(), 0, "the new server does not know the goal");
}
