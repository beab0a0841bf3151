//! The hub of a fleet: one page over all its machines.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use zenoh::{Session, Wait as _};

use crate::change::Change;
use crate::hub::{Hub, Outgoing, ToMachine};
use crate::keeping::keep;
use crate::keys::{self, Direction, MemberId, PageId};
use crate::kind::Kind;
use crate::lock::lock;
use crate::machines::Machines;
use crate::network;
use crate::receiving::{Receiver, receive};
use crate::recording;
use crate::worker::Worker;
use crate::{FleetError, HubConfig};

/// How long the thread waits for messages before it looks whether it has to stop.
const TAKE_TIMEOUT: Duration = Duration::from_millis(100);

/// One page over all machines of a fleet. Dropping it closes the page, and agents that are held continue.
pub struct FleetHub {
    shared: Arc<Shared>,
    session: Session,
    /// What sends the messages of pages, the keeper, and what records.
    workers: Vec<Worker>,
}

/// What the thread shares with the callbacks of the network.
struct Shared {
    fleet: String,
    id: String,
    hub: Hub,
    machines: Mutex<Machines>,
    changed: Box<dyn Fn(&Change) + Send + Sync>,
}

impl FleetHub {
    /// Serves the page, and shows the machines of the fleet that are there and that come later.
    ///
    /// # Errors
    ///
    /// Returns an error if the name, an endpoint, the configuration file or another setting is invalid, if the address of the page or an endpoint cannot be bound, if the folder for
    /// recordings cannot be used, or if no thread can be started.
    pub fn serve(config: HubConfig) -> Result<Self, FleetError> {
        let HubConfig { fleet, address, token, edit, changed, lease, etcd, record, network: settings } = config;
        keys::check_name("fleet", &fleet)?;
        if lease.is_none() && !etcd.is_empty() {
            let reason = "a lock is for a keeper; help: call `keeper`, too, or start `bt-fleet` with `--keeper`";
            return Err(FleetError::Setting { setting: "etcd".to_owned(), reason: reason.to_owned() });
        }
        let hub = if token { Hub::serve_with_token(&address) } else { Hub::serve(&address) };
        let hub = hub.map_err(|error| FleetError::Page { address, error })?;
        if edit {
            hub.allow_edit();
        }
        let session = settings.open()?;
        let shared = Shared { fleet, id: keys::random_id(), hub, machines: Mutex::default(), changed };
        let (shared, mut workers) = (Arc::new(shared), Vec::new());
        let token = receive(&session, &shared.fleet, &shared.id, &shared)?;
        let changed = || {
            let shared = Arc::clone(&shared);
            move |change: &Change| {
                if change.is_problem() {
                    shared.hub.report(&change.to_string());
                }
                (shared.changed)(change);
            }
        };
        if let Some(lease) = lease {
            workers.push(keep(&session, &shared.fleet, lease, etcd, changed)?);
        }
        if let Some(config) = record {
            workers.push(recording::record(&session, &shared.fleet, config, changed())?);
        }
        let (sending, over) = (Arc::clone(&shared), session.clone());
        workers.push(Worker::start("bt-fleet hub", move |stop| {
            while !stop.is_requested() {
                for outgoing in sending.hub.take(TAKE_TIMEOUT) {
                    sending.send(&over, outgoing);
                }
            }
            drop(token);
        })?);
        Ok(Self { shared, session, workers })
    }

    /// Returns the URL of the page.
    #[must_use]
    pub fn url(&self) -> String {
        self.shared.hub.url()
    }

    /// Returns the pages, for example to [connect](Hub::connect) one whose messages the program carries.
    #[must_use]
    pub fn hub(&self) -> &Hub {
        &self.shared.hub
    }
}

impl Drop for FleetHub {
    fn drop(&mut self) {
        self.workers.clear();
        // Its callbacks end, and with them the page.
        let _ = self.session.close().wait();
    }
}

impl Receiver for Shared {
    fn joined(&self, member: MemberId) {
        let name = member.machine.clone();
        if self.machines().joined(&self.hub, member) {
            (self.changed)(&Change::Joined(name));
        }
    }

    fn left(&self, member: &MemberId) {
        if self.machines().left(&self.hub, member) {
            (self.changed)(&Change::Left(member.machine.clone()));
        }
    }

    fn received(&self, member: &MemberId, page: u64, texts: &str) {
        let Some(machine) = self.machines().machine(member) else { return };
        for text in texts.split('\n') {
            self.hub.received(machine, page, text);
        }
    }
}

impl Shared {
    fn send(&self, session: &Session, outgoing: Outgoing) {
        let page = PageId { hub: self.id.clone(), page: outgoing.page };
        let key = self
            .machines()
            .member(outgoing.machine)
            .map(|member| keys::of_page(&self.fleet, Direction::To, member, &page));
        let Some(key) = key else { return };
        let (kind, text) = match outgoing.message {
            ToMachine::Open => (Kind::Open, String::new()),
            ToMachine::Text(text) => (Kind::Text, text),
            ToMachine::Close => (Kind::Close, String::new()),
        };
        network::send(session, key, kind, text);
    }

    fn machines(&self) -> MutexGuard<'_, Machines> {
        lock(&self.machines)
    }
}
