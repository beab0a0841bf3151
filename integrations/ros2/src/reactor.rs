//! The thread of a node: it waits for everything that the node receives, and runs what the node does in the background.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use futures::stream::{FuturesUnordered, Stream};
use rustdds::mio1;

use crate::sight::Sight;
use crate::waiters::{Waiters, lock};

/// What a node receives from: the end of a topic.
pub(crate) trait Source: Send + Sync {
    /// Takes what has arrived.
    fn receive(&self) {}

    /// Looks at which endpoints of others there are.
    fn look(&self, _node: &ros2_client::Node, _sight: &Sight) {}
}

/// The side of the thread that others call.
pub(crate) struct Reactor {
    registry: mio1::Registry,
    alarm: Arc<Alarm>,
    state: Mutex<State>,
    /// Those who wait for a time.
    pub(crate) timers: Arc<Waiters>,
}

#[derive(Default)]
struct State {
    next: usize,
    sources: BTreeMap<usize, Weak<dyn Source>>,
    tasks: Vec<BoxFuture<'static, ()>>,
    times: BTreeSet<(Instant, usize)>,
}

/// Ends the sleep of the thread, because of a task or a time.
struct Alarm {
    is_raised: AtomicBool,
    waker: mio1::Waker,
}

impl Wake for Alarm {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if !self.is_raised.swap(true, Ordering::AcqRel) {
            // It fails only if the system has no memory for a single event. The next event is another chance.
            _ = self.waker.wake();
        }
    }
}

/// The token of the alarm. Sources have the others.
const ALARM: usize = 0;

impl Reactor {
    /// Creates both sides. The thread is that of [`run`].
    pub(crate) fn new() -> io::Result<(Self, mio1::Poll)> {
        let poll = mio1::Poll::new()?;
        let waker = mio1::Waker::new(poll.registry(), mio1::Token(ALARM))?;
        let alarm = Arc::new(Alarm { is_raised: AtomicBool::new(false), waker });
        let state = Mutex::new(State { next: ALARM + 1, ..State::default() });
        Ok((Self { registry: poll.registry().try_clone()?, alarm, state, timers: Arc::default() }, poll))
    }

    /// Registers where something arrives. Returns its number, for [`add`](Self::add).
    pub(crate) fn register(&self, source: &mut dyn mio1::event::Source) -> io::Result<usize> {
        let number = self.number();
        source.register(&self.registry, mio1::Token(number), mio1::Interest::READABLE)?;
        Ok(number)
    }

    /// Returns a new number.
    pub(crate) fn number(&self) -> usize {
        let mut state = lock(&self.state);
        state.next += 1;
        state.next - 1
    }

    /// Adds a source, until it is dropped.
    pub(crate) fn add(&self, number: usize, source: Weak<dyn Source>) {
        let mut state = lock(&self.state);
        state.sources.retain(|_, source| source.strong_count() > 0);
        state.sources.insert(number, source);
    }

    /// Returns the sources that are left.
    pub(crate) fn sources(&self) -> Vec<Arc<dyn Source>> {
        lock(&self.state).sources.values().filter_map(Weak::upgrade).collect()
    }

    /// Runs a task to its end, in the thread.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        lock(&self.state).tasks.push(Box::pin(task));
        self.alarm.wake_by_ref();
    }

    /// Wakes `timers` at a time, unless that is canceled.
    pub(crate) fn at(&self, time: Instant) -> (Instant, usize) {
        let key = (time, self.number());
        lock(&self.state).times.insert(key);
        self.alarm.wake_by_ref();
        key
    }

    /// Cancels an earlier [`at`](Self::at).
    pub(crate) fn cancel(&self, key: (Instant, usize)) {
        lock(&self.state).times.remove(&key);
    }

    /// Ends the sleep of the thread.
    pub(crate) fn alarm(&self) {
        self.alarm.wake_by_ref();
    }

    /// Removes the times that are over. Returns whether there were any, and the time until the next one.
    fn times(&self) -> (bool, Option<Duration>) {
        let (now, mut state) = (Instant::now(), lock(&self.state));
        let later = state.times.split_off(&(now, usize::MAX));
        let are_over = !std::mem::replace(&mut state.times, later).is_empty();
        (are_over, state.times.first().map(|(time, _)| time.saturating_duration_since(now)))
    }
}

/// What the thread needs of a node.
pub(crate) trait Host: Send + Sync + 'static {
    /// The side of the thread that others call.
    fn reactor(&self) -> &Reactor;
    /// Looks at what the tasks have changed.
    fn settle(&self);
    /// Looks at which endpoints of others there are.
    fn look(&self, has_news: bool);
}

/// The longest time between two looks at the endpoints of others. DDS looks for silent programs as often.
const LOOKS: Duration = Duration::from_secs(2);

/// Waits for events until the host is dropped.
pub(crate) fn run(mut poll: mio1::Poll, host: &Weak<impl Host>, spinner: BoxFuture<'static, ()>) {
    let Some(alarm) = host.upgrade().map(|host| host.reactor().alarm.clone()) else { return };
    let waker = Waker::from(alarm.clone());
    let mut tasks = FuturesUnordered::from_iter([spinner]);
    let mut events = mio1::Events::with_capacity(64);
    alarm.is_raised.store(true, Ordering::Release);
    let mut looked = Instant::now();
    loop {
        let Some(alive) = host.upgrade() else { return };
        let reactor = alive.reactor();
        while alarm.is_raised.swap(false, Ordering::AcqRel) {
            tasks.extend(std::mem::take(&mut lock(&reactor.state).tasks));
            let mut cx = Context::from_waker(&waker);
            while let Poll::Ready(Some(())) = std::pin::Pin::new(&mut tasks).poll_next(&mut cx) {}
            alive.settle();
        }
        if looked.elapsed() >= LOOKS {
            looked = Instant::now();
            alive.look(false);
        }
        let (are_over, next) = reactor.times();
        if are_over {
            reactor.timers.wake();
        }
        // The host may be dropped while this thread sleeps.
        drop(alive);
        let left = LOOKS.saturating_sub(looked.elapsed());
        match poll.poll(&mut events, Some(next.map_or(left, |next| next.min(left)))) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return,
        }
        let Some(alive) = host.upgrade() else { return };
        for event in &events {
            let source = lock(&alive.reactor().state).sources.get(&event.token().0).and_then(Weak::upgrade);
            if let Some(source) = source {
                source.receive();
            }
        }
    }
}
