//! The ticks of a program's agents, as texts.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::message::Message;
use crate::state::{CollectFilter, Cursor, Shared, Stored, Variables};

/// The number of ticks before one with an error that are collected, too.
const BEFORE_ERRORS: u64 = 32;
/// The number of trees whose descriptions are not sent again.
const MAX_TREES: usize = 256;

/// The ticks of a program's agents as texts, returned by [`Inspector::collect`](crate::Inspector::collect). Dropping it ends that.
pub struct TickStream {
    shared: Arc<Shared>,
    key: u64,
    is_of_errors: bool,
    pub(super) agents: BTreeMap<usize, Collected>,
    /// The keys of the trees that were sent.
    trees: Vec<usize>,
    /// The number of agents that were dropped since the last call.
    dropped: usize,
}

pub(super) struct Collected {
    cursor: Cursor,
    /// Whether the name was sent.
    is_named: bool,
}

impl TickStream {
    pub(crate) fn new(shared: Arc<Shared>, filter: CollectFilter) -> Self {
        let is_of_errors = filter.is_of_errors();
        let key = shared.collect(filter);
        Self { shared, key, is_of_errors, agents: BTreeMap::new(), trees: Vec::new(), dropped: 0 }
    }

    /// Returns what has happened since the last call, as messages for a [`TickCollector`](crate::TickCollector). Call it about 30 times per second: an agent stores at most 4096
    /// ticks, of which each call returns up to 256.
    pub fn updates(&mut self) -> Vec<String> {
        for cursor in self.shared.take_collected(self.key, std::mem::take(&mut self.dropped)) {
            self.agents.insert(cursor.agent.key, Collected { cursor, is_named: false });
        }
        let mut updates = Vec::new();
        let (trees, before) = (&mut self.trees, self.agents.len());
        self.agents.retain(|key, agent| {
            let is_removed = agent.cursor.agent.is_removed();
            let ticks =
                if self.is_of_errors { agent.cursor.take_errors(BEFORE_ERRORS) } else { agent.cursor.take(|_| true).0 };
            if !ticks.is_empty() && !agent.is_named {
                agent.is_named = true;
                push(&mut updates, &Message::Agent { key: *key, name: Cow::Borrowed(&agent.cursor.agent.name) });
            }
            for stored in &ticks {
                push_tick(&mut updates, trees, *key, stored);
            }
            let is_over = is_removed && ticks.is_empty();
            if is_over && agent.is_named {
                push(&mut updates, &Message::Gone(*key));
            }
            !is_over
        });
        self.dropped = before - self.agents.len();
        updates
    }
}

impl Drop for TickStream {
    fn drop(&mut self) {
        self.shared.end_collecting(self.key);
    }
}

fn push_tick(updates: &mut Vec<String>, trees: &mut Vec<usize>, agent: usize, stored: &Stored) {
    let Stored { tick, tree, values } = stored;
    if !trees.contains(&tree.key) {
        if trees.len() == MAX_TREES {
            trees.remove(0);
        }
        trees.push(tree.key);
        let (name, nodes) = (Cow::Borrowed(tree.name.as_str()), Cow::Borrowed(&tree.description));
        push(updates, &Message::Tree { key: tree.key, name, fingerprint: tree.fingerprint, nodes });
    }
    let values = match values {
        Variables::Values(values) => serde_json::from_str(values).ok(),
        // Only recordings have changes.
        Variables::Nothing | Variables::Changes(_) | Variables::Dropped => None,
    };
    push(updates, &Message::Tick { agent, tree: tree.key, tick: Cow::Borrowed(tick), values });
}

fn push(updates: &mut Vec<String>, message: &Message<'_>) {
    // Messages are plain data.
    updates.extend(serde_json::to_string(message));
}
