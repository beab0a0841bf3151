//! A flag that wakers set, and the waker behind it.

use alloc::sync::Arc;
use alloc::task::Wake;
use core::sync::atomic::{AtomicBool, Ordering};
use core::task::Waker;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, ThreadId};

use crate::schedule::Wakers;

/// Locks a mutex. Nothing that holds one of the locks of this module can leave its value half changed.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The waker that another waker calls.
#[derive(Default)]
pub(crate) struct NextWaker(Mutex<Option<Waker>>);

impl NextWaker {
    pub(crate) fn set(&self, waker: Option<Waker>) {
        // The old waker is dropped without the lock: it can be the last reference to anything.
        let _old = core::mem::replace(&mut *lock(&self.0), waker);
    }

    pub(crate) fn wake(&self) {
        let next = lock(&self.0).clone();
        if let Some(next) = next {
            next.wake();
        }
    }
}

/// A flag that wakers set. Setting it calls another waker.
#[derive(Default)]
pub(crate) struct Signal {
    is_woken: AtomicBool,
    next: NextWaker,
}

impl Signal {
    /// Sets the flag.
    pub(crate) fn set(&self) {
        if !self.is_woken.swap(true, Ordering::AcqRel) {
            self.next.wake();
        }
    }

    /// Returns whether the flag was set, and clears it.
    pub(crate) fn take(&self) -> bool {
        self.is_woken.swap(false, Ordering::AcqRel)
    }

    /// Returns `true` if the flag is set.
    pub(crate) fn is_woken(&self) -> bool {
        self.is_woken.load(Ordering::Acquire)
    }

    /// Sets the waker that is called when the flag is set.
    pub(crate) fn pass_on_to(&self, waker: Waker) {
        self.next.set(Some(waker));
    }
}

impl Wake for Signal {
    fn wake(self: Arc<Self>) {
        self.set();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.set();
    }
}

/// The signal of a future. A future that wakes itself continues in the next tick; any other wake is an event.
#[derive(Default)]
pub(crate) struct FutureSignal {
    signal: Signal,
    /// Whether another than the future itself has set the flag.
    is_event: AtomicBool,
    /// The thread that polls the future.
    poller: Mutex<Option<ThreadId>>,
}

/// The time in which this thread polls a future.
pub(crate) struct Polling<'s>(&'s FutureSignal);

impl Drop for Polling<'_> {
    fn drop(&mut self) {
        *lock(&self.0.poller) = None;
    }
}

impl FutureSignal {
    /// Sets the flag.
    pub(crate) fn set(&self) {
        let poller = *lock(&self.poller);
        if poller.is_none_or(|poller| poller != thread::current().id()) {
            self.is_event.store(true, Ordering::Release);
        }
        self.signal.set();
    }

    /// Notes that this thread polls the future, until the result is dropped.
    pub(crate) fn polling(&self) -> Polling<'_> {
        *lock(&self.poller) = Some(thread::current().id());
        Polling(self)
    }

    /// Clears the flag.
    pub(crate) fn clear(&self) {
        self.is_event.store(false, Ordering::Release);
        self.signal.take();
    }

    /// Returns `true` once if another than the future itself has set the flag.
    pub(crate) fn take_event(&self) -> bool {
        self.is_event.swap(false, Ordering::AcqRel)
    }

    /// Returns `true` if the flag is set.
    pub(crate) fn is_woken(&self) -> bool {
        self.signal.is_woken()
    }

    /// Sets the waker that is called when the flag is set.
    pub(crate) fn pass_on_to(&self, waker: Waker) {
        self.signal.pass_on_to(waker);
    }

    /// Forgets the waker.
    pub(crate) fn disconnect(&self) {
        self.signal.next.set(None);
    }
}

impl Wake for FutureSignal {
    fn wake(self: Arc<Self>) {
        self.set();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.set();
    }
}

/// The signal of one agent, created when it is first used. A clone is that of another agent.
#[derive(Default)]
pub(crate) struct AgentSignal(OnceLock<Arc<Signal>>);

impl AgentSignal {
    pub(crate) const fn new() -> Self {
        Self(OnceLock::new())
    }

    fn get(&self) -> &Arc<Signal> {
        self.0.get_or_init(Arc::default)
    }

    /// Sets the waker that is called when the agent is woken.
    pub(crate) fn pass_on_to(&self, waker: Waker) {
        self.get().pass_on_to(waker);
    }
}

impl Wakers for AgentSignal {
    type Agent = ();
    type Woken = Option<()>;

    fn waker(&self, (): ()) -> Waker {
        Arc::clone(self.get()).into()
    }

    fn is_used(&self) -> bool {
        self.0.get().is_some()
    }

    fn has(&self, (): ()) -> bool {
        self.0.get().is_some_and(|signal| signal.is_woken())
    }

    fn take(&self) -> Option<()> {
        self.0.get().filter(|signal| signal.take()).map(|_| ())
    }
}

impl Clone for AgentSignal {
    fn clone(&self) -> Self {
        Self::new()
    }
}
