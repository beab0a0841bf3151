//! How far the ticks of an agent were sent.

use std::sync::Arc;

use super::agent::Agent;
use super::history::{History, Stored, Variables};
use super::lock;
use super::tree::Tree;

/// The maximum number of ticks that are sent at a time.
const MAX_TICKS: usize = 256;

/// How far the ticks of an agent were sent to a page, or to what collects them. While it exists, the agent stores its ticks.
pub(crate) struct Cursor {
    pub(crate) agent: Arc<Agent>,
    /// The number of the next stored tick to send.
    next: u64,
    /// The values that were sent with the last tick.
    values: Variables,
    /// The number of the first stored tick that was not searched for errors, and of the tick after the last error.
    searched: u64,
    until: u64,
}

impl Cursor {
    pub(crate) fn new(agent: Arc<Agent>) -> Self {
        agent.select();
        Self { agent, next: 0, values: Variables::Nothing, searched: 0, until: 0 }
    }

    /// Returns the next ticks, in trees that are `known`, and the times at which the agent has gone back. The last tick of the call before comes first if its values
    /// have been shown or edited since.
    pub(crate) fn take(&mut self, known: impl Fn(&Tree) -> bool) -> (Vec<Stored>, Vec<(u64, u64)>) {
        let agent = Arc::clone(&self.agent);
        let history = lock(&agent.history);
        (self.next(&history, u64::MAX, &known), history.rewinds.iter().copied().collect())
    }

    /// Returns the next ticks with an error, each with up to `before` ticks before it.
    pub(crate) fn take_errors(&mut self, before: u64) -> Vec<Stored> {
        let agent = Arc::clone(&self.agent);
        let history = lock(&agent.history);
        let first = self.searched.max(history.first());
        for (number, stored) in (first..).zip(history.ticks.range(index(&history, first)..)) {
            if stored.has_error() {
                if self.next >= self.until {
                    self.next = self.next.max(number.saturating_sub(before));
                }
                self.until = number + 1;
            }
        }
        self.searched = history.count;
        self.next(&history, self.until, &|_| true)
    }

    /// Returns the next ticks before one.
    fn next(&mut self, history: &History, until: u64, known: &impl Fn(&Tree) -> bool) -> Vec<Stored> {
        let first = history.first().max(self.next);
        let rest = usize::try_from(until.saturating_sub(first)).unwrap_or(usize::MAX);
        let sent = self.next.checked_sub(1).filter(|sent| *sent >= history.first());
        let sent = sent.and_then(|sent| history.ticks.get(index(history, sent)));
        let is_other = |stored: &&Stored| stored.values != self.values && stored.values != Variables::Dropped;
        let mut ticks: Vec<_> = sent.filter(is_other).cloned().into_iter().collect();
        let repeated = ticks.len();
        let next = history.ticks.range(index(history, first)..).take(rest.min(MAX_TICKS));
        ticks.extend(next.take_while(|stored| known(&stored.tree)).cloned());
        if rest > 0 {
            self.next = first + (ticks.len() - repeated) as u64;
        }
        if let Some(last) = ticks.last() {
            self.values = last.values.clone();
        }
        ticks
    }
}

/// Returns the index of a stored tick, or that after the last one.
fn index(history: &History, number: u64) -> usize {
    usize::try_from(number - history.first()).unwrap_or(usize::MAX).min(history.ticks.len())
}

impl Drop for Cursor {
    fn drop(&mut self) {
        self.agent.deselect();
    }
}
