//! The agents of all machines in one list.

use bt_core::Status;
use bt_inspector::protocol::Row;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::machine::Machine;
use super::names::Fields;
use super::trees::Trees;

/// An agent of a machine, with keys of the page.
#[derive(Clone)]
pub(super) struct AgentRow {
    pub(super) key: usize,
    pub(super) fields: Fields,
    machine_name: String,
    pub(super) lower_name: String,
    /// The key of its tree.
    pub(super) tree: usize,
    tree_name: String,
    running: Option<String>,
    status: Option<Status>,
    pub(super) cells: Vec<Option<Value>>,
}

/// The list of a machine, as it was received.
#[derive(Deserialize)]
pub(super) struct MachineList {
    pub(super) id: u64,
    pub(super) total: usize,
    pub(super) matching: usize,
    list: Vec<Fields>,
    waiting: Vec<Fields>,
    selected: Option<Fields>,
    pub(super) held: bool,
    pub(super) holds: u64,
}

/// The agents of a machine.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) list: Vec<AgentRow>,
    pub(super) waiting: Vec<AgentRow>,
    pub(super) selected: Option<AgentRow>,
}

impl MachineList {
    pub(super) fn parse(content: &RawValue) -> Option<Self> {
        // Values cannot be borrowed from the text: serde_json reads them from a copy.
        serde_json::from_str(content.get()).ok()
    }

    /// Returns the agents. Those that are invalid are left out.
    pub(super) fn rows(self, machine: Machine, name: &str, trees: &Trees) -> Rows {
        let rows =
            |list: Vec<Fields>| list.into_iter().filter_map(|row| AgentRow::new(row, machine, name, trees)).collect();
        Rows {
            list: rows(self.list),
            waiting: rows(self.waiting),
            selected: self.selected.and_then(|row| AgentRow::new(row, machine, name, trees)),
        }
    }
}

impl AgentRow {
    fn new(mut fields: Fields, machine: Machine, machine_name: &str, trees: &Trees) -> Option<Self> {
        fn read<'a, T: Deserialize<'a>>(fields: &'a Fields, name: &str) -> Option<T> {
            serde_json::from_str(fields.get(name)?.get()).ok()
        }
        let tree: usize = read(&fields, "tree")?;
        let row = Self {
            key: read(&fields, "key")?,
            machine_name: machine_name.to_lowercase(),
            lower_name: read::<String>(&fields, "name")?.to_lowercase(),
            tree,
            tree_name: trees.name(tree).to_owned(),
            running: read(&fields, "running").and_then(|node| trees.node(tree, node)),
            status: read(&fields, "status").unwrap_or_default(),
            cells: read(&fields, "cells").unwrap_or_default(),
            fields: Fields::new(),
        };
        fields.insert("machine".to_owned(), to_raw_value(&machine.number()).ok()?);
        Some(Self { fields, ..row })
    }
}

impl Row for &AgentRow {
    fn lower_name(&self) -> &str {
        &self.lower_name
    }

    fn machine_name(&self) -> Option<&str> {
        Some(&self.machine_name)
    }

    fn last_status(&self) -> Option<Status> {
        self.status
    }

    fn tree_name(&self) -> String {
        self.tree_name.clone()
    }

    fn running(&self) -> Option<String> {
        self.running.clone()
    }

    fn cell(&self, index: usize) -> Option<Value> {
        self.cells.get(index).cloned().flatten()
    }
}
