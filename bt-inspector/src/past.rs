//! The last ticks of an agent, in memory that is bounded: for each agent, and for all of them.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use bt_core::Status;
use bt_core::observe::{Event, TickRecord};

/// So many ticks of an agent are kept, so many events in all of them, and so many bytes of values.
const MOST_TICKS: usize = 4096;
const MOST_EVENTS: usize = 1 << 18;
const MOST_VALUES: usize = 4 << 20;
/// So many bytes of all agents are kept. Those that no page has chosen get half of it.
const MOST_STORED: usize = 64 << 20;

/// The last ticks of an agent.
pub(crate) struct Past {
    pub(crate) ticks: VecDeque<(TickRecord, Variables)>,
    events: usize,
    /// How many bytes of values there are, and the number of the first tick that may have some.
    values: usize,
    valued: u64,
    /// How many bytes of all agents there are.
    stored: Arc<AtomicUsize>,
    /// How many ticks there were so far.
    pub(crate) count: u64,
    pub(crate) last: Option<Status>,
    /// All are kept.
    is_unbounded: bool,
    /// Since when no page looks at the agent.
    pub(crate) left: Option<Instant>,
}

/// The values that are shown next to a tick, as JSON.
#[derive(Clone, Default, PartialEq, Debug)]
pub(crate) enum Variables {
    #[default]
    Nothing,
    /// All of them.
    Values(Arc<str>),
    /// An object of those that differ from the tick before; `null` for those that are no longer set.
    Changes(Arc<str>),
    /// There were some. They took too much memory.
    Dropped,
}

impl Variables {
    fn bytes(&self) -> usize {
        match self {
            Variables::Values(text) | Variables::Changes(text) => text.len(),
            Variables::Nothing | Variables::Dropped => 0,
        }
    }
}

/// How many bytes a tick takes, without its values.
fn bytes(tick: &TickRecord) -> usize {
    size_of::<(TickRecord, Variables)>() + tick.events.len() * size_of::<Event>()
}

impl Past {
    pub(crate) fn new(stored: Arc<AtomicUsize>, is_unbounded: bool) -> Self {
        Self {
            ticks: VecDeque::new(),
            events: 0,
            values: 0,
            valued: 0,
            stored,
            count: 0,
            last: None,
            is_unbounded,
            left: None,
        }
    }

    /// Adds a tick; the oldest go where there are too many. The limit for all agents is lower for one that no page has chosen.
    pub(crate) fn push(&mut self, tick: TickRecord, is_chosen: bool) {
        self.count += 1;
        self.last = tick.status.or(self.last);
        self.events += tick.events.len();
        self.stored.fetch_add(bytes(&tick), Ordering::Relaxed);
        self.ticks.push_back((tick, Variables::Nothing));
        let most = if is_chosen { MOST_STORED } else { MOST_STORED / 2 };
        while !self.is_unbounded
            && self.ticks.len() > 1
            && (self.ticks.len() > MOST_TICKS
                || self.events > MOST_EVENTS
                || self.stored.load(Ordering::Relaxed) > most)
        {
            self.pop();
        }
    }

    fn pop(&mut self) {
        if let Some((tick, shown)) = self.ticks.pop_front() {
            self.events -= tick.events.len();
            self.values -= shown.bytes();
            self.stored.fetch_sub(bytes(&tick) + shown.bytes(), Ordering::Relaxed);
        }
    }

    /// Stores how a tick ended, and nothing else of it.
    pub(crate) fn sample(&mut self, status: Option<Status>) {
        self.last = status.or(self.last);
    }

    /// What is shown next to the last tick; the oldest values go where there are too many.
    pub(crate) fn show(&mut self, values: Variables) {
        let Some(last) = self.ticks.len().checked_sub(1) else { return };
        self.replace(last, values);
        self.valued = self.valued.max(self.first());
        while !self.is_unbounded && self.values > MOST_VALUES && self.valued + 1 < self.count {
            let index = usize::try_from(self.valued - self.first()).unwrap_or(usize::MAX);
            if self.ticks[index].1 != Variables::Nothing {
                self.replace(index, Variables::Dropped);
            }
            self.valued += 1;
        }
    }

    fn replace(&mut self, index: usize, values: Variables) {
        let was = self.ticks[index].1.bytes();
        let is = values.bytes();
        self.ticks[index].1 = values;
        self.values = self.values + is - was;
        self.stored.fetch_add(is, Ordering::Relaxed);
        self.stored.fetch_sub(was, Ordering::Relaxed);
    }

    /// Frees all memory.
    pub(crate) fn free(&mut self) {
        while !self.ticks.is_empty() {
            self.pop();
        }
        self.ticks = VecDeque::new();
    }

    /// The number of the first tick that is there.
    pub(crate) fn first(&self) -> u64 {
        self.count - self.ticks.len() as u64
    }
}

impl Drop for Past {
    fn drop(&mut self) {
        self.free();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn tick(events: usize) -> TickRecord {
        let events = Event::from_text(&"0s ".repeat(events)).expect("they are events");
        TickRecord { agent: 0, number: 0, now: Duration::ZERO, status: Some(Status::Success), events, cut: 0 }
    }

    fn values(bytes: usize) -> Variables {
        Variables::Values("x".repeat(bytes).into())
    }

    #[test]
    fn the_values_of_an_agent_are_bounded() {
        let stored = Arc::new(AtomicUsize::new(0));
        let mut past = Past::new(Arc::clone(&stored), false);
        for _ in 0..1300 {
            past.push(tick(9), true);
            past.show(values(50_000));
        }
        let stored = stored.load(Ordering::Relaxed);
        assert!((4_000_000..4_500_000).contains(&stored), "{stored} bytes");
        assert_eq!(past.ticks.len(), 1300, "the ticks are still there");
        assert_eq!((&past.ticks[0].1, &past.ticks[1299].1), (&Variables::Dropped, &values(50_000)));
        assert_eq!(past.ticks.iter().filter(|(_, shown)| *shown == values(50_000)).count(), (4 << 20) / 50_000);
        past.free();
        assert_eq!((past.values, past.events, past.first()), (0, 0, 1300));
    }

    #[test]
    fn all_agents_together_are_bounded_and_a_chosen_one_has_room() {
        let stored = Arc::new(AtomicUsize::new(0));
        let mut pasts: Vec<_> = (0..50).map(|_| Past::new(Arc::clone(&stored), false)).collect();
        let mut chosen = Past::new(Arc::clone(&stored), false);
        for _ in 0..500 {
            for past in &mut pasts {
                past.push(tick(9), false);
                past.show(values(10_000));
            }
            chosen.push(tick(9), true);
            chosen.show(values(100));
        }
        let most = 33 << 20;
        assert!(stored.load(Ordering::Relaxed) < most, "{} bytes", stored.load(Ordering::Relaxed));
        assert!(stored.load(Ordering::Relaxed) > 30 << 20);
        assert_eq!(chosen.ticks.len(), 500);
        drop((pasts, chosen));
        assert_eq!(stored.load(Ordering::Relaxed), 0);
    }
}
