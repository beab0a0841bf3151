//! The agents of a program that a page lists.

use std::sync::Arc;

use bt_core::{NodeId, Status, Wake};
use serde_json::Value;

use super::listing::{Column, Listing, MAX_AGENTS, Row, Sort, State};
use crate::expression::Expression;
use crate::state::{Agent, COLUMNS, Columns, Held, SAMPLE, Shared, Tree, lock};

/// The listed agents.
pub(super) struct Listed {
    /// The number of all agents, and of those that match.
    pub(super) total: usize,
    pub(super) matching: usize,
    /// The number of matching agents before the first of `list`.
    pub(super) from: usize,
    pub(super) list: Vec<Arc<Agent>>,
    /// All agents for which a thread waits, or that have stopped because of a value, at most [`MAX_AGENTS`].
    pub(super) waiting: Vec<Arc<Agent>>,
}

/// An agent of the program, with what is shown of it.
struct AgentRow<'a> {
    agent: Arc<Agent>,
    columns: &'a [Column],
}

impl Listing {
    /// Prepares a listing that a page has requested.
    pub(super) fn requested(mut self, shared: &Shared) -> Self {
        self.search = self.search.to_lowercase();
        let lasting = |tree: &mut usize, node: Option<&mut u32>| {
            let Some(version) = shared.tree(*tree) else { return };
            *tree = version.first;
            if let Some(node) = node {
                *node = version.numbers.get(NodeId::new(*node)).unwrap_or(u32::MAX);
            }
        };
        for column in &mut self.columns {
            if let Column::Running(tree, node) | Column::Visited(tree, node) = column {
                lasting(tree, Some(node));
            }
        }
        if let Some(tree) = &mut self.tree {
            lasting(tree, self.node.as_mut());
        }
        self
    }

    /// Returns what the program has to evaluate for the list.
    pub(super) fn needs(&self) -> Columns {
        let mut needs = Columns { values: self.filter.iter().cloned().collect(), ..Columns::default() };
        for column in &self.columns {
            match column {
                Column::Value(expression) | Column::Unchanged(expression) => needs.values.push(expression.clone()),
                Column::Leaf | Column::Running(..) => needs.runs = true,
                Column::Visited(tree, node) => needs.visits.push((*tree, *node)),
            }
        }
        needs
    }

    /// Chooses the listed agents. Each of them reports its status with its next tick, and its values if `asks` is true. An agent of `watched` is
    /// listed although the program has removed it.
    pub(super) fn choose(&self, shared: &Shared, watched: impl IntoIterator<Item = Arc<Agent>>, asks: bool) -> Listed {
        let mut agents = shared.agents();
        for removed in watched.into_iter().filter(|agent| agent.is_removed()) {
            if !agents.iter().any(|agent| agent.key == removed.key) {
                agents.push(removed);
            }
        }
        let total = agents.len();
        let waiting = agents.iter().filter(|agent| agent.hold.is_waiting()).take(MAX_AGENTS).cloned().collect();
        let has_values = self.columns.iter().any(|column| matches!(column, Column::Value(_) | Column::Unchanged(_)));
        let ask = |agent: &Agent, values: bool| {
            if !shared.is_recording {
                agent.set_awake(SAMPLE, true);
                if values && asks {
                    agent.set_awake(COLUMNS, true);
                }
            }
        };
        // The states, or the values, of all agents are needed to choose among them.
        let needs_values = self.filter.is_some() || has_values && matches!(self.sort, Sort::Column(_));
        let needs_all = needs_values
            || !self.states.is_empty()
            || self.node.is_some()
            || matches!(self.sort, Sort::Status | Sort::Running | Sort::Column(_));
        agents.retain(|agent| {
            let could_match =
                agent.lower_name.contains(&self.search) && self.tree.is_none_or(|tree| agent.tree().first == tree);
            if needs_all && could_match {
                ask(agent, needs_values);
            }
            could_match && self.has_state(agent) && self.is_in_node(agent) && self.fulfills_filter(agent)
        });
        let mut rows: Vec<_> = agents.into_iter().map(|agent| AgentRow { agent, columns: &self.columns }).collect();
        self.sort(&mut rows);
        let matching = rows.len();
        let (from, list) = self.part(rows, |row| row.agent.key);
        let list: Vec<_> = list.into_iter().map(|row| row.agent).collect();
        for agent in &list {
            ask(agent, has_values);
        }
        Listed { total, matching, from, list, waiting }
    }

    /// Returns the contents of the columns of an agent; `None` for what is not known.
    pub(super) fn cells(&self, agent: &Agent) -> Vec<Option<Value>> {
        self.columns.iter().map(|column| column.of(agent)).collect()
    }

    fn fulfills_filter(&self, agent: &Agent) -> bool {
        let holds = |filter: &Expression| lock(&agent.cells).value(filter) == Some(Value::Bool(true));
        self.filter.as_ref().is_none_or(holds)
    }

    fn has_state(&self, agent: &Agent) -> bool {
        let is = |state: &State| match state {
            State::Success => agent.status() == Some(Status::Success),
            State::Failure => agent.status() == Some(Status::Failure),
            State::Running => agent.status() == Some(Status::Running),
            State::Error => agent.status() == Some(Status::Error),
            State::Waiting => agent.hold.held() != Held::No,
            State::Asleep => *lock(&agent.due) != Wake::Next,
            State::New => agent.status().is_none(),
        };
        self.states.is_empty() || self.states.iter().any(is)
    }

    fn is_in_node(&self, agent: &Agent) -> bool {
        self.node.is_none_or(|node| lock(&agent.tracked).is_running(node))
    }
}

impl Row for AgentRow<'_> {
    fn lower_name(&self) -> &str {
        &self.agent.lower_name
    }

    fn machine_name(&self) -> Option<&str> {
        None
    }

    fn last_status(&self) -> Option<Status> {
        self.agent.status()
    }

    fn tree_name(&self) -> String {
        self.agent.tree().name.clone()
    }

    fn running(&self) -> Option<String> {
        self.agent.running_leaf(&self.agent.tree()).map(|(_, name)| name)
    }

    fn cell(&self, index: usize) -> Option<Value> {
        self.columns.get(index)?.of(&self.agent)
    }
}

impl Column {
    fn of(&self, agent: &Agent) -> Option<Value> {
        match self {
            Self::Value(expression) => lock(&agent.cells).value(expression),
            Self::Unchanged(expression) => lock(&agent.cells).unchanged(expression).map(Value::from),
            Self::Leaf => {
                let tracked = lock(&agent.tracked);
                tracked.ticks_in(tracked.leaf()?).map(Value::from)
            }
            Self::Running(tree, node) if agent.tree().first == *tree => {
                lock(&agent.tracked).ticks_in(*node).map(Value::from)
            }
            Self::Visited(tree, node) if agent.tree().first == *tree => {
                lock(&agent.tracked).since_visit(*node).map(|time| time.as_secs_f64().into())
            }
            Self::Running(..) | Self::Visited(..) => None,
        }
    }
}

impl Agent {
    pub(super) fn status(&self) -> Option<Status> {
        lock(&self.history).last
    }

    /// Returns the first leaf that was running when the agent was observed last, in a version of its tree, and its name.
    pub(crate) fn running_leaf(&self, tree: &Tree) -> Option<(usize, String)> {
        let leaf = tree.node(lock(&self.tracked).leaf()?)?;
        let node = tree.description.node(leaf)?;
        Some((leaf.index(), node.label.as_ref().unwrap_or(&node.name).clone()))
    }
}
