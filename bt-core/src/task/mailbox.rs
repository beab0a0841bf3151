//! The requests of a future to the context of its agent, which [`AsyncContext`](super::AsyncContext) sends.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::sync::{Arc, Weak};
use alloc::vec::Vec;
use core::task::Waker;
use core::time::Duration;
use std::sync::Mutex;

use crate::clock::{Length, Moment, Shift, Until};
use crate::task::signal::{FutureSignal, lock};
use crate::wake::Wake;

/// The context-independent part of [`Requests`].
pub trait Mail: Send + Sync + 'static {
    /// `true` if there can be requests.
    const HAS_REQUESTS: bool = true;
    #[doc(hidden)]
    fn signal(&self) -> MailSignal;
    /// Returns when the future has to be polled, unless it is woken before.
    fn due(&self) -> Wake;
    /// Converts the times that the future waits for to another clock.
    fn shift(&self, by: Shift);
}

/// The flag that the wakers of a future set.
#[doc(hidden)]
pub struct MailSignal(pub(super) Arc<FutureSignal>);

/// The end of a future's requests that the task holds.
pub trait Requests<C: ?Sized>: Mail {
    /// Begins a tick: wakes the future if it waits for this tick.
    fn begin_tick(&self, ctx: &mut C);
    /// Answers the requests. Returns `true` if there were any.
    fn answer(&self, ctx: &mut C) -> bool;
}

/// A future that has no access to the context.
impl Mail for () {
    const HAS_REQUESTS: bool = false;

    fn signal(&self) -> MailSignal {
        MailSignal(Arc::default())
    }

    fn due(&self) -> Wake {
        Wake::Event
    }

    fn shift(&self, _: Shift) {}
}

impl<C: ?Sized> Requests<C> for () {
    fn begin_tick(&self, _: &mut C) {}

    fn answer(&self, _: &mut C) -> bool {
        false
    }
}

/// A request. Without a context, because the action has ended, it only wakes what waits for it.
pub(super) type Request<C> = Box<dyn FnOnce(Option<&mut C>) + Send>;

/// A time that a future waits for.
pub(super) struct Timer {
    time: Length<Duration>,
    until: Until<()>,
    pub(super) is_over: bool,
    pub(super) waker: Option<Waker>,
}

impl Timer {
    pub(super) fn new(time: Duration, now: Moment) -> Self {
        let time = Length::new(time);
        let mut until = Until::of(&time, (), now);
        Self { is_over: until.is_over(&time, now), time, until, waker: None }
    }

    /// Returns when the time is over.
    fn end(&self) -> Duration {
        self.until.end.time()
    }

    /// Notes that the future is polled at this time. Returns the waker if the time is over.
    fn tick(&mut self, now: Moment) -> Option<Waker> {
        self.is_over = self.until.is_over(&self.time, now);
        if self.is_over { self.waker.take() } else { None }
    }
}

/// The requests of a future to the context of its agent.
pub(super) struct Post<C: ?Sized> {
    pub(super) signal: Arc<FutureSignal>,
    pub(super) open: Mutex<Open<C>>,
}

pub(super) struct Open<C: ?Sized> {
    /// Whether the action has ended.
    pub(super) is_closed: bool,
    pub(super) requests: VecDeque<Request<C>>,
    pub(super) timers: Vec<Weak<Mutex<Timer>>>,
    /// Reads the clock of the context. Set by the first timer.
    pub(super) now: Option<fn(&C) -> Moment>,
    /// The number of ticks of the action.
    pub(super) ticks: u64,
    /// Called in the next tick, which is due.
    pub(super) on_tick: Vec<Waker>,
    /// Called in the next tick, for any reason.
    pub(super) on_event: Vec<Waker>,
}

impl<C: ?Sized> Post<C> {
    pub(super) fn new() -> Arc<Self> {
        let open = Open {
            is_closed: false,
            requests: VecDeque::new(),
            timers: Vec::new(),
            now: None,
            ticks: 0,
            on_tick: Vec::new(),
            on_event: Vec::new(),
        };
        Arc::new(Self { signal: Arc::default(), open: Mutex::new(open) })
    }

    /// Sends a request. It is dropped if the action has ended.
    pub(super) fn send(&self, request: Request<C>) {
        let mut open = lock(&self.open);
        if !open.is_closed {
            open.requests.push_back(request);
            drop(open);
            self.signal.set();
        }
    }

    pub(super) fn is_closed(&self) -> bool {
        lock(&self.open).is_closed
    }
}

/// The end of the requests that the task holds. Dropping it, when the action ends or is halted, closes the other.
pub struct Mailbox<C: ?Sized>(pub(super) Arc<Post<C>>);

impl<C: ?Sized> Drop for Mailbox<C> {
    fn drop(&mut self) {
        let (requests, waiting) = {
            let mut open = lock(&self.0.open);
            open.is_closed = true;
            open.timers.clear();
            let waiting = [core::mem::take(&mut open.on_tick), core::mem::take(&mut open.on_event)];
            (core::mem::take(&mut open.requests), waiting)
        };
        for request in requests {
            request(None);
        }
        drop(waiting);
    }
}

impl<C: ?Sized + 'static> Mail for Mailbox<C> {
    fn signal(&self) -> MailSignal {
        MailSignal(Arc::clone(&self.0.signal))
    }

    fn due(&self) -> Wake {
        let open = lock(&self.0.open);
        if !(open.on_tick.is_empty() && open.requests.is_empty()) {
            return Wake::Next;
        }
        let times = open.timers.iter().filter_map(Weak::upgrade).filter_map(|timer| {
            let timer = lock(&timer);
            (!timer.is_over).then(|| timer.end())
        });
        times.min().map_or(Wake::Event, Wake::At)
    }

    fn shift(&self, by: Shift) {
        for timer in lock(&self.0.open).timers.iter().filter_map(Weak::upgrade) {
            lock(&timer).until.shift(by);
        }
    }
}

impl<C: ?Sized + 'static> Requests<C> for Mailbox<C> {
    fn begin_tick(&self, ctx: &mut C) {
        let woken = {
            let mut open = lock(&self.0.open);
            open.ticks += 1;
            let mut woken = core::mem::take(&mut open.on_tick);
            woken.append(&mut open.on_event);
            if let (Some(now), false) = (open.now, open.timers.is_empty()) {
                let now = now(ctx);
                open.timers.retain(|timer| {
                    let Some(timer) = timer.upgrade() else { return false };
                    let mut timer = lock(&timer);
                    woken.extend(timer.tick(now));
                    !timer.is_over
                });
            }
            woken
        };
        if !woken.is_empty() {
            // The agent is being ticked, so it need not be woken.
            self.0.signal.disconnect();
        }
        woken.into_iter().for_each(Waker::wake);
    }

    fn answer(&self, ctx: &mut C) -> bool {
        // The requests that the answers cause are answered after the future was polled.
        let requests = core::mem::take(&mut lock(&self.0.open).requests);
        let has_any = !requests.is_empty();
        for request in requests {
            request(Some(&mut *ctx));
        }
        has_any
    }
}
