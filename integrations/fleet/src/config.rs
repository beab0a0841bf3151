//! What a machine and a hub need to find each other.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bt_inspector::{CollectFilter, Inspector};

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
    pub(crate) edit: bool,
    pub(crate) changed: Box<dyn Fn(&Change) + Send + Sync>,
    pub(crate) lease: Option<Duration>,
    pub(crate) etcd: Vec<String>,
    pub(crate) record: Option<RecordConfig>,
    pub(crate) network: Network,
}

impl HubConfig {
    /// Returns the configuration of a hub, which listens at `tcp/127.0.0.1:7447` and serves its page at `127.0.0.1:7117`. All users of the machine reach this endpoint, without a token. [`FleetHub::serve`](crate::FleetHub::serve) checks
    /// the name.
    #[must_use]
    pub fn new(fleet: &str) -> Self {
        let network = Network::listening_at(ENDPOINT);
        let (fleet, address, changed) = (fleet.to_owned(), ADDRESS.to_owned(), Box::new(|_: &Change| ()));
        Self {
            fleet,
            address,
            token: false,
            edit: false,
            changed,
            lease: None,
            etcd: Vec::new(),
            record: None,
            network,
        }
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

    /// Lets the page edit documents of machines, as far as their programs allow it: see [`Hub::allow_edit`](crate::Hub::allow_edit). The page must be opened with the token of its
    /// URL. Off by default.
    #[must_use]
    pub fn edit(mut self, edit: bool) -> Self {
        self.edit = edit;
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

    /// Makes the hub the keeper of the fleet's [`Sharded`](crate::Sharded) herds: it decides which process has which agent. `lease` is how long a process ticks its agents after it
    /// was last in contact, for example 2 s, and at least 200 ms: so long agents of a machine that is gone stand still.
    ///
    /// A fleet has one keeper at a time. Read [what happens otherwise](crate::Sharded#guarantees).
    #[must_use]
    pub fn keeper(mut self, lease: Duration) -> Self {
        self.lease = Some(lease);
        self
    }

    /// Makes the hub the [keeper](Self::keeper) only while it has a lock in a cluster of etcd, for example at `http://127.0.0.1:2379`. Each further call adds an endpoint, which is used
    /// when others do not answer. Of several hubs with the same cluster, one is the keeper, and another one takes over within about 7 s when it is gone, plus 9/8 of a lease: so two
    /// keepers at a time are excluded, also when the network is partitioned. While etcd cannot be reached, there is no keeper.
    ///
    /// The lock is the key `bt/<fleet>/keeper`. The connection has no TLS: for an etcd with TLS, use a proxy on this machine.
    #[must_use]
    pub fn etcd(mut self, endpoint: &str) -> Self {
        self.etcd.push(endpoint.to_owned());
        self
    }

    /// Records the agents of all machines in a folder.
    #[must_use]
    pub fn record(mut self, config: RecordConfig) -> Self {
        self.record = Some(config);
        self
    }

    /// Calls a function when a machine joins or leaves, or agents were recovered. A thread of the network calls it: it must not wait.
    #[must_use]
    pub fn on_change(mut self, changed: impl Fn(&Change) + Send + Sync + 'static) -> Self {
        self.changed = Box::new(changed);
        self
    }
}

/// What a hub records, for [`HubConfig::record`].
///
/// A program is recorded from when it is connected. The ticks of an agent arrive about 30 times per second: when a machine is switched off, those of the last 33 ms are missing. A program that ends, by a panic also, sends all. After a
/// connection was lost for less than 60 s, the ticks of that time follow, as far as the program stores them.
///
/// A hub that is started again records again what the programs still store: the last 4096 ticks of each agent, and about 64 MiB of all agents of a program.
///
/// Each file is a [recording](bt_core::observe::RecordFile) of one version of a tree at one machine, such as `000001-robot-1-guard.jsonl`, with agents such as `robot-1/arm`. `bt-inspector` shows such
/// files, and `bt test` writes tests from them.
#[derive(Clone, Debug)]
pub struct RecordConfig {
    pub(crate) folder: PathBuf,
    pub(crate) limit: u64,
    pub(crate) filter: CollectFilter,
}

impl RecordConfig {
    /// Returns the configuration of a folder for at most 100 MB of recordings, of all agents. The folder is created if it is not there; only one hub may use it.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), limit: 100_000_000, filter: CollectFilter::default() }
    }

    /// Sets how many bytes the files have together, at least 1 MB. The oldest recordings of the folder are deleted, also those of earlier runs.
    #[must_use]
    pub const fn limit(mut self, bytes: u64) -> Self {
        self.limit = bytes;
        self
    }

    /// Sets which agents, and which of their ticks, are recorded.
    #[must_use]
    pub fn only(mut self, filter: CollectFilter) -> Self {
        self.filter = filter;
        self
    }
}

/// How a process takes part in a herd, for [`Sharded::join`](crate::Sharded::join).
#[derive(Clone, Debug)]
pub struct ShardConfig {
    pub(crate) herd: String,
    pub(crate) snapshot_interval: Duration,
}

impl ShardConfig {
    /// Returns the configuration of a process, which sends a snapshot of each agent once per second. [`Sharded::join`](crate::Sharded::join) checks the name.
    #[must_use]
    pub fn new(herd: &str) -> Self {
        Self { herd: herd.to_owned(), snapshot_interval: Duration::from_secs(1) }
    }

    /// Sets how often a snapshot of each agent is sent to the keeper: what a process that dies loses at most. Each snapshot is a few bytes more than the agent's memory and context.
    #[must_use]
    pub const fn snapshot_interval(mut self, interval: Duration) -> Self {
        self.snapshot_interval = interval;
        self
    }
}
