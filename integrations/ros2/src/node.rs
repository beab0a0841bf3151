//! A node of ROS.

use std::fmt;
use std::sync::Arc;
use std::task::Waker;
use std::time::Duration;

use bt_core::drive::{AsyncDriver, drive_async};
use bt_core::{Clock, Node};
use ros2_client::qos::QosProfile;

use crate::action::ActionClient;
use crate::clock::{RosClock, Sleep};
use crate::config::Config;
use crate::error::Ros2Error;
use crate::message::Message;
use crate::name::default_qos;
use crate::parameters::Parameters;
use crate::service::ServiceClient;
use crate::session::Session;
use crate::topic::{Publisher, Topic};

/// A node of ROS: what a tree uses of ROS is created by it.
///
/// ```no_run
/// use bt_core::prelude::*;
/// use bt_ros2::{Config, RosClock, RosNode, block_on};
///
/// struct Robot { clock: RosClock }
/// impl Clock for Robot { fn now(&self) -> Duration { self.clock.now() } }
///
/// let node = RosNode::open(Config::new("robot"))?;
/// let tree = tree! { for Robot: wait(secs(1)) };
/// let mut robot = Robot { clock: node.clock() };
/// let report = block_on(node.drive(&tree, &mut robot).every(millis(50)).until_end());
/// assert_eq!(report.status, Some(Status::Success));
/// # Ok::<(), bt_ros2::Ros2Error>(())
/// ```
///
/// A node has one thread, which sleeps while nothing arrives; DDS has its own two. A clone is the same node. It leaves the network when all clones, and all that
/// they have created, are dropped.
#[derive(Clone)]
pub struct RosNode(Arc<Session>);

impl RosNode {
    /// Joins the network.
    ///
    /// # Errors
    ///
    /// Fails if the name is invalid, if the network cannot be used, and if a declared parameter does not pass the check.
    pub fn open(config: Config) -> Result<Self, Ros2Error> {
        let mapping = config.mapping;
        let (participant, name, options) = config.parts()?;
        let session = Session::open(participant, name, options, mapping)?;
        RosClock::subscribe(&session)?;
        Ok(Self(session))
    }

    /// Subscribes to a topic: reliable, the last 10 messages.
    ///
    /// # Errors
    ///
    /// Fails if the name or the type is invalid. A type is written as in `std_msgs/msg/String`.
    pub fn topic<M: Message>(&self, name: &str, of: &str) -> Result<Topic<M>, Ros2Error> {
        self.topic_with(name, of, &default_qos())
    }

    /// Subscribes to a topic with a quality of service, such as `QosProfile::subscription_default()` for sensors: a reliable subscriber receives nothing from a publisher
    /// whose messages can be lost.
    ///
    /// # Errors
    ///
    /// As for [`topic`](Self::topic).
    pub fn topic_with<M: Message>(&self, name: &str, of: &str, qos: &QosProfile) -> Result<Topic<M>, Ros2Error> {
        Topic::new(self.0.clone(), name, of, qos)
    }

    /// Creates a publisher: reliable, the last 10 messages.
    ///
    /// # Errors
    ///
    /// As for [`topic`](Self::topic).
    pub fn publisher<M: Message>(&self, name: &str, of: &str) -> Result<Publisher<M>, Ros2Error> {
        self.publisher_with(name, of, &default_qos())
    }

    /// Creates a publisher with a quality of service.
    ///
    /// # Errors
    ///
    /// As for [`topic`](Self::topic).
    pub fn publisher_with<M: Message>(
        &self,
        name: &str,
        of: &str,
        qos: &QosProfile,
    ) -> Result<Publisher<M>, Ros2Error> {
        Publisher::new(self.0.clone(), name, of, qos)
    }

    /// Creates a client of a service, with the types of its request and its response.
    ///
    /// # Errors
    ///
    /// Fails if the name or the type is invalid. A type is written as in `std_srvs/srv/SetBool`.
    pub fn service<Q: Message, S: Message>(&self, name: &str, of: &str) -> Result<ServiceClient<Q, S>, Ros2Error> {
        ServiceClient::new(self.0.clone(), name, of)
    }

    /// Creates a client of an action, with the types of its goal, its result and its feedback.
    ///
    /// # Errors
    ///
    /// Fails if the name or the type is invalid. A type is written as in `nav2_msgs/action/Spin`.
    pub fn action<G: Message, R: Message, F: Message>(
        &self,
        name: &str,
        of: &str,
    ) -> Result<ActionClient<G, R, F>, Ros2Error> {
        ActionClient::new(self.0.clone(), name, of)
    }

    /// Returns the clock of the node.
    pub fn clock(&self) -> RosClock {
        RosClock::new(self.0.clone())
    }

    /// Returns the parameters of the node.
    pub fn parameters(&self) -> Parameters {
        Parameters::new(self.0.clone())
    }

    /// Creates a loop that ticks a tree, by the clock of the node: [`bt_core::drive::drive_async`] with the time of ROS.
    ///
    /// Run it with [`block_on`](crate::block_on), or in a task of any runtime. Futures of goals and services end its sleep; for topics and parameters, see
    /// [`wake`](Self::wake).
    pub fn drive<'c, N: Node<C>, C: ?Sized>(
        &self,
        tree: &'c N,
        ctx: &'c mut C,
    ) -> AsyncDriver<'c, N, C, impl Fn() -> Duration + use<N, C>, impl FnMut(Duration) -> Sleep + use<N, C>> {
        let (now, sleep) = (self.clock(), self.clock());
        drive_async(tree, ctx, move || now.now(), move |time| sleep.sleep(time))
    }

    /// Wakes whenever a message has arrived, a parameter has changed, or a server has come or gone, until the returned value is dropped.
    ///
    /// With the waker of a loop, the tree reacts at once:
    ///
    /// ```no_run
    /// # use bt_core::prelude::*;
    /// # use bt_ros2::{Config, RosNode, block_on};
    /// # let node = RosNode::open(Config::new("robot"))?;
    /// # let (tree, mut robot) = (tree! { for u32: run }, 0);
    /// let mut driver = node.drive(&tree, &mut robot).every(secs(1));
    /// let _wake = node.wake(driver.waker());
    /// block_on(driver.until_end());
    /// # Ok::<(), bt_ros2::Ros2Error>(())
    /// ```
    pub fn wake(&self, waker: Waker) -> WakeGuard {
        WakeGuard { number: self.0.add_waker(waker), session: self.0.clone() }
    }
}

impl fmt::Debug for RosNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.0.with_node(ros2_client::Node::fully_qualified_name);
        f.debug_tuple("RosNode").field(&name).finish()
    }
}

/// Wakes until it is dropped. Returned by [`RosNode::wake`].
#[must_use = "nothing is woken after it is dropped"]
pub struct WakeGuard {
    session: Arc<Session>,
    number: usize,
}

impl Drop for WakeGuard {
    fn drop(&mut self) {
        self.session.remove_waker(self.number);
    }
}

impl fmt::Debug for WakeGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WakeGuard").finish_non_exhaustive()
    }
}
