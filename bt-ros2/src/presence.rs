//! Whether there is somebody at the other side.

use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use crate::reactor::Host;
use crate::session::Session;
use crate::waiters::{Waiters, lock};

/// The time from finding another endpoint to using it. DDS does not say when the other side has found this one, and it loses what it receives before that.
pub(crate) const SETTLING: Duration = Duration::from_millis(100);

/// Whether there is somebody at the other side of an endpoint.
pub(crate) struct Presence {
    state: Mutex<State>,
    waiters: Arc<Waiters>,
    session: Weak<Session>,
}

#[derive(Default)]
struct State {
    is_matched: bool,
    is_there: bool,
    /// How often somebody came or went.
    changes: u64,
}

impl Presence {
    pub(crate) fn new(session: &Arc<Session>) -> Arc<Self> {
        Arc::new(Self { state: Mutex::default(), waiters: Arc::default(), session: Arc::downgrade(session) })
    }

    /// Returns `true` if there is somebody.
    pub(crate) fn is_there(&self) -> bool {
        lock(&self.state).is_there
    }

    /// Waits until there is somebody.
    pub(crate) fn there(self: &Arc<Self>) -> impl Future<Output = ()> + Send + use<> {
        let this = self.clone();
        self.waiters.until(move || this.is_there().then_some(()))
    }

    /// Notes whether DDS has found somebody. Returns `true` if there is nobody any more.
    pub(crate) fn look(self: &Arc<Self>, is_matched: bool) -> bool {
        let Some(session) = self.session.upgrade() else { return false };
        let mut state = lock(&self.state);
        if state.is_matched == is_matched {
            return false;
        }
        state.is_matched = is_matched;
        state.changes += 1;
        let changes = state.changes;
        if is_matched {
            drop(state);
            let end = Instant::now() + SETTLING;
            session.reactor().at(end);
            let settled = session.reactor().timers.until(move || (Instant::now() >= end).then_some(()));
            let this = self.clone();
            session.reactor().spawn(async move {
                settled.await;
                this.settle(changes);
            });
            return false;
        }
        let was_there = std::mem::take(&mut state.is_there);
        drop(state);
        self.tell();
        was_there
    }

    /// Somebody is there, unless that has changed meanwhile.
    fn settle(&self, changes: u64) {
        let mut state = lock(&self.state);
        state.is_there |= state.changes == changes;
        drop(state);
        self.tell();
    }

    fn tell(&self) {
        self.waiters.wake();
        if let Some(session) = self.session.upgrade() {
            session.arrived();
        }
    }
}
