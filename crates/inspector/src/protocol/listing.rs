//! The list of agents that a page shows: searched, filtered, sorted, and a part of it at a time.

use std::cmp::Ordering;
use std::sync::Arc;

use bt_core::{NodeId, Status, Wake};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::expression::{Expression, order};
use crate::state::{Agent, COLUMNS, Columns, Held, SAMPLE, Shared, Tree, lock};

/// The number of agents per update.
pub(crate) const MAX_AGENTS: usize = 200;
/// The maximum number of agents per update that a hub requests, which merges the lists of machines.
pub(crate) const MAX_ROWS: usize = 10_000;

/// Which agents a page lists, and in which order.
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields, default)]
pub(crate) struct Listing {
    /// Only agents whose name contains this text, in any case.
    pub(crate) search: String,
    /// Only agents with one of these states. Empty for all.
    pub(crate) states: Vec<State>,
    /// Only agents of this tree, by the key of a version; in a requested listing, of the first one.
    pub(crate) tree: Option<usize>,
    /// Only agents in which this node was running when they were observed last; in a requested listing, as its lasting number.
    pub(crate) node: Option<u32>,
    /// Only agents for whose values this is true. Empty for all.
    pub(crate) filter: Option<Expression>,
    pub(crate) columns: Vec<Column>,
    pub(crate) sort: Sort,
    pub(crate) descending: bool,
    /// The number of agents before the first listed one.
    pub(crate) from: usize,
    /// An agent that is listed if it matches, wherever `from` is.
    pub(crate) around: Option<usize>,
    /// The number of listed agents, at most [`MAX_ROWS`]; without it, [`MAX_AGENTS`].
    pub(crate) count: Option<usize>,
    /// Only agents of this machine. A hub reads it; a program is one machine.
    pub(crate) machine: Option<u32>,
    /// Whether ticks are sent with the time of day. A hub sets it, because each machine has its own clock.
    pub(crate) times: bool,
    /// A number that the list repeats, which identifies the request.
    pub(crate) id: u64,
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    Success,
    Failure,
    Running,
    Error,
    Waiting,
    Asleep,
    /// Not ticked yet, as far as is known.
    New,
}

#[derive(Clone, Copy, Default, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Sort {
    /// In the order in which the program has added the agents.
    #[default]
    Added,
    Name,
    Status,
    Tree,
    /// By the name of the running leaf.
    Running,
    /// By the name of the machine, in a hub.
    Machine,
    /// By the value in the column with this index.
    Column(usize),
}

/// What the list shows of each agent.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Column {
    /// A value.
    Value(Expression),
    /// The number of ticks since a value has changed, as far as the program was asked for it.
    Unchanged(Expression),
    /// The number of ticks since the run of the running leaf has begun.
    Leaf,
    /// The number of ticks since the run of a node has begun. The first number is the key of the tree. In a requested listing, the node is named by the key of
    /// the first version of the tree and its lasting number.
    Running(usize, u32),
    /// The seconds since the last visit of a node.
    Visited(usize, u32),
}

/// An agent, as far as it is sorted.
pub(crate) trait Row {
    /// Returns the name in lower case.
    fn lower_name(&self) -> &str;

    /// Returns the name of its machine, if there are several.
    fn machine_name(&self) -> Option<&str>;

    fn last_status(&self) -> Option<Status>;

    /// Returns the name of the tree.
    fn tree_name(&self) -> String;

    /// Returns the name of the running leaf.
    fn running(&self) -> Option<String>;

    /// Returns the contents of a column; `None` if it is not known.
    fn cell(&self, index: usize, column: &Column) -> Option<Value>;
}

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
        self.sort(&mut agents);
        let matching = agents.len();
        let (from, list) = self.part(agents, |agent| agent.key);
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

    /// Returns the number of agents before the listed ones, and these.
    pub(crate) fn part<R>(&self, rows: Vec<R>, key: impl Fn(&R) -> usize) -> (usize, Vec<R>) {
        let around = self.around.and_then(|around| rows.iter().position(|row| key(row) == around));
        let from = around.map_or(self.from, |row| row.saturating_sub(MAX_AGENTS / 2)).min(rows.len().saturating_sub(1));
        let count = self.count.map_or(MAX_AGENTS, |count| count.min(MAX_ROWS));
        (from, rows.into_iter().skip(from).take(count).collect())
    }

    /// Sorts agents.
    pub(crate) fn sort<R: Row>(&self, rows: &mut Vec<R>) {
        match self.sort {
            Sort::Added => {}
            Sort::Name => rows.sort_by(|a, b| natural(a.lower_name(), b.lower_name())),
            Sort::Machine => {
                rows.sort_by(|a, b| natural(a.machine_name().unwrap_or(""), b.machine_name().unwrap_or("")));
            }
            Sort::Status => rows.sort_by_cached_key(|row| row.last_status().map(|status| status as u8)),
            Sort::Tree => rows.sort_by_cached_key(Row::tree_name),
            Sort::Running => rows.sort_by_cached_key(Row::running),
            Sort::Column(index) => return self.sort_by_column(rows, index),
        }
        if self.is_reversed() {
            rows.reverse();
        }
    }

    /// Returns whether the rows are sorted in ascending order, and then reversed.
    pub(crate) const fn is_reversed(&self) -> bool {
        self.descending && !matches!(self.sort, Sort::Column(_))
    }

    /// Sorts by a column. Agents without a value are last, in both directions.
    fn sort_by_column<R: Row>(&self, rows: &mut Vec<R>, index: usize) {
        let Some(column) = self.columns.get(index) else { return };
        let value = |row: &R| row.cell(index, column).filter(|value| !value.is_null());
        let mut all: Vec<_> = rows.drain(..).map(|row| (value(&row), row)).collect();
        all.sort_by(|(a, _), (b, _)| match (a, b) {
            (Some(a), Some(b)) => {
                // Values of different types have no order.
                let order = order(a, b).unwrap_or_else(|| rank(a).cmp(&rank(b)));
                if self.descending { order.reverse() } else { order }
            }
            (a, b) => a.is_none().cmp(&b.is_none()),
        });
        rows.extend(all.into_iter().map(|(_, row)| row));
    }
}

impl Row for Arc<Agent> {
    fn lower_name(&self) -> &str {
        &self.lower_name
    }

    fn machine_name(&self) -> Option<&str> {
        None
    }

    fn last_status(&self) -> Option<Status> {
        self.status()
    }

    fn tree_name(&self) -> String {
        self.tree().name.clone()
    }

    fn running(&self) -> Option<String> {
        self.running_leaf(&self.tree()).map(|(_, name)| name)
    }

    fn cell(&self, _: usize, column: &Column) -> Option<Value> {
        column.of(self)
    }
}

/// Returns the place of a value among values of other types.
const fn rank(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Bool(false) => 1,
        Value::Bool(true) => 2,
        Value::Number(_) => 3,
        Value::String(_) => 4,
        Value::Array(_) => 5,
        Value::Object(_) => 6,
    }
}

impl Column {
    /// Returns the column with another key of its tree.
    pub(crate) fn with_tree(&self, key: impl Fn(usize) -> usize) -> Self {
        match self {
            Self::Value(_) | Self::Unchanged(_) | Self::Leaf => self.clone(),
            Self::Running(tree, node) => Self::Running(key(*tree), *node),
            Self::Visited(tree, node) => Self::Visited(key(*tree), *node),
        }
    }

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

/// Compares texts, and numbers in them by their values: `soldier 9` is before `soldier 10`.
fn natural(left: &str, right: &str) -> Ordering {
    let (mut left, mut right) = (left, right);
    loop {
        let order = match (number(left), number(right)) {
            (Some((one, rest)), Some((other, other_rest))) => {
                (left, right) = (rest, other_rest);
                one.len().cmp(&other.len()).then_with(|| one.cmp(other))
            }
            _ => {
                let (mut one, mut other) = (left.chars(), right.chars());
                let order = match (one.next(), other.next()) {
                    (None, None) => return Ordering::Equal,
                    (next, other_next) => next.cmp(&other_next),
                };
                (left, right) = (one.as_str(), other.as_str());
                order
            }
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// Returns the digits at the start of a text without leading zeros, and the rest.
fn number(text: &str) -> Option<(&str, &str)> {
    let (digits, rest) = text.split_at(text.bytes().take_while(u8::is_ascii_digit).count());
    (!digits.is_empty()).then(|| (digits.trim_start_matches('0'), rest))
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

#[cfg(test)]
mod tests {
    use super::natural;

    #[test]
    fn numbers_in_names_are_compared_by_value() {
        let mut names = ["b 2", "a 10", "a 9", "a", "a 010 x", "a 10 y", "a x"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(names, ["a", "a 9", "a 10", "a 010 x", "a 10 y", "a x", "b 2"]);
    }
}
