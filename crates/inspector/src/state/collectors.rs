//! What is collected: which agents, and those of them that were added since.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::agent::Agent;
use super::cursor::Cursor;

/// The maximum number of agents that one receiver collects.
pub(crate) const MAX_COLLECTED: usize = 10_000;

/// Which ticks are collected, for [`Inspector::collect`](crate::Inspector::collect).
///
/// ```
/// use bt_inspector::CollectFilter;
///
/// let all = CollectFilter::default();
/// let errors_of_guards = CollectFilter::default().tree("guard").errors();
/// ```
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CollectFilter {
    agents: String,
    tree: Option<String>,
    errors: bool,
}

impl CollectFilter {
    /// Collects only agents whose names contain a text, in any case.
    #[must_use]
    pub fn agents(mut self, part: &str) -> Self {
        self.agents = part.to_lowercase();
        self
    }

    /// Collects only agents of the tree with a name.
    #[must_use]
    pub fn tree(mut self, name: &str) -> Self {
        self.tree = Some(name.to_owned());
        self
    }

    /// Collects only ticks with an error, or which a panic has ended, each with up to 32 ticks before it. Without errors, nothing is sent.
    #[must_use]
    pub const fn errors(mut self) -> Self {
        self.errors = true;
        self
    }

    /// Returns whether only ticks with an error are collected.
    pub(crate) const fn is_of_errors(&self) -> bool {
        self.errors
    }

    fn matches(&self, agent: &Agent) -> bool {
        agent.lower_name.contains(&self.agents) && self.tree.as_ref().is_none_or(|tree| agent.tree().name == *tree)
    }
}

/// What is collected, by its receiver.
#[derive(Default)]
pub(super) struct Collectors {
    next: u64,
    all: BTreeMap<u64, Collector>,
}

struct Collector {
    filter: CollectFilter,
    /// The agents that the receiver has not taken.
    added: Vec<Cursor>,
    /// The number of agents that it may take.
    room: usize,
}

impl Collector {
    fn add(&mut self, agent: &Arc<Agent>) {
        if self.room > 0 && self.filter.matches(agent) {
            self.room -= 1;
            self.added.push(Cursor::new(Arc::clone(agent)));
        }
    }
}

impl Collectors {
    /// Adds a receiver, with the agents that are there.
    pub(super) fn register<'a>(
        &mut self,
        filter: CollectFilter,
        agents: impl IntoIterator<Item = &'a Arc<Agent>>,
    ) -> u64 {
        let mut collector = Collector { filter, added: Vec::new(), room: MAX_COLLECTED };
        agents.into_iter().for_each(|agent| collector.add(agent));
        self.next += 1;
        self.all.insert(self.next, collector);
        self.next
    }

    pub(super) fn unregister(&mut self, key: u64) {
        self.all.remove(&key);
    }

    /// Offers an agent that was added to all receivers.
    pub(super) fn offer(&mut self, agent: &Arc<Agent>) {
        self.all.values_mut().for_each(|collector| collector.add(agent));
    }

    /// Returns the agents that were added since the last call, for a receiver that has dropped `dropped` of its agents.
    pub(super) fn take(&mut self, key: u64, dropped: usize) -> Vec<Cursor> {
        let Some(collector) = self.all.get_mut(&key) else { return Vec::new() };
        collector.room += dropped;
        std::mem::take(&mut collector.added)
    }
}
