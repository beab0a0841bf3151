//! Calls of services.

use crate::common::{domain, finish, node};
use crate::server::{Add, Sum, adder, plain_node, short_adder};
use bt_core::prelude::*;
use bt_ros2::{Config, RosClock, RosNode, ServiceClient, ServiceMapping};
use futures::FutureExt;
use futures::future::{join, join3};

type Adder = ServiceClient<Add, Sum>;

fn client(node: &RosNode) -> Adder {
    node.service("/add", "example_interfaces/srv/AddTwoInts").expect("a valid service")
}

#[test]
fn a_call_waits_for_a_server_and_for_its_response() {
    let domain = domain();
    let adds = client(&node("client", domain));
    let call = adds.call(Add { a: 40, b: 2 });
    assert!(!adds.has_server());
    let mut other = plain_node("server", domain);
    let server = adder(&mut other, ServiceMapping::Enhanced);
    let answers = async {
        let (id, request) = server.async_receive_request().await.expect("a request");
        server.async_send_response(id, Sum { sum: request.a + request.b }).await.expect("it is sent");
    };
    let (response, ()) = finish("the response", join(call, answers));
    assert_eq!(response.expect("a response"), Sum { sum: 42 });
    assert!(adds.has_server());
}

#[test]
fn each_of_several_calls_gets_its_own_response_in_any_order() {
    for mapping in [ServiceMapping::Enhanced, ServiceMapping::Cyclone] {
        let domain = domain();
        let config = |name: &str| Config::new(name).domain(domain).loopback().mapping(mapping);
        let mut other = plain_node("server", domain);
        let server = adder(&mut other, mapping);
        let first = client(&RosNode::open(config("first")).expect("a node"));
        let second = client(&RosNode::open(config("second")).expect("a node"));
        finish("the server", join(first.server(), second.server()));
        let answers = async {
            let mut requests = Vec::new();
            for _ in 0..3 {
                requests.push(server.async_receive_request().await.expect("a request"));
            }
            for (id, request) in requests.into_iter().rev() {
                server.async_send_response(id, Sum { sum: request.a + request.b }).await.expect("it is sent");
            }
        };
        let calls =
            join3(first.call(Add { a: 1, b: 0 }), first.call(Add { a: 2, b: 0 }), second.call(Add { a: 3, b: 0 }));
        let ((a, b, c), ()) = finish("the responses", join(calls, answers));
        assert_eq!([a, b, c].map(|sum| sum.expect("a response").sum), [1, 2, 3], "{mapping:?}");
    }
}

#[test]
fn a_call_that_is_dropped_before_there_is_a_server_sends_nothing() {
    let domain = domain();
    let adds = client(&node("client", domain));
    let mut dropped = Box::pin(adds.call(Add { a: 1, b: 1 }));
    assert!(dropped.as_mut().now_or_never().is_none());
    drop(dropped);
    let mut other = plain_node("server", domain);
    let server = adder(&mut other, ServiceMapping::Enhanced);
    let answers = async {
        let (id, request) = server.async_receive_request().await.expect("a request");
        server.async_send_response(id, Sum { sum: request.a }).await.expect("it is sent");
    };
    let (response, ()) = finish("the response", join(adds.call(Add { a: 7, b: 0 }), answers));
    assert_eq!(response.expect("a response"), Sum { sum: 7 });
}

#[test]
fn a_call_fails_when_the_server_is_gone() {
    let domain = domain();
    let adds = client(&node("client", domain));
    let mut other = plain_node("server", domain);
    let server = adder(&mut other, ServiceMapping::Enhanced);
    let leaves = async {
        server.async_receive_request().await.expect("a request");
        drop((server, other));
    };
    let (response, ()) = finish("the error", join(adds.call(Add { a: 1, b: 1 }), leaves));
    let error = response.expect_err("there is no response").to_string();
    assert!(error.starts_with("the server of `/add` is gone"), "{error}");
    assert!(!adds.has_server());
}

#[test]
fn a_response_that_cannot_be_decoded_is_an_error() {
    let domain = domain();
    let adds = client(&node("client", domain));
    let mut other = plain_node("server", domain);
    let server = short_adder(&mut other);
    let answers = async {
        let (id, _) = server.async_receive_request().await.expect("a request");
        server.async_send_response(id, 1).await.expect("it is sent");
        let (id, _) = server.async_receive_request().await.expect("a request");
        server.async_send_response(id, 2).await.expect("it is sent");
    };
    // The client goes on.
    let calls = async { [adds.call(Add { a: 1, b: 1 }).await, adds.call(Add { a: 2, b: 2 }).await] };
    let (responses, ()) = finish("the errors", join(calls, answers));
    for response in responses {
        let error = response.expect_err("it is too short").to_string();
        assert!(error.starts_with("a message on `/add` cannot be decoded"), "{error}");
    }
}

struct Robot {
    clock: RosClock,
    adds: Adder,
    sum: i64,
}

impl Clock for Robot {
    fn now(&self) -> Duration {
        self.clock.now()
    }
}

#[action]
fn add(robot: &mut Robot, a: i64, b: i64) -> impl Future<Output = Option<impl FnOnce(&mut Robot)>> {
    let sum = robot.adds.call(Add { a, b });
    async move {
        let Sum { sum } = sum.await.ok()?;
        Some(move |robot: &mut Robot| robot.sum = sum)
    }
}

#[test]
fn a_leaf_calls_a_service_and_sleeps_until_the_response() {
    let domain = domain();
    let node = node("robot", domain);
    let mut other = plain_node("server", domain);
    let server = adder(&mut other, ServiceMapping::Enhanced);
    let tree = tree! { timeout(secs(600)) { add(40, 2) } };
    let mut robot = Robot { clock: node.clock(), adds: client(&node), sum: 0 };
    let answers = async {
        let (id, request) = server.async_receive_request().await.expect("a request");
        server.async_send_response(id, Sum { sum: request.a + request.b }).await.expect("it is sent");
    };
    let mut driver = node.drive(&tree, &mut robot).every(secs(100)).when_due();
    let (report, ()) = finish("the tree", join(driver.until_end(), answers));
    assert_eq!(report.status, Some(Status::Success));
    drop(driver);
    assert_eq!(robot.sum, 42);
}
