//! The controller of the motors and grippers: one tokio task per movement. Its clock is the simulation's.
//!
//! A robot waits for the end of a movement at a channel. If it drops its end of the channel, the controller stops the
//! movement.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::future::pending;
use std::pin::pin;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Wake, Waker};
use std::time::Duration;

use glam::{Vec2, vec2};
use tokio::sync::oneshot;
use tokio::task::LocalSet;

use crate::warehouse::lock;

/// The speed of a robot, in meters per second.
const SPEED: f32 = 4.0;
/// The time that a gripper takes to close.
const CLOSING: Duration = Duration::from_millis(1200);

/// The tasks of all controllers, and their clock.
#[derive(Default)]
pub(crate) struct Controllers {
    tasks: Rc<LocalSet>,
    clock: Clock,
}

impl Controllers {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Runs the controllers until a time.
    ///
    /// The clock goes on to the next timer as soon as no task can continue. So the order of all events is fixed, a run takes no real time,
    /// and it needs neither threads nor a clock of the system.
    pub(crate) fn run_until(&self, time: Duration) {
        self.continue_tasks();
        while self.clock.advance(time) {
            self.continue_tasks();
        }
    }

    /// Runs the tasks until none can continue.
    fn continue_tasks(&self) {
        let can_continue = Arc::new(CanContinue(AtomicBool::new(true)));
        let waker = Waker::from(Arc::clone(&can_continue));
        while can_continue.0.swap(false, Ordering::Relaxed) {
            // A set of tasks that never ends is never ready.
            let _ = pin!(self.tasks.run_until(pending::<()>())).poll(&mut Context::from_waker(&waker));
        }
    }

    /// Returns the controller of a robot.
    pub(crate) fn motor(&self, at: Vec2) -> Motor {
        let body = Body { motion: Motion::none(at), ..Body::default() };
        Motor { tasks: Rc::clone(&self.tasks), clock: self.clock.clone(), body: Arc::new(Mutex::new(body)) }
    }
}

/// Whether a task was woken.
struct CanContinue(AtomicBool);

impl Wake for CanContinue {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The time of the simulation, and what waits for it.
#[derive(Clone, Default)]
struct Clock {
    now: Rc<Cell<Duration>>,
    timers: Rc<RefCell<Timers>>,
    started: Rc<Cell<u64>>,
}

/// The timers in the order in which they end. Those that end at the same time have numbers.
type Timers = BTreeMap<(Duration, u64), oneshot::Sender<()>>;

impl Clock {
    fn now(&self) -> Duration {
        self.now.get()
    }

    /// Waits for a while.
    async fn sleep(&self, time: Duration) {
        let (timer, end) = oneshot::channel();
        self.started.update(|started| started + 1);
        self.timers.borrow_mut().insert((self.now() + time, self.started.get()), timer);
        // The clock drops no timer.
        let _ = end.await;
    }

    /// Goes on to the next timer before a time, or to the time. Returns whether there was a timer.
    fn advance(&self, to: Duration) -> bool {
        let mut timers = self.timers.borrow_mut();
        let next = timers.first_entry().filter(|timer| timer.key().0 < to);
        self.now.set(next.as_ref().map_or(to, |timer| timer.key().0));
        // A task that was cancelled does not wait any more.
        next.map(|timer| timer.remove().send(())).is_some()
    }
}

/// The controller of a robot.
#[derive(Clone)]
pub(crate) struct Motor {
    tasks: Rc<LocalSet>,
    clock: Clock,
    pub(crate) body: Arc<Mutex<Body>>,
}

/// What the controller of a robot moves and measures.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Body {
    motion: Motion,
    /// The number of the drive that moves the robot; 0 if it stands still.
    pub(crate) drive: u32,
    drives: u32,
    /// The drives that were stopped before their end.
    pub(crate) cancelled: u32,
    /// The distance of all drives, in meters.
    pub(crate) driven: f32,
    pub(crate) gripper: Gripper,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Gripper {
    #[default]
    Open,
    Closing,
    Closed,
}

/// What happens during a drive, and after which part of the way.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Fate {
    Arrives,
    /// An obstacle ends the drive.
    Blocked(f32),
    /// A wheel spins: the controller never reports an end.
    Stuck(f32),
}

/// The end of a drive that the controller reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DriveEnd {
    Arrived,
    Blocked,
}

impl Motor {
    /// Starts a drive. Dropping the receiver cancels it.
    pub(crate) fn drive(&self, to: Vec2, fate: Fate) -> oneshot::Receiver<DriveEnd> {
        let (mut report, end) = oneshot::channel();
        let Self { body, clock, .. } = self.clone();
        self.tasks.spawn_local(async move {
            let (number, time) = lock(&body).depart(to, fate, clock.now());
            let drive = async {
                clock.sleep(time).await;
                match fate {
                    Fate::Arrives => DriveEnd::Arrived,
                    Fate::Blocked(_) => DriveEnd::Blocked,
                    Fate::Stuck(_) => pending().await,
                }
            };
            let end = tokio::select! {
                biased;
                () = report.closed() => None,
                end = drive => Some(end),
            };
            lock(&body).stop(number, clock.now(), end.is_none());
            if let Some(end) = end {
                // The robot may have dropped its end in the meantime.
                let _ = report.send(end);
            }
        });
        end
    }

    /// Starts to close the gripper. Dropping the receiver leaves it as it is.
    pub(crate) fn close_gripper(&self) -> oneshot::Receiver<()> {
        let (report, end) = oneshot::channel();
        let Self { body, clock, .. } = self.clone();
        lock(&body).gripper = Gripper::Closing;
        self.tasks.spawn_local(async move {
            clock.sleep(CLOSING).await;
            if !report.is_closed() {
                lock(&body).gripper = Gripper::Closed;
                let _ = report.send(());
            }
        });
        end
    }
}

impl Body {
    pub(crate) fn position(&self, now: Duration) -> Vec2 {
        self.motion.position(now)
    }

    /// Returns the number of the drive, and the time until it ends or the robot does not move any more.
    fn depart(&mut self, to: Vec2, fate: Fate, now: Duration) -> (u32, Duration) {
        let part = match fate {
            Fate::Arrives => 1.0,
            Fate::Blocked(part) | Fate::Stuck(part) => part,
        };
        self.motion = Motion { from: self.position(now), to, began: now, part };
        self.drives += 1;
        self.drive = self.drives;
        (self.drive, Duration::from_secs_f32(self.motion.length() * part / SPEED))
    }

    /// Ends a drive. A drive that was replaced has no effect any more.
    fn stop(&mut self, drive: u32, now: Duration, is_cancelled: bool) {
        self.cancelled += u32::from(is_cancelled);
        if self.drive == drive {
            self.driven += self.motion.driven(now);
            self.motion = Motion::none(self.position(now));
            self.drive = 0;
        }
    }
}

/// A part of a way with one corner: first along the x axis, then along the y axis.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Motion {
    from: Vec2,
    to: Vec2,
    began: Duration,
    part: f32,
}

impl Motion {
    fn none(at: Vec2) -> Self {
        Self { from: at, to: at, ..Self::default() }
    }

    /// Returns the length of the whole way.
    fn length(&self) -> f32 {
        let way = (self.to - self.from).abs();
        way.x + way.y
    }

    fn driven(&self, now: Duration) -> f32 {
        (now.saturating_sub(self.began).as_secs_f32() * SPEED).min(self.length() * self.part)
    }

    fn position(&self, now: Duration) -> Vec2 {
        let (way, driven) = (self.to - self.from, self.driven(now));
        let x = driven.min(way.x.abs());
        self.from + vec2(x.copysign(way.x), (driven - x).min(way.y.abs()).copysign(way.y))
    }
}
