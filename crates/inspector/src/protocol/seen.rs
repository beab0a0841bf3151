//! An agent whose ticks a page receives.

use std::sync::Arc;

use bt_core::NodeId;

use super::message::{Recorded, StopInfo, TickInfo, Update};
use crate::state::{Agent, Cursor, Stop, Stored, Variables, lock};

/// The text sent instead of values that are no longer stored.
const DROPPED: &str = "\"no longer stored\"";

/// An agent whose ticks a page receives.
pub(super) struct Seen {
    cursor: Cursor,
    /// The values shown since the last tick that were sent.
    present: Option<Arc<str>>,
    /// The version of the pause state that was sent since the last request to pause, resume or step.
    version: Option<u64>,
}

impl Seen {
    pub(super) fn new(agent: Arc<Agent>) -> Self {
        Self { cursor: Cursor::new(agent), present: None, version: None }
    }

    pub(super) fn agent(&self) -> &Arc<Agent> {
        &self.cursor.agent
    }

    /// Returns what has changed since the last update: the next ticks in trees before `next_tree`, which the page knows, with the time of day if `times` is true, and, if the agent is
    /// `selected`, its values and its pause state, with the number of requests to hold it.
    pub(super) fn updates(&mut self, next_tree: usize, times: bool, selected: Option<u64>) -> Vec<String> {
        let mut updates = Vec::from_iter(self.ticks(next_tree, times));
        if let Some(holds) = selected {
            updates.extend(self.present());
            updates.extend(self.hold(holds));
        }
        updates
    }

    /// Makes the next update contain the pause state.
    pub(super) fn forget_hold(&mut self) {
        self.version = None;
    }

    fn present(&mut self) -> Option<String> {
        let present = lock(&self.cursor.agent.history).present.clone();
        if present == self.present {
            return None;
        }
        let values = present.as_deref().and_then(|values| serde_json::from_str(values).ok());
        let text = Update::Present { agent: self.cursor.agent.key, values }.text();
        self.present = present;
        Some(text)
    }

    fn hold(&mut self, holds: u64) -> Option<String> {
        let (version, paused, stop) = self.cursor.agent.hold.state(self.version)?;
        self.version = Some(version);
        let at = |(node, on): (NodeId, _)| (node.index(), on);
        let tree = |stop: &Stop| stop.tree.as_ref().map(|tree| tree.key);
        let stop =
            stop.map(|stop| StopInfo { at: stop.at.map(at), tree: tree(&stop), why: stop.why, current: stop.current });
        Some(Update::Pause { agent: self.cursor.agent.key, paused, stop, holds }.text())
    }

    /// Returns the next ticks as a message, or `None` if there are none.
    fn ticks(&mut self, next_tree: usize, times: bool) -> Option<String> {
        let (ticks, rewinds) = self.cursor.take(|tree| tree.key < next_tree);
        if ticks.is_empty() {
            return None;
        }
        let list = ticks.iter().map(|Stored { tick, tree, at, values }| {
            let (values, changes) = match values {
                Variables::Nothing => (None, None),
                Variables::Values(values) => (serde_json::from_str(values).ok(), None),
                Variables::Dropped => (serde_json::from_str(DROPPED).ok(), None),
                Variables::Changes(changes) => (None, serde_json::from_str(changes).ok()),
            };
            let rewound = rewinds.iter().find(|(before, _)| *before == tick.number).map(|(_, to)| *to);
            let at = at.filter(|_| times).map(|at| at.as_secs_f64());
            TickInfo { tick: Recorded(tick), tree: tree.key, at, values, changes, rewound }
        });
        Some(Update::Ticks { agent: self.cursor.agent.key, list: list.collect() }.text())
    }
}
