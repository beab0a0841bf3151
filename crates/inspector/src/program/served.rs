//! The server of an inspector's pages.

use std::io;
use std::net::{Ipv4Addr, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bt_core::observe::Recorded;

use super::inspector::{Inspector, session};
use crate::protocol::Page;
use crate::server::{Served, ServedPage, Server};
use crate::state::Shared;

#[cfg_attr(docsrs, doc(cfg(feature = "server")))]
impl Inspector {
    /// The port of [`local`](Self::local), if it is free.
    pub const PORT: u16 = 7117;

    /// Starts a server on a new thread. Port 0 selects any free port.
    ///
    /// On a loopback address (`127.0.0.1`, `localhost`), only this machine can open the page. On any other address, a request needs the token in
    /// [`url`](Self::url).
    ///
    /// # Errors
    ///
    /// Returns an error if the address cannot be bound or no thread can be started.
    pub fn serve(address: impl ToSocketAddrs) -> io::Result<Self> {
        Self::start(address, Shared::default(), false)
    }

    /// Starts a server for this machine, on port [`PORT`](Self::PORT) or, if that is in use, on any free port. The address stays the same over restarts
    /// of the program, and an open page reconnects.
    ///
    /// ```
    /// let inspector = bt_inspector::Inspector::local()?;
    /// println!("inspector at {}", inspector.url());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if no port is free or no thread can be started.
    pub fn local() -> io::Result<Self> {
        Self::serve((Ipv4Addr::LOCALHOST, Self::PORT)).or_else(|_| Self::serve((Ipv4Addr::LOCALHOST, 0)))
    }

    /// Starts a server like [`serve`](Self::serve), but requires the token in [`url`](Self::url) on a loopback address, too. Use it on a machine with
    /// several users.
    ///
    /// ```
    /// let inspector = bt_inspector::Inspector::serve_with_token("127.0.0.1:0")?;
    /// assert!(inspector.url().contains("/?token="));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the address cannot be bound or no thread can be started.
    pub fn serve_with_token(address: impl ToSocketAddrs) -> io::Result<Self> {
        Self::start(address, Shared::default(), true)
    }

    /// Starts a server like [`serve`](Self::serve) that shows recordings instead of running agents. [`read`](Self::read) adds more of them.
    ///
    /// # Errors
    ///
    /// Returns an error if the address cannot be bound or no thread can be started.
    pub fn open(address: impl ToSocketAddrs, recordings: impl IntoIterator<Item = Recorded>) -> io::Result<Self> {
        Self::start(address, Shared::from_recordings(recordings), false)
    }

    /// Starts a server like [`open`](Self::open), but requires the token in [`url`](Self::url) on a loopback address, too.
    ///
    /// # Errors
    ///
    /// Returns an error if the address cannot be bound or no thread can be started.
    pub fn open_with_token(
        address: impl ToSocketAddrs,
        recordings: impl IntoIterator<Item = Recorded>,
    ) -> io::Result<Self> {
        Self::start(address, Shared::from_recordings(recordings), true)
    }

    fn start(address: impl ToSocketAddrs, shared: Shared, needs_token: bool) -> io::Result<Self> {
        let mut shared = shared;
        shared.session = session();
        let shared = Arc::new(shared);
        let server = Server::start(address, Arc::clone(&shared), needs_token)?;
        Ok(Self { shared, server: Some(server) })
    }

    /// Returns the URL of the page. If the server is bound to all addresses (`0.0.0.0`), the URL contains the address that other machines can reach.
    /// An inspector [without a server](Self::without_server) has none: the text is empty.
    pub fn url(&self) -> String {
        self.server.as_ref().map(|server| server.url(self.shared.is_editable())).unwrap_or_default()
    }
}

impl Served for Shared {
    type Page = Page;

    fn open(self: Arc<Self>, has_token: bool) -> Page {
        Page::new(self, has_token)
    }

    fn maintain(&self, now: Duration) {
        Self::maintain(self, now);
    }

    fn close(&self) {
        // Releases waiting agents.
        self.closed.store(true, Ordering::SeqCst);
    }
}

impl ServedPage for Page {
    fn hello(&self) -> String {
        Self::hello(self)
    }

    fn receive(&mut self, message: &str, updates: &mut Vec<String>) {
        Self::receive(self, message, updates);
    }

    fn push_updates(&mut self, now: Duration, updates: &mut Vec<String>) {
        Self::push_updates(self, now, updates);
    }

    fn is_closed(&self) -> bool {
        Self::is_closed(self)
    }
}
