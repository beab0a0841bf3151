//! A page of a hub whose messages the program carries.

use std::sync::Arc;
use std::time::Duration;

use super::HubState;

/// A connected page of a [`Hub`](super::Hub) whose messages the program carries. Dropping it disconnects the page.
pub struct HubConnection {
    pub(super) hub: Arc<HubState>,
    pub(super) page: u64,
    updates: Vec<String>,
}

impl HubConnection {
    pub(super) fn new(hub: Arc<HubState>, has_token: bool, updates: Vec<String>) -> Self {
        Self { page: hub.open(has_token), hub, updates }
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
        self.hub.close(self.page);
    }
}
