//! The inspector: what a program starts and registers its trees and agents with.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, ToSocketAddrs, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use bt_core::observe::Recorded;
use bt_core::{NodeShape, Tree as _};
use tokio::sync::oneshot;

use crate::agent::Watched;
use crate::guard::Guard;
use crate::server;
use crate::shared::{Shared, Tree};

/// Serves a page on which trees can be watched: see the [crate's page](crate). It stops when it is dropped.
pub struct Inspector {
    shared: Arc<Shared>,
    address: SocketAddr,
    guard: Guard,
    /// Dropped, it stops the server.
    _stop: oneshot::Sender<()>,
}

/// A tree that an [`Inspector`] knows.
#[derive(Clone)]
pub struct TreeKey(Arc<Tree>);

impl Inspector {
    /// Starts to serve, in a thread of its own. Port 0 is any that is free.
    ///
    /// On a loopback address (`127.0.0.1`, `localhost`) only this machine sees the page. On any other address, whoever has the token in [`url`](Self::url).
    ///
    /// # Errors
    ///
    /// If the address cannot be bound, or no thread can be started.
    pub fn serve(address: impl ToSocketAddrs) -> io::Result<Self> {
        Self::start(address, Shared::default(), false)
    }

    /// Serves like [`serve`](Self::serve), but on a loopback address too only those who have the token in [`url`](Self::url) see the page: for a machine
    /// that has other users.
    ///
    /// ```
    /// let inspector = bt_inspector::Inspector::serve_with_token("127.0.0.1:0")?;
    /// assert!(inspector.url().contains("/?token="));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the address cannot be bound, or no thread can be started.
    pub fn serve_with_token(address: impl ToSocketAddrs) -> io::Result<Self> {
        Self::start(address, Shared::default(), true)
    }

    /// Serves recordings in the place of running agents.
    ///
    /// # Errors
    ///
    /// If the address cannot be bound, or no thread can be started.
    pub fn open(address: impl ToSocketAddrs, recordings: impl IntoIterator<Item = Recorded>) -> io::Result<Self> {
        Self::start(address, Shared::of(recordings), false)
    }

    /// Serves recordings like [`open`](Self::open), but on a loopback address too only those who have the token in [`url`](Self::url) see the page.
    ///
    /// # Errors
    ///
    /// If the address cannot be bound, or no thread can be started.
    pub fn open_with_token(
        address: impl ToSocketAddrs,
        recordings: impl IntoIterator<Item = Recorded>,
    ) -> io::Result<Self> {
        Self::start(address, Shared::of(recordings), true)
    }

    fn start(address: impl ToSocketAddrs, shared: Shared, needs_token: bool) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let guard = if needs_token { Guard::with_token() } else { Guard::new(address) }?;
        let (stop, stopped) = oneshot::channel();
        let shared = Arc::new(shared);
        let (theirs, guarded) = (Arc::clone(&shared), guard.clone());
        std::thread::Builder::new().name("bt-inspector".to_owned()).spawn(move || {
            if let Err(error) = server::serve(listener, guarded, Arc::clone(&theirs), stopped) {
                eprintln!("bt-inspector: {error}");
            }
            // Whatever it ended of, nobody may be left waiting.
            theirs.closed.store(true, Ordering::SeqCst);
        })?;
        Ok(Self { shared, address, guard, _stop: stop })
    }

    /// The address of the page, for a browser. If the server is bound to all addresses of this machine (`0.0.0.0`), that by which others reach it.
    pub fn url(&self) -> String {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            address.set_ip(own(address.ip()));
        }
        match self.guard.token() {
            None => format!("http://{address}/"),
            Some(token) => format!("http://{address}/?token={token}"),
        }
    }

    /// Makes a tree known, under a name. Agents that share it need that only once.
    pub fn tree<N: NodeShape>(&self, name: &str, tree: &N) -> TreeKey {
        TreeKey(self.shared.add_tree(name, tree.description()))
    }

    /// Makes an agent known, under a name: an observer of its ticks.
    pub fn agent(&self, tree: TreeKey, name: &str) -> Watched {
        let agent = self.shared.add_agent(tree.0, name);
        Watched::new(Arc::clone(&self.shared), agent)
    }

    /// How many pages are connected.
    pub fn pages(&self) -> usize {
        self.shared.pages.load(Ordering::SeqCst)
    }
}

/// The address of this machine that others reach a server at which is bound to all addresses. Without a network, the loopback address.
fn own(all: IpAddr) -> IpAddr {
    // Connecting a UDP socket sends nothing: it only chooses the address to send from. These are reserved for documentation.
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

impl Drop for Inspector {
    fn drop(&mut self) {
        self.shared.closed.store(true, Ordering::SeqCst);
    }
}
