//! The agents of all machines, as the list of a page.

use bt_inspector::protocol::MAX_AGENTS;
use serde::Serialize;
use serde_json::json;
use serde_json::value::to_raw_value;

use super::machine_page::MachinePage;
use super::names::Fields;
use super::page::HubPage;

/// The list of the agents of all machines.
#[derive(Serialize)]
struct Merged<'a> {
    id: u64,
    total: usize,
    matching: usize,
    from: usize,
    list: Vec<&'a Fields>,
    waiting: Vec<&'a Fields>,
    selected: Option<&'a Fields>,
    held: bool,
    holds: u64,
}

impl HubPage {
    /// Returns the list of agents, as a message.
    pub(super) fn list(&self) -> String {
        let machines = || self.machines.values();
        let is_listed = |machine: &&MachinePage| self.listing.lists_machine(machine.machine.number());
        // The rows of each machine are sorted already: those of all are sorted from the order in which a program begins.
        let (mut rows, mut matching) = (Vec::new(), 0);
        for machine in machines().filter(is_listed) {
            let (list, count) = machine.listed(&self.listing, &self.trees);
            rows.extend(list);
            matching += count;
        }
        self.listing.sort(&mut rows);
        let (from, list) = self.listing.part(rows, |row| row.key);
        let selected = machines().filter_map(|machine| machine.rows.selected.as_ref());
        let waiting = machines().flat_map(|machine| &machine.rows.waiting).take(MAX_AGENTS);
        let merged = Merged {
            id: self.listing.id(),
            total: machines().map(|machine| machine.total).sum(),
            matching,
            from,
            list: list.iter().map(|row| &row.fields).collect(),
            waiting: waiting.map(|row| &row.fields).collect(),
            selected: selected
                .map(|row| (row.key, &row.fields))
                .find(|(key, _)| Some(*key) == self.selected)
                .map(|(_, row)| row),
            held: machines().any(|machine| !machine.is_gone)
                && machines().all(|machine| machine.is_gone || machine.is_held),
            holds: if machines().all(|machine| machine.has_seen_holds(machine.holds)) { self.holds } else { 0 },
        };
        json!({ "agents": to_raw_value(&merged).ok() }).to_string()
    }
}
