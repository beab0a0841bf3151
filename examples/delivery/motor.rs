//! The controller of the motors and grippers: one tokio task per movement. Its clock is the simulation's.
//!
//! A robot waits for the end of a movement at a channel. If it drops its end of the channel, the controller stops the
//! movement.

use std::future::pending;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use glam::{Vec2, vec2};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep, sleep_until};

use crate::warehouse::lock;

/// The speed of a robot, in meters per second.
const SPEED: f32 = 4.0;
/// The time that a gripper takes to close.
const CLOSING: Duration = Duration::from_millis(1200);

/// The runtime of all controllers.
pub(crate) struct Controllers {
    runtime: Runtime,
    start: Instant,
}

impl Controllers {
    pub(crate) fn new() -> Self {
        let runtime = Builder::new_current_thread().enable_time().start_paused(true).build();
        // One thread and no I/O: there is nothing that the system could refuse.
        let runtime = runtime.expect("a runtime without I/O");
        let start = runtime.block_on(async { Instant::now() });
        Self { runtime, start }
    }

    /// Runs the controllers until a time.
    ///
    /// Paused time continues with the next timer as soon as no task can continue. So the order of all events is fixed,
    /// and a run takes no real time.
    pub(crate) fn run_until(&self, time: Duration) {
        self.runtime.block_on(async { sleep_until(self.start + time).await });
    }

    /// Returns the controller of a robot.
    pub(crate) fn motor(&self, at: Vec2) -> Motor {
        let body = Body { motion: Motion::none(at), ..Body::default() };
        Motor { tasks: self.runtime.handle().clone(), start: self.start, body: Arc::new(Mutex::new(body)) }
    }
}

/// The controller of a robot.
#[derive(Clone)]
pub(crate) struct Motor {
    tasks: Handle,
    start: Instant,
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
        let Self { body, start, .. } = self.clone();
        self.tasks.spawn(async move {
            let (number, time) = lock(&body).depart(to, fate, start.elapsed());
            let drive = async {
                sleep(time).await;
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
            lock(&body).stop(number, start.elapsed(), end.is_none());
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
        let body = Arc::clone(&self.body);
        lock(&body).gripper = Gripper::Closing;
        self.tasks.spawn(async move {
            sleep(CLOSING).await;
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
