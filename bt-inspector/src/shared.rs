//! State shared by the program and the pages: trees, agents, breakpoints and pauses.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bt_core::describe::Description;
use bt_core::observe::TickRecord;
use bt_core::{NodeId, Wake};

use crate::breakpoints::{Breakpoint, Breakpoints, Trigger};
use crate::history::History;

/// How long the history of an unwatched agent is retained, so that a reloaded page finds it.
const RETENTION: Duration = Duration::from_secs(30);
/// How often a waiting agent checks whether a page can still resume it.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// The reasons reason an agent is awake, that is, observed. They are bits of [`Agent::awake`].
pub(crate) const SELECTED: u8 = 1;
pub(crate) const BREAKPOINTS: u8 = 2;
pub(crate) const SAMPLE: u8 = 4;
pub(crate) const PAUSED: u8 = 8;

/// Locks a mutex and ignores poisoning: the guarded data is consistent after every statement.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Default)]
pub(crate) struct Shared {
    trees: Mutex<Trees>,
    agents: Mutex<Agents>,
    /// The number of bytes of all histories.
    pub(crate) stored: Arc<AtomicUsize>,
    /// The number of connected pages.
    pub(crate) pages: AtomicUsize,
    /// Whether the server has stopped.
    pub(crate) closed: AtomicBool,
    /// Whether all agents are recorded, so that none can be paused.
    pub(crate) is_recording: bool,
    /// A number that differs after a restart of the program.
    pub(crate) session: u64,
}

/// The trees in the order of their keys. Keys are never reused.
#[derive(Default)]
struct Trees {
    next: usize,
    all: Vec<Arc<Tree>>,
}

/// The agents by key. Keys are never reused.
#[derive(Default)]
struct Agents {
    next: usize,
    all: BTreeMap<usize, Arc<Agent>>,
}

/// A tree that agents share.
pub(crate) struct Tree {
    pub(crate) key: usize,
    pub(crate) name: String,
    pub(crate) fingerprint: u64,
    pub(crate) description: Description,
    breakpoints: Mutex<Arc<Breakpoints>>,
}

/// The state of an agent.
pub(crate) struct Agent {
    pub(crate) key: usize,
    pub(crate) name: String,
    pub(crate) tree: Arc<Tree>,
    /// The reasons reason the agent is awake; 0 if it is asleep.
    pub(crate) awake: AtomicU8,
    /// The number of pages that have selected the agent.
    viewers: AtomicUsize,
    /// Whether the owner has dropped the agent.
    removed: AtomicBool,
    /// When the agent is due.
    pub(crate) due: Mutex<Wake>,
    pub(crate) history: Mutex<History>,
    pause_state: Mutex<PauseState>,
    changed: Condvar,
}

/// The pause state of an agent.
#[derive(Default)]
struct PauseState {
    paused: bool,
    /// The number of ticks to run despite the pause.
    steps: u32,
    stop: Option<Stop>,
    /// Incremented on each change.
    version: u64,
}

/// The position at which an agent waits.
#[derive(Clone, Debug)]
pub(crate) struct Stop {
    /// The node and the trigger, if the agent is stopped at a breakpoint.
    pub(crate) at: Option<(NodeId, Trigger)>,
    /// The current tick so far.
    pub(crate) current: Option<TickRecord>,
}

impl Shared {
    pub(crate) fn recording() -> Self {
        Self { is_recording: true, ..Self::default() }
    }

    /// Adds a tree. It takes over the breakpoints of the last tree of this name, at nodes that have the same place and name.
    pub(crate) fn add_tree(&self, name: &str, fingerprint: u64, description: Description) -> Arc<Tree> {
        let mut trees = lock(&self.trees);
        let mut breakpoints = Breakpoints::none(description.nodes().len());
        if let Some(before) = trees.all.iter().rev().find(|tree| tree.name == name) {
            let name_of = |description: &Description, node: u32| {
                let node = usize::try_from(node).ok().and_then(|node| description.nodes().get(node));
                node.map(|node| node.name.clone())
            };
            for (breakpoint, _) in before.breakpoints().list() {
                if name_of(&before.description, breakpoint.node) == name_of(&description, breakpoint.node) {
                    breakpoints.set(Breakpoint { agent: None, ..breakpoint.clone() });
                }
            }
        }
        // A program that reloads its trees must not accumulate them.
        trees.all.retain(|tree| Arc::strong_count(tree) > 1);
        let breakpoints = Mutex::new(Arc::new(breakpoints));
        let tree = Arc::new(Tree { key: trees.next, name: name.to_owned(), fingerprint, description, breakpoints });
        trees.next += 1;
        trees.all.push(Arc::clone(&tree));
        tree
    }

    /// Returns the trees with this key or a later one.
    pub(crate) fn trees_from(&self, key: usize) -> Vec<Arc<Tree>> {
        lock(&self.trees).all.iter().filter(|tree| tree.key >= key).cloned().collect()
    }

    pub(crate) fn add_agent(&self, tree: Arc<Tree>, name: &str) -> Arc<Agent> {
        let mut agents = lock(&self.agents);
        let agent = Arc::new(Agent {
            key: agents.next,
            name: name.to_owned(),
            awake: AtomicU8::new(if self.is_watched() && !tree.breakpoints().is_disarmed() { BREAKPOINTS } else { 0 }),
            viewers: AtomicUsize::new(0),
            tree,
            removed: AtomicBool::new(false),
            due: Mutex::new(Wake::Next),
            history: Mutex::new(History::new(Arc::clone(&self.stored), self.is_recording)),
            pause_state: Mutex::default(),
            changed: Condvar::new(),
        });
        agents.next += 1;
        agents.all.insert(agent.key, Arc::clone(&agent));
        agent
    }

    /// Removes an agent that its owner has dropped. Pages that have selected the agent keep it alive.
    pub(crate) fn remove(&self, agent: &Agent) {
        agent.removed.store(true, Ordering::Relaxed);
        lock(&self.agents).all.remove(&agent.key);
    }

    pub(crate) fn agents(&self) -> Vec<Arc<Agent>> {
        lock(&self.agents).all.values().cloned().collect()
    }

    pub(crate) fn agent(&self, key: usize) -> Option<Arc<Agent>> {
        lock(&self.agents).all.get(&key).cloned()
    }

    /// Returns whether a page is connected that can resume a waiting agent.
    fn is_watched(&self) -> bool {
        self.pages.load(Ordering::SeqCst) > 0 && !self.closed.load(Ordering::SeqCst)
    }

    /// Replaces the breakpoint of a node. Returns whether the node exists.
    pub(crate) fn set_breakpoint(&self, tree: usize, breakpoint: Breakpoint) -> bool {
        let Some(tree) = self.trees_from(tree).into_iter().find(|found| found.key == tree) else { return false };
        let exists = {
            let mut breakpoints = lock(&tree.breakpoints);
            let mut changed = (**breakpoints).clone();
            let exists = changed.set(breakpoint);
            *breakpoints = Arc::new(changed);
            exists
        };
        self.arm(&tree);
        exists
    }

    /// Wakes the agents of a tree if a breakpoint is enabled.
    fn arm(&self, tree: &Arc<Tree>) {
        let any = !tree.breakpoints().is_disarmed();
        for agent in lock(&self.agents).all.values().filter(|agent| Arc::ptr_eq(&agent.tree, tree)) {
            agent.set_awake(BREAKPOINTS, any);
        }
    }

    /// Registers a page. Breakpoints of earlier pages are effective again.
    pub(crate) fn connect(&self) {
        self.pages.fetch_add(1, Ordering::SeqCst);
        for tree in self.trees_from(0) {
            self.arm(&tree);
        }
    }

    /// Unregisters a page. After the last one, all agents are resumed and put to sleep. Their trees keep the breakpoints.
    pub(crate) fn disconnect(&self) {
        if self.pages.fetch_sub(1, Ordering::SeqCst) > 1 {
            return;
        }
        for agent in self.agents() {
            agent.resume();
            agent.awake.store(0, Ordering::Relaxed);
        }
    }

    /// Frees the histories of agents that no page has watched for [`RETENTION`]. Called periodically.
    pub(crate) fn sweep(&self, now: Instant) {
        if self.is_recording || self.stored.load(Ordering::Relaxed) == 0 {
            return;
        }
        for agent in self.agents() {
            let is_watched = agent.is_awake(SELECTED | BREAKPOINTS | PAUSED);
            let mut history = lock(&agent.history);
            if is_watched {
                history.unwatched_since = None;
            } else if now.saturating_duration_since(*history.unwatched_since.get_or_insert(now)) >= RETENTION {
                history.free();
            }
        }
    }
}

impl Tree {
    pub(crate) fn breakpoints(&self) -> Arc<Breakpoints> {
        Arc::clone(&lock(&self.breakpoints))
    }
}

impl Agent {
    /// Returns whether the agent is awake for any of these reasons.
    pub(crate) fn is_awake(&self, reasons: u8) -> bool {
        self.awake.load(Ordering::Relaxed) & reasons != 0
    }

    pub(crate) fn is_removed(&self) -> bool {
        self.removed.load(Ordering::Relaxed)
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
        }
    }

    /// Adds or removes a reason to be awake.
    pub(crate) fn set_awake(&self, reason: u8, on: bool) {
        if on {
            self.awake.fetch_or(reason, Ordering::Relaxed);
        } else {
            self.awake.fetch_and(!reason, Ordering::Relaxed);
        }
    }

    pub(crate) fn pause(&self) {
        self.change(|state| state.paused = true);
        self.set_awake(PAUSED, true);
    }

    /// Runs one tick, or the rest of the current tick.
    pub(crate) fn step(&self) {
        self.change(|state| {
            state.paused = true;
            state.steps = 1;
        });
        self.set_awake(PAUSED, true);
    }

    pub(crate) fn resume(&self) {
        self.set_awake(PAUSED, false);
        self.change(|state| {
            state.paused = false;
            state.steps = 0;
        });
    }

    fn change(&self, change: impl FnOnce(&mut PauseState)) {
        let mut state = lock(&self.pause_state);
        change(&mut state);
        state.version += 1;
        self.changed.notify_all();
    }

    /// Waits before a tick while the agent is paused.
    pub(crate) fn wait_while_paused(&self, shared: &Shared) {
        let mut state = lock(&self.pause_state);
        if state.paused && state.steps == 0 {
            state = self.wait(state, Stop { at: None, current: None }, shared);
        }
        state.steps = state.steps.saturating_sub(1);
    }

    /// Waits in the middle of a tick until a page resumes or steps the agent.
    pub(crate) fn stop(&self, stop: Stop, shared: &Shared) {
        let mut state = lock(&self.pause_state);
        state.paused = true;
        state.steps = 0;
        self.set_awake(PAUSED, true);
        state = self.wait(state, stop, shared);
        // The step that resumed the agent covers the rest of this tick.
        state.steps = 0;
    }

    fn wait<'a>(
        &self,
        mut state: MutexGuard<'a, PauseState>,
        stop: Stop,
        shared: &Shared,
    ) -> MutexGuard<'a, PauseState> {
        state.stop = Some(stop);
        state.version += 1;
        while state.paused && state.steps == 0 && shared.is_watched() {
            state = self.changed.wait_timeout(state, POLL_INTERVAL).unwrap_or_else(PoisonError::into_inner).0;
        }
        if !shared.is_watched() {
            // The agent may have stopped just after the last page disconnected.
            state.paused = false;
            self.set_awake(PAUSED, false);
        }
        state.stop = None;
        state.version += 1;
        state
    }

    /// Returns the version, whether the agent is paused and where it waits, or `None` if the version is `known`.
    pub(crate) fn pause_state(&self, known: Option<u64>) -> Option<(u64, bool, Option<Stop>)> {
        let state = lock(&self.pause_state);
        (known != Some(state.version)).then(|| (state.version, state.paused, state.stop.clone()))
    }

    pub(crate) fn is_waiting(&self) -> bool {
        lock(&self.pause_state).stop.is_some()
    }
}
