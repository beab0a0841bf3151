//! Running a loop: ticks, and the sleep between them.

use core::future::Future;
use core::time::Duration;

use crate::drive::driver::{Agent, Driver};
use crate::drive::report::DriveReport;
use crate::drive::sleep;
use crate::drive::time::{AsyncTime, TimeSource};
use crate::edits;
use crate::node::Node;
use crate::observer::Observer;
use crate::schedule::Wakers;
use crate::status::Status;
use crate::tree::Tree;
use crate::wake::{Wake, WakeVisit};

/// The next step of the loop.
enum Next {
    /// The loop is over.
    End,
    /// The tree was ticked.
    Ticked,
    /// Wait until this time, or for an event.
    Sleep(Option<Duration>),
}

/// The interval at which a sleeping loop checks whether its tree was edited, if trees follow their source.
const LOOKS: Duration = Duration::from_millis(100);

/// What ends the loop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    /// The end of the tree, or that the loop is stopped.
    End,
    /// That the loop is stopped.
    Stopped,
    /// The end of the cleanups that a halt has left running. The tree is not ticked any more.
    CleanedUp,
}

impl<N: Node<C>, C: ?Sized, O: Observer, B: FnMut(&mut C)> Driver<'_, N, C, O, B> {
    /// Ticks the tree until it has ended, or the loop is stopped. Blocks the thread between the ticks.
    pub fn until_end(&mut self) -> DriveReport {
        self.block(Until::End)
    }

    /// Ticks the tree until the loop is stopped. A tree that has ended starts again in the next tick. Blocks the thread between
    /// the ticks.
    pub fn until_stopped(&mut self) -> DriveReport {
        self.block(Until::Stopped)
    }

    fn block(&mut self, mut until: Until) -> DriveReport {
        self.begin();
        loop {
            match self.step(&mut until) {
                Next::End => return self.report(),
                Next::Ticked => {}
                Next::Sleep(time) => sleep::block(&self.schedule.wakers, self.left(time)),
            }
        }
    }
}

impl<N, C, O, B, F, S, T> Driver<'_, N, C, O, B, AsyncTime<F, S>>
where
    N: Node<C>,
    C: ?Sized,
    O: Observer,
    B: FnMut(&mut C),
    F: Fn() -> Duration,
    S: FnMut(Duration) -> T,
    T: Future,
{
    /// Ticks the tree until it has ended, or the loop is stopped.
    ///
    /// The loop continues if this method is called again. Drop the driver to halt the tree.
    pub async fn until_end(&mut self) -> DriveReport {
        self.wait(Until::End).await
    }

    /// Ticks the tree until the loop is stopped. A tree that has ended starts again in the next tick.
    pub async fn until_stopped(&mut self) -> DriveReport {
        self.wait(Until::Stopped).await
    }

    async fn wait(&mut self, mut until: Until) -> DriveReport {
        self.begin();
        loop {
            match self.step(&mut until) {
                Next::End => return self.report(),
                // Other tasks of the runtime go on even if there is no time to sleep.
                Next::Ticked => sleep::yield_now().await,
                Next::Sleep(time) => {
                    let timer = self.left(time).map(&mut self.time.source.sleep);
                    sleep::wait(&self.schedule.wakers, timer).await;
                }
            }
        }
    }
}

impl<N: Node<C>, C: ?Sized, O: Observer, B: FnMut(&mut C), T: TimeSource> Driver<'_, N, C, O, B, T> {
    /// Ticks the tree once, without waiting.
    pub fn tick_once(&mut self) -> Status {
        let _ = self.schedule.wakers.take();
        self.schedule.follow();
        let began = self.time.measure();
        let Agent { tree, ctx, memory } = &mut self.agent;
        (self.before)(ctx);
        let status = tree.tick_with(*ctx, memory, &mut self.observer.for_agent(0, began));
        let waker = || self.schedule.wakers.waker(());
        let due = tree.due_with(status, memory, &mut WakeVisit::with_waker(*ctx, &waker));
        let ended = self.time.measure();
        self.sleep(ended, due);
        let ticked = self.periodic.ticked(began, ended);
        let report = &mut self.report;
        report.status = Some(status);
        report.ticks += 1;
        report.early += u64::from(ticked.is_early);
        report.overruns += u64::from(ticked.is_overrun);
        report.skipped = report.skipped.saturating_add(ticked.skipped);
        report.longest = report.longest.max(ended.saturating_sub(began));
        status
    }

    /// Sleeps until the tree is due by the clock of the context.
    fn sleep(&mut self, now: Duration, due: Wake) {
        let until = match (self.due_by, due) {
            (Some(clock), Wake::At(time)) => Wake::At(now.saturating_add(time.saturating_sub(clock(self.agent.ctx)))),
            (Some(_), due) => due,
            (None, _) => Wake::Next,
        };
        self.schedule.sleep(now, until);
    }

    /// Sleeps until a cleanup that a halt has left running is due.
    fn sleep_in_cleanups(&mut self, now: Duration) {
        let Agent { tree, ctx, memory } = &mut self.agent;
        let waker = || self.schedule.wakers.waker(());
        let due = tree.cleanups_due(memory, &mut WakeVisit::with_waker(*ctx, &waker));
        self.sleep(now, due);
    }

    /// Halts the tree, and reports the halt to the observer. Dropping the driver halts the tree without a report.
    pub fn halt(&mut self) {
        let now = self.time.measure();
        let Agent { tree, ctx, memory } = &mut self.agent;
        tree.halt_with(*ctx, memory, &mut self.observer.for_agent(0, now));
        self.schedule.wake();
    }

    /// Notifies the running leaves that the loop will not tick the tree for some time: see [`Tree::pause`].
    pub fn pause(&mut self) {
        let Agent { tree, ctx, memory } = &mut self.agent;
        tree.pause(*ctx, memory);
    }

    /// Notifies the running leaves that the loop ticks the tree again, and makes the tree due: see [`Tree::unpause`].
    pub fn unpause(&mut self) {
        let Agent { tree, ctx, memory } = &mut self.agent;
        tree.unpause(*ctx, memory);
        self.schedule.wake();
    }

    /// Begins to tick, at first or after a pause.
    fn begin(&mut self) {
        let now = self.time.measure();
        self.periodic.go_on(now);
    }

    /// Returns the time that is left until a time of the loop.
    fn left(&self, time: Option<Duration>) -> Option<Duration> {
        let left = time.map(|time| time.saturating_sub(self.time.passed()));
        // A tree that is edited wakes nobody.
        if edits::are_followed() { Some(left.unwrap_or(LOOKS).min(LOOKS)) } else { left }
    }

    /// Ticks the cleanups that a halt has left running.
    fn clean_up(&mut self) {
        let _ = self.schedule.wakers.take();
        self.schedule.follow();
        let began = self.time.measure();
        let Agent { tree, ctx, memory } = &mut self.agent;
        (self.before)(ctx);
        tree.clean_up_with(*ctx, memory, &mut self.observer.for_agent(0, began));
        let ended = self.time.measure();
        self.sleep_in_cleanups(ended);
        let _ = self.periodic.ticked(began, ended);
    }

    fn is_over(&mut self, until: Until) -> bool {
        let is_over = until == Until::CleanedUp && !self.agent.tree.is_cleaning_up(&self.agent.memory);
        if is_over {
            self.report.is_stopped |= self.stop.is_stopped();
        }
        is_over
    }

    /// Ticks the tree if it is time.
    fn step(&mut self, until: &mut Until) -> Next {
        if self.stop.is_stopped() && *until != Until::CleanedUp {
            self.halt();
            self.report.is_stopped = true;
            // The event was the stop.
            let _ = self.schedule.wakers.take();
            let now = self.time.measure();
            self.sleep_in_cleanups(now);
            *until = Until::CleanedUp;
        }
        if self.is_over(*until) {
            return Next::End;
        }
        let (now, mut saved) = (self.time.measure(), 0);
        if self.schedule.wakers.has(()) {
            if self.due_by.is_some() {
                saved = self.periodic.skip_until_event(now);
            }
        } else {
            let time = match self.schedule.next() {
                Wake::Event => None,
                Wake::At(time) => Some(self.periodic.first_from(time)),
                Wake::Next => Some(self.periodic.next()),
            };
            match time {
                Some(time) if time <= now => saved = self.periodic.skip_to(time),
                time => return Next::Sleep(time),
            }
        }
        if *until == Until::CleanedUp {
            self.clean_up();
            return if self.is_over(*until) { Next::End } else { Next::Ticked };
        }
        self.report.saved += saved;
        if self.tick_once() != Status::Running && *until == Until::End {
            *until = Until::CleanedUp;
        }
        if self.is_over(*until) { Next::End } else { Next::Ticked }
    }
}
