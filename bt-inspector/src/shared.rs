//! What the program and the pages share: trees, agents, what is wanted of whom, who has to wait.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bt_core::NodeId;
use bt_core::describe::Description;
use bt_core::observe::TickRecord;

use crate::breaks::{Breaks, On};
use crate::past::Past;

/// How long the past of an agent is kept when no page looks at it. A page that is loaded again finds it.
const KEPT: Duration = Duration::from_secs(30);
/// How often who waits looks whether anybody is there to let it go on.
const PATIENCE: Duration = Duration::from_millis(100);

/// Why an agent is awake.
pub(crate) const CHOSEN: u8 = 1;
pub(crate) const BREAKS: u8 = 2;
pub(crate) const SAMPLE: u8 = 4;
pub(crate) const PAUSED: u8 = 8;

/// A lock that nobody can poison: what it guards is whole after every statement.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Default)]
pub(crate) struct Shared {
    pub(crate) trees: Mutex<Vec<Arc<Tree>>>,
    agents: Mutex<Agents>,
    /// How many bytes the pasts of all agents take.
    pub(crate) stored: Arc<AtomicUsize>,
    /// How many pages are connected.
    pub(crate) pages: AtomicUsize,
    /// The server is gone.
    pub(crate) closed: AtomicBool,
    /// Everything was recorded before; there is nobody to pause.
    pub(crate) is_recording: bool,
}

/// The agents by their keys, which are never used again.
#[derive(Default)]
struct Agents {
    next: usize,
    all: BTreeMap<usize, Arc<Agent>>,
}

/// A tree that agents share.
pub(crate) struct Tree {
    pub(crate) key: usize,
    pub(crate) name: String,
    pub(crate) description: Description,
    breaks: Mutex<Arc<Breaks>>,
}

/// What is known of an agent.
pub(crate) struct Agent {
    pub(crate) key: usize,
    pub(crate) name: String,
    pub(crate) tree: Arc<Tree>,
    /// Why it is awake; nobody wants to know anything of it where this is nought.
    pub(crate) awake: AtomicU8,
    /// How many pages have chosen it.
    choosers: AtomicUsize,
    /// Its owner has dropped it.
    gone: AtomicBool,
    pub(crate) past: Mutex<Past>,
    turn: Mutex<Turn>,
    turns: Condvar,
}

/// Whether an agent has to wait.
#[derive(Default)]
struct Turn {
    paused: bool,
    /// So many ticks may it do.
    steps: u32,
    stop: Option<Stop>,
    /// Counts whatever changes here.
    version: u64,
}

/// Where an agent waits.
#[derive(Clone, Debug)]
pub(crate) struct Stop {
    /// The node, if it waits in the middle of a tick.
    pub(crate) at: Option<(NodeId, On)>,
    /// The tick so far.
    pub(crate) current: Option<TickRecord>,
}

impl Shared {
    pub(crate) fn recording() -> Self {
        Self { is_recording: true, ..Self::default() }
    }

    pub(crate) fn add_tree(&self, name: &str, description: Description) -> Arc<Tree> {
        let mut trees = lock(&self.trees);
        let breaks = Mutex::new(Arc::new(Breaks::none(description.nodes().len())));
        let tree = Arc::new(Tree { key: trees.len(), name: name.to_owned(), description, breaks });
        trees.push(Arc::clone(&tree));
        tree
    }

    pub(crate) fn add_agent(&self, tree: Arc<Tree>, name: &str) -> Arc<Agent> {
        let mut agents = lock(&self.agents);
        let agent = Arc::new(Agent {
            key: agents.next,
            name: name.to_owned(),
            awake: AtomicU8::new(if tree.breaks().is_empty() { 0 } else { BREAKS }),
            choosers: AtomicUsize::new(0),
            tree,
            gone: AtomicBool::new(false),
            past: Mutex::new(Past::new(Arc::clone(&self.stored), self.is_recording)),
            turn: Mutex::default(),
            turns: Condvar::new(),
        });
        agents.next += 1;
        agents.all.insert(agent.key, Arc::clone(&agent));
        agent
    }

    /// The owner of an agent has dropped it. It lives on as long as a page has chosen it.
    pub(crate) fn remove(&self, agent: &Agent) {
        agent.gone.store(true, Ordering::Relaxed);
        lock(&self.agents).all.remove(&agent.key);
    }

    pub(crate) fn agents(&self) -> Vec<Arc<Agent>> {
        lock(&self.agents).all.values().cloned().collect()
    }

    pub(crate) fn agent(&self, key: usize) -> Option<Arc<Agent>> {
        lock(&self.agents).all.get(&key).cloned()
    }

    /// Whether there is anybody who could let a waiting agent go on.
    fn is_watched(&self) -> bool {
        self.pages.load(Ordering::SeqCst) > 0 && !self.closed.load(Ordering::SeqCst)
    }

    /// Sets what to stop at a node on, for all agents of a tree. Returns whether there is such a node.
    pub(crate) fn set_breaks(&self, tree: usize, node: u32, on: &[On]) -> bool {
        let Some(tree) = lock(&self.trees).get(tree).cloned() else { return false };
        let mut breaks = (*tree.breaks()).clone();
        let is_there = breaks.set(node, on);
        self.replace_breaks(&tree, breaks);
        is_there
    }

    fn replace_breaks(&self, tree: &Arc<Tree>, breaks: Breaks) {
        let some = !breaks.is_empty();
        *lock(&tree.breaks) = Arc::new(breaks);
        for agent in lock(&self.agents).all.values().filter(|agent| Arc::ptr_eq(&agent.tree, tree)) {
            agent.want(BREAKS, some);
        }
    }

    /// The last page is gone: nobody has to wait, nobody is watched.
    pub(crate) fn release(&self) {
        let trees: Vec<_> = lock(&self.trees).clone();
        for tree in trees {
            let none = Breaks::none(tree.description.nodes().len());
            self.replace_breaks(&tree, none);
        }
        for agent in self.agents() {
            agent.resume();
            agent.awake.store(0, Ordering::Relaxed);
        }
    }

    /// Frees the pasts of agents that no page has looked at for a while. Called again and again.
    pub(crate) fn sweep(&self, now: Instant) {
        if self.is_recording || self.stored.load(Ordering::Relaxed) == 0 {
            return;
        }
        for agent in self.agents() {
            let is_wanted = agent.is_awake(CHOSEN | BREAKS | PAUSED);
            let mut past = lock(&agent.past);
            if is_wanted {
                past.left = None;
            } else if now.saturating_duration_since(*past.left.get_or_insert(now)) >= KEPT {
                past.free();
            }
        }
    }
}

impl Tree {
    pub(crate) fn breaks(&self) -> Arc<Breaks> {
        Arc::clone(&lock(&self.breaks))
    }
}

impl Agent {
    /// Whether there is any of these reasons to be awake.
    pub(crate) fn is_awake(&self, why: u8) -> bool {
        self.awake.load(Ordering::Relaxed) & why != 0
    }

    pub(crate) fn is_gone(&self) -> bool {
        self.gone.load(Ordering::Relaxed)
    }

    /// A page looks at it.
    pub(crate) fn choose(&self) {
        self.choosers.fetch_add(1, Ordering::Relaxed);
        lock(&self.past).left = None;
        self.want(CHOSEN, true);
    }

    /// A page looks at it no longer; another may.
    pub(crate) fn unchoose(&self) {
        if self.choosers.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.want(CHOSEN, false);
        }
    }

    /// Whether there is this reason to be awake.
    pub(crate) fn want(&self, why: u8, wanted: bool) {
        if wanted {
            self.awake.fetch_or(why, Ordering::Relaxed);
        } else {
            self.awake.fetch_and(!why, Ordering::Relaxed);
        }
    }

    pub(crate) fn pause(&self) {
        self.change(|turn| turn.paused = true);
        self.want(PAUSED, true);
    }

    /// Lets it do one tick, or the rest of one that it is in.
    pub(crate) fn step(&self) {
        self.change(|turn| {
            turn.paused = true;
            turn.steps = 1;
        });
        self.want(PAUSED, true);
    }

    pub(crate) fn resume(&self) {
        self.want(PAUSED, false);
        self.change(|turn| {
            turn.paused = false;
            turn.steps = 0;
        });
    }

    fn change(&self, change: impl FnOnce(&mut Turn)) {
        let mut turn = lock(&self.turn);
        change(&mut turn);
        turn.version += 1;
        self.turns.notify_all();
    }

    /// Before a tick: waits where it is paused.
    pub(crate) fn wait_for_turn(&self, shared: &Shared) {
        let mut turn = lock(&self.turn);
        if turn.paused && turn.steps == 0 {
            turn = self.wait(turn, Stop { at: None, current: None }, shared);
        }
        turn.steps = turn.steps.saturating_sub(1);
    }

    /// In the middle of a tick: waits for somebody who lets it go on.
    pub(crate) fn stop(&self, stop: Stop, shared: &Shared) {
        let mut turn = lock(&self.turn);
        turn.paused = true;
        turn.steps = 0;
        self.want(PAUSED, true);
        turn = self.wait(turn, stop, shared);
        // Letting it go on to the end of this tick was the step.
        turn.steps = 0;
    }

    fn wait<'a>(&self, mut turn: MutexGuard<'a, Turn>, stop: Stop, shared: &Shared) -> MutexGuard<'a, Turn> {
        turn.stop = Some(stop);
        turn.version += 1;
        while turn.paused && turn.steps == 0 && shared.is_watched() {
            turn = self.turns.wait_timeout(turn, PATIENCE).unwrap_or_else(PoisonError::into_inner).0;
        }
        if !shared.is_watched() {
            // It may have stopped when the last page had just gone.
            turn.paused = false;
            self.want(PAUSED, false);
        }
        turn.stop = None;
        turn.version += 1;
        turn
    }

    /// Whether it is paused, and where it waits; `None` if that is known as of this version.
    pub(crate) fn turn(&self, known: Option<u64>) -> Option<(u64, bool, Option<Stop>)> {
        let turn = lock(&self.turn);
        (known != Some(turn.version)).then(|| (turn.version, turn.paused, turn.stop.clone()))
    }

    pub(crate) fn is_waiting(&self) -> bool {
        lock(&self.turn).stop.is_some()
    }
}
