//! Exchanges with another implementation of DDS: `tests/cyclone/peer.py`, which uses Cyclone DDS.

use std::process::{Child, Command};

use bt_core::prelude::*;
use bt_ros2::{ActionClient, Config, Outcome, Publisher, RosNode, ServiceClient, ServiceMapping, Topic};

use crate::common::{domain, finish, within};
use crate::server::{Add, Numbers, Order, Sum};

/// The other program. It ends with the test.
struct Peer(Child);

impl Peer {
    /// Starts it, with a time after which it counts as gone if it is silent.
    fn start(domain: u16, lease: &str) -> Self {
        let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
        let settings = format!(
            "<CycloneDDS><Domain><General><Interfaces><NetworkInterface name='lo' multicast='true'/></Interfaces></General>\
            <Discovery><LeaseDuration>{lease}</LeaseDuration></Discovery></Domain></CycloneDDS>"
        );
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cyclone/peer.py");
        let start = Command::new(python).args([script, &domain.to_string()]).env("CYCLONEDDS_URI", settings).spawn();
        Self(start.expect("the variable PYTHON is a Python with the package `cyclonedds`"))
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

fn robot() -> (RosNode, Peer) {
    robot_with("10 s")
}

fn robot_with(lease: &str) -> (RosNode, Peer) {
    let domain = domain();
    let config = Config::new("robot").domain(domain).loopback().mapping(ServiceMapping::Cyclone);
    (RosNode::open(config.simulated_time()).expect("a node"), Peer::start(domain, lease))
}

#[test]
#[ignore = "needs Python with the package `cyclonedds`: set PYTHON"]
fn texts_and_the_time_are_exchanged_with_cyclone_dds() {
    let (robot, _peer) = robot();
    let echo: Topic<String> = robot.topic("/echo", "std_msgs/msg/String").expect("a valid topic");
    let chatter: Publisher<String> = robot.publisher("/chatter", "std_msgs/msg/String").expect("a valid topic");
    finish("the subscriber", chatter.heard());
    let clock = robot.clock();
    assert_eq!(clock.now(), secs(0));
    let texts = ["hello", "", "ÄÖÜ ☃", "longer than eight bytes"];
    for text in texts {
        finish("the echo", async {
            // The other side may not have found the topic of its answer yet.
            while echo.latest().as_deref() != Some(format!("echo of {text}").as_str()) {
                chatter.publish(text.to_owned()).expect("it is sent");
                futures_timer::Delay::new(millis(20)).await;
            }
        });
    }
    assert!(echo.take_error().is_none());
    assert_eq!(clock.now(), millis(1_234_500));
}

#[test]
#[ignore = "needs Python with the package `cyclonedds`: set PYTHON"]
fn a_service_of_cyclone_dds_is_called() {
    let (robot, _peer) = robot();
    let adds: ServiceClient<Add, Sum> =
        robot.service("/add", "example_interfaces/srv/AddTwoInts").expect("a valid service");
    finish("the sums", async {
        for (a, b) in [(40, 2), (-1, i64::MAX), (0, 0)] {
            assert_eq!(adds.call(Add { a, b }).await.expect("a response"), Sum { sum: a + b });
        }
    });
    // Two calls at the same time.
    let sums = futures::future::join(adds.call(Add { a: 1, b: 1 }), adds.call(Add { a: 2, b: 2 }));
    let (one, two) = finish("the sums", sums);
    assert_eq!((one.expect("a response").sum, two.expect("a response").sum), (2, 4));
}

#[test]
#[ignore = "needs Python with the package `cyclonedds`: set PYTHON"]
fn an_action_of_cyclone_dds_is_followed_and_canceled() {
    let (robot, _peer) = robot();
    let counts: ActionClient<Order, Numbers, Numbers> =
        robot.action("/count", "example_interfaces/action/Fibonacci").expect("a valid action");
    let numbers = |count| Numbers { sequence: (0..count).collect() };
    let outcome = finish("the result", counts.send(Order { order: 3 }).outcome());
    assert_eq!(outcome.expect("an outcome"), Outcome::Succeeded(numbers(3)));
    let outcome = finish("the rejection", counts.send(Order { order: -1 }).outcome());
    assert_eq!(outcome.expect("an outcome"), Outcome::Rejected);

    let mut goal = counts.send(Order { order: 0 });
    finish("the acknowledgement", async {
        assert_eq!(within("the feedback", goal.feedback()).await, Some(numbers(0)));
        goal.cancel().await.expect("it is acknowledged");
        assert_eq!(goal.await.expect("an outcome"), Outcome::Canceled(Some(numbers(0))));
    });

    // As a halt does.
    let mut goal = counts.send(Order { order: 0 });
    assert_eq!(finish("the feedback", goal.feedback()), Some(numbers(0)));
    drop(goal);
    finish("the acknowledgement", counts.cancel()).expect("it is acknowledged");
    assert_eq!(counts.goals(), 0);
}

#[test]
#[ignore = "needs Python with the package `cyclonedds`: set PYTHON"]
fn a_server_that_crashes_is_gone_after_its_lease() {
    let (robot, peer) = robot_with("1 s");
    let counts: ActionClient<Order, Numbers, Numbers> =
        robot.action("/count", "example_interfaces/action/Fibonacci").expect("a valid action");
    let mut goal = counts.send(Order { order: 0 });
    finish("the feedback", goal.feedback());
    // It is killed, and says nothing.
    drop(peer);
    let error = finish("the error", goal.outcome()).expect_err("there is no result").to_string();
    assert!(error.starts_with("the server of `/count/_action/get_result` is gone"), "{error}");
    assert!(!counts.has_server());
}
