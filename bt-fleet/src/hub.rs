//! The hub of a fleet: one page over all its machines.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use bt_inspector::{Hub, Outgoing, ToMachine};
use zenoh::liveliness::LivelinessToken;
use zenoh::sample::{Sample, SampleKind};
use zenoh::{Session, Wait as _};

use crate::change::Change;
use crate::keeping::Keeping;
use crate::keys::{self, Direction, PageId};
use crate::kind::Kind;
use crate::machines::Machines;
use crate::network::{self, network};
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
    /// Returns an error if the name, an endpoint or the configuration file is invalid, if the address of the page or an endpoint cannot be bound, or if no thread can be
    /// started.
    pub fn serve(config: HubConfig) -> Result<Self, FleetError> {
        let HubConfig { fleet, address, token, changed, lease, network: settings } = config;
        keys::check_name("fleet", &fleet)?;
        let hub = if token { Hub::serve_with_token(&address) } else { Hub::serve(&address) };
        let hub = hub.map_err(|error| FleetError::Page { address, error })?;
        let session = settings.open()?;
        let shared = Shared { fleet, id: keys::random_id(), hub, machines: Mutex::default(), changed };
        let (shared, is_stopped) = (Arc::new(shared), Arc::new(AtomicBool::new(false)));
        let token = shared.subscribe(&session)?;
        let keeping = lease.map(|lease| {
            let telling = Arc::clone(&shared);
            Keeping::start(&session, &shared.fleet, lease, move |change| (telling.changed)(change))
        });
        let keeping = keeping.transpose()?;
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
        Ok(Self { shared, is_stopped, session, thread, keeping })
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
        // Its callbacks end, and with them the page.
        let _ = self.session.close().wait();
    }
}

impl Shared {
    /// Receives what members send, and which members are there, until the session closes. Returns the token with which members see the hub.
    fn subscribe(self: &Arc<Self>, session: &Session) -> Result<LivelinessToken, FleetError> {
        let receiving = Arc::clone(self);
        let messages = session.declare_subscriber(keys::from_members(&self.fleet, &self.id));
        messages.callback(move |sample| _ = receiving.receive(&sample)).background().wait().map_err(network)?;
        let token = session.liveliness().declare_token(keys::hub_token(&self.fleet, &self.id));
        let token = token.wait().map_err(network)?;
        let seeing = Arc::clone(self);
        let members = session.liveliness().declare_subscriber(keys::all_members(&self.fleet)).history(true);
        members.callback(move |sample| seeing.see(&sample)).background().wait().map_err(network)?;
        Ok(token)
    }

    /// Handles a member that came or went. What is no member is ignored.
    fn see(&self, sample: &Sample) {
        let Some(member) = keys::parse_member(sample.key_expr()) else { return };
        let name = member.machine.clone();
        let change = match sample.kind() {
            SampleKind::Put => self.machines().joined(&self.hub, member).then_some(Change::Joined(name)),
            SampleKind::Delete => self.machines().left(&self.hub, &member).then_some(Change::Left(name)),
        };
        if let Some(change) = change {
            (self.changed)(&change);
        }
    }

    /// Handles a message of a member. Returns `None` if it is ignored: no member sends such a message.
    fn receive(&self, sample: &Sample) -> Option<()> {
        let (member, PageId { page, .. }) = keys::parse_page(sample.key_expr())?;
        let is_text = Kind::of(&sample.attachment()?.to_bytes())? == Kind::Text;
        let machine = self.machines().machine(&member).filter(|_| is_text)?;
        for text in sample.payload().try_to_string().ok()?.split('\n') {
            self.hub.received(machine, page, text);
        }
        Some(())
    }

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
