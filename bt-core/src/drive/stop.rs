//! Stopping a driving loop from elsewhere.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicBool, Ordering};
use core::task::Waker;

/// Stops a driving loop, from any thread. Returned by [`Driver::stop_handle`](super::Driver::stop_handle).
#[derive(Clone)]
pub struct StopHandle {
    pub(super) is_stopped: Arc<AtomicBool>,
    waker: Waker,
}

impl StopHandle {
    pub(super) fn new(waker: Waker) -> Self {
        Self { is_stopped: Arc::default(), waker }
    }

    /// Ends the loop before its next tick. The tree is halted, and the loop ends after the [cleanups](crate::keywords::finally) that the halt
    /// has left running.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Release);
        self.waker.wake_by_ref();
    }

    /// Returns `true` after [`stop`](Self::stop).
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Acquire)
    }
}

impl core::fmt::Debug for StopHandle {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("StopHandle").field("is_stopped", &self.is_stopped()).finish_non_exhaustive()
    }
}
