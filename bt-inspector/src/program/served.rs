//! The server of an inspector's pages.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, ToSocketAddrs, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use bt_core::observe::Recorded;
use tokio::sync::oneshot;

use super::inspector::{Inspector, session};
use crate::server::{self, Guard};
use crate::state::Shared;

/// A running server.
pub(super) struct Server {
    address: SocketAddr,
    guard: Guard,
    /// Stops the server when dropped.
    _stop: oneshot::Sender<()>,
}

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
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let guard = Guard::new(address, needs_token)?;
        let (stop, stopped) = oneshot::channel();
        let mut shared = shared;
        shared.session = session();
        let shared = Arc::new(shared);
        let (served, guarded) = (Arc::clone(&shared), guard.clone());
        std::thread::Builder::new().name("bt-inspector".to_owned()).spawn(move || {
            if let Err(error) = server::serve(listener, guarded, Arc::clone(&served), stopped) {
                eprintln!("bt-inspector: {error}");
            }
            // Release waiting agents, however the server ended.
            served.closed.store(true, Ordering::SeqCst);
        })?;
        Ok(Self { shared, server: Some(Server { address, guard, _stop: stop }) })
    }

    /// Returns the URL of the page. If the server is bound to all addresses (`0.0.0.0`), the URL contains the address that other machines can reach.
    /// An inspector [without a server](Self::without_server) has none: the text is empty.
    pub fn url(&self) -> String {
        let Some(Server { address, guard, .. }) = &self.server else { return String::new() };
        let mut address = *address;
        if address.ip().is_unspecified() {
            address.set_ip(reachable_ip(address.ip()));
        }
        if guard.needs_token() || self.shared.is_editable() {
            format!("http://{address}/?token={}", guard.token())
        } else {
            format!("http://{address}/")
        }
    }
}

/// Returns the address at which other machines reach a server bound to all addresses, or the loopback address if there is no network.
fn reachable_ip(all: IpAddr) -> IpAddr {
    // Connecting a UDP socket sends nothing; it only selects the source address. The targets are reserved for documentation.
    let reach = |from: IpAddr, to: IpAddr| {
        let socket = UdpSocket::bind((from, 0)).ok()?;
        socket.connect((to, 9)).ok()?;
        socket.local_addr().ok().map(|address| address.ip()).filter(|ip| !ip.is_unspecified())
    };
    let v4 = reach(Ipv4Addr::UNSPECIFIED.into(), Ipv4Addr::new(192, 0, 2, 1).into());
    match all {
        IpAddr::V4(_) => v4.unwrap_or(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(_) => {
            let v6 = reach(all, Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into());
            v6.or(v4).unwrap_or(Ipv6Addr::LOCALHOST.into())
        }
    }
}
