//! A page of a hub whose messages the program carries, or the server.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bt_inspector::server::{Served, ServedPage};

use super::state::HubState;

/// A connected page of a [`Hub`](crate::Hub) whose messages the program carries. Dropping it disconnects the page.
pub struct HubConnection {
    hub: Arc<HubState>,
    page: u64,
    updates: Vec<String>,
}

impl HubConnection {
    pub(super) fn new(hub: Arc<HubState>, has_token: bool, updates: Vec<String>) -> Self {
        Self { page: hub.open_page(has_token), hub, updates }
    }

    /// Handles a message of the page. [`updates`](Self::updates) returns its errors, too.
    pub fn receive(&mut self, message: &str) {
        self.hub.receive(self.page, message, &mut self.updates);
    }

    /// Returns the messages for the page: what has changed since the last call. Call it about 30 times per second. `now` is the time since any fixed moment.
    pub fn updates(&mut self, now: Duration) -> Vec<String> {
        self.hub.push_updates(self.page, now, &mut self.updates);
        std::mem::take(&mut self.updates)
    }
}

impl Drop for HubConnection {
    fn drop(&mut self) {
        self.hub.close_page(self.page);
    }
}

impl Served for HubState {
    type Page = HubConnection;

    fn open(self: Arc<Self>, has_token: bool) -> HubConnection {
        HubConnection::new(self, has_token, Vec::new())
    }

    fn maintain(&self, _: Duration) {}

    fn close(&self) {
        self.is_closed.store(true, Ordering::SeqCst);
    }
}

impl ServedPage for HubConnection {
    fn hello(&self) -> String {
        self.hub.hello()
    }

    fn receive(&mut self, message: &str, updates: &mut Vec<String>) {
        self.hub.receive(self.page, message, updates);
    }

    fn push_updates(&mut self, now: Duration, updates: &mut Vec<String>) {
        self.hub.push_updates(self.page, now, updates);
    }

    fn is_closed(&self) -> bool {
        self.hub.is_closed(self.page)
    }
}
