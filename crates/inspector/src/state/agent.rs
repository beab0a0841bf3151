//! The state of an agent, shared by its observer and the pages.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bt_core::Wake;
use serde_json::Value;

use super::columns::Cells;
use super::history::{History, Variables};
use super::hold::{Hold, Walk};
use super::lock;
use super::past::{Past, RewindRequest};
use super::tracked::Tracked;
use super::tree::{Tree, Versions};
use crate::values::{Edit, Path};

/// What the pages need of an agent. They are bits of [`Agent::awake`].
pub(crate) const SELECTED: u8 = 1;
pub(crate) const BREAKPOINTS: u8 = 2;
/// The status and the running nodes of one tick.
pub(crate) const SAMPLE: u8 = 4;
pub(crate) const PAUSED: u8 = 8;
/// A page has edited a value.
pub(crate) const EDITED: u8 = 16;
/// Its ticks are counted in the overview of its tree.
pub(crate) const COUNTED: u8 = 32;
/// The running nodes and the visits of every tick.
pub(crate) const TRACKED: u8 = 64;
/// The values in the columns of the lists, once.
pub(crate) const COLUMNS: u8 = 128;
/// The reasons why the ticks of the agent are stored.
pub(crate) const WATCHED: u8 = SELECTED | BREAKPOINTS | PAUSED;
/// The reasons why a tick of the agent is observed.
pub(crate) const OBSERVED: u8 = WATCHED | SAMPLE | COUNTED | TRACKED;

/// The maximum number of edits that wait for the program.
const MAX_EDITS: usize = 64;

/// The state of an agent.
pub(crate) struct Agent {
    pub(crate) key: usize,
    pub(crate) name: String,
    /// The name in lower case, for searching.
    pub(crate) lower_name: String,
    /// Its tree, in all versions.
    pub(crate) versions: Arc<Versions>,
    /// What the pages need of the agent.
    pub(crate) awake: AtomicU8,
    /// The number of pages that have selected the agent.
    viewers: AtomicUsize,
    /// Whether the owner has dropped the agent.
    removed: AtomicBool,
    /// When the agent is due.
    pub(crate) due: Mutex<Wake>,
    pub(crate) history: Mutex<History>,
    /// The nodes that were running in the last observed tick.
    pub(crate) tracked: Mutex<Tracked>,
    /// The values in the columns of the lists.
    pub(crate) cells: Mutex<Cells>,
    pub(crate) hold: Hold,
    pub(crate) past: Past,
    /// The edits that the program has not applied yet.
    edits: Mutex<Vec<Edit>>,
    /// The values that the program allows pages to edit.
    pub(crate) editable: Mutex<Vec<Path>>,
}

impl Agent {
    pub(super) fn new(key: usize, name: String, versions: Arc<Versions>, history: History) -> Self {
        Self {
            key,
            lower_name: name.to_lowercase(),
            name,
            versions,
            awake: AtomicU8::new(0),
            viewers: AtomicUsize::new(0),
            removed: AtomicBool::new(false),
            due: Mutex::new(Wake::Next),
            history: Mutex::new(history),
            tracked: Mutex::default(),
            cells: Mutex::default(),
            hold: Hold::default(),
            past: Past::default(),
            edits: Mutex::default(),
            editable: Mutex::default(),
        }
    }

    /// Returns the current version of its tree.
    pub(crate) fn tree(&self) -> Arc<Tree> {
        self.versions.current()
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

    /// Called when no page is connected anymore. What collects the ticks of the agent stays.
    pub(super) fn sleep(&self) {
        self.resume();
        let kept = if self.viewers.load(Ordering::Relaxed) > 0 { SELECTED } else { 0 };
        self.awake.store(kept, Ordering::Relaxed);
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

    /// Runs a part of the current tick, or of the next one.
    pub(crate) fn walk(&self, walk: Walk) {
        self.hold.walk(walk);
        self.set_awake(PAUSED, true);
    }

    /// Holds the agent before its next tick, because a value has changed.
    pub(crate) fn pause_because(&self, why: String) {
        self.hold.pause_because(why);
        self.set_awake(PAUSED, true);
    }

    pub(crate) fn resume(&self) {
        self.set_awake(PAUSED, false);
        self.hold.resume();
    }

    /// Returns the values that the agent has shown last.
    pub(crate) fn shown(&self) -> Option<Value> {
        if let Some(recorded) = lock(&self.cells).recorded() {
            return Some(recorded.clone());
        }
        let history = lock(&self.history);
        let shown = history.ticks.iter().rev().find_map(|stored| match &stored.values {
            Variables::Values(text) => Some(text),
            Variables::Nothing | Variables::Changes(_) | Variables::Dropped => None,
        });
        serde_json::from_str(history.present.as_ref().or(shown)?).ok()
    }

    /// Returns the time of a stored tick.
    pub(crate) fn time_of(&self, tick: u64) -> Option<Duration> {
        let history = lock(&self.history);
        history.ticks.iter().find(|stored| stored.tick.number == tick).map(|stored| stored.tick.now)
    }

    /// Takes the agent back before its next tick.
    pub(crate) fn rewind(&self, request: RewindRequest) {
        self.past.request(request);
        self.hold.call();
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
