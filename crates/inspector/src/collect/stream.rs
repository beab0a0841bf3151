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

/// The number of bytes after which a call returns, and further agents wait for the next one.
const MAX_BYTES: usize = 4 << 20;

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
    /// The first agent of the next call.
    next: usize,
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
        Self { shared, key, is_of_errors, agents: BTreeMap::new(), trees: Vec::new(), dropped: 0, next: 0 }
    }

    /// Returns what has happened since the last call, as messages for a [`TickCollector`](crate::TickCollector). Call it about 30 times per second: an agent stores at most 4096
    /// ticks, of which each call returns up to 256, and not much more than 4 MiB of all agents.
    pub fn updates(&mut self) -> Vec<String> {
        for cursor in self.shared.take_collected(self.key, std::mem::take(&mut self.dropped)) {
            self.agents.insert(cursor.agent.key, Collected { cursor, is_named: false });
        }
        let mut updates = Updates::default();
        let agents = self.agents.range(self.next..).chain(self.agents.range(..self.next));
        let keys: Vec<_> = agents.map(|(key, _)| *key).collect();
        for key in keys {
            if updates.bytes >= MAX_BYTES {
                self.next = key;
                break;
            }
            self.push(key, &mut updates);
        }
        updates.texts
    }

    /// Adds the next ticks of an agent.
    fn push(&mut self, key: usize, updates: &mut Updates) {
        let Some(Collected { cursor, is_named }) = self.agents.get_mut(&key) else { return };
        let is_removed = cursor.agent.is_removed();
        let ticks = if self.is_of_errors { cursor.take_errors(BEFORE_ERRORS) } else { cursor.take(|_| true).0 };
        if !ticks.is_empty() && !*is_named {
            *is_named = true;
            updates.push(&Message::Agent { key, name: Cow::Borrowed(&cursor.agent.name) });
        }
        for stored in &ticks {
            updates.push_tick(&mut self.trees, key, stored);
        }
        if is_removed && ticks.is_empty() {
            if *is_named {
                updates.push(&Message::Gone(key));
            }
            self.agents.remove(&key);
            self.dropped += 1;
        }
    }
}

/// Messages, and their bytes.
#[derive(Default)]
struct Updates {
    texts: Vec<String>,
    bytes: usize,
}

impl Updates {
    fn push_tick(&mut self, trees: &mut Vec<usize>, agent: usize, stored: &Stored) {
        let Stored { tick, tree, values, .. } = stored;
        if !trees.contains(&tree.key) {
            if trees.len() == MAX_TREES {
                trees.remove(0);
            }
            trees.push(tree.key);
            let (name, nodes) = (Cow::Borrowed(tree.name.as_str()), Cow::Borrowed(&tree.description));
            self.push(&Message::Tree { key: tree.key, name, fingerprint: tree.fingerprint, nodes });
        }
        let values = match values {
            Variables::Values(values) => serde_json::from_str(values).ok(),
            // Only recordings have changes.
            Variables::Nothing | Variables::Changes(_) | Variables::Dropped => None,
        };
        self.push(&Message::Tick { agent, tree: tree.key, tick: Cow::Borrowed(tick), values });
    }

    fn push(&mut self, message: &Message<'_>) {
        // Messages are plain data.
        let Ok(text) = serde_json::to_string(message) else { return };
        self.bytes += text.len();
        self.texts.push(text);
    }
}

impl Drop for TickStream {
    fn drop(&mut self) {
        self.shared.end_collecting(self.key);
    }
}
