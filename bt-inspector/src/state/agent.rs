//! The state of an agent, shared by its observer and the pages.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use bt_core::{NodeId, Wake};

use super::history::History;
use super::hold::Hold;
use super::lock;
use super::tree::Tree;
use crate::values::{Edit, Path};

/// The reasons why an agent is awake, that is, observed. They are bits of [`Agent::awake`].
pub(crate) const SELECTED: u8 = 1;
pub(crate) const BREAKPOINTS: u8 = 2;
pub(crate) const SAMPLE: u8 = 4;
pub(crate) const PAUSED: u8 = 8;
pub(crate) const EDITED: u8 = 16;
/// The reasons why all events of the agent are observed.
pub(crate) const WATCHED: u8 = SELECTED | BREAKPOINTS | PAUSED;

/// The maximum number of edits that wait for the program.
const MAX_EDITS: usize = 64;

/// The state of an agent.
pub(crate) struct Agent {
    pub(crate) key: usize,
    pub(crate) name: String,
    /// The name in lower case, for searching.
    pub(crate) lower_name: String,
    pub(crate) tree: Arc<Tree>,
    /// The reasons why the agent is awake; 0 if it is asleep.
    pub(crate) awake: AtomicU8,
    /// The number of pages that have selected the agent.
    viewers: AtomicUsize,
    /// Whether the owner has dropped the agent.
    removed: AtomicBool,
    /// When the agent is due.
    pub(crate) due: Mutex<Wake>,
    pub(crate) history: Mutex<History>,
    /// The nodes that were running in the last observed tick, leaves first.
    pub(crate) running: Mutex<Vec<NodeId>>,
    pub(crate) hold: Hold,
    /// The edits that the program has not applied yet.
    edits: Mutex<Vec<Edit>>,
    /// The values that the program allows pages to edit.
    pub(crate) editable: Mutex<Vec<Path>>,
}

impl Agent {
    pub(super) fn new(key: usize, name: String, tree: Arc<Tree>, history: History) -> Self {
        Self {
            key,
            lower_name: name.to_lowercase(),
            name,
            tree,
            awake: AtomicU8::new(0),
            viewers: AtomicUsize::new(0),
            removed: AtomicBool::new(false),
            due: Mutex::new(Wake::Next),
            history: Mutex::new(history),
            running: Mutex::default(),
            hold: Hold::default(),
            edits: Mutex::default(),
            editable: Mutex::default(),
        }
    }

    /// Returns whether the agent is awake for any of these reasons.
    pub(crate) fn is_awake(&self, reasons: u8) -> bool {
        self.awake.load(Ordering::Relaxed) & reasons != 0
    }

    /// Adds or removes a reason to be awake.
    pub(crate) fn set_awake(&self, reason: u8, on: bool) {
        if on {
            self.awake.fetch_or(reason, Ordering::Relaxed);
        } else {
            self.awake.fetch_and(!reason, Ordering::Relaxed);
        }
    }

    pub(crate) fn is_removed(&self) -> bool {
        self.removed.load(Ordering::Relaxed)
    }

    pub(super) fn remove(&self) {
        self.removed.store(true, Ordering::Relaxed);
    }

    /// Registers a page that has selected the agent.
    pub(crate) fn select(&self) {
        self.viewers.fetch_add(1, Ordering::Relaxed);
        lock(&self.history).unwatched_since = None;
        self.set_awake(SELECTED, true);
    }

    /// Unregisters a page. Other pages may still have selected the agent.
    pub(crate) fn deselect(&self) {
        if self.viewers.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.set_awake(SELECTED, false);
            lock(&self.history).trim(false);
        }
    }

    pub(crate) fn pause(&self) {
        self.hold.pause(0);
        self.set_awake(PAUSED, true);
    }

    /// Runs one tick, or the rest of the current tick.
    pub(crate) fn step(&self) {
        self.hold.pause(1);
        self.set_awake(PAUSED, true);
    }

    pub(crate) fn resume(&self) {
        self.set_awake(PAUSED, false);
        self.hold.resume();
    }

    /// Adds an edit for the program to apply. Returns whether there is room for it.
    pub(crate) fn edit(&self, edit: Edit) -> bool {
        let mut edits = lock(&self.edits);
        let has_room = edits.len() < MAX_EDITS;
        if has_room {
            edits.push(edit);
            self.set_awake(EDITED, true);
        }
        has_room
    }

    pub(crate) fn take_edits(&self) -> Vec<Edit> {
        if !self.is_awake(EDITED) {
            return Vec::new();
        }
        let mut edits = lock(&self.edits);
        self.set_awake(EDITED, false);
        std::mem::take(&mut *edits)
    }
}
