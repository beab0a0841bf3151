//! The server of a hub's pages.

use std::io;
use std::net::ToSocketAddrs;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::{Hub, HubConnection, HubState};
use crate::lock::lock;
use crate::server::{Served, ServedPage, Server};

#[cfg_attr(docsrs, doc(cfg(feature = "server")))]
impl Hub {
    /// Starts a server for the page on a new thread, with the rules of [`Inspector::serve`](crate::Inspector::serve).
    ///
    /// # Errors
    ///
    /// Returns an error if the address cannot be bound or no thread can be started.
    pub fn serve(address: impl ToSocketAddrs) -> io::Result<Self> {
        Self::start(address, false)
    }

    /// Starts a server like [`serve`](Self::serve), but requires the token in [`url`](Self::url) on a loopback address, too.
    ///
    /// # Errors
    ///
    /// Returns an error if the address cannot be bound or no thread can be started.
    pub fn serve_with_token(address: impl ToSocketAddrs) -> io::Result<Self> {
        Self::start(address, true)
    }

    fn start(address: impl ToSocketAddrs, needs_token: bool) -> io::Result<Self> {
        let shared = Arc::new(HubState::new());
        let server = Server::start(address, Arc::clone(&shared), needs_token)?;
        Ok(Self { shared, server: Some(server) })
    }

    /// Returns the URL of the page. A hub [without a server](Self::without_server) has none: the text is empty.
    #[must_use]
    pub fn url(&self) -> String {
        let is_editable = lock(&self.shared.inner).is_editable;
        self.server.as_ref().map(|server| server.url(is_editable)).unwrap_or_default()
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
        // A page that is too slow connects again.
        let is_slow = lock(&self.hub.inner).pages.get(&self.page).is_none_or(super::page::HubPage::is_overflown);
        is_slow || self.hub.is_closed.load(Ordering::SeqCst)
    }
}
