//! A driving loop and its configuration.

use core::fmt;
use core::future::Future;
use core::task::Waker;
use core::time::Duration;

use crate::clock::Clock;
use crate::drive::periodic::{MissedTicks, Periodic};
use crate::drive::report::DriveReport;
use crate::drive::stop::StopHandle;
use crate::drive::time::{AsyncTime, Stopwatch, ThreadTime, TimeSource};
use crate::memory::Memory;
use crate::node::Node;
use crate::observer::Observer;
use crate::schedule::{Due, Schedule, Wakers};
use crate::task::AgentSignal;
use crate::tree::Tree;

/// Creates a loop that ticks a tree for one agent.
///
/// ```
/// use bt_core::drive::drive;
/// use bt_core::prelude::*;
///
/// fn charge(battery: &mut u32) -> Status {
///     *battery += 10;
///     if *battery < 100 { Status::Running } else { Status::Success }
/// }
///
/// let tree = tree! { charge };
/// let mut battery = 70;
/// let report = drive(&tree, &mut battery).every(millis(2)).until_end();
/// assert_eq!((battery, report.status, report.ticks), (100, Some(Status::Success), 3));
/// ```
///
/// Without [`every`](Driver::every), the period is 10 ms. The thread is blocked between two ticks; in a task of an asynchronous
/// runtime, use [`drive_async`].
pub fn drive<'c, N: Node<C>, C: ?Sized>(tree: &'c N, ctx: &'c mut C) -> Driver<'c, N, C> {
    Driver::new(tree, ctx, ThreadTime::start())
}

/// Creates a loop that ticks a tree for one agent, for a task of an asynchronous runtime.
///
/// `now` and `sleep` are the two sides of one source of time: `now` returns the time since any origin, and `sleep` returns a
/// future that is ready when the given time has passed. With tokio:
///
/// ```
/// use bt_core::drive::drive_async;
/// use bt_core::prelude::*;
/// # mod tokio { pub mod time {
/// #     pub use std::time::Instant;
/// #     pub async fn sleep(_: std::time::Duration) {}
/// # } }
/// # use std::task::{Context, Poll, Waker};
///
/// async fn count(n: &mut u32) -> Option<Status> {
///     let tree = tree! { for u32: mem_sequence { |n: &mut u32| *n += 1, |n: &mut u32| *n > 0 } };
///     let start = tokio::time::Instant::now();
///     let driver = drive_async(&tree, n, || start.elapsed(), tokio::time::sleep);
///     driver.every(millis(50)).until_end().await.status
/// }
/// # let mut n = 0;
/// # let mut future = Box::pin(count(&mut n));
/// # assert_eq!(future.as_mut().poll(&mut Context::from_waker(Waker::noop())), Poll::Ready(Some(Status::Success)));
/// # use std::future::Future;
/// ```
///
/// The loop uses no other time. With tokio's paused time, or with the time of a simulation, each tick is at an exact time.
pub fn drive_async<'c, N, C, F, S, T>(tree: &'c N, ctx: &'c mut C, now: F, sleep: S) -> AsyncDriver<'c, N, C, F, S>
where
    N: Node<C>,
    C: ?Sized,
    F: Fn() -> Duration,
    S: FnMut(Duration) -> T,
    T: Future,
{
    Driver::new(tree, ctx, AsyncTime { now, sleep })
}

/// A loop in a task of an asynchronous runtime, created by [`drive_async`].
pub type AsyncDriver<'c, N, C, F, S> = Driver<'c, N, C, (), fn(&mut C), AsyncTime<F, S>>;

/// A tree with its context and memory. It is halted when it is dropped.
pub(super) struct Agent<'c, N: Node<C>, C: ?Sized> {
    pub(super) tree: &'c N,
    pub(super) ctx: &'c mut C,
    pub(super) memory: Memory<N>,
}

impl<N: Node<C>, C: ?Sized> Drop for Agent<'_, N, C> {
    fn drop(&mut self) {
        // A leaf that panics while it is halted during a panic would abort the program.
        if !std::thread::panicking() {
            self.tree.halt(self.ctx, &mut self.memory);
        }
    }
}

/// A loop that ticks a tree for one agent, created by [`drive`] or [`drive_async`].
///
/// The tree is ticked once per [period](Self::every). An event ends the sleep between two ticks: a future of an asynchronous
/// action, or a [waker](Self::waker). The tree is then ticked at once.
///
/// After the end of the tree, or after a stop, the loop continues until the [cleanups](crate::keywords::finally) that a halt has left
/// running have ended.
///
/// When a driver is dropped, its tree is halted. So is a tree whose asynchronous loop was dropped together with its driver,
/// as a runtime does when it cancels a task.
/// A cleanup that is then still running is lost.
///
/// ```
/// use bt_core::drive::drive;
/// use bt_core::prelude::*;
///
/// let mut log = vec![];
/// let tree = tree! { for Vec<&str>: mem_sequence { |log: &mut Vec<&str>| log.push("begin"), run } };
/// let mut driver = drive(&tree, &mut log).every(millis(5));
/// let stop = driver.stop_handle();
/// std::thread::spawn(move || stop.stop());                // or a handler of Ctrl-C
/// let report = driver.until_end();
/// assert!(report.is_stopped);
/// ```
pub struct Driver<'c, N: Node<C>, C: ?Sized, O = (), B = fn(&mut C), T = ThreadTime> {
    pub(super) agent: Agent<'c, N, C>,
    pub(super) observer: O,
    pub(super) before: B,
    pub(super) periodic: Periodic,
    /// The clock of the context, if the tree is only ticked when it is due.
    pub(super) due_by: Option<fn(&C) -> Duration>,
    /// When the tree is due, by the clock of the loop.
    pub(super) schedule: Schedule<[Due; 1], AgentSignal>,
    pub(super) stop: StopHandle,
    pub(super) time: Stopwatch<T>,
    pub(super) report: DriveReport,
}

impl<'c, N: Node<C>, C: ?Sized, T: TimeSource> Driver<'c, N, C, (), fn(&mut C), T> {
    fn new(tree: &'c N, ctx: &'c mut C, time: T) -> Self {
        let schedule = Schedule::one(AgentSignal::new());
        Self {
            agent: Agent { memory: tree.memory(), tree, ctx },
            observer: (),
            before: |_| {},
            periodic: Periodic::new(Duration::from_millis(10), MissedTicks::default()),
            due_by: None,
            stop: StopHandle::new(schedule.wakers.waker(())),
            schedule,
            time: Stopwatch::start(time),
            report: DriveReport::default(),
        }
    }
}

impl<'c, N: Node<C>, C: ?Sized, O, B, T: TimeSource> Driver<'c, N, C, O, B, T> {
    /// Sets the period: the time from the beginning of one tick to that of the next. Ticks that events cause come in between.
    /// With a period of zero, the loop does not sleep, and with [`when_due`](Self::when_due), it sleeps only while the tree is
    /// not due.
    #[must_use]
    pub fn every(mut self, period: Duration) -> Self {
        self.periodic.period = period;
        self
    }

    /// Sets the policy for missed ticks. The default is [`MissedTicks::Skip`].
    #[must_use]
    pub fn missed_ticks(mut self, missed: MissedTicks) -> Self {
        self.periodic.missed = missed;
        self
    }

    /// Ticks the tree only when it is due: see [`Tree::due`]. Ticks that would change nothing are skipped. A tree that is
    /// due at a time is ticked at the first multiple of the period at or after that time.
    ///
    /// The clock of the context must run as fast as that of the loop. Everything else that the tree depends on has to be an event:
    /// [`before_tick`](Self::before_tick) is not called while the tree sleeps, so a sensor read there cannot wake the tree.
    ///
    /// ```
    /// use bt_core::drive::drive;
    /// use bt_core::prelude::*;
    /// use std::time::Instant;
    ///
    /// struct Robot { began: Instant }
    /// impl Clock for Robot { fn now(&self) -> Duration { self.began.elapsed() } }
    ///
    /// let tree = tree! { for Robot: wait(millis(60)) };
    /// let mut robot = Robot { began: Instant::now() };
    /// let report = drive(&tree, &mut robot).every(millis(10)).when_due().until_end();
    /// assert_eq!((report.status, report.ticks), (Some(Status::Success), 2));
    /// ```
    #[must_use]
    pub fn when_due(mut self) -> Self
    where
        C: Clock,
    {
        self.due_by = Some(C::now);
        self
    }

    /// Calls a function with the context before each tick, for example to read sensors or to advance a clock.
    #[must_use]
    pub fn before_tick<F: FnMut(&mut C)>(self, before: F) -> Driver<'c, N, C, O, F, T> {
        let Self { agent, observer, before: _, periodic, due_by, schedule, stop, time, report } = self;
        Driver { agent, observer, before, periodic, due_by, schedule, stop, time, report }
    }

    /// Reports the events of all ticks to an observer, with the time of the loop. An observer from
    /// [`for_agent`](Observer::for_agent) retains its own agent and time.
    #[must_use]
    pub fn observe<P: Observer>(self, observer: P) -> Driver<'c, N, C, P, B, T> {
        let Self { agent, observer: _, before, periodic, due_by, schedule, stop, time, report } = self;
        Driver { agent, observer, before, periodic, due_by, schedule, stop, time, report }
    }

    /// Continues with this memory, for example a loaded memory.
    #[must_use]
    pub fn with_memory(mut self, memory: Memory<N>) -> Self {
        self.agent.memory = memory;
        self
    }

    /// Returns a handle that stops the loop, from any thread.
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// Returns a waker for events: it ends the sleep before the next tick, from any thread.
    pub fn waker(&self) -> Waker {
        self.schedule.wakers.waker(())
    }

    /// Returns the context, and makes the tree due.
    pub fn ctx(&mut self) -> &mut C {
        self.schedule.wake();
        self.agent.ctx
    }

    /// Returns the memory, for example to save it.
    pub const fn memory(&self) -> &Memory<N> {
        &self.agent.memory
    }

    /// Returns a report of the loop so far.
    pub fn report(&self) -> DriveReport {
        DriveReport { time: self.time.passed(), ..self.report }
    }
}

impl<N: Node<C>, C: ?Sized, O, B, T> fmt::Debug for Driver<'_, N, C, O, B, T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Driver").field("report", &self.report).finish_non_exhaustive()
    }
}
