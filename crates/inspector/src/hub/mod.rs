//! A hub: one page over the programs of many machines. It sends a machine the requests of a page, and receives the updates of a program.

mod connection;
mod documents;
mod machine_page;
mod merged;
mod names;
mod page;
mod requests;
mod rollouts;
mod rows;
#[cfg(feature = "server")]
mod served;
#[cfg(test)]
mod tests;
mod trees;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

pub use self::connection::HubConnection;
use self::page::HubPage;
use self::rollouts::Rollouts;
use crate::lock::lock;
use crate::program::session;
use crate::protocol::Update;

/// The maximum number of machines that have gone and are still shown.
const MAX_GONE: usize = 256;
/// The maximum number of messages to machines that wait for [`Hub::take`].
const MAX_OUTGOING: usize = 100_000;
/// The maximum length of the name of a machine, in characters.
const MAX_NAME: usize = 100;

/// A machine in a [`Hub`], returned by [`Hub::joined`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Machine(u32);

/// A message of a [`Hub`] for a machine.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Outgoing {
    /// The machine.
    pub machine: Machine,
    /// The page at that machine: a number that is not used again.
    pub page: u64,
    /// What the machine does.
    pub message: ToMachine,
}

/// What a machine does for a page of a [`Hub`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ToMachine {
    /// [Connect](crate::Inspector::connect) a page.
    Open,
    /// Pass a message to the connection: [`Connection::receive`](crate::Connection::receive).
    Text(String),
    /// Drop the connection.
    Close,
}

/// One page over the programs of many machines.
///
/// A hub connects pages to several inspectors. It does no I/O with machines: the program that has the hub reports which machines are there
/// ([`joined`](Self::joined), [`left`](Self::left)), and carries messages both ways ([`take`](Self::take), [`received`](Self::received)). At each machine, the other
/// end of a page is a [`Connection`](crate::Connection). The crate `bt-fleet` does this over a network.
///
/// The page lists the agents of all machines, searched, filtered and sorted as those of one program. A tree that several machines have is one tree: its breakpoints are
/// set at all of them, and its counts are sums. A machine that has gone stays in the list, with what the page has received.
/// The log, the comparison of two agents, and going back with all agents, go by the time of day of the machines: synchronize their clocks, for example by NTP.
///
/// After [`allow_edit`](Self::allow_edit), a page edits the documents of machines whose programs allow it, each at its machine. Then it sends the new version to a tenth of the machines
/// that have a document of this name, to all, or sends the version from before to all of them. A machine replaces the version that most machines have, and versions that were sent
/// before; other versions are left alone unless the page replaces them, too. A machine whose program cannot run the version refuses it, with a reason. Until the page ends this, the hub
/// keeps what was sent, so that a machine that comes later gets it, also while no page is open; it does not keep it over its own restart. A machine gets a version once: what is
/// edited there afterwards stays, until the version is sent again. If a version replaces one of another machine that is being sent, pages say so. A document of more than 256 KiB is not sent. Of several documents of this name at a machine, the one with
/// the same folders above it is meant.
///
/// ```
/// use bt_core::prelude::*;
/// use bt_inspector::{Hub, Inspector, ToMachine};
///
/// // A machine, and the hub.
/// let tree = tree! { for u32: |n: &mut u32| *n += 1 };
/// let inspector = Inspector::without_server();
/// let _ann = inspector.agent(inspector.tree("counter", &tree), "Ann");
/// let hub = Hub::without_server();
/// let machine = hub.joined("robot-1");
///
/// // A page of the hub is a page of the machine.
/// let mut page = hub.connect();
/// let mut connections = std::collections::BTreeMap::new();
/// for outgoing in hub.take(millis(0)) {
///     match outgoing.message {
///         ToMachine::Open => _ = connections.insert(outgoing.page, inspector.connect()),
///         ToMachine::Text(text) => connections.get_mut(&outgoing.page).expect("it is open").receive(&text),
///         ToMachine::Close => _ = connections.remove(&outgoing.page),
///         _ => {}
///     }
/// }
/// for (number, connection) in &mut connections {
///     for update in connection.updates(millis(33)) {
///         hub.received(machine, *number, &update);
///     }
/// }
/// let updates = page.updates(millis(33)).join("\n");
/// assert!(updates.contains("Ann") && updates.contains("robot-1"));
/// ```
pub struct Hub {
    shared: Arc<HubState>,
    #[cfg(feature = "server")]
    server: Option<crate::server::Server>,
}

/// What a hub and its pages share.
struct HubState {
    inner: Mutex<Inner>,
    /// Woken when there is something to take.
    waiting: Condvar,
    is_closed: AtomicBool,
    session: u64,
}

#[derive(Default)]
struct Inner {
    machines: BTreeMap<Machine, MachineOfHub>,
    next_machine: u32,
    pages: BTreeMap<u64, HubPage>,
    /// The number of pages so far. Number 0 is that of the rollouts.
    next_page: u64,
    rollouts: Rollouts,
    is_editable: bool,
    /// The last message for all pages, as an update.
    report: Option<String>,
    outbox: Vec<Outgoing>,
}

struct MachineOfHub {
    name: String,
    is_gone: bool,
}

impl Hub {
    /// Returns a hub whose pages the program [connects](Self::connect), and carries their messages itself.
    #[must_use]
    pub fn without_server() -> Self {
        Self {
            shared: Arc::new(HubState::new()),
            #[cfg(feature = "server")]
            server: None,
        }
    }

    /// Connects a page whose messages the program carries. The page may do all that the hub allows, like a page with the token.
    #[must_use]
    pub fn connect(&self) -> HubConnection {
        HubConnection::new(Arc::clone(&self.shared), true, vec![self.shared.hello()])
    }

    /// Lets pages that were opened with the token change documents, as far as the programs of the machines [allow it](crate::Inspector::allow_edit). Off by default: pages can only
    /// look. After this call, the URL of a server contains the token.
    pub fn allow_edit(&self) {
        let mut inner = lock(&self.shared.inner);
        inner.is_editable = true;
        inner.pages.values_mut().for_each(HubPage::allow_edit);
    }

    /// Adds a machine that has come. A machine that has gone with the same name is no longer shown; one that is there gets a number: `robot (2)`.
    pub fn joined(&self, name: &str) -> Machine {
        let mut inner = lock(&self.shared.inner);
        let Inner { machines, next_machine, pages, outbox, rollouts, .. } = &mut *inner;
        let machine = Machine(*next_machine);
        *next_machine += 1;
        let name: String = name.chars().take(MAX_NAME).collect();
        let gone = machines.iter().find(|(_, before)| before.is_gone && before.name == name).map(|(before, _)| *before);
        if let Some(gone) = gone {
            machines.remove(&gone);
            for page in pages.values_mut() {
                page.forget(gone);
            }
        }
        let taken: BTreeSet<_> = machines.values().map(|other| other.name.as_str()).collect();
        let is_free = |name: &str| !taken.contains(name);
        let numbered = (2_u32..).map(|number| format!("{name} ({number})"));
        let name = std::iter::once(name.clone()).chain(numbered).find(|name| is_free(name)).unwrap_or(name);
        for page in pages.values_mut() {
            page.joined(machine, &name, outbox);
        }
        rollouts.joined(machine, &name, outbox);
        machines.insert(machine, MachineOfHub { name, is_gone: false });
        self.shared.waiting.notify_all();
        machine
    }

    /// Called when a machine has gone. It is shown as gone, with what was received from it, until it comes back.
    pub fn left(&self, machine: Machine) {
        let mut inner = lock(&self.shared.inner);
        let Inner { machines, pages, outbox, rollouts, .. } = &mut *inner;
        let Some(left) = machines.get_mut(&machine) else { return };
        left.is_gone = true;
        outbox.retain(|outgoing| outgoing.machine != machine);
        rollouts.left(machine, outbox);
        for page in pages.values_mut() {
            page.left(machine);
        }
        let gone: Vec<_> =
            machines.iter().filter(|(_, machine)| machine.is_gone).map(|(machine, _)| *machine).collect();
        for forgotten in gone.iter().take(gone.len().saturating_sub(MAX_GONE)) {
            machines.remove(forgotten);
            for page in pages.values_mut() {
                page.forget(*forgotten);
            }
        }
    }

    /// Passes an update of a machine to a page: what [`Connection::updates`](crate::Connection::updates) has returned there. What is invalid is ignored.
    pub fn received(&self, machine: Machine, page: u64, update: &str) {
        let mut inner = lock(&self.shared.inner);
        let Inner { pages, outbox, rollouts, .. } = &mut *inner;
        if page == rollouts::PAGE {
            rollouts.received(machine, update, outbox);
            pages.values_mut().for_each(HubPage::changed);
        } else if let Some(page) = pages.get_mut(&page) {
            page.received(machine, update, outbox);
        }
        if !outbox.is_empty() {
            self.shared.waiting.notify_all();
        }
    }

    /// Returns the messages for machines, in order. Blocks until there are any, at most for `timeout`.
    #[must_use]
    pub fn take(&self, timeout: Duration) -> Vec<Outgoing> {
        let inner = lock(&self.shared.inner);
        let is_idle = |inner: &mut Inner| inner.outbox.is_empty() && !self.shared.is_closed.load(Ordering::SeqCst);
        let waited = self.shared.waiting.wait_timeout_while(inner, timeout, is_idle);
        let (mut inner, _) = waited.unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut inner.outbox)
    }

    /// Shows a message in all pages: those that are open, and those that open before the next message.
    pub fn report(&self, message: &str) {
        let mut inner = lock(&self.shared.inner);
        let report = crate::protocol::error(message);
        inner.pages.values_mut().for_each(|page| page.report(&report));
        inner.report = Some(report);
    }

    /// Returns the number of connected pages.
    #[must_use]
    pub fn pages(&self) -> usize {
        lock(&self.shared.inner).pages.len()
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        self.shared.is_closed.store(true, Ordering::SeqCst);
        self.shared.waiting.notify_all();
    }
}

impl HubState {
    fn new() -> Self {
        Self { inner: Mutex::default(), waiting: Condvar::new(), is_closed: AtomicBool::new(false), session: session() }
    }

    fn hello(&self) -> String {
        Update::Hello { recording: false, session: self.session }.text()
    }

    fn open(&self, has_token: bool) -> u64 {
        let mut inner = lock(&self.inner);
        let Inner { machines, pages, next_page, outbox, is_editable, report, .. } = &mut *inner;
        *next_page += 1;
        let number = *next_page;
        let mut page = HubPage::new(number, has_token);
        if *is_editable {
            page.allow_edit();
        }
        if let Some(report) = report {
            page.report(report);
        }
        for (machine, MachineOfHub { name, is_gone }) in machines {
            if *is_gone {
                page.joined(*machine, name, &mut Vec::new());
                page.left(*machine);
            } else {
                page.joined(*machine, name, outbox);
            }
        }
        pages.insert(number, page);
        self.waiting.notify_all();
        number
    }

    fn close(&self, page: u64) {
        let mut inner = lock(&self.inner);
        let Inner { pages, outbox, .. } = &mut *inner;
        if let Some(page) = pages.remove(&page) {
            page.close(outbox);
            self.waiting.notify_all();
        }
    }

    fn receive(&self, page: u64, message: &str, updates: &mut Vec<String>) {
        let mut inner = lock(&self.inner);
        let Inner { pages, outbox, rollouts, .. } = &mut *inner;
        let Some(page) = pages.get_mut(&page) else { return };
        if outbox.len() > MAX_OUTGOING {
            return updates.push(crate::protocol::error("too many requests wait for machines"));
        }
        page.request(message, rollouts, outbox, updates);
        pages.values_mut().for_each(HubPage::changed);
        if !outbox.is_empty() {
            self.waiting.notify_all();
        }
    }

    fn push_updates(&self, page: u64, now: Duration, updates: &mut Vec<String>) {
        let mut inner = lock(&self.inner);
        let Inner { pages, rollouts, .. } = &mut *inner;
        if let Some(page) = pages.get_mut(&page) {
            page.push_updates(now, rollouts, updates);
        }
    }
}
