//! A node of ROS with its thread: what all its topics, clients and clocks share.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::task::Waker;
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures::FutureExt;
use ros2_client::qos::QosProfile;
use ros2_client::{Context, NodeName, NodeOptions, ParameterValue, ServiceMapping};
use rustdds::{DomainParticipantBuilder, QosPolicies, TopicKind};

use crate::error::Ros2Error;
use crate::name::{Kind, dds_name};
use crate::reactor::{Host, Reactor, Source, run};
use crate::sight::Sight;
use crate::waiters::{Waiters, lock};

/// The parameter that selects simulated time.
pub(crate) const USE_SIM_TIME: &str = "use_sim_time";

/// What is shared by everything of a node.
pub(crate) struct Session {
    reactor: Reactor,
    node: Mutex<ros2_client::Node>,
    context: Context,
    name: NodeName,
    pub(crate) mapping: ServiceMapping,
    /// Empties the events of discovery. Returns whether there were any.
    has_discovered: Box<dyn Fn() -> bool + Send + Sync>,
    thread: Mutex<Option<JoinHandle<()>>>,
    /// Whether the time is that of `/clock`.
    pub(crate) is_simulated: AtomicBool,
    /// The last time of `/clock`, in nanoseconds.
    pub(crate) simulated: AtomicU64,
    changes: Arc<Changes>,
    wakers: Mutex<BTreeMap<usize, Waker>>,
    /// The subscriber of `/clock`.
    clock: OnceLock<Arc<dyn Source>>,
}

/// Changes of parameters.
#[derive(Default)]
struct Changes {
    are_new: AtomicBool,
    count: AtomicU64,
    waiters: Arc<Waiters>,
}

impl Session {
    /// Joins the network, and starts the thread.
    pub(crate) fn open(
        participant: DomainParticipantBuilder,
        name: NodeName,
        options: NodeOptions,
        mapping: ServiceMapping,
    ) -> Result<Arc<Self>, Ros2Error> {
        let full = name.fully_qualified_name();
        let failed = |reason: String| Ros2Error::Create { name: full.clone(), reason };
        let participant = participant.build().map_err(|error| failed(error.to_string()))?;
        let context = Context::from_domain_participant(participant).map_err(|error| failed(error.to_string()))?;
        let changes = Arc::new(Changes::default());
        let noted = changes.clone();
        // It is called before the value has changed, so it only notes that it will.
        let options = options.parameter_set_action(Box::new(move |_, _| {
            noted.are_new.store(true, Ordering::Release);
            Ok(())
        }));
        let mut node = context.new_node(name.clone(), options).map_err(|error| failed(error.to_string()))?;
        let spinner = node.spinner().map_err(|error| failed(error.to_string()))?;
        let events = node.status_receiver();
        let has_discovered =
            move || events.as_ref().is_some_and(|events| std::iter::from_fn(|| events.try_recv().ok()).count() > 0);
        let (reactor, poll) = Reactor::new().map_err(Ros2Error::Thread)?;
        let session = Arc::new(Self {
            reactor,
            node: Mutex::new(node),
            context,
            name,
            mapping,
            has_discovered: Box::new(has_discovered),
            thread: Mutex::default(),
            is_simulated: AtomicBool::new(false),
            simulated: AtomicU64::new(0),
            changes,
            wakers: Mutex::default(),
            clock: OnceLock::new(),
        });
        session.settle();
        let host = Arc::downgrade(&session);
        // A node whose services of parameters cannot be created has already failed.
        let spinner = spinner.spin().map(|_| ()).boxed();
        let thread = std::thread::Builder::new().name("bt-ros2".into()).spawn(move || run(poll, &host, spinner));
        *lock(&session.thread) = Some(thread.map_err(Ros2Error::Thread)?);
        Ok(session)
    }

    /// Creates a topic of DDS.
    pub(crate) fn topic(
        &self,
        name: &str,
        kind: Kind,
        dds_type: String,
        qos: &QosProfile,
    ) -> Result<rustdds::Topic, Ros2Error> {
        let topic = dds_name(&self.name, name, kind)?;
        let create =
            self.context.domain_participant().create_topic(topic, dds_type, &QosPolicies::from(qos), TopicKind::NoKey);
        create.map_err(|error| failed(name, &error))
    }

    /// Creates the sending end of a topic.
    pub(crate) fn publisher<M: serde::Serialize>(
        &self,
        topic: &rustdds::Topic,
    ) -> Result<ros2_client::Publisher<M>, Ros2Error> {
        lock(&self.node).create_publisher(topic, None).map_err(|error| failed(&topic_name(topic), &error))
    }

    /// Creates the receiving end of a topic, and registers it. Returns its number, for [`attach`](Self::attach).
    pub(crate) fn subscription<M: serde::de::DeserializeOwned + 'static>(
        &self,
        topic: &rustdds::Topic,
    ) -> Result<(ros2_client::Subscription<M>, usize), Ros2Error> {
        let create = lock(&self.node).create_subscription(topic, None);
        let mut subscription = create.map_err(|error| failed(&topic_name(topic), &error))?;
        let number = self.reactor.register(&mut subscription).map_err(|error| failed(&topic_name(topic), &error))?;
        Ok((subscription, number))
    }

    /// Adds a source. What has arrived and was discovered meanwhile is not lost.
    pub(crate) fn attach(&self, number: usize, source: &Arc<impl Source + 'static>) {
        let weak = Arc::downgrade(source);
        self.reactor.add(number, weak);
        source.receive();
        source.look(&lock(&self.node), &self.sight(true));
    }

    fn sight(&self, has_news: bool) -> Sight {
        Sight::of(&self.context.domain_participant(), has_news)
    }

    /// Owns the source of `/clock` from now on.
    pub(crate) fn own_clock(&self, source: Arc<dyn Source>) {
        _ = self.clock.set(source);
    }

    /// Returns the time of ROS.
    pub(crate) fn now(&self) -> Duration {
        if self.is_simulated.load(Ordering::Acquire) {
            Duration::from_nanos(self.simulated.load(Ordering::Acquire))
        } else {
            SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
        }
    }

    /// Calls a function with the node.
    pub(crate) fn with_node<T>(&self, function: impl FnOnce(&ros2_client::Node) -> T) -> T {
        function(&lock(&self.node))
    }

    /// Returns a future that is ready when a parameter has changed.
    pub(crate) fn changed(&self) -> impl Future<Output = ()> + Send + use<> {
        let changes = self.changes.clone();
        let count = changes.count.load(Ordering::Acquire);
        changes.waiters.clone().until(move || (changes.count.load(Ordering::Acquire) != count).then_some(()))
    }

    /// Wakes those who wait for anything that the node receives.
    pub(crate) fn arrived(&self) {
        let wakers: Vec<_> = lock(&self.wakers).values().cloned().collect();
        wakers.iter().for_each(Waker::wake_by_ref);
    }

    /// Adds one of them.
    pub(crate) fn add_waker(&self, waker: Waker) -> usize {
        let number = self.reactor.number();
        lock(&self.wakers).insert(number, waker);
        number
    }

    /// Removes one of them.
    pub(crate) fn remove_waker(&self, number: usize) {
        lock(&self.wakers).remove(&number);
    }
}

impl Host for Session {
    fn reactor(&self) -> &Reactor {
        &self.reactor
    }

    fn look(&self, has_news: bool) {
        let sight = self.sight(has_news);
        for source in self.reactor.sources() {
            source.look(&lock(&self.node), &sight);
        }
    }

    fn settle(&self) {
        if (self.has_discovered)() {
            self.look(true);
        }
        let use_sim_time = self.with_node(|node| node.get_parameter(USE_SIM_TIME));
        let is_simulated = use_sim_time == Some(ParameterValue::Boolean(true));
        // `use_sim_time` has no action, so it is compared.
        let switched = self.is_simulated.swap(is_simulated, Ordering::AcqRel) != is_simulated;
        if switched {
            self.reactor.timers.wake();
        }
        if self.changes.are_new.swap(false, Ordering::AcqRel) || switched {
            self.changes.count.fetch_add(1, Ordering::AcqRel);
            self.changes.waiters.wake();
            self.arrived();
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.reactor.alarm();
        let thread = lock(&self.thread).take();
        // The last owner can be a task of the thread itself.
        if let Some(thread) = thread.filter(|thread| thread.thread().id() != std::thread::current().id()) {
            _ = thread.join();
        }
    }
}

/// Returns the name of a topic in DDS.
pub(crate) fn topic_name(topic: &rustdds::Topic) -> String {
    use rustdds::TopicDescription;
    topic.name()
}

fn failed(name: &str, error: &dyn std::fmt::Display) -> Ros2Error {
    Ros2Error::Create { name: name.to_owned(), reason: error.to_string() }
}
