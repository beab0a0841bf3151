//! What a machine and a hub need to find each other.

use std::path::PathBuf;
use std::sync::Arc;

use bt_inspector::Inspector;

use crate::change::Change;
use crate::network::Network;

/// Where a hub listens, and where a machine looks for it: only on this machine.
const ENDPOINT: &str = "tcp/127.0.0.1:7447";
/// The address of the page.
const ADDRESS: &str = "127.0.0.1:7117";

/// How a machine joins a fleet, for [`Fleet::join`](crate::Fleet::join).
pub struct Config {
    pub(crate) fleet: String,
    pub(crate) machine: String,
    pub(crate) inspector: Option<Arc<Inspector>>,
    pub(crate) network: Network,
}

impl Config {
    /// Returns the configuration of a machine, which looks for the hub at `tcp/127.0.0.1:7447`. [`Fleet::join`](crate::Fleet::join) checks the names.
    #[must_use]
    pub fn new(fleet: &str, machine: &str) -> Self {
        let network = Network::connecting_to(ENDPOINT);
        Self { fleet: fleet.to_owned(), machine: machine.to_owned(), inspector: None, network }
    }

    /// Connects to a hub or a router of zenoh, for example at `tcp/192.168.1.10:7447`. The first call replaces the default, and each further call adds an endpoint.
    #[must_use]
    pub fn connect(mut self, endpoint: &str) -> Self {
        self.network.connect.add(endpoint);
        self
    }

    /// Listens at an endpoint, too. By default, nothing listens.
    #[must_use]
    pub fn listen(mut self, endpoint: &str) -> Self {
        self.network.listen.add(endpoint);
        self
    }

    /// Publishes an inspector that exists, for example one with a server of its own. By default, the fleet makes one.
    ///
    /// The fleet [maintains](Inspector::maintain) an inspector without a server. How a tick waits at a breakpoint stays as it is: call [`Inspector::waits_by`] with a
    /// function that sleeps for a few milliseconds.
    #[must_use]
    pub fn inspector(mut self, inspector: Arc<Inspector>) -> Self {
        self.inspector = Some(inspector);
        self
    }

    /// Reads a JSON5 file with further settings of zenoh, for example for TLS and access control. What is set here precedes it, and it precedes the defaults.
    #[must_use]
    pub fn zenoh(mut self, path: impl Into<PathBuf>) -> Self {
        self.network.file = Some(path.into());
        self
    }
}

/// How a hub serves the page of a fleet, for [`FleetHub::serve`](crate::FleetHub::serve).
pub struct HubConfig {
    pub(crate) fleet: String,
    pub(crate) address: String,
    pub(crate) token: bool,
    pub(crate) changed: Box<dyn Fn(&Change) + Send + Sync>,
    pub(crate) network: Network,
}

impl HubConfig {
    /// Returns the configuration of a hub, which listens at `tcp/127.0.0.1:7447` and serves its page at `127.0.0.1:7117`. [`FleetHub::serve`](crate::FleetHub::serve) checks
    /// the name.
    #[must_use]
    pub fn new(fleet: &str) -> Self {
        let network = Network::listening_at(ENDPOINT);
        Self { fleet: fleet.to_owned(), address: ADDRESS.to_owned(), token: false, changed: Box::new(|_| ()), network }
    }

    /// Sets the address and port of the page. Port 0 selects any free port.
    #[must_use]
    pub fn address(mut self, address: &str) -> Self {
        address.clone_into(&mut self.address);
        self
    }

    /// Sets whether the page requires the token of its URL on a loopback address, too. Set it on a machine with several users.
    #[must_use]
    pub fn token(mut self, token: bool) -> Self {
        self.token = token;
        self
    }

    /// Listens for machines at an endpoint, for example at `tcp/0.0.0.0:7447`. The first call replaces the default, and each further call adds an endpoint.
    #[must_use]
    pub fn listen(mut self, endpoint: &str) -> Self {
        self.network.listen.add(endpoint);
        self
    }

    /// Connects to an endpoint, too: a machine that listens, or a router of zenoh.
    #[must_use]
    pub fn connect(mut self, endpoint: &str) -> Self {
        self.network.connect.add(endpoint);
        self
    }

    /// Reads a JSON5 file with further settings of zenoh, for example for TLS and access control. What is set here precedes it, and it precedes the defaults.
    #[must_use]
    pub fn zenoh(mut self, path: impl Into<PathBuf>) -> Self {
        self.network.file = Some(path.into());
        self
    }

    /// Calls a function when a machine joins or leaves. A thread of the network calls it: it must not wait.
    #[must_use]
    pub fn on_change(mut self, changed: impl Fn(&Change) + Send + Sync + 'static) -> Self {
        self.changed = Box::new(changed);
        self
    }
}
