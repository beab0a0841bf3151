//! A waker that notes that it was called.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Wake;

/// Whether the waker was called.
#[derive(Default)]
pub struct Flag(AtomicBool);

impl Flag {
    /// Returns whether the waker was called since the last time.
    pub fn take(&self) -> bool {
        self.0.swap(false, Ordering::Relaxed)
    }
}

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}
