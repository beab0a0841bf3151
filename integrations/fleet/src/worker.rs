//! A thread that ends with its owner.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use crate::FleetError;

/// A thread. Dropping it asks the thread to stop, and waits until it has.
pub(crate) struct Worker {
    is_stopped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// Whether a thread has to stop.
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    pub(crate) fn is_requested(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

impl Worker {
    /// Starts a thread, which has to look at [`Stop`] from time to time.
    pub(crate) fn start(name: &str, run: impl FnOnce(&Stop) + Send + 'static) -> Result<Self, FleetError> {
        let is_stopped = Arc::new(AtomicBool::new(false));
        let stop = Stop(Arc::clone(&is_stopped));
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(move || run(&stop));
        Ok(Self { is_stopped, thread: Some(thread.map_err(FleetError::Thread)?) })
    }

    /// Asks the thread to stop.
    pub(crate) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Release);
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
