//! Behavior trees of [`bt_core`] as nodes of ROS 2.
//!
//! A [`RosNode`] creates what the leaves of a tree use: [clients of actions](ActionClient), [clients of services](ServiceClient), [topics](Topic) and
//! [publishers](Publisher), [parameters](Parameters) and the [time of ROS](RosClock). They are values in the context of the tree, and what they wait for are futures, so
//! leaves are ordinary functions with `#[action]`.
//!
//! ```no_run
//! use bt_core::prelude::*;
//! use bt_ros2::{ActionClient, Config, RosClock, RosNode, Topic, block_on};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize)]
//! struct Order { order: i32 }
//! #[derive(Serialize, Deserialize)]
//! struct Sequence { sequence: Vec<i32> }
//!
//! struct Robot { clock: RosClock, go: Topic<bool>, fibonacci: ActionClient<Order, Sequence, Sequence> }
//! impl Clock for Robot { fn now(&self) -> Duration { self.clock.now() } }
//!
//! fn may_go(robot: &Robot) -> bool { robot.go.latest() == Some(true) }
//!
//! #[action]
//! fn count(robot: &mut Robot, order: i32) -> impl Future<Output = bool> {
//!     let goal = robot.fibonacci.send(Order { order });
//!     async move { goal.await.is_ok_and(|outcome| outcome.is_success()) }
//! }
//!
//! let node = RosNode::open(Config::new("robot"))?;
//! let mut robot = Robot {
//!     clock: node.clock(),
//!     go: node.topic("/go", "std_msgs/msg/Bool")?,
//!     fibonacci: node.action("/fibonacci", "example_interfaces/action/Fibonacci")?,
//! };
//! // The goal is canceled after 30 seconds, and when `may_go` fails.
//! let tree = tree! { sequence { may_go, timeout(secs(30)) { count(10) } } };
//! let mut driver = node.drive(&tree, &mut robot).every(millis(100));
//! let _wake = node.wake(driver.waker());
//! block_on(driver.until_end());
//! # Ok::<(), bt_ros2::Ros2Error>(())
//! ```
//!
//! # Costs
//!
//! After another endpoint was found, 100 ms pass before [`ServiceClient::has_server`], [`ActionClient::has_server`] and [`Publisher::is_heard`] are true, and the first request
//! is sent: DDS does not say when the other side has found this one, and what arrives there before is lost.
//!
//! A node has one thread, which sleeps while nothing arrives, for at most 2 s: then it looks for programs that have crashed. A topic stores one message, a goal its last feedback.
//! A tick waits only where it publishes or calls a service, and the other side acknowledges too slowly: for at most 100 ms each.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

// The README's code is run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod action;
mod call;
mod clock;
mod config;
mod error;
mod message;
mod name;
mod node;
mod parameters;
mod presence;
mod reactor;
mod service;
mod session;
mod sight;
mod take;
mod topic;
mod waiters;

pub use action::{ActionClient, Goal, Outcome};
pub use clock::{RosClock, Sleep};
pub use config::Config;
pub use error::Ros2Error;
pub use futures::executor::block_on;
pub use message::Message;
pub use node::{RosNode, WakeGuard};
pub use parameters::{Parameter, Parameters};
pub use ros2_client;
pub use ros2_client::{ParameterValue, ServiceMapping};
pub use service::ServiceClient;
pub use topic::{Publisher, Topic};
