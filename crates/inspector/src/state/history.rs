//! The last ticks of an agent, in memory bounded per agent and for all agents.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bt_core::observe::{Event, EventKind, TickRecord};
use bt_core::{NodeId, Status};

use super::tree::Tree;

/// The maximum number of ticks, events and bytes of values stored per agent.
const MAX_TICKS: usize = 4096;
const MAX_EVENTS: usize = 1 << 18;
const MAX_VALUES: usize = 4 << 20;
/// The maximum number of bytes stored for all agents. Agents that no page has selected get half of it.
const MAX_STORED: usize = 64 << 20;

/// The maximum number of times at which an agent has gone back that are stored.
const MAX_REWINDS: usize = 64;

/// The last ticks of an agent.
pub(crate) struct History {
    pub(crate) ticks: VecDeque<Stored>,
    events: usize,
    /// The number of bytes of values, and the number of the first tick that may have values.
    value_bytes: usize,
    first_with_values: u64,
    /// The ticks before which the agent has gone back, and to which tick.
    pub(crate) rewinds: VecDeque<(u64, u64)>,
    /// The values shown since the last tick, while the program continues without the agent.
    pub(crate) present: Option<Arc<str>>,
    /// The number of bytes stored for all agents.
    stored: Arc<AtomicUsize>,
    /// The number of ticks so far.
    pub(crate) count: u64,
    pub(crate) last: Option<Status>,
    /// Whether all ticks are retained.
    is_unbounded: bool,
    /// The time since which no page watches the agent.
    pub(crate) unwatched_since: Option<Duration>,
}

/// A stored tick.
#[derive(Clone)]
pub(crate) struct Stored {
    pub(crate) tick: TickRecord,
    /// The version of the tree whose ids the tick has.
    pub(crate) tree: Arc<Tree>,
    /// The time since 1970 when it was stored, if a page needs it.
    pub(crate) at: Option<Duration>,
    pub(crate) values: Variables,
}

impl Stored {
    /// Returns whether the tree or one of its nodes has returned an error.
    pub(crate) fn has_error(&self) -> bool {
        // A visit that is not over has panicked.
        let is_error =
            |event: &Event| matches!(event.what, EventKind::Visited { status: Some(Status::Error) | None, .. });
        self.tick.status == Some(Status::Error) || self.tick.events.iter().any(is_error)
    }
}

/// The values shown next to a tick, as JSON.
#[derive(Clone, Default, PartialEq, Debug)]
pub(crate) enum Variables {
    #[default]
    Nothing,
    /// All values.
    Values(Arc<str>),
    /// An object of the values that differ from the previous tick; `null` for variables that are no longer set.
    Changes(Arc<str>),
    /// Values that were dropped because they took too much memory.
    Dropped,
}

impl Variables {
    fn bytes(&self) -> usize {
        match self {
            Variables::Values(text) | Variables::Changes(text) => ALLOCATION + text.len(),
            Variables::Nothing | Variables::Dropped => 0,
        }
    }
}

/// The approximate overhead of an allocation, in bytes.
const ALLOCATION: usize = 16;

/// Returns the number of bytes that a tick has allocated, without its values.
fn bytes(tick: &TickRecord) -> usize {
    let reasons = tick.reasons.iter().map(|(_, text)| ALLOCATION + text.capacity()).sum::<usize>();
    let lists = tick.events.capacity() * size_of::<Event>() + tick.reasons.capacity() * size_of::<(NodeId, String)>();
    ALLOCATION + lists + reasons
}

impl History {
    pub(crate) fn new(stored: Arc<AtomicUsize>, is_unbounded: bool) -> Self {
        Self {
            ticks: VecDeque::new(),
            events: 0,
            value_bytes: 0,
            first_with_values: 0,
            rewinds: VecDeque::new(),
            present: None,
            stored,
            count: 0,
            last: None,
            is_unbounded,
            unwatched_since: None,
        }
    }

    /// Adds a tick, and drops the oldest ticks beyond the limits. The limit for all agents is lower for an agent that is not selected.
    pub(crate) fn push(&mut self, tick: TickRecord, tree: Arc<Tree>, at: Option<Duration>, is_selected: bool) {
        self.count += 1;
        self.last = tick.status.or(self.last);
        self.present = None;
        if !self.is_unbounded && self.ticks.len() == MAX_TICKS {
            self.pop();
        }
        self.events += tick.events.len();
        self.stored.fetch_add(bytes(&tick), Ordering::Relaxed);
        self.change(|ticks| ticks.push_back(Stored { tick, tree, at, values: Variables::Nothing }));
        self.trim(is_selected);
    }

    /// Drops the oldest ticks beyond the limits. A selected agent keeps its last one.
    pub(crate) fn trim(&mut self, is_selected: bool) {
        let limit = if is_selected { MAX_STORED } else { MAX_STORED / 2 };
        while !self.is_unbounded
            && self.ticks.len() > usize::from(is_selected)
            && (self.events > MAX_EVENTS || self.stored.load(Ordering::Relaxed) > limit)
        {
            self.pop();
        }
    }

    fn pop(&mut self) {
        let oldest = self.change(|ticks| {
            let oldest = ticks.pop_front();
            if ticks.len() < ticks.capacity() / 4 {
                ticks.shrink_to(ticks.capacity() / 2);
            }
            oldest
        });
        if let Some(Stored { tick, values, .. }) = oldest {
            self.events -= tick.events.len();
            self.value_bytes -= values.bytes();
            self.stored.fetch_sub(bytes(&tick) + values.bytes(), Ordering::Relaxed);
        }
    }

    /// Changes the list of ticks, and counts the bytes that the list has allocated.
    fn change<T>(&mut self, change: impl FnOnce(&mut VecDeque<Stored>) -> T) -> T {
        let before = self.ticks.capacity();
        let result = change(&mut self.ticks);
        let tick = size_of::<Stored>();
        self.stored.fetch_add(self.ticks.capacity() * tick, Ordering::Relaxed);
        self.stored.fetch_sub(before * tick, Ordering::Relaxed);
        result
    }

    /// Notes that the agent has gone back, before the tick with a number.
    pub(crate) fn rewound(&mut self, tick: u64, to: u64) {
        self.rewinds.retain(|(other, _)| *other != tick);
        if self.rewinds.len() == MAX_REWINDS {
            self.rewinds.pop_front();
        }
        self.rewinds.push_back((tick, to));
        self.present = None;
    }

    /// Stores only the status of a tick.
    pub(crate) fn sample(&mut self, status: Option<Status>) {
        self.last = status.or(self.last);
    }

    /// Sets the values of the last tick, and drops the oldest values beyond the limit.
    pub(crate) fn show(&mut self, values: Variables) {
        let Some(last) = self.ticks.len().checked_sub(1) else { return };
        self.replace(last, values);
        self.first_with_values = self.first_with_values.max(self.first());
        while !self.is_unbounded && self.value_bytes > MAX_VALUES && self.first_with_values + 1 < self.count {
            let index = usize::try_from(self.first_with_values - self.first()).unwrap_or(usize::MAX);
            if self.ticks[index].values != Variables::Nothing {
                self.replace(index, Variables::Dropped);
            }
            self.first_with_values += 1;
        }
    }

    fn replace(&mut self, index: usize, values: Variables) {
        let old = self.ticks[index].values.bytes();
        let new = values.bytes();
        self.ticks[index].values = values;
        self.value_bytes = self.value_bytes + new - old;
        self.stored.fetch_add(new, Ordering::Relaxed);
        self.stored.fetch_sub(old, Ordering::Relaxed);
    }

    /// Drops all ticks and frees their memory.
    pub(crate) fn free(&mut self) {
        self.present = None;
        while !self.ticks.is_empty() {
            self.pop();
        }
        self.change(|ticks| *ticks = VecDeque::new());
    }

    /// Returns the number of the first stored tick.
    pub(crate) fn first(&self) -> u64 {
        self.count - self.ticks.len() as u64
    }
}

impl Drop for History {
    fn drop(&mut self) {
        self.free();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bt_core::leaf::succeed;

    use super::super::tree::{About, Versions};
    use super::*;

    fn tick(events: usize) -> TickRecord {
        let events = Event::from_text(&"0s ".repeat(events)).expect("valid events");
        TickRecord {
            agent: 0,
            number: 0,
            now: Duration::ZERO,
            status: Some(Status::Success),
            events,
            cut: 0,
            reasons: Vec::new(),
            replaced: 0,
        }
    }

    fn tree() -> Arc<Tree> {
        Versions::new(0, String::new(), About::of(&succeed())).current()
    }

    fn values(bytes: usize) -> Variables {
        Variables::Values("x".repeat(bytes).into())
    }

    #[test]
    fn the_values_of_an_agent_are_bounded() {
        let stored = Arc::new(AtomicUsize::new(0));
        let mut history = History::new(Arc::clone(&stored), false);
        for _ in 0..1300 {
            history.push(tick(9), tree(), None, true);
            history.show(values(50_000));
        }
        let stored = stored.load(Ordering::Relaxed);
        assert!((4_000_000..4_700_000).contains(&stored), "{stored} bytes");
        assert_eq!(history.ticks.len(), 1300, "the ticks are still there");
        assert_eq!((&history.ticks[0].values, &history.ticks[1299].values), (&Variables::Dropped, &values(50_000)));
        assert_eq!(history.ticks.iter().filter(|stored| stored.values == values(50_000)).count(), (4 << 20) / 50_000);
        history.free();
        assert_eq!((history.value_bytes, history.events, history.first()), (0, 0, 1300));
    }

    #[test]
    fn the_memory_of_all_agents_is_bounded_and_half_is_reserved_for_selected_agents() {
        let stored = Arc::new(AtomicUsize::new(0));
        let mut histories: Vec<_> = (0..50).map(|_| History::new(Arc::clone(&stored), false)).collect();
        let mut selected = History::new(Arc::clone(&stored), false);
        for _ in 0..500 {
            for history in &mut histories {
                history.push(tick(9), tree(), None, false);
                history.show(values(10_000));
            }
            selected.push(tick(9), tree(), None, true);
            selected.show(values(100));
        }
        let limit = 33 << 20;
        assert!(stored.load(Ordering::Relaxed) < limit, "{} bytes", stored.load(Ordering::Relaxed));
        assert!(stored.load(Ordering::Relaxed) > 30 << 20);
        assert_eq!(selected.ticks.len(), 500);
        drop((histories, selected));
        assert_eq!(stored.load(Ordering::Relaxed), 0);
    }
}
