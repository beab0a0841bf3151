//! The inspector: what a program starts, and gives its trees and agents to.

use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use bt_core::observe::Recorded;
use bt_core::{Shape, Tree as _};
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
        Self::start(address, Shared::default())
    }

    /// Serves recordings in the place of running agents.
    ///
    /// # Errors
    ///
    /// If the address cannot be bound, or no thread can be started.
    pub fn open(address: impl ToSocketAddrs, recordings: impl IntoIterator<Item = Recorded>) -> io::Result<Self> {
        let shared = Shared::recording();
        for recorded in recordings {
            shared.add_recording(recorded);
        }
        Self::start(address, shared)
    }

    fn start(address: impl ToSocketAddrs, shared: Shared) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let guard = Guard::new(address)?;
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

    /// The address of the page, for a browser.
    pub fn url(&self) -> String {
        match self.guard.token() {
            None => format!("http://{}/", self.address),
            Some(token) => format!("http://{}/?token={token}", self.address),
        }
    }

    /// Makes a tree known, under a name. Agents that share it need that only once.
    pub fn tree<N: Shape>(&self, name: &str, tree: &N) -> TreeKey {
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

impl Drop for Inspector {
    fn drop(&mut self) {
        self.shared.closed.store(true, Ordering::SeqCst);
    }
}
