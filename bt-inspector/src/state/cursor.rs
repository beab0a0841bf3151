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

    /// Returns the next ticks, in trees that are `known`, and the times at which the agent has gone back. If there is no next tick, the last one is returned again
    /// when its values have changed since.
    pub(crate) fn take(&mut self, known: impl Fn(&Tree) -> bool) -> (Vec<Stored>, Vec<(u64, u64)>) {
        let agent = Arc::clone(&self.agent);
        let history = lock(&agent.history);
        let mut ticks = self.next(&history, u64::MAX, &known);
        if ticks.is_empty() {
            let last = history.ticks.back().filter(|stored| known(&stored.tree));
            // The values of the last tick may have been shown or edited since it was sent.
            ticks.extend(last.filter(|stored| stored.values != self.values).cloned());
        }
        if let Some(last) = ticks.last() {
            self.values = last.values.clone();
        }
        (ticks, history.rewinds.iter().copied().collect())
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
        let next = history.ticks.range(index(history, first)..).take(rest.min(MAX_TICKS));
        let ticks: Vec<_> = next.take_while(|stored| known(&stored.tree)).cloned().collect();
        if rest > 0 {
            self.next = first + ticks.len() as u64;
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
