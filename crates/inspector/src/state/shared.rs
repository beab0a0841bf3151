//! The trees and agents of a program, and the pages that are connected to it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bt_core::NodeId;
use bt_core::describe::Matching;
use bt_core::observe::Recording;

use super::agent::{Agent, BREAKPOINTS, COUNTED, PAUSED, SELECTED, TRACKED};
use super::breakpoints::{Breakpoint, Breakpoints};
use super::collectors::{CollectFilter, Collectors};
use super::columns::{Columns, MAX_COLUMNS};
use super::cursor::Cursor;
use super::history::History;
use super::hold::{Release, Stop, Waiting, Walk};
use super::lock;
use super::tree::{About, Tree, Versions};
#[cfg(feature = "edit")]
use crate::editing::Documents;

/// How long the history of an unwatched agent is retained, so that a reloaded page finds it.
const RETENTION: Duration = Duration::from_secs(30);

#[derive(Default)]
pub(crate) struct Shared {
    trees: Mutex<Trees>,
    agents: Mutex<Agents>,
    collectors: Mutex<Collectors>,
    /// The number of bytes of all histories.
    pub(crate) stored: Arc<AtomicUsize>,
    /// The recordings that no tick uses. A watched tick takes one, so that their number is that of simultaneous ticks, not that of agents.
    recordings: Mutex<Vec<Recording>>,
    /// The number of connected pages.
    pub(crate) pages: AtomicUsize,
    /// The number of pages that have ever connected.
    connections: AtomicUsize,
    /// The columns of each page, by its key, and those of all pages.
    columns: Mutex<(BTreeMap<usize, Columns>, Arc<Columns>)>,
    /// Whether a page holds all agents, including those that are added later.
    all_held: AtomicBool,
    /// The number of ticks between two snapshots of agents that are added later; 0 for none.
    past_of_all: AtomicU64,
    /// The number of agents whose past is stored.
    pub(crate) pasts: AtomicUsize,
    /// How a tick waits while its agent is held.
    pub(crate) waiting: Mutex<Waiting>,
    /// Whether the server has stopped.
    pub(crate) closed: AtomicBool,
    /// Whether all agents are recorded, so that none can be paused.
    pub(crate) is_recording: bool,
    /// How much of a recording has been read, while one is read.
    loading: Mutex<Option<String>>,
    /// Whether a page needs the times of day of ticks.
    times: AtomicBool,
    /// A number that differs after a restart of the program.
    pub(crate) session: u64,
    #[cfg(feature = "edit")]
    pub(crate) documents: Documents,
}

/// The trees in the order of their keys. Keys are never reused.
#[derive(Default)]
struct Trees {
    next: usize,
    all: Vec<Arc<Tree>>,
}

impl Trees {
    /// Returns the key of the next tree.
    fn next_key(&mut self) -> usize {
        // A program that reloads its trees must not accumulate them.
        self.all.retain(|tree| Arc::strong_count(tree) > 1);
        self.next += 1;
        self.next - 1
    }
}

/// The agents by key. Keys are never reused.
#[derive(Default)]
struct Agents {
    next: usize,
    all: BTreeMap<usize, Arc<Agent>>,
}

impl Shared {
    #[cfg(feature = "server")]
    pub(crate) fn recording() -> Self {
        Self { is_recording: true, ..Self::default() }
    }

    /// Returns whether pages that have come with the token can edit.
    #[cfg(feature = "server")]
    #[cfg_attr(
        not(feature = "edit"),
        expect(clippy::unused_self, reason = "there are no documents without the feature")
    )]
    pub(crate) fn is_editable(&self) -> bool {
        #[cfg(feature = "edit")]
        return self.documents.is_editable();
        #[cfg(not(feature = "edit"))]
        false
    }

    /// Adds a tree. It takes over the breakpoints of the last tree of this name.
    pub(crate) fn add_tree(&self, name: impl Into<String>, about: About) -> Arc<Versions> {
        let name = name.into();
        let mut trees = lock(&self.trees);
        let before = trees.all.iter().rev().find(|tree| tree.name == name);
        let taken = before.map(|before| {
            let matching = before.description.matching(&about.description);
            let (mut breakpoints, _) = before.breakpoints().moved(&matching, about.description.nodes().len());
            // The new tree has other agents.
            breakpoints.for_other_agents();
            breakpoints
        });
        let versions = Versions::new(trees.next_key(), name, about);
        let tree = versions.current();
        if let Some(breakpoints) = taken {
            *lock(&tree.breakpoints) = Arc::new(breakpoints);
        }
        trees.all.push(tree);
        versions
    }

    /// Replaces a tree. Its agents, and the data about its nodes, continue with the new version.
    pub(crate) fn replace(&self, versions: &Arc<Versions>, about: About, matching: &Matching) {
        {
            let mut trees = lock(&self.trees);
            let before = versions.current();
            // An agent that was ticked since has said it already.
            if before.description == about.description {
                return;
            }
            let key = trees.next_key();
            trees.all.push(versions.replace(key, about, matching));
            *lock(&before.breakpoints) = Arc::new(Breakpoints::none(0));
        }
        self.arm(versions);
    }

    /// Returns the trees with this key or a later one.
    pub(crate) fn trees_from(&self, key: usize) -> Vec<Arc<Tree>> {
        lock(&self.trees).all.iter().filter(|tree| tree.key >= key).cloned().collect()
    }

    pub(crate) fn add_agent(&self, tree: Arc<Versions>, name: impl Into<String>) -> Arc<Agent> {
        let mut agents = lock(&self.agents);
        let history = History::new(Arc::clone(&self.stored), self.is_recording);
        let agent = Arc::new(Agent::new(agents.next, name.into(), tree, history));
        agent.set_awake(BREAKPOINTS, self.is_watched() && agent.tree().breakpoints().apply_to(agent.key));
        agent.set_awake(COUNTED, agent.versions.overview.is_shown());
        agent.set_awake(TRACKED, self.columns().tracks());
        agent.past.keep(self.past_of_all.load(Ordering::Relaxed));
        if self.is_watched() && self.all_held() {
            agent.pause();
        }
        agents.next += 1;
        agents.all.insert(agent.key, Arc::clone(&agent));
        lock(&self.collectors).offer(&agent);
        agent
    }

    /// Removes an agent that its owner has dropped. Pages that have selected the agent keep it alive.
    pub(crate) fn remove(&self, agent: &Agent) {
        agent.remove();
        lock(&self.agents).all.remove(&agent.key);
    }

    /// Begins to collect ticks, also of agents that are added later. Returns the key of the receiver.
    pub(crate) fn collect(&self, filter: CollectFilter) -> u64 {
        // None is added meanwhile.
        let agents = lock(&self.agents);
        lock(&self.collectors).register(filter, agents.all.values())
    }

    /// Returns the agents whose ticks are collected since the last call.
    pub(crate) fn take_collected(&self, receiver: u64, dropped: usize) -> Vec<Cursor> {
        lock(&self.collectors).take(receiver, dropped)
    }

    pub(crate) fn end_collecting(&self, receiver: u64) {
        lock(&self.collectors).unregister(receiver);
    }

    /// Returns how much of a recording has been read, if one is read now.
    pub(crate) fn loading(&self) -> Option<String> {
        lock(&self.loading).clone()
    }

    pub(crate) fn set_loading(&self, text: Option<String>) {
        *lock(&self.loading) = text;
    }

    pub(crate) fn agents(&self) -> Vec<Arc<Agent>> {
        lock(&self.agents).all.values().cloned().collect()
    }

    pub(crate) fn agent(&self, key: usize) -> Option<Arc<Agent>> {
        lock(&self.agents).all.get(&key).cloned()
    }

    /// From now on, ticks are stored with the time of day, until no page is connected.
    pub(crate) fn need_times(&self) {
        self.times.store(true, Ordering::Relaxed);
    }

    /// Returns the time since 1970 if a page needs it, and if there is a clock for it.
    pub(crate) fn time_of_day(&self) -> Option<Duration> {
        // In a browser, there is none.
        let has_clock = !cfg!(all(target_family = "wasm", target_os = "unknown"));
        let is_needed = has_clock && self.times.load(Ordering::Relaxed);
        is_needed.then(|| SystemTime::now().duration_since(UNIX_EPOCH).ok()).flatten()
    }

    /// Returns a recording for one tick.
    pub(crate) fn take_recording(&self) -> Option<Recording> {
        lock(&self.recordings).pop()
    }

    /// Takes back an empty recording after a tick.
    pub(crate) fn return_recording(&self, recording: Recording) {
        lock(&self.recordings).push(recording);
    }

    /// Returns whether a page is connected that can resume a held agent.
    fn is_watched(&self) -> bool {
        self.pages.load(Ordering::SeqCst) > 0 && !self.closed.load(Ordering::SeqCst)
    }

    /// Returns whether a page holds all agents.
    pub(crate) fn all_held(&self) -> bool {
        self.all_held.load(Ordering::SeqCst)
    }

    /// Holds or resumes all agents, including those that are added later.
    pub(crate) fn hold_all(&self, hold: bool, act: impl Fn(&Agent)) {
        // Under the lock: an agent that is added meanwhile must not be missed.
        let agents = lock(&self.agents);
        self.all_held.store(hold, Ordering::SeqCst);
        agents.all.values().for_each(|agent| act(agent));
    }

    /// Sets the number of ticks between two snapshots of all agents, including those that are added later; 0 for none.
    pub(crate) fn keep_past_of_all(&self, every: u64) {
        // Under the lock: an agent that is added meanwhile must not be missed.
        let agents = lock(&self.agents);
        self.past_of_all.store(every, Ordering::Relaxed);
        agents.all.values().for_each(|agent| agent.past.keep(every));
    }

    fn held<T>(&self, wait: impl FnOnce(&Release<'_>) -> T) -> T {
        let waiting = lock(&self.waiting).clone();
        wait(&Release { is_possible: &|| self.is_watched(), waiting: &waiting })
    }

    /// Waits before a tick while the agent is paused, until it is released or taken back. Returns whether a page takes it back.
    pub(crate) fn wait_for_rewind(&self, agent: &Agent) -> bool {
        self.held(|release| agent.hold.wait_for_call(release))
    }

    /// Returns whether the program must not tick an agent now. Does not wait.
    pub(crate) fn skip(&self, agent: &Agent) -> bool {
        if !agent.past.is_skipped.load(Ordering::Relaxed) {
            agent.past.is_skipped.store(true, Ordering::Relaxed);
        }
        agent.is_awake(PAUSED) && agent.hold.skip(self.is_watched())
    }

    /// Waits before a tick while the agent is paused. Returns how far it runs in the tick.
    pub(crate) fn wait_while_paused(&self, agent: &Agent) -> Option<Walk> {
        let (paused, walk) = self.held(|release| agent.hold.wait_while_paused(release));
        agent.set_awake(PAUSED, paused);
        walk
    }

    /// Waits in the middle of a tick until a page resumes or steps the agent. Returns how far it runs in the tick.
    pub(crate) fn stop(&self, agent: &Agent, stop: Stop, is_breakpoint: bool) -> Option<Walk> {
        agent.set_awake(PAUSED, true);
        let (paused, walk) = self.held(|release| agent.hold.stop(stop, is_breakpoint, release));
        agent.set_awake(PAUSED, paused);
        walk
    }

    pub(crate) fn tree(&self, key: usize) -> Option<Arc<Tree>> {
        lock(&self.trees).all.iter().find(|tree| tree.key == key).cloned()
    }

    /// Returns the tree of which this is the key of a version.
    pub(crate) fn versions(&self, tree: usize) -> Result<Arc<Versions>, String> {
        self.tree(tree).and_then(|tree| tree.versions.upgrade()).ok_or_else(|| format!("unknown tree {tree}"))
    }

    /// Sets a breakpoint at a node of a version of a tree, for the current version.
    pub(crate) fn set_breakpoint(&self, tree: usize, breakpoint: Breakpoint) -> Result<(), String> {
        self.change_breakpoints(tree, |named, current, breakpoints| {
            let id = NodeId::new(breakpoint.node);
            let node = named.node_in(current, id).ok_or_else(|| match named.description.node(id) {
                Some(_) => format!("the tree was replaced, and node {} is gone", breakpoint.node),
                None => format!("unknown node {}", breakpoint.node),
            })?;
            let node = u32::try_from(node.index()).unwrap_or(u32::MAX);
            breakpoints.set(Breakpoint { node, ..breakpoint })
        })
    }

    /// Changes the breakpoints of a tree. The function receives the version with the key, and the current one.
    pub(crate) fn change_breakpoints(
        &self,
        key: usize,
        change: impl FnOnce(&Tree, &Tree, &mut Breakpoints) -> Result<(), String>,
    ) -> Result<(), String> {
        let versions = self.versions(key)?;
        {
            // Under the lock: the tree is not replaced meanwhile.
            let trees = lock(&self.trees);
            let current = versions.current();
            let named = trees.all.iter().find(|tree| tree.key == key).unwrap_or(&current);
            let mut breakpoints = lock(&current.breakpoints);
            let mut changed = (**breakpoints).clone();
            change(named, &current, &mut changed)?;
            *breakpoints = Arc::new(changed);
        }
        self.arm(&versions);
        Ok(())
    }

    /// Wakes the agents of a tree that a breakpoint can stop.
    fn arm(&self, tree: &Arc<Versions>) {
        let breakpoints = tree.current().breakpoints();
        for agent in lock(&self.agents).all.values().filter(|agent| Arc::ptr_eq(&agent.versions, tree)) {
            agent.set_awake(BREAKPOINTS, self.is_watched() && breakpoints.apply_to(agent.key));
        }
    }

    /// Returns the columns of all pages.
    pub(crate) fn columns(&self) -> Arc<Columns> {
        Arc::clone(&lock(&self.columns).1)
    }

    /// Replaces the columns of a page.
    pub(crate) fn set_columns(&self, page: usize, columns: Columns) -> Result<(), String> {
        let tracks = {
            let mut all = lock(&self.columns);
            let mut sum = Columns::default();
            let others = all.0.iter().filter(|(other, _)| **other != page).map(|(_, columns)| columns);
            others.chain([&columns]).for_each(|columns| sum.add(columns));
            if sum.count() > MAX_COLUMNS {
                return Err(format!("too many columns in all pages (limit: {MAX_COLUMNS})"));
            }
            all.0.insert(page, columns);
            if *all.1 == sum {
                return Ok(());
            }
            all.1 = Arc::new(sum);
            all.1.tracks()
        };
        lock(&self.agents).all.values().for_each(|agent| agent.set_awake(TRACKED, tracks));
        Ok(())
    }

    /// Counts the ticks of all agents of a tree, for a page.
    pub(crate) fn show_overview(&self, tree: &Arc<Versions>) {
        // All ticks of a recording are counted already.
        tree.overview.show(!self.is_recording);
        self.set_counted(tree);
    }

    /// Ends [`show_overview`](Self::show_overview) of a page.
    pub(crate) fn hide_overview(&self, tree: &Arc<Versions>) {
        tree.overview.hide();
        self.set_counted(tree);
    }

    fn set_counted(&self, tree: &Arc<Versions>) {
        // Under the lock: another page may do the opposite meanwhile.
        let agents = lock(&self.agents);
        let is_shown = tree.overview.is_shown();
        for agent in agents.all.values().filter(|agent| Arc::ptr_eq(&agent.versions, tree)) {
            agent.set_awake(COUNTED, is_shown);
        }
    }

    /// Registers a page. Breakpoints of earlier pages are effective again. Returns a key of the page.
    pub(crate) fn connect(&self) -> usize {
        self.pages.fetch_add(1, Ordering::SeqCst);
        for tree in self.trees_from(0) {
            // A version that was replaced has no breakpoints.
            tree.versions.upgrade().iter().for_each(|versions| self.arm(versions));
        }
        self.connections.fetch_add(1, Ordering::Relaxed)
    }

    /// Unregisters a page. After the last one, all agents are resumed and put to sleep. Their trees keep the breakpoints.
    pub(crate) fn disconnect(&self, page: usize) {
        // Fewer columns are never too many.
        let _ = self.set_columns(page, Columns::default());
        lock(&self.columns).0.remove(&page);
        if self.pages.fetch_sub(1, Ordering::SeqCst) > 1 {
            return;
        }
        self.times.store(false, Ordering::Relaxed);
        self.keep_past_of_all(0);
        self.hold_all(false, Agent::sleep);
    }

    /// Does what has to be done from time to time: frees what no page needs, and looks for documents and for changes of their files. `now` is the
    /// time since any fixed moment.
    pub(crate) fn maintain(&self, now: Duration) {
        self.sweep(now);
        #[cfg(feature = "edit")]
        if self.pages.load(Ordering::SeqCst) > 0 {
            self.documents.take_offers();
            self.documents.poll();
        }
    }

    /// Frees the histories of agents that no page has watched for [`RETENTION`].
    fn sweep(&self, now: Duration) {
        if self.is_recording || self.stored.load(Ordering::Relaxed) == 0 {
            return;
        }
        for agent in self.agents() {
            let is_watched = agent.is_awake(SELECTED | BREAKPOINTS | PAUSED);
            let mut history = lock(&agent.history);
            if is_watched {
                history.unwatched_since = None;
            } else if now.saturating_sub(*history.unwatched_since.get_or_insert(now)) >= RETENTION {
                history.free();
            }
        }
    }
}
