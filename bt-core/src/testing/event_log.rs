//! A readable log of the events of a tree.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::describe::{Described, Description, Kind};
use crate::id::NodeId;
use crate::observer::Observer;
use crate::status::{End, Status};

/// An observer that writes a readable log: `"patrol: running"` when a leaf returns a status, `"patrol: halted"` when the leaf
/// is halted, `"sheep -> fear"` when a machine enters a state.
///
/// A leaf is written with its label or, if it has none, with its name and parameters. A log without a
/// [`TreeTest`](super::TreeTest) can log agents that the program ticks.
/// A [`ChangeLog`](crate::observe::ChangeLog) reports only the changes of statuses, with the time and the agent.
///
/// ```
/// use bt_core::prelude::*;
/// use bt_core::testing::EventLog;
///
/// let tree = tree! { for bool: selector { sequence { |enemy: &bool| *enemy, run "attack" }, run "patrol" } };
/// let (mut memory, mut log) = (tree.memory(), EventLog::new(&tree.description()));
/// tree.tick_with(&mut false, &mut memory, &mut log);
/// assert_eq!(log.take(), ["|enemy: &bool| *enemy: failure", "patrol: running"]);
/// tree.tick_with(&mut true, &mut memory, &mut log);
/// assert_eq!(log.take(), ["|enemy: &bool| *enemy: success", "attack: running", "patrol: halted"]);
/// ```
#[derive(Clone, Debug)]
pub struct EventLog {
    nodes: Vec<LoggedNode>,
    all: bool,
    lines: Vec<String>,
}

/// A node in the log.
#[derive(Clone, Debug)]
struct LoggedNode {
    name: String,
    is_logged: bool,
    /// The names of the states of a machine.
    states: Vec<String>,
}

impl EventLog {
    /// Creates a log of the leaves and machines of a tree.
    pub fn new(description: &Description) -> Self {
        let logged = |node: &Described| LoggedNode {
            name: node.label.clone().unwrap_or_else(|| node.call()),
            is_logged: matches!(node.kind, Kind::Action | Kind::Condition),
            states: match node.kind {
                Kind::Machine => description.children(node.id).map(|state| state.name.clone()).collect(),
                _ => Vec::new(),
            },
        };
        Self { nodes: description.nodes().iter().map(logged).collect(), all: false, lines: Vec::new() }
    }

    /// Also logs composites, decorators and machines.
    #[must_use]
    pub const fn with_all_nodes(mut self) -> Self {
        self.all = true;
        self
    }

    /// Also logs this node.
    pub(super) fn add(&mut self, node: NodeId) {
        if let Some(node) = self.nodes.get_mut(node.index()) {
            node.is_logged = true;
        }
    }

    /// Adds a line that is no event of a node.
    pub(super) fn note(&mut self, line: String) {
        self.lines.push(line);
    }

    /// Returns the lines since the last call.
    pub fn take(&mut self) -> Vec<String> {
        core::mem::take(&mut self.lines)
    }

    fn node(&self, at: NodeId) -> Option<&LoggedNode> {
        self.nodes.get(at.index()).filter(|node| node.is_logged || self.all)
    }
}

impl Observer for EventLog {
    const INLINE: bool = false;

    fn tick(&mut self, at: NodeId, status: Status) {
        if let Some(node) = self.node(at) {
            let line = format!("{}: {}", node.name, format!("{status:?}").to_lowercase());
            self.lines.push(line);
        }
    }

    fn close(&mut self, at: NodeId, end: End) {
        if let (End::Halted(_), Some(node)) = (end, self.node(at)) {
            let line = format!("{}: halted", node.name);
            self.lines.push(line);
        }
    }

    fn state(&mut self, at: NodeId, state: usize) {
        if let Some(machine) = self.nodes.get(at.index()) {
            let state = machine.states.get(state).map_or("?", String::as_str).to_owned();
            let line = format!("{} -> {state}", machine.name);
            self.lines.push(line);
        }
    }
}
