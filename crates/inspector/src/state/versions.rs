//! A registered tree: its current version, and what lasts when that is replaced.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use bt_core::describe::Matching;
use bt_core::engine;
use bt_core::observe::TickRecord;

use super::lock;
use super::overview::{Counts, Overview};
use super::tree::{About, Tree};

/// A registered tree. The versions before the current one are stored as long as a tick refers to them.
pub(crate) struct Versions {
    current: Mutex<Arc<Tree>>,
    pub(crate) overview: Overview,
    /// The number of edits of trees that this one follows.
    edits: AtomicU32,
}

impl Versions {
    pub(super) fn new(key: usize, name: String, about: About) -> Arc<Self> {
        Arc::new_cyclic(|this| {
            let tree = Tree::new(key, name, about, this.clone());
            Self {
                current: Mutex::new(Arc::new(tree)),
                overview: Overview::default(),
                edits: AtomicU32::new(engine::versions()),
            }
        })
    }

    /// Returns `true` for the first agent that is ticked after an edit.
    pub(crate) fn follows(&self, edits: u32) -> bool {
        self.edits.load(Ordering::Relaxed) != edits && self.edits.swap(edits, Ordering::Relaxed) != edits
    }

    pub(crate) fn current(&self) -> Arc<Tree> {
        Arc::clone(&lock(&self.current))
    }

    /// Replaces the current version. All agents are in the new one from now on.
    pub(super) fn replace(&self, key: usize, about: About, matching: &Matching) -> Arc<Tree> {
        let mut current = lock(&self.current);
        let next = current.next(key, about, matching);
        self.overview.replace(&current.matching(&next));
        *current = Arc::new(next);
        Arc::clone(&current)
    }

    /// Returns the current version, and what its agents have done.
    pub(crate) fn counts(&self) -> (Arc<Tree>, Counts) {
        let current = lock(&self.current);
        (Arc::clone(&current), self.overview.counts())
    }

    /// Counts the events of a tick of a version.
    pub(crate) fn count(&self, tick: &TickRecord, tree: &Tree) {
        // Under the lock: the counts are those of the nodes of the current version.
        let current = lock(&self.current);
        if current.key == tree.key {
            self.overview.count(tick);
        } else {
            self.overview.count(&tick.translated(&tree.description, &current.description, &tree.matching(&current)));
        }
    }
}
