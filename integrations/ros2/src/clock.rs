//! The time of ROS.

use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use bt_core::Clock;
use ros2_client::builtin_interfaces::Time;
use ros2_client::qos::QosProfile;

use crate::error::Ros2Error;
use crate::name::{Kind, dds_type};
use crate::reactor::{Host, Source};
use crate::session::Session;
use crate::take::take_all;
use crate::waiters::Until;

/// The time of ROS: that of the topic `/clock` if the parameter `use_sim_time` is true, otherwise that of the system.
///
/// A context of a tree has a clock, and returns its time:
///
/// ```
/// use bt_core::prelude::*;
/// use bt_ros2::RosClock;
///
/// struct Robot { clock: RosClock }
/// impl Clock for Robot { fn now(&self) -> Duration { self.clock.now() } }
///
/// let tree = tree! { for Robot: timeout(secs(30)) { wait(secs(5)) } };
/// # let _ = tree;
/// ```
///
/// Returned by [`RosNode::clock`](crate::RosNode::clock). The origin is the Unix epoch, or that of the simulation. Simulated time is 0 until the first message
/// of `/clock`: what waits then waits.
#[derive(Clone)]
pub struct RosClock {
    session: Arc<Session>,
}

/// The receiving end of `/clock`.
struct ClockSource {
    session: Weak<Session>,
    /// The message of `rosgraph_msgs/msg/Clock` has one field.
    subscription: ros2_client::Subscription<Time>,
}

impl Source for ClockSource {
    fn receive(&self) {
        let Some(session) = self.session.upgrade() else { return };
        let mut last = None;
        take_all(&self.subscription, |taken| last = taken.ok().map(|(time, _)| time).or(last));
        if let Some(time) = last {
            session.simulated.store(u64::try_from(time.to_nanos()).unwrap_or(0), Ordering::Release);
            session.reactor().timers.wake();
        }
    }
}

impl RosClock {
    pub(crate) fn new(session: Arc<Session>) -> Self {
        Self { session }
    }

    /// Subscribes a node to `/clock`.
    pub(crate) fn subscribe(session: &Arc<Session>) -> Result<(), Ros2Error> {
        // The spinner of ros2-client subscribes to it, too, with a type that no other program publishes.
        let dds_type = dds_type("rosgraph_msgs/msg/Clock", "msg", "")?;
        let topic = session.topic("/clock", Kind::Topic, dds_type, &QosProfile::subscription_default())?;
        let (subscription, number) = session.subscription(&topic)?;
        let source = Arc::new(ClockSource { session: Arc::downgrade(session), subscription });
        session.attach(number, &source);
        session.own_clock(source);
        Ok(())
    }

    /// Returns `true` if the time is that of `/clock`.
    pub fn is_simulated(&self) -> bool {
        self.session.is_simulated.load(Ordering::Acquire)
    }

    /// Returns a future that is ready when this time has passed.
    ///
    /// It is ready early if the clock jumps back, or if `use_sim_time` changes meanwhile.
    pub fn sleep(&self, time: Duration) -> Sleep {
        let (clock, is_simulated, began) = (self.clone(), self.is_simulated(), self.now());
        let (end, deadline) = (began.saturating_add(time), Instant::now().checked_add(time));
        let alarm = deadline.filter(|_| !is_simulated).map(|deadline| self.session.reactor().at(deadline));
        let timers = self.session.reactor().timers.clone();
        let until: Until<Condition> = timers.until(Box::new(move || {
            let is_over = clock.is_simulated() != is_simulated
                || if is_simulated {
                    let now = clock.now();
                    now < began || now >= end
                } else {
                    deadline.is_some_and(|deadline| Instant::now() >= deadline)
                };
            is_over.then_some(())
        }));
        Sleep { until, alarm, session: self.session.clone() }
    }
}

impl Clock for RosClock {
    fn now(&self) -> Duration {
        self.session.now()
    }
}

impl std::fmt::Debug for RosClock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RosClock").field("now", &self.now()).field("is_simulated", &self.is_simulated()).finish()
    }
}

type Condition = Box<dyn FnMut() -> Option<()> + Send>;

/// A future that is ready when a time has passed by the clock of ROS. Returned by [`RosClock::sleep`].
#[must_use = "a future does nothing unless it is awaited"]
pub struct Sleep {
    until: Until<Condition>,
    alarm: Option<(Instant, usize)>,
    session: Arc<Session>,
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        Pin::new(&mut self.until).poll(cx)
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        if let Some(alarm) = self.alarm {
            self.session.reactor().cancel(alarm);
        }
    }
}

impl std::fmt::Debug for Sleep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sleep").finish_non_exhaustive()
    }
}
