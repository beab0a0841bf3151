//! The page that the hub is at one machine: what it has received for one page of the hub.

use bt_inspector::protocol::Listing;
use serde_json::value::{RawValue, to_raw_value};

use super::machine::{Machine, Outgoing, ToMachine};
use super::merged::Overview;
use super::names::{Fields, Kind, Of};
use super::request::{Request, RequestKind};
use super::rows::{AgentRow, MachineList, Rows};
use super::trees::{TreeKeys, Trees};

/// The page at a machine.
pub(super) struct MachinePage {
    pub(super) machine: Machine,
    pub(super) name: String,
    page: u64,
    pub(super) is_gone: bool,
    pub(super) trees: TreeKeys,
    /// Whether it has what is set at other machines.
    pub(super) is_caught_up: bool,
    pub(super) rows: Rows,
    /// The number of all agents, and of those that match.
    pub(super) total: usize,
    matching: usize,
    /// The request that the rows answer.
    answered: Option<u64>,
    pub(super) is_held: bool,
    /// The number of requests to hold agents that were sent, and that the last list has seen.
    pub(super) holds_sent: u64,
    pub(super) holds: u64,
    pub(super) breakpoints: Vec<Fields>,
    pub(super) watches: Vec<Fields>,
    pub(super) overview: Option<Overview>,
    pub(super) documents: Vec<Fields>,
    /// The agents that it follows.
    pub(super) followed: Vec<usize>,
}

impl MachinePage {
    pub(super) fn new(machine: Machine, name: &str, page: u64) -> Self {
        Self {
            machine,
            name: name.to_owned(),
            page,
            is_gone: false,
            trees: TreeKeys::default(),
            is_caught_up: false,
            rows: Rows::default(),
            total: 0,
            matching: 0,
            answered: None,
            is_held: false,
            holds_sent: 0,
            holds: 0,
            breakpoints: Vec::new(),
            watches: Vec::new(),
            overview: None,
            documents: Vec::new(),
            followed: Vec::new(),
        }
    }

    /// Sends a request.
    pub(super) fn send(&mut self, request: &Request, outbox: &mut Vec<Outgoing>) {
        if self.is_gone {
            return;
        }
        if request.kind.is_hold() {
            self.holds_sent += 1;
        }
        self.send_text(request.text(), outbox);
    }

    pub(super) fn send_text(&self, text: String, outbox: &mut Vec<Outgoing>) {
        outbox.push(Outgoing { machine: self.machine, page: self.page, message: ToMachine::Text(text) });
    }

    /// Requests the rows that the machine has for a listing.
    pub(super) fn send_listing(&mut self, listing: &Listing, outbox: &mut Vec<Outgoing>) {
        let listing = listing.of_machine(self.machine.number(), |tree| self.trees.machine(tree));
        if let Some(request) = Request::new(RequestKind::List, &listing) {
            self.send(&request, outbox);
        }
    }

    /// Requests what all agents of a tree do, or nothing if there is no tree, or the machine does not have it.
    pub(super) fn send_overview(&mut self, tree: Option<usize>, outbox: &mut Vec<Outgoing>) {
        let tree = tree.and_then(|tree| self.trees.machine(tree));
        if let Some(request) = Request::new(RequestKind::Overview, &tree) {
            self.send(&request, outbox);
        }
    }

    /// Reads an update, with the keys of the page. Returns `None` if it is invalid.
    pub(super) fn read(&self, text: &str) -> Option<(Kind, Box<RawValue>)> {
        Kind::read(text, |of, key| match of {
            Of::Agent | Of::Document => self.machine.key(key),
            Of::Tree => self.trees.page(key),
        })
    }

    /// Returns the requests that set at another machine what is set here for all agents of a tree.
    pub(super) fn requests_for(&self, other: &Self) -> Vec<Request> {
        let breakpoints = self.breakpoints.iter().filter_map(|fields| set(RequestKind::Break, fields, other));
        let watches = self.watches.iter().filter_map(|fields| set(RequestKind::Watch, fields, other));
        breakpoints.chain(watches).collect()
    }

    /// Takes the list of agents from an update.
    pub(super) fn list(&mut self, content: &RawValue, trees: &Trees) {
        let Some(list) = MachineList::parse(content) else { return };
        (self.total, self.matching, self.answered) = (list.total, list.matching, Some(list.id));
        (self.is_held, self.holds) = (list.held, list.holds);
        self.rows = list.rows(self.machine, &self.name, trees);
    }

    /// Returns whether the rows are those of a listing.
    pub(super) fn is_current(&self, listing: &Listing) -> bool {
        !self.is_gone && self.answered == Some(listing.id())
    }

    /// Returns the rows for a listing, in ascending order, and the number of agents that match. A machine that has not answered, or has gone, has those rows that it has
    /// sent before, as far as it is known that they match.
    pub(super) fn listed(&self, listing: &Listing, trees: &Trees) -> (Vec<&AgentRow>, usize) {
        let mut rows: Vec<_> = self.rows.list.iter().collect();
        if self.is_current(listing) {
            if listing.is_reversed() {
                rows.reverse();
            }
            return (rows, self.matching);
        }
        rows.retain(|row| listing.matches(row, |tree| trees.first(row.tree) == trees.first(tree)));
        rows.sort_by_key(|row| row.key);
        let matching = rows.len();
        (rows, matching)
    }

    /// Makes the columns unknown, because they are others now.
    pub(super) fn forget_cells(&mut self) {
        for row in self.rows.list.iter_mut().chain(&mut self.rows.selected) {
            row.cells.clear();
            row.fields.remove("cells");
        }
    }

    /// Returns whether all requests to hold agents have been seen.
    pub(super) fn has_seen_holds(&self, holds: u64) -> bool {
        self.is_gone || holds == self.holds_sent
    }

    /// Called when the machine has gone. What it has sent stays.
    pub(super) fn leave(&mut self) {
        self.is_gone = true;
        self.is_held = false;
        self.total = self.rows.list.len();
        self.rows.waiting.clear();
        for row in self.rows.list.iter_mut().chain(&mut self.rows.selected) {
            for field in ["held", "at", "why"] {
                row.fields.remove(field);
            }
        }
        (self.breakpoints, self.watches, self.overview) = (Vec::new(), Vec::new(), None);
        self.documents.clear();
    }
}

/// Returns the request that sets a breakpoint or a watch at a machine, if it is for all agents of a tree that the machine has.
fn set(kind: RequestKind, fields: &Fields, machine: &MachinePage) -> Option<Request> {
    let mut fields = fields.clone();
    fields.remove("hits");
    let tree = serde_json::from_str(fields.remove("tree")?.get()).ok()?;
    let is_for_all = fields.get("agent").is_none_or(|agent| agent.get() == "null");
    let tree = machine.trees.machine(tree).filter(|_| is_for_all)?;
    let (tree, what) = (to_raw_value(&tree).ok()?, to_raw_value(&fields).ok()?);
    Request::new(kind, &Fields::from([("tree".to_owned(), tree), (kind.set()?.to_owned(), what)]))
}
