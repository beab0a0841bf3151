//! The list of agents that a page shows: searched, filtered, sorted, and a part of it at a time.

use bt_core::Status;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::order::{natural, values};
use crate::expression::Expression;

/// The number of agents in an update, of those that are listed and of those that wait.
pub const MAX_AGENTS: usize = 200;
/// The maximum number of agents per update that a hub requests, which merges the lists of machines.
const MAX_ROWS: usize = 10_000;
/// The key of a tree that no machine has.
const NO_TREE: usize = u32::MAX as usize;

/// Which agents a page lists, and in which order: the content of its request `list`.
///
/// A program applies it to its own agents. What shows the agents of several programs requests [the rows of each](Self::of_machine), and [sorts](Self::sort) them.
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields, default)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Listing {
    /// Only agents whose name contains this text, in any case.
    pub(super) search: String,
    /// Only agents with one of these states. Empty for all.
    pub(super) states: Vec<State>,
    /// Only agents of this tree, by the key of a version; in a requested listing, of the first one.
    pub(super) tree: Option<usize>,
    /// Only agents in which this node was running when they were observed last; in a requested listing, as its lasting number.
    pub(super) node: Option<u32>,
    /// Only agents for whose values this is true.
    pub(super) filter: Option<Expression>,
    pub(super) columns: Vec<Column>,
    pub(super) sort: Sort,
    pub(super) descending: bool,
    /// The number of agents before the first listed one.
    pub(super) from: usize,
    /// An agent that is listed if it matches, wherever `from` is.
    pub(super) around: Option<usize>,
    /// The number of listed agents, at most [`MAX_ROWS`]; without it, [`MAX_AGENTS`].
    #[cfg_attr(test, ts(skip))]
    pub(super) count: Option<usize>,
    /// Only agents of this machine. A hub reads it; a program is one machine.
    #[cfg_attr(test, ts(optional = nullable))]
    pub(super) machine: Option<u32>,
    /// Whether ticks are sent with the time of day. A hub sets it, because each machine has its own clock.
    #[cfg_attr(test, ts(skip))]
    pub(super) times: bool,
    /// A number that the list repeats, which identifies the request.
    pub(super) id: u64,
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) enum State {
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
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) enum Sort {
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

/// What the list shows of each agent. A node is named by the key of its tree and its id.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) enum Column {
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

/// An agent, as far as it is sorted: see [`Listing::sort`].
pub trait Row {
    /// Returns the name in lower case.
    fn lower_name(&self) -> &str;

    /// Returns the name of its machine, if there are several.
    fn machine_name(&self) -> Option<&str>;

    /// Returns the status of its last tick.
    fn last_status(&self) -> Option<Status>;

    /// Returns the name of the tree.
    fn tree_name(&self) -> String;

    /// Returns the name of the running leaf.
    fn running(&self) -> Option<String>;

    /// Returns the contents of the column with this index; `None` if it is not known.
    fn cell(&self, index: usize) -> Option<Value>;
}

impl Listing {
    /// Returns the number that the list repeats, which identifies the request.
    #[must_use]
    pub const fn id(&self) -> u64 {
        self.id
    }

    /// Returns whether agents of a machine are listed, by the number of the machine.
    #[must_use]
    pub fn lists_machine(&self, machine: u32) -> bool {
        self.machine.is_none_or(|only| only == machine)
    }

    /// Returns whether it names trees, which a machine may not have yet.
    #[must_use]
    pub fn names_trees(&self) -> bool {
        self.tree.is_some() || !self.columns.is_empty()
    }

    /// Returns whether another listing shows the same columns.
    #[must_use]
    pub fn has_columns_of(&self, other: &Self) -> bool {
        self.columns == other.columns
    }

    /// Returns what one of several machines is asked for: all rows up to the listed ones, since those of other machines may be before them. `tree` returns the key
    /// of a tree at the machine, if the machine has the tree.
    #[must_use]
    pub fn of_machine(&self, machine: u32, tree: impl Fn(usize) -> Option<usize>) -> Self {
        let count = match self.around {
            Some(_) => MAX_ROWS,
            None => self.from.saturating_add(MAX_AGENTS).min(MAX_ROWS),
        };
        let tree = |key| tree(key).unwrap_or(NO_TREE);
        Self {
            tree: self.tree.map(tree),
            columns: self.columns.iter().map(|column| column.with_tree(tree)).collect(),
            sort: if self.sort == Sort::Machine { Sort::Added } else { self.sort },
            from: 0,
            around: None,
            count: Some(if self.lists_machine(machine) { count } else { 0 }),
            machine: None,
            times: true,
            ..self.clone()
        }
    }

    /// Returns whether an agent matches as far as is known without its program. `is_of` returns whether the agent has a tree, by the key of the tree.
    pub fn matches(&self, row: &impl Row, is_of: impl FnOnce(usize) -> bool) -> bool {
        let needs_program = !self.states.is_empty() || self.node.is_some() || self.filter.is_some();
        !needs_program && row.lower_name().contains(&self.search.to_lowercase()) && self.tree.is_none_or(is_of)
    }

    /// Returns the number of rows before the listed ones, and these, of all rows that match, in their order. `key` is that of an agent.
    pub fn part<R>(&self, rows: Vec<R>, key: impl Fn(&R) -> usize) -> (usize, Vec<R>) {
        let around = self.around.and_then(|around| rows.iter().position(|row| key(row) == around));
        let from = around.map_or(self.from, |row| row.saturating_sub(MAX_AGENTS / 2)).min(rows.len().saturating_sub(1));
        let count = self.count.map_or(MAX_AGENTS, |count| count.min(MAX_ROWS));
        (from, rows.into_iter().skip(from).take(count).collect())
    }

    /// Sorts rows, which are in the order in which programs have added their agents.
    pub fn sort<R: Row>(&self, rows: &mut Vec<R>) {
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

    /// Returns whether [`sort`](Self::sort) reverses rows that are in ascending order.
    #[must_use]
    pub const fn is_reversed(&self) -> bool {
        self.descending && !matches!(self.sort, Sort::Column(_))
    }

    /// Sorts by a column. Agents without a value are last, in both directions.
    fn sort_by_column<R: Row>(&self, rows: &mut Vec<R>, index: usize) {
        if index >= self.columns.len() {
            return;
        }
        let value = |row: &R| row.cell(index).filter(|value| !value.is_null());
        let mut all: Vec<_> = rows.drain(..).map(|row| (value(&row), row)).collect();
        all.sort_by(|(a, _), (b, _)| match (a, b) {
            (Some(a), Some(b)) => {
                let order = values(a, b);
                if self.descending { order.reverse() } else { order }
            }
            (a, b) => a.is_none().cmp(&b.is_none()),
        });
        rows.extend(all.into_iter().map(|(_, row)| row));
    }
}

impl Column {
    /// Returns the column with another key of its tree.
    fn with_tree(&self, key: impl Fn(usize) -> usize) -> Self {
        match self {
            Self::Value(_) | Self::Unchanged(_) | Self::Leaf => self.clone(),
            Self::Running(tree, node) => Self::Running(key(*tree), *node),
            Self::Visited(tree, node) => Self::Visited(key(*tree), *node),
        }
    }
}
