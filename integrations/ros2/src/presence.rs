//! Whether another endpoint is present.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use rustdds::GUID;

use crate::reactor::Host;
use crate::session::Session;
use crate::sight::Sight;
use crate::waiters::{Waiters, lock};

/// The time from finding another endpoint to using it. DDS does not say when the other side has found this one, and it loses what it receives before that.
pub(crate) const SETTLING: Duration = Duration::from_millis(100);

/// Whether a matching endpoint of another program is present.
pub(crate) struct Presence {
    state: Mutex<State>,
    waiters: Arc<Waiters>,
    session: Weak<Session>,
}

#[derive(Default)]
struct State {
    found: BTreeSet<GUID>,
    is_there: bool,
    /// The number of times that an endpoint has appeared.
    changes: u64,
}

impl Presence {
    pub(crate) fn new(session: &Arc<Session>) -> Arc<Self> {
        Arc::new(Self { state: Mutex::default(), waiters: Arc::default(), session: Arc::downgrade(session) })
    }

    /// Returns `true` if an endpoint is present.
    pub(crate) fn is_there(&self) -> bool {
        lock(&self.state).is_there
    }

    /// Returns the endpoints that DDS has found.
    pub(crate) fn found(&self) -> BTreeSet<GUID> {
        lock(&self.state).found.clone()
    }

    /// Waits until an endpoint is present.
    pub(crate) fn there(self: &Arc<Self>) -> impl Future<Output = ()> + Send + use<> {
        let this = self.clone();
        self.waiters.until(move || this.is_there().then_some(()))
    }

    /// Stores the endpoints that DDS has found, if they match. Returns `true` if an earlier endpoint is gone.
    pub(crate) fn look(
        self: &Arc<Self>,
        sight: &Sight,
        mut found: BTreeSet<GUID>,
        is_matched: impl FnOnce() -> bool,
    ) -> bool {
        let Some(session) = self.session.upgrade() else { return false };
        let mut state = lock(&self.state);
        if !sight.has_news {
            found.retain(|one| state.found.contains(one));
        } else if found != state.found && !found.is_empty() && !is_matched() {
            // Each question to ros2-client leaves something there until the next news.
            found.clear();
        }
        if state.found == found {
            return false;
        }
        let is_gone = !state.found.is_subset(&found);
        let is_new = !found.is_subset(&state.found);
        state.is_there &= !is_new && !found.is_empty();
        state.found = found;
        if is_new {
            state.changes += 1;
            let (this, changes, end) = (self.clone(), state.changes, Instant::now() + SETTLING);
            session.reactor().at(end);
            let settled = session.reactor().timers.until(move || (Instant::now() >= end).then_some(()));
            session.reactor().spawn(async move {
                settled.await;
                this.settle(changes);
            });
        }
        drop(state);
        self.tell();
        is_gone
    }

    /// Marks the endpoints as present, unless they have changed meanwhile.
    fn settle(&self, changes: u64) {
        let mut state = lock(&self.state);
        state.is_there |= state.changes == changes && !state.found.is_empty();
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
