//! The hub of a fleet: one page over all its machines.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use bt_inspector::{Hub, Outgoing, ToMachine};
use zenoh::{Session, Wait as _};

use crate::change::Change;
use crate::keeping::Keeping;
use crate::keys::{self, Direction, MemberId, PageId};
use crate::kind::Kind;
use crate::machines::Machines;
use crate::network;
use crate::receiving::{Receiver, receive};
use crate::recording::Recording;
use crate::{FleetError, HubConfig};

/// How long the thread waits for messages before it looks whether it has to stop.
const TAKE_TIMEOUT: Duration = Duration::from_millis(100);

/// One page over all machines of a fleet. Dropping it closes the page, and agents that are held continue.
pub struct FleetHub {
    shared: Arc<Shared>,
    is_stopped: Arc<AtomicBool>,
    session: Session,
    thread: Option<JoinHandle<()>>,
    keeping: Option<Keeping>,
    recording: Option<Recording>,
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
        let HubConfig { fleet, address, token, changed, lease, record, network: settings } = config;
        keys::check_name("fleet", &fleet)?;
        let hub = if token { Hub::serve_with_token(&address) } else { Hub::serve(&address) };
        let hub = hub.map_err(|error| FleetError::Page { address, error })?;
        let session = settings.open()?;
        let shared = Shared { fleet, id: keys::random_id(), hub, machines: Mutex::default(), changed };
        let (shared, is_stopped) = (Arc::new(shared), Arc::new(AtomicBool::new(false)));
        let token = receive(&session, &shared.fleet, &shared.id, &shared)?;
        let keeping = lease.map(|lease| {
            let telling = Arc::clone(&shared);
            Keeping::start(&session, &shared.fleet, lease, move |change| (telling.changed)(change))
        });
        let keeping = keeping.transpose()?;
        let recording = record.map(|config| {
            let telling = Arc::clone(&shared);
            Recording::start(&session, &shared.fleet, config, move |change| (telling.changed)(change))
        });
        let recording = recording.transpose()?;
        let (sending, over, stopped) = (Arc::clone(&shared), session.clone(), Arc::clone(&is_stopped));
        let run = move || {
            while !stopped.load(Ordering::Acquire) {
                for outgoing in sending.hub.take(TAKE_TIMEOUT) {
                    sending.send(&over, outgoing);
                }
            }
            drop(token);
        };
        let thread = std::thread::Builder::new().name("bt-fleet hub".to_owned()).spawn(run);
        let thread = Some(thread.map_err(FleetError::Thread)?);
        Ok(Self { shared, is_stopped, session, thread, keeping, recording })
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
        self.is_stopped.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        drop(self.keeping.take());
        drop(self.recording.take());
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
            _ => return,
        };
        network::send(session, key, kind, text);
    }

    fn machines(&self) -> MutexGuard<'_, Machines> {
        self.machines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
