//! A hub: one page over the programs of many machines. It sends a machine the requests of a page, and receives the updates of a program.

mod connection;
mod documents;
mod list;
mod machine;
mod machine_page;
mod merged;
mod names;
mod page;
mod request;
mod requests;
mod rollouts;
mod rows;
mod state;
#[cfg(test)]
mod tests;
mod trees;

use std::collections::BTreeSet;
use std::io;
use std::net::ToSocketAddrs;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use bt_inspector::server::Server;
use serde_json::json;

pub use self::connection::HubConnection;
pub use self::machine::{Machine, Outgoing, ToMachine};
use self::page::HubPage;
use self::rollouts::PAGE;
use self::state::{HubState, Inner, MachineOfHub};
use crate::lock::lock;

/// The maximum number of machines that have gone and are still shown.
const MAX_GONE: usize = 256;
/// The maximum length of the name of a machine, in characters.
const MAX_NAME: usize = 100;

/// One page over the programs of many machines.
///
/// A hub connects pages to several inspectors. It does no I/O with machines: the program that has the hub reports which machines are there
/// ([`joined`](Self::joined), [`left`](Self::left)), and carries messages both ways ([`take`](Self::take), [`received`](Self::received)). At each machine, the other
/// end of a page is a [`Connection`](bt_inspector::Connection). A [`FleetHub`](crate::FleetHub) does this over zenoh; another program can do it over a network of its own.
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
/// use bt_fleet::{Hub, ToMachine};
/// use bt_inspector::Inspector;
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
    server: Option<Server>,
}

impl Hub {
    /// Returns a hub whose pages the program [connects](Self::connect), and carries their messages itself.
    #[must_use]
    pub fn without_server() -> Self {
        Self { shared: Arc::new(HubState::new()), server: None }
    }

    /// Starts a server for the page on a new thread, with the rules of [`Inspector::serve`](bt_inspector::Inspector::serve).
    ///
    /// # Errors
    ///
    /// Returns an error if the address cannot be bound or no thread can be started.
    pub fn serve(address: impl ToSocketAddrs) -> io::Result<Self> {
        Self::start(address, false)
    }

    /// Starts a server like [`serve`](Self::serve), but requires the token in [`url`](Self::url) on a loopback address, too.
    ///
    /// # Errors
    ///
    /// Returns an error if the address cannot be bound or no thread can be started.
    pub fn serve_with_token(address: impl ToSocketAddrs) -> io::Result<Self> {
        Self::start(address, true)
    }

    fn start(address: impl ToSocketAddrs, needs_token: bool) -> io::Result<Self> {
        let shared = Arc::new(HubState::new());
        let server = Server::start(address, Arc::clone(&shared), needs_token)?;
        Ok(Self { shared, server: Some(server) })
    }

    /// Returns the URL of the page. A hub [without a server](Self::without_server) has none: the text is empty.
    #[must_use]
    pub fn url(&self) -> String {
        let is_editable = lock(&self.shared.inner).is_editable;
        self.server.as_ref().map(|server| server.url(is_editable)).unwrap_or_default()
    }

    /// Connects a page whose messages the program carries. The page may do all that the hub allows, like a page with the token.
    #[must_use]
    pub fn connect(&self) -> HubConnection {
        HubConnection::new(Arc::clone(&self.shared), true, vec![self.shared.hello()])
    }

    /// Lets pages that were opened with the token change documents, as far as the programs of the machines allow it (`Inspector::allow_edit`). Off by default: pages can only
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

    /// Passes an update of a machine to a page: what [`Connection::updates`](bt_inspector::Connection::updates) has returned there. What is invalid is ignored.
    pub fn received(&self, machine: Machine, page: u64, update: &str) {
        let mut inner = lock(&self.shared.inner);
        let Inner { pages, outbox, rollouts, .. } = &mut *inner;
        if page == PAGE {
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
        let report = json!({ "error": message }).to_string();
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
