//! What all agents of a tree do together.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use bt_core::describe::Matching;
use bt_core::observe::{Statistics, TickRecord};

use super::lock;

/// The counts of the events of all agents of a tree, while a page shows them.
#[derive(Default)]
pub(crate) struct Overview {
    /// The number of pages that show it.
    viewers: AtomicUsize,
    counts: Mutex<Counts>,
}

#[derive(Clone, Default)]
pub(crate) struct Counts {
    /// The number of ticks.
    pub(crate) ticks: u64,
    pub(crate) statistics: Statistics,
}

impl Overview {
    /// Returns whether a page shows it.
    pub(crate) fn is_shown(&self) -> bool {
        self.viewers.load(Ordering::Relaxed) > 0
    }

    /// Registers a page. Counts from 0 if it is the first one.
    pub(super) fn show(&self, counts_again: bool) {
        if self.viewers.fetch_add(1, Ordering::Relaxed) == 0 && counts_again {
            *lock(&self.counts) = Counts::default();
        }
    }

    /// Unregisters a page.
    pub(super) fn hide(&self) {
        self.viewers.fetch_sub(1, Ordering::Relaxed);
    }

    /// Continues with the nodes of the tree that replaces the one before.
    pub(super) fn replace(&self, matching: &Matching) {
        lock(&self.counts).statistics.replace(matching);
    }

    /// Counts the events of a tick.
    pub(super) fn count(&self, tick: &TickRecord) {
        let mut counts = lock(&self.counts);
        counts.ticks += 1;
        counts.statistics.count(tick);
    }

    pub(super) fn counts(&self) -> Counts {
        lock(&self.counts).clone()
    }
}
