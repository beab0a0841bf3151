//! A flag that wakers set, and the waker behind it.

use alloc::sync::Arc;
use alloc::task::Wake;
use core::sync::atomic::{AtomicBool, Ordering};
use core::task::Waker;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, ThreadId};

/// Locks a mutex. Nothing that holds one of the locks of this module can leave its value half changed.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A flag that wakers set. Setting it calls another waker.
#[derive(Default)]
pub(crate) struct Signal {
    is_woken: AtomicBool,
    /// Whether another than the future itself has set the flag.
    is_event: AtomicBool,
    next: Mutex<Option<Waker>>,
    /// The thread that polls the future.
    poller: Mutex<Option<ThreadId>>,
}

/// A signal whose future is polled by this thread.
pub(crate) struct Polling<'s>(&'s Signal);

impl Drop for Polling<'_> {
    fn drop(&mut self) {
        *lock(&self.0.poller) = None;
    }
}

impl Signal {
    /// Returns whether the flag was set, and clears it.
    pub(crate) fn take(&self) -> bool {
        self.is_event.store(false, Ordering::Release);
        self.is_woken.swap(false, Ordering::AcqRel)
    }

    /// Notes that this thread polls the future, until the result is dropped. A future that wakes itself continues in the next
    /// tick; any other wake is an event.
    pub(crate) fn polling(&self) -> Polling<'_> {
        *lock(&self.poller) = Some(thread::current().id());
        Polling(self)
    }

    /// Returns `true` once if another than the future itself has set the flag.
    pub(crate) fn take_event(&self) -> bool {
        self.is_event.swap(false, Ordering::AcqRel)
    }

    /// Returns `true` if the flag is set.
    pub(crate) fn is_woken(&self) -> bool {
        self.is_woken.load(Ordering::Acquire)
    }

    /// Sets the waker that is called when the flag is set.
    pub(crate) fn pass_on_to(&self, waker: Waker) {
        // The old waker is dropped without the lock: it can be the last reference to anything.
        let _old = lock(&self.next).replace(waker);
    }

    /// Forgets the waker.
    pub(crate) fn disconnect(&self) {
        let _old = lock(&self.next).take();
    }
}

impl Wake for Signal {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let poller = *lock(&self.poller);
        if poller.is_none_or(|poller| poller != thread::current().id()) {
            self.is_event.store(true, Ordering::Release);
        }
        if self.is_woken.swap(true, Ordering::AcqRel) {
            return;
        }
        let next = lock(&self.next).clone();
        if let Some(next) = next {
            next.wake();
        }
    }
}

/// The signal of one agent, created when it is first used. A clone is that of another agent.
#[derive(Default)]
pub(crate) struct AgentSignal(OnceLock<Arc<Signal>>);

impl AgentSignal {
    pub(crate) const fn new() -> Self {
        Self(OnceLock::new())
    }

    pub(crate) fn get(&self) -> &Arc<Signal> {
        self.0.get_or_init(Arc::default)
    }

    /// Returns `true` if something may hold a waker of the agent.
    pub(crate) fn is_used(&self) -> bool {
        self.0.get().is_some()
    }

    /// Returns whether the agent was woken, and clears the flag.
    pub(crate) fn take(&self) -> bool {
        self.0.get().is_some_and(|signal| signal.take())
    }

    /// Returns `true` if the agent was woken.
    pub(crate) fn is_woken(&self) -> bool {
        self.0.get().is_some_and(|signal| signal.is_woken())
    }
}

impl Clone for AgentSignal {
    fn clone(&self) -> Self {
        Self::new()
    }
}
