//! A page of the hub: its requests go to the machines that they are about, and what they answer becomes one.

use std::collections::BTreeMap;
use std::time::Duration;

use bt_inspector::protocol::Listing;
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};

use super::machine::{Machine, Outgoing, ToMachine};
use super::machine_page::MachinePage;
use super::merged::{Overview, merged_hits, merged_overview};
use super::names::{Fields, Kind};
use super::rollouts::{MAX_DOCUMENTS, Rollouts};
use super::trees::Trees;

/// The time after which the list is sent without machines that have not answered.
const PATIENCE: Duration = Duration::from_millis(500);
/// The interval between merged updates that nothing has requested.
const MERGE_INTERVAL: Duration = Duration::from_millis(200);
/// The maximum size of updates that wait for a page, in bytes.
const MAX_WAITING: usize = 32 << 20;

/// Whether a page may edit documents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EditRight {
    /// The page has come without the token.
    NoToken,
    /// The hub does not let pages edit.
    Off,
    On,
}

/// A page of the hub.
pub(super) struct HubPage {
    number: u64,
    pub(super) machines: BTreeMap<Machine, MachinePage>,
    pub(super) trees: Trees,
    pub(super) listing: Listing,
    /// Whether the list was requested since the last update.
    pub(super) is_requested: bool,
    /// When the list was requested that was not sent yet.
    requested: Option<Duration>,
    /// Whether something has changed since the merged updates, and when they were sent.
    pub(super) is_changed: bool,
    merged: Duration,
    pub(super) selected: Option<usize>,
    /// The document that is open.
    pub(super) opened: Option<usize>,
    pub(super) edit_right: EditRight,
    pub(super) overview: Option<usize>,
    /// The number of requests to pause, resume or step.
    pub(super) holds: u64,
    /// Updates that wait for the page, and their bytes.
    waiting: Vec<String>,
    bytes: usize,
    /// The merged updates that were sent last.
    pub(super) sent: BTreeMap<&'static str, String>,
}

impl HubPage {
    pub(super) fn new(number: u64, has_token: bool) -> Self {
        Self {
            number,
            machines: BTreeMap::new(),
            trees: Trees::default(),
            listing: Listing::default(),
            is_requested: true,
            requested: None,
            is_changed: true,
            merged: Duration::ZERO,
            selected: None,
            opened: None,
            edit_right: if has_token { EditRight::Off } else { EditRight::NoToken },
            overview: None,
            holds: 0,
            waiting: Vec::new(),
            bytes: 0,
            sent: BTreeMap::new(),
        }
    }

    /// Lets the page edit documents, if it has come with the token.
    pub(super) fn allow_edit(&mut self) {
        if self.edit_right == EditRight::Off {
            (self.edit_right, self.is_changed) = (EditRight::On, true);
        }
    }

    /// Called when something that the page shows may have changed.
    pub(super) fn changed(&mut self) {
        self.is_changed = true;
    }

    /// Adds a machine.
    pub(super) fn joined(&mut self, machine: Machine, name: &str, outbox: &mut Vec<Outgoing>) {
        outbox.push(Outgoing { machine, page: self.number, message: ToMachine::Open });
        let mut page = MachinePage::new(machine, name, self.number);
        page.send_listing(&self.listing, outbox);
        self.machines.insert(machine, page);
        self.is_changed = true;
    }

    /// Called when a machine has gone. What the page knows of it stays.
    pub(super) fn left(&mut self, machine: Machine) {
        if let Some(machine) = self.machines.get_mut(&machine) {
            machine.leave();
        }
        self.is_changed = true;
    }

    /// Removes a machine that has gone.
    pub(super) fn forget(&mut self, machine: Machine) {
        self.machines.remove(&machine);
        self.is_changed = true;
    }

    /// Closes the page at all machines.
    pub(super) fn close(&self, outbox: &mut Vec<Outgoing>) {
        let present = self.machines.values().filter(|machine| !machine.is_gone);
        outbox.extend(present.map(|machine| Outgoing {
            machine: machine.machine,
            page: self.number,
            message: ToMachine::Close,
        }));
    }

    /// Returns whether the page is too slow for what machines send.
    pub(super) fn is_overflown(&self) -> bool {
        self.bytes > MAX_WAITING
    }

    /// Adds an update that is the same for all pages.
    pub(super) fn report(&mut self, update: &str) {
        self.bytes += update.len();
        self.waiting.push(update.to_owned());
    }

    /// Takes an update of a machine.
    pub(super) fn received(&mut self, machine: Machine, text: &str, outbox: &mut Vec<Outgoing>) {
        let Some(page) = self.machines.get(&machine).filter(|page| !page.is_gone) else { return };
        let Some((kind, content)) = page.read(text) else { return };
        // Of a tree that other machines have, what is set there is set at a new one, too.
        let of_others = if kind == Kind::Breakpoints && !page.is_caught_up {
            self.machines.values().flat_map(|other| other.requests_for(page)).collect()
        } else {
            Vec::new()
        };
        let Some(page) = self.machines.get_mut(&machine) else { return };
        self.is_changed |= kind.is_merged();
        let passed = match kind {
            Kind::Hello | Kind::Loading => return,
            Kind::Trees => {
                let new = self.trees.add(&mut page.trees, &content);
                // What was requested of the tree is requested of this machine, too.
                if self.listing.names_trees() {
                    page.send_listing(&self.listing, outbox);
                }
                if self.overview.is_some_and(|tree| page.trees.machine(tree).is_some()) {
                    page.send_overview(self.overview, outbox);
                }
                if new.is_empty() {
                    return;
                }
                to_raw_value(&new).ok()
            }
            Kind::Agents => return page.list(&content, &self.trees),
            Kind::Breakpoints => {
                for request in &of_others {
                    page.send(request, outbox);
                }
                (page.breakpoints, page.is_caught_up) = (list(&content), true);
                return;
            }
            Kind::Watches => return page.watches = list(&content),
            Kind::Documents => {
                page.documents = list(&content);
                return page.documents.truncate(MAX_DOCUMENTS);
            }
            // They are for rollouts.
            Kind::Text | Kind::Adopted => return,
            Kind::Overview => {
                let overview: Option<Overview> = serde_json::from_str(content.get()).ok();
                return page.overview = overview.filter(|overview| Some(overview.tree) == self.overview);
            }
            Kind::Pause => pause(&content, |holds| if page.has_seen_holds(holds) { self.holds } else { 0 }),
            Kind::Error => {
                let reason: Option<String> = serde_json::from_str(content.get()).ok();
                reason.and_then(|reason| to_raw_value(&format!("{}: {reason}", page.name)).ok())
            }
            Kind::Ticks
            | Kind::Present
            | Kind::Checked
            | Kind::Test
            | Kind::Edited
            | Kind::Lost
            | Kind::Palette
            | Kind::Document
            | Kind::Changed
            | Kind::Tried
            | Kind::Copied
            | Kind::Source
            | Kind::Refused => Some(content),
        };
        let Some(content) = passed else { return };
        let Ok(update) = serde_json::to_string(&BTreeMap::from([(kind, content)])) else { return };
        self.bytes += update.len();
        self.waiting.push(update);
    }

    /// Adds everything that has changed since the last update. `now` is the time since any fixed moment.
    pub(super) fn push_updates(&mut self, now: Duration, rollouts: &Rollouts, updates: &mut Vec<String>) {
        self.bytes = 0;
        updates.append(&mut self.waiting);
        if std::mem::take(&mut self.is_requested) {
            self.requested = Some(now);
        }
        let is_due = match self.requested {
            Some(requested) => {
                let is_current = |machine: &MachinePage| machine.is_gone || machine.is_current(&self.listing);
                self.machines.values().all(is_current) || now.saturating_sub(requested) >= PATIENCE
            }
            None => self.is_changed && now.saturating_sub(self.merged) >= MERGE_INTERVAL,
        };
        if !is_due {
            return;
        }
        (self.requested, self.is_changed, self.merged) = (None, false, now);
        let machines: Vec<_> = self
            .machines
            .values()
            .map(|machine| json!({ "key": machine.machine.number(), "name": machine.name, "agents": machine.total, "gone": machine.is_gone }))
            .collect();
        self.push("machines", json!({ "machines": machines }).to_string(), updates);
        let list = self.list();
        self.push("agents", list, updates);
        let hits = |of: fn(&MachinePage) -> &[Fields]| merged_hits(self.machines.values().map(of));
        let (breakpoints, watches) = (hits(|machine| &machine.breakpoints), hits(|machine| &machine.watches));
        self.push("breakpoints", json!({ "breakpoints": breakpoints }).to_string(), updates);
        self.push("watches", json!({ "watches": watches }).to_string(), updates);
        if let Some(overview) = merged_overview(self.machines.values().filter_map(|machine| machine.overview.as_ref()))
        {
            self.push("overview", overview, updates);
        }
        self.push_documents(rollouts, updates);
    }

    /// Adds a merged update if it differs from the last one.
    pub(super) fn push(&mut self, name: &'static str, text: String, updates: &mut Vec<String>) {
        if self.sent.get(name) != Some(&text) {
            updates.push(text.clone());
            self.sent.insert(name, text);
        }
    }
}

/// Returns the items of a list.
fn list(content: &RawValue) -> Vec<Fields> {
    serde_json::from_str(content.get()).unwrap_or_default()
}

/// Returns a pause state with another number of requests.
fn pause(content: &RawValue, holds: impl FnOnce(u64) -> u64) -> Option<Box<RawValue>> {
    let mut fields: Fields = serde_json::from_str(content.get()).ok()?;
    let before = serde_json::from_str(fields.get("holds")?.get()).ok()?;
    fields.insert("holds".to_owned(), to_raw_value(&holds(before)).ok()?);
    to_raw_value(&fields).ok()
}
