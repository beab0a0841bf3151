//! Receiving and publishing messages.

use std::fmt;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use futures::FutureExt;
use ros2_client::qos::QosProfile;

use crate::error::Ros2Error;
use crate::message::Message;
use crate::name::{Kind, dds_type};
use crate::presence::Presence;
use crate::reactor::{Host, Source};
use crate::session::{Session, topic_name};
use crate::sight::Sight;
use crate::take::take_all;
use crate::waiters::{Waiters, lock};

/// The latest message of a topic, for conditions and values of a tree.
///
/// ```no_run
/// use bt_core::prelude::*;
/// use bt_ros2::{Config, RosNode, Topic};
///
/// struct Robot { battery: Topic<f32> }
///
/// fn has_charge(robot: &Robot) -> bool {
///     let is_new = robot.battery.age().is_some_and(|age| age < secs(5));
///     is_new && robot.battery.with(|percent| *percent > 20.0) == Some(true)
/// }
///
/// let node = RosNode::open(Config::new("robot"))?;
/// let mut robot = Robot { battery: node.topic("/battery", "std_msgs/msg/Float32")? };
/// let tree = tree! { has_charge };
/// tree.tick(&mut robot, &mut tree.memory());
/// # Ok::<(), bt_ros2::Ros2Error>(())
/// ```
///
/// Returned by [`RosNode::topic`](crate::RosNode::topic). Only the last message is stored.
pub struct Topic<M: Message> {
    shared: Arc<Receiver<M>>,
    session: Arc<Session>,
}

struct Receiver<M: Message> {
    name: String,
    subscription: ros2_client::Subscription<M>,
    session: Weak<Session>,
    state: Mutex<Received<M>>,
    waiters: Arc<Waiters>,
}

struct Received<M> {
    /// How many messages have arrived.
    count: u64,
    /// The last message, and when it arrived.
    latest: Option<(M, Duration)>,
    error: Option<Ros2Error>,
}

impl<M: Message> Topic<M> {
    pub(crate) fn new(session: Arc<Session>, name: &str, of: &str, qos: &QosProfile) -> Result<Self, Ros2Error> {
        let topic = session.topic(name, Kind::Topic, dds_type(of, "msg", "")?, qos)?;
        let (subscription, number) = session.subscription(&topic)?;
        let shared = Arc::new(Receiver {
            name: name.to_owned(),
            subscription,
            session: Arc::downgrade(&session),
            state: Mutex::new(Received { count: 0, latest: None, error: None }),
            waiters: Arc::default(),
        });
        session.attach(number, &shared);
        Ok(Self { shared, session })
    }

    /// Returns a copy of the last message, or `None` if none has arrived.
    pub fn latest(&self) -> Option<M>
    where
        M: Clone,
    {
        self.with(M::clone)
    }

    /// Calls a function with the last message, unless none has arrived. The node receives nothing meanwhile, and the function cannot use the topic.
    pub fn with<T>(&self, function: impl FnOnce(&M) -> T) -> Option<T> {
        lock(&self.shared.state).latest.as_ref().map(|(message, _)| function(message))
    }

    /// Returns the time since the last message has arrived, by the clock of ROS, or `None` if none has, or if the clock has jumped back since then.
    pub fn age(&self) -> Option<Duration> {
        let arrived = lock(&self.shared.state).latest.as_ref().map(|(_, arrived)| *arrived)?;
        self.session.now().checked_sub(arrived)
    }

    /// Returns how many messages have arrived. Messages that a newer one has replaced at once count.
    pub fn count(&self) -> u64 {
        lock(&self.shared.state).count
    }

    /// Forgets the last message, so that a condition waits for a new one.
    pub fn clear(&self) {
        lock(&self.shared.state).latest = None;
    }

    /// Returns why a message could not be decoded, once.
    pub fn take_error(&self) -> Option<Ros2Error> {
        lock(&self.shared.state).error.take()
    }

    /// Returns a future of the first message that arrives from now on. Of several at once, it is the last one.
    pub fn next(&self) -> impl Future<Output = M> + Send + use<M>
    where
        M: Clone,
    {
        let (shared, session, count) = (self.shared.clone(), self.session.clone(), self.count());
        self.shared.waiters.until(move || {
            let _ = &session;
            let state = lock(&shared.state);
            (state.count > count).then(|| state.latest.as_ref().map(|(message, _)| message.clone())).flatten()
        })
    }
}

impl<M: Message> Source for Receiver<M> {
    fn receive(&self) {
        let Some(session) = self.session.upgrade() else { return };
        let mut has_changed = false;
        take_all(&self.subscription, |taken| {
            let mut state = lock(&self.state);
            match taken {
                Ok((message, _)) => {
                    state.count += 1;
                    state.latest = Some((message, session.now()));
                    has_changed = true;
                }
                Err(reason) => state.error = Some(Ros2Error::Decode { name: self.name.clone(), reason }),
            }
        });
        if has_changed {
            self.waiters.wake();
            session.arrived();
        }
    }
}

/// Publishes messages.
///
/// ```no_run
/// use bt_core::prelude::*;
/// use bt_ros2::{Config, Publisher, RosNode};
///
/// struct Robot { speech: Publisher<String> }
///
/// #[action]
/// fn say(robot: &mut Robot, text: &str) -> bool {
///     robot.speech.publish(text.to_owned()).is_ok()
/// }
///
/// let node = RosNode::open(Config::new("robot"))?;
/// let mut robot = Robot { speech: node.publisher("/speech", "std_msgs/msg/String")? };
/// let tree = tree! { say("hello") };
/// tree.tick(&mut robot, &mut tree.memory());
/// # Ok::<(), bt_ros2::Ros2Error>(())
/// ```
///
/// Returned by [`RosNode::publisher`](crate::RosNode::publisher).
pub struct Publisher<M: Message> {
    shared: Arc<Sender<M>>,
    session: Arc<Session>,
}

struct Sender<M: Message> {
    name: String,
    publisher: ros2_client::Publisher<M>,
    /// The name of the topic in DDS.
    topic: String,
    subscribers: Arc<Presence>,
}

impl<M: Message> Publisher<M> {
    pub(crate) fn new(session: Arc<Session>, name: &str, of: &str, qos: &QosProfile) -> Result<Self, Ros2Error> {
        let topic = session.topic(name, Kind::Topic, dds_type(of, "msg", "")?, qos)?;
        let publisher = session.publisher(&topic)?;
        let shared = Arc::new(Sender {
            name: name.to_owned(),
            publisher,
            topic: topic_name(&topic),
            subscribers: Presence::new(&session),
        });
        session.attach(session.reactor().number(), &shared);
        Ok(Self { shared, session })
    }

    /// Publishes a message.
    ///
    /// # Errors
    ///
    /// Fails if a reliable subscriber has acknowledged nothing for 100 ms and the buffer is full.
    pub fn publish(&self, message: M) -> Result<(), Ros2Error> {
        let send = self.shared.publisher.publish(message);
        send.map_err(|error| Ros2Error::Send { name: self.shared.name.clone(), reason: error.to_string() })
    }

    /// Returns `true` if there is a subscriber.
    pub fn is_heard(&self) -> bool {
        self.shared.subscribers.is_there()
    }

    /// Returns a future that is ready when there is a subscriber. A message that is published before reaches no later one, unless its
    /// durability is transient local.
    pub fn heard(&self) -> impl Future<Output = ()> + Send + use<M> {
        let (there, session) = (self.shared.subscribers.there(), self.session.clone());
        async move {
            there.await;
            drop(session);
        }
    }
}

impl<M: Message> Source for Sender<M> {
    fn look(&self, node: &ros2_client::Node, sight: &Sight) {
        let is_matched = || self.publisher.wait_for_subscription(node).now_or_never().is_some();
        self.subscribers.look(sight, sight.readers(&self.topic), is_matched);
    }
}

impl<M: Message> fmt::Debug for Topic<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Topic").field("name", &self.shared.name).field("count", &self.count()).finish_non_exhaustive()
    }
}

impl<M: Message> fmt::Debug for Publisher<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Publisher");
        debug.field("name", &self.shared.name).field("is_heard", &self.is_heard()).finish_non_exhaustive()
    }
}
