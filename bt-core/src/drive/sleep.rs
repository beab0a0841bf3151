//! Sleeping until a time or an event.

use alloc::sync::Arc;
use alloc::task::Wake;
use core::future::{Future, poll_fn};
use core::task::Poll;
use core::time::Duration;
use std::thread::{self, Thread};

use crate::schedule::Wakers;
use crate::task::AgentSignal;

/// Wakes a thread.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.0.unpark();
    }
}

/// Blocks the thread until the signal is set or the time is over. Without a time, waits for the signal.
pub(super) fn block(signal: &AgentSignal, time: Option<Duration>) {
    signal.pass_on_to(Arc::new(Unpark(thread::current())).into());
    // The caller checks the time again, so a wake without a reason does no harm.
    match time {
        _ if signal.has(()) => {}
        Some(time) => thread::park_timeout(time),
        None => thread::park(),
    }
}

/// Waits until the signal is set or the timer is over.
pub(super) async fn wait(signal: &AgentSignal, timer: Option<impl Future>) {
    let mut timer = core::pin::pin!(timer);
    poll_fn(|cx| {
        signal.pass_on_to(cx.waker().clone());
        if signal.has(()) {
            return Poll::Ready(());
        }
        match timer.as_mut().as_pin_mut() {
            Some(timer) => timer.poll(cx).map(|_| ()),
            None => Poll::Pending,
        }
    })
    .await;
}

/// Lets other tasks run once.
pub(super) async fn yield_now() {
    let mut is_over = false;
    poll_fn(|cx| {
        if core::mem::replace(&mut is_over, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
