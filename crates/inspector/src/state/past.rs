//! The past of an agent, to which a page takes it back: the messages of the pages and the program about it.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use super::lock;
use crate::values::Answer;

/// A time to which an agent goes back: before a tick with a number, or before the last tick that had begun at a time of its clock, or of day, since 1970.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Moment {
    Tick(u64),
    Time(Duration),
    Day(Duration),
}

/// A request of a page to take an agent back.
pub(crate) struct RewindRequest {
    pub(crate) to: Moment,
    /// Receives the result, once.
    pub(crate) answer: Answer,
}

/// The past of an agent. Its snapshots are stored by the observer of the agent.
#[derive(Default)]
pub(crate) struct Past {
    /// Whether the program lets pages take the agent back.
    is_offered: AtomicBool,
    /// Whether the program continues without the agent while it is held.
    pub(crate) is_skipped: AtomicBool,
    /// The number of ticks between two snapshots; 0 if no page needs them.
    every: AtomicU64,
    /// The numbers of the first and the last tick with a snapshot.
    ticks: Mutex<Option<[u64; 2]>>,
    request: Mutex<Option<RewindRequest>>,
}

impl Past {
    pub(crate) fn is_offered(&self) -> bool {
        self.is_offered.load(Ordering::Relaxed)
    }

    /// Notes that the program lets pages take the agent back. Returns the number of ticks between two snapshots; 0 for none.
    pub(crate) fn offer(&self) -> u64 {
        if !self.is_offered() {
            self.is_offered.store(true, Ordering::Relaxed);
        }
        self.every()
    }

    pub(crate) fn every(&self) -> u64 {
        self.every.load(Ordering::Relaxed)
    }

    /// Sets the number of ticks between two snapshots. With 0, the program frees them before its next tick.
    pub(crate) fn keep(&self, every: u64) {
        self.every.store(every, Ordering::Relaxed);
        if every == 0 {
            self.set_ticks(None);
        }
    }

    pub(crate) fn ticks(&self) -> Option<[u64; 2]> {
        *lock(&self.ticks)
    }

    pub(crate) fn set_ticks(&self, ticks: Option<[u64; 2]>) {
        *lock(&self.ticks) = ticks;
    }

    /// Replaces the request that the program has not fulfilled yet.
    pub(crate) fn request(&self, request: RewindRequest) {
        let before = lock(&self.request).replace(request);
        if let Some(before) = before {
            let _ = before.answer.set(Err("the agent goes back to another tick".to_owned()));
        }
    }

    pub(crate) fn take_request(&self) -> Option<RewindRequest> {
        lock(&self.request).take()
    }
}
