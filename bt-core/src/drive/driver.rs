//! The loop.

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::fmt;
use core::future::Future;
use core::task::Waker;
use core::time::Duration;
use std::time::Instant;

use crate::clock::Clock;
use crate::drive::report::DriveReport;
use crate::drive::schedule::{MissedTicks, Schedule};
use crate::drive::sleep;
use crate::drive::stop::StopHandle;
use crate::memory::Memory;
use crate::node::Node;
use crate::observe::Observer;
use crate::status::Status;
use crate::tree::Tree;
use crate::wake::{Wake, WakeVisit};

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
/// Without [`every`](Driver::every), the period is 10 ms.
pub fn drive<'c, N: Node<C>, C: ?Sized>(tree: &'c N, ctx: &'c mut C) -> Driver<'c, N, C> {
    let began = Instant::now();
    Driver {
        agent: Agent { memory: tree.memory(), tree, ctx },
        observer: (),
        before: |_| {},
        schedule: Schedule::new(Duration::from_millis(10), MissedTicks::default()),
        due_by: None,
        due: Wake::Next,
        stop: StopHandle::new(),
        time: Box::new(move || began.elapsed()),
        report: DriveReport::default(),
    }
}

/// A tree with its context and memory. It is halted when it is dropped.
struct Agent<'c, N: Node<C>, C: ?Sized> {
    tree: &'c N,
    ctx: &'c mut C,
    memory: Memory<N>,
}

impl<N: Node<C>, C: ?Sized> Drop for Agent<'_, N, C> {
    fn drop(&mut self) {
        // A leaf that panics while it is halted during a panic would abort the program.
        if !std::thread::panicking() {
            self.tree.halt(self.ctx, &mut self.memory);
        }
    }
}

/// A loop that ticks a tree for one agent, created by [`drive`].
///
/// The tree is ticked once per [period](Self::every). An event ends the sleep between two ticks: a future of an asynchronous
/// action, or a [waker](Self::waker). The tree is then ticked at once.
///
/// When a driver is dropped, its tree is halted. So is a tree whose asynchronous loop was dropped together with its driver,
/// as a runtime does when it cancels a task.
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
pub struct Driver<'c, N: Node<C>, C: ?Sized, O = (), B = fn(&mut C)> {
    agent: Agent<'c, N, C>,
    observer: O,
    before: B,
    schedule: Schedule,
    /// The clock of the context, if the tree is only ticked when it is due.
    due_by: Option<fn(&C) -> Duration>,
    /// When the tree is due, by the clock of the loop.
    due: Wake,
    stop: StopHandle,
    /// Returns the time since the start of the loop.
    time: Box<dyn Fn() -> Duration + Send + Sync>,
    report: DriveReport,
}

impl<'c, N: Node<C>, C: ?Sized, O, B> Driver<'c, N, C, O, B> {
    /// Sets the period: the time from the beginning of one tick to that of the next. Ticks that events cause come in between.
    /// With a period of zero, the loop does not sleep, or with [`when_due`](Self::when_due) only while the tree is not due.
    #[must_use]
    pub fn every(mut self, period: Duration) -> Self {
        self.schedule.period = period;
        self
    }

    /// Sets the policy for missed ticks. The default is [`MissedTicks::Skip`].
    #[must_use]
    pub fn missed_ticks(mut self, missed: MissedTicks) -> Self {
        self.schedule.missed = missed;
        self
    }

    /// Ticks the tree only when it is due: see [`Tree::due`]. Ticks that would change nothing are skipped. A time is due at the
    /// first multiple of the period at or after it.
    ///
    /// The clock of the context must run as fast as that of the loop. Everything else that the tree depends on has to be an event:
    /// [`before_tick`](Self::before_tick) is not called while the tree sleeps, so a sensor that it reads cannot wake the tree.
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

    /// Sets the clock of the loop, which returns the time since its start. The default is [`Instant`]. A test can use it together
    /// with the asynchronous loop, whose timer it chooses.
    #[must_use]
    pub fn timed_by(mut self, time: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        self.time = Box::new(time);
        self
    }

    /// Calls a function with the context before each tick, for example to read sensors or to advance a clock.
    #[must_use]
    pub fn before_tick<F: FnMut(&mut C)>(self, before: F) -> Driver<'c, N, C, O, F> {
        let Self { agent, observer, before: _, schedule, due_by, due, stop, time, report } = self;
        Driver { agent, observer, before, schedule, due_by, due, stop, time, report }
    }

    /// Reports the events of all ticks to an observer, with the time of the loop. An observer from
    /// [`for_agent`](Observer::for_agent) keeps its own agent and time.
    #[must_use]
    pub fn observe<P: Observer>(self, observer: P) -> Driver<'c, N, C, P, B> {
        let Self { agent, observer: _, before, schedule, due_by, due, stop, time, report } = self;
        Driver { agent, observer, before, schedule, due_by, due, stop, time, report }
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
        Arc::clone(&self.stop.signal).into()
    }

    /// Returns the context, and makes the tree due.
    pub fn ctx(&mut self) -> &mut C {
        self.due = Wake::Next;
        self.agent.ctx
    }

    /// Returns the memory, for example to save it.
    pub const fn memory(&self) -> &Memory<N> {
        &self.agent.memory
    }

    /// Returns a report of the loop so far.
    pub fn report(&self) -> DriveReport {
        DriveReport { time: (self.time)(), ..self.report }
    }
}

/// What the loop does next.
enum Next {
    /// The loop is over.
    End,
    /// The tree was ticked.
    Ticked,
    /// Wait until this time, or for an event.
    Sleep(Option<Duration>),
}

/// Which end of the tree ends the loop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    End,
    Stopped,
}

impl<N: Node<C>, C: ?Sized, O: Observer, B: FnMut(&mut C)> Driver<'_, N, C, O, B> {
    /// Ticks the tree once, at once.
    pub fn tick_once(&mut self) -> Status {
        self.stop.signal.take();
        let began = (self.time)();
        let Agent { tree, ctx, memory } = &mut self.agent;
        (self.before)(ctx);
        let status = tree.tick_with(*ctx, memory, &mut self.observer.for_agent(0, began));
        let waker = || Arc::clone(&self.stop.signal).into();
        let due = tree.due_with(status, memory, &mut WakeVisit::with_waker(*ctx, &waker));
        let ended = (self.time)();
        self.due = match (self.due_by, due) {
            (Some(clock), Wake::At(time)) => Wake::At(ended.saturating_add(time.saturating_sub(clock(*ctx)))),
            (Some(_), due) => due,
            (None, _) => Wake::Next,
        };
        let ticked = self.schedule.ticked(began, ended);
        let report = &mut self.report;
        report.status = Some(status);
        report.ticks += 1;
        report.early += u64::from(ticked.is_early);
        report.overruns += u64::from(ticked.is_overrun);
        report.skipped = report.skipped.saturating_add(ticked.skipped);
        report.longest = report.longest.max(ended.saturating_sub(began));
        status
    }

    /// Ticks the tree until it has ended, or the loop is stopped. Blocks the thread between the ticks.
    pub fn until_end(&mut self) -> DriveReport {
        self.block(Until::End)
    }

    /// Ticks the tree until the loop is stopped. A tree that has ended starts again in the next tick. Blocks the thread between
    /// the ticks.
    pub fn until_stopped(&mut self) -> DriveReport {
        self.block(Until::Stopped)
    }

    /// Like [`until_end`](Self::until_end), for a task of an asynchronous runtime. `sleep` is the runtime's timer, such as
    /// `tokio::time::sleep`.
    ///
    /// The loop continues if this is called again. Drop the driver to halt the tree.
    ///
    /// ```
    /// use bt_core::drive::drive;
    /// use bt_core::prelude::*;
    /// # use std::task::{Context, Poll, Waker};
    ///
    /// async fn fetch(n: &mut u32) -> Option<Status> {
    ///     let tree = tree! { for u32: mem_sequence { |n: &mut u32| *n += 1, |n: &mut u32| *n > 0 } };
    ///     drive(&tree, n).every(millis(50)).until_end_async(sleep).await.status
    /// }
    /// # async fn sleep(_: Duration) {}                      // in place of `tokio::time::sleep`
    /// # let mut n = 0;
    /// # let mut future = Box::pin(fetch(&mut n));
    /// # assert_eq!(future.as_mut().poll(&mut Context::from_waker(Waker::noop())), Poll::Ready(Some(Status::Success)));
    /// # use std::future::Future;
    /// ```
    pub async fn until_end_async<T: Future>(&mut self, sleep: impl FnMut(Duration) -> T) -> DriveReport {
        self.wait(Until::End, sleep).await
    }

    /// Like [`until_stopped`](Self::until_stopped), for a task of an asynchronous runtime.
    pub async fn until_stopped_async<T: Future>(&mut self, sleep: impl FnMut(Duration) -> T) -> DriveReport {
        self.wait(Until::Stopped, sleep).await
    }

    /// Halts the tree, and reports the halt to the observer. Dropping the driver halts the tree without a report.
    pub fn halt(&mut self) {
        let now = (self.time)();
        let Agent { tree, ctx, memory } = &mut self.agent;
        tree.halt_with(*ctx, memory, &mut self.observer.for_agent(0, now));
        self.due = Wake::Next;
    }

    fn block(&mut self, until: Until) -> DriveReport {
        self.schedule.go_on((self.time)());
        loop {
            match self.step(until) {
                Next::End => return self.end(),
                Next::Ticked => {}
                Next::Sleep(time) => sleep::block(&self.stop.signal, self.left(time)),
            }
        }
    }

    async fn wait<T: Future>(&mut self, until: Until, mut timer: impl FnMut(Duration) -> T) -> DriveReport {
        self.schedule.go_on((self.time)());
        loop {
            match self.step(until) {
                Next::End => return self.end(),
                // Other tasks of the runtime go on even if there is no time to sleep.
                Next::Ticked => sleep::yield_now().await,
                Next::Sleep(time) => sleep::wait(&self.stop.signal, self.left(time).map(&mut timer)).await,
            }
        }
    }

    /// Returns the time that is left until a time of the loop.
    fn left(&self, time: Option<Duration>) -> Option<Duration> {
        time.map(|time| time.saturating_sub((self.time)()))
    }

    /// Ticks the tree if it is time.
    fn step(&mut self, until: Until) -> Next {
        if self.stop.is_stopped() {
            return Next::End;
        }
        let now = (self.time)();
        if self.stop.signal.is_woken() {
            if self.due_by.is_some() {
                self.report.saved += self.schedule.skip_until_event(now);
            }
        } else {
            let time = match self.due {
                Wake::Event => None,
                Wake::At(time) => Some(self.schedule.first_from(time)),
                Wake::Next => Some(self.schedule.next()),
            };
            match time {
                Some(time) if time <= now => self.report.saved += self.schedule.skip_to(time),
                time => return Next::Sleep(time),
            }
        }
        let status = self.tick_once();
        if until == Until::End && status != Status::Running { Next::End } else { Next::Ticked }
    }

    fn end(&mut self) -> DriveReport {
        if self.stop.is_stopped() {
            self.halt();
            self.report.is_stopped = true;
        }
        self.report()
    }
}

impl<N: Node<C>, C: ?Sized, O, B> fmt::Debug for Driver<'_, N, C, O, B> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Driver").field("report", &self.report).finish_non_exhaustive()
    }
}
