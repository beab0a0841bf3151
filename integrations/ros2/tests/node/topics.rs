//! Messages between two nodes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Wake, Waker};

use crate::common::{domain, finish, node, within};
use bt_core::prelude::*;
use bt_ros2::{Config, Publisher, RosNode, Topic, block_on};
use serde::{Deserialize, Serialize};

fn pair<M: bt_ros2::Message>(of: &str) -> (Topic<M>, Publisher<M>) {
    let domain = domain();
    let topic = node("listener", domain).topic("/chatter", of).expect("a valid topic");
    let publisher = node("talker", domain).publisher("/chatter", of).expect("a valid topic");
    assert!(!publisher.is_heard());
    finish("the other node", publisher.heard());
    assert!(publisher.is_heard());
    (topic, publisher)
}

#[test]
fn a_topic_has_the_last_message() {
    let (topic, publisher) = pair::<String>("std_msgs/msg/String");
    assert_eq!((topic.latest(), topic.age(), topic.count()), (None, None, 0));
    let next = topic.next();
    publisher.publish("hello".to_owned()).expect("it is sent");
    assert_eq!(finish("the message", next), "hello");
    assert_eq!((topic.latest().as_deref(), topic.count()), (Some("hello"), 1));
    assert_eq!(topic.with(String::len), Some(5));
    assert!(topic.age().is_some_and(|age| age < secs(60)), "{:?}", topic.age());
    topic.clear();
    assert_eq!((topic.latest(), topic.age(), topic.count()), (None, None, 1));
}

#[test]
fn structs_are_messages() {
    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    struct Scan {
        frame: String,
        ranges: Vec<f32>,
        angles: [f64; 2],
        is_valid: bool,
    }
    let (topic, publisher) = pair::<Scan>("robot_msgs/msg/Scan");
    let scan = Scan { frame: "map".into(), ranges: vec![1.5, 2.5], angles: [-1.0, 1.0], is_valid: true };
    let next = topic.next();
    publisher.publish(scan.clone()).expect("it is sent");
    assert_eq!(finish("the message", next), scan);
}

#[test]
fn a_message_that_cannot_be_decoded_is_an_error_and_the_next_one_is_not() {
    let domain = domain();
    let topic = node("listener", domain).topic::<String>("/chatter", "std_msgs/msg/String").expect("a valid topic");
    let talker = node("talker", domain);
    let numbers = talker.publisher::<u32>("/chatter", "std_msgs/msg/String").expect("a valid topic");
    let texts = talker.publisher::<String>("/chatter", "std_msgs/msg/String").expect("a valid topic");
    finish("the other node", numbers.heard());
    finish("the other node", texts.heard());
    // The length of a text that is not there.
    numbers.publish(1_000_000).expect("it is sent");
    let next = topic.next();
    texts.publish("hello".to_owned()).expect("it is sent");
    assert_eq!(finish("the message", next), "hello");
    let error = finish("the error", async {
        loop {
            if let Some(error) = topic.take_error() {
                break error.to_string();
            }
            // The two publishers are not ordered.
            let next = topic.next();
            texts.publish("again".to_owned()).expect("it is sent");
            next.await;
        }
    });
    assert!(error.starts_with("a message on `/chatter` cannot be decoded"), "{error}");
}

/// Counts how often it is woken.
#[derive(Default)]
struct Count(AtomicU32);

impl Wake for Count {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn a_message_wakes_until_the_guard_is_dropped() {
    let domain = domain();
    let listener = node("listener", domain);
    let topic = listener.topic::<String>("/chatter", "std_msgs/msg/String").expect("a valid topic");
    let publisher =
        node("talker", domain).publisher::<String>("/chatter", "std_msgs/msg/String").expect("a valid topic");
    finish("the other node", publisher.heard());
    let count = Arc::new(Count::default());
    let guard = listener.wake(Waker::from(count.clone()));
    let send = || {
        let next = topic.next();
        publisher.publish("hello".to_owned()).expect("it is sent");
        finish("the message", next);
    };
    send();
    // Waking follows the message, and precedes the next one.
    send();
    assert!(count.0.load(Ordering::Relaxed) > 0);
    drop(guard);
    // One may still be on its way. It precedes the next message.
    send();
    let before = count.0.load(Ordering::Relaxed);
    send();
    assert_eq!(count.0.load(Ordering::Relaxed), before);
}

/// A robot that waits for a word.
struct Robot {
    clock: bt_ros2::RosClock,
    go: Topic<String>,
    checks: u32,
}

impl Clock for Robot {
    fn now(&self) -> Duration {
        self.clock.now()
    }
}

fn may_go(robot: &mut Robot) -> Status {
    robot.checks += 1;
    match robot.go.latest() {
        Some(word) if word == "go" => Status::Success,
        Some(_) => Status::Failure,
        None => Status::Running,
    }
}

#[test]
fn a_driven_tree_reacts_to_a_message_before_its_next_tick() {
    let domain = domain();
    let listener = node("robot", domain);
    let go = listener.topic("/go", "std_msgs/msg/String").expect("a valid topic");
    let publisher = node("talker", domain).publisher::<String>("/go", "std_msgs/msg/String").expect("a valid topic");
    finish("the other node", publisher.heard());
    let tree = tree! { may_go };
    let mut robot = Robot { clock: listener.clock(), go, checks: 0 };
    // The second tick by the clock is in a year.
    let mut driver = listener.drive(&tree, &mut robot).every(secs(31_536_000));
    let _wake = listener.wake(driver.waker());
    assert_eq!(driver.tick_once(), Status::Running);
    publisher.publish("go".to_owned()).expect("it is sent");
    let report = finish("the tree", driver.until_end());
    assert_eq!((report.status, report.skipped), (Some(Status::Success), 0));
    drop(driver);
    assert_eq!(robot.checks, 2);
}

#[test]
fn the_last_message_of_a_latched_topic_comes_to_late_subscribers() {
    use bt_ros2::ros2_client::QosProfile;
    use bt_ros2::ros2_client::qos::{Durability, History};
    let domain = domain();
    let latched =
        QosProfile::publisher_default().history(History::KeepLast { depth: 1 }).durability(Durability::TransientLocal);
    let talker = node("talker", domain);
    let publisher = talker.publisher_with::<String>("/map", "std_msgs/msg/String", &latched).expect("a valid topic");
    publisher.publish("the map".to_owned()).expect("it is sent");
    let topic: Topic<String> =
        node("listener", domain).topic_with("/map", "std_msgs/msg/String", &latched).expect("a valid topic");
    let map = finish("the map", async {
        let next = topic.next();
        match topic.latest() {
            Some(map) => map,
            None => next.await,
        }
    });
    assert_eq!(map, "the map");
}

#[test]
fn invalid_names_and_types_are_errors() {
    let node = node("robot", domain());
    let error = node.topic::<String>("/a b", "std_msgs/msg/String").expect_err("an invalid name").to_string();
    assert!(error.contains("invalid name `/a b`"), "{error}");
    let error = node.topic::<String>("/a", "String").expect_err("an invalid type").to_string();
    assert_eq!(error, "invalid type `String`; help: write `package/msg/Name`");
    let error = node.service::<u8, u8>("/a", "std_srvs/msg/Empty").expect_err("an invalid type").to_string();
    assert_eq!(error, "invalid type `std_srvs/msg/Empty`; help: write `package/srv/Name`");
    let error = node.action::<u8, u8, u8>("/a", "Spin").expect_err("an invalid type").to_string();
    assert_eq!(error, "invalid type `Spin`; help: write `package/action/Name`");
    let error = RosNode::open(Config::new("a b").loopback()).expect_err("an invalid name").to_string();
    assert!(error.contains("`/a b`"), "{error}");
}

#[test]
fn a_node_ends_with_all_that_it_has_created() {
    let domain = domain();
    let publisher = node("talker", domain).publisher::<String>("/chatter", "std_msgs/msg/String").expect("valid");
    // The node lives as long as its topic.
    let topic = node("listener", domain).topic::<String>("/chatter", "std_msgs/msg/String").expect("a valid topic");
    finish("the other node", publisher.heard());
    drop(topic);
    block_on(within("the end of the other node", async {
        while publisher.is_heard() {
            futures_timer::Delay::new(millis(5)).await;
        }
    }));
}
