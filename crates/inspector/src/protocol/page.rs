//! A connected page: handles its requests, and writes updates.
//!
//! There are no queues. Each update reads from the bounded memory of the agents, so a slow page misses data.

use std::ops::RangeInclusive;
use std::sync::Arc;
#[cfg(feature = "server")]
use std::sync::atomic::Ordering;
use std::time::Duration;

use bt_core::engine::is_identifier;
use bt_core::observe::NodeCounts;
use bt_core::testing::RecordedTest;
use serde_json::Value;

#[cfg(feature = "edit")]
use super::editing::Editing;
use super::listed::Listed;
use super::listing::Listing;
use super::message::{AgentInfo, BreakpointInfo, NodeOverview, Request, TreeInfo, Update, WatchInfo};
use super::seen::Seen;
use crate::expression::Expression;
use crate::state::{Agent, Moment, RewindRequest, SAMPLE, Shared, Versions, lock};
use crate::values::{Answer, Edit, Path};

/// The interval between lists of agents.
const LIST_INTERVAL: Duration = Duration::from_millis(400);
/// The interval between two requests for the values of agents, and between two overviews.
const VALUES_INTERVAL: Duration = Duration::from_secs(1);
/// The maximum number of agents that a page watches besides the selected one.
const MAX_FOLLOWED: usize = 16;

/// A connected page. Dropping the last page releases all waiting agents.
pub(crate) struct Page {
    pub(super) shared: Arc<Shared>,
    key: usize,
    /// The key of the first tree that was not sent.
    next_tree: usize,
    /// How much of a recording has been read, as sent.
    loading: Option<String>,
    listing: Listing,
    list: String,
    breakpoints: String,
    watches: String,
    /// When the list, and what is sent with the values, was sent last; `None` to send it with the next update.
    last_list: Option<Duration>,
    last_values: Option<Duration>,
    /// The tree whose overview is sent, and the last one that was sent.
    overview: Option<(Arc<Versions>, String)>,
    pub(super) selected: Option<Seen>,
    followed: Vec<Seen>,
    edits: Vec<(usize, Path, Answer)>,
    /// The agents that were requested to go back.
    rewinds: Vec<(String, Answer)>,
    /// The number of requests to pause, resume or step.
    holds: u64,
    #[cfg(feature = "edit")]
    editing: Editing,
}

impl Page {
    /// Connects a page, which has or has not come with the token.
    pub(crate) fn new(shared: Arc<Shared>, has_token: bool) -> Self {
        #[cfg(not(feature = "edit"))]
        let _ = has_token;
        let key = shared.connect();
        #[cfg(feature = "edit")]
        shared.documents.take_offers();
        Self {
            shared,
            key,
            next_tree: 0,
            loading: None,
            listing: Listing::default(),
            list: String::new(),
            breakpoints: String::new(),
            watches: String::new(),
            last_list: None,
            last_values: None,
            overview: None,
            selected: None,
            followed: Vec::new(),
            edits: Vec::new(),
            rewinds: Vec::new(),
            holds: 0,
            #[cfg(feature = "edit")]
            editing: Editing::new(has_token),
        }
    }

    /// Returns the first update.
    pub(crate) fn hello(&self) -> String {
        Update::Hello { recording: self.shared.is_recording, session: self.shared.session }.text()
    }

    /// Returns whether the program has stopped serving pages.
    #[cfg(feature = "server")]
    pub(crate) fn is_closed(&self) -> bool {
        self.shared.closed.load(Ordering::SeqCst)
    }

    /// Parses and handles a request. Errors are added to `updates`.
    pub(crate) fn receive(&mut self, message: &str, updates: &mut Vec<String>) {
        #[cfg(feature = "edit")]
        if self.editing.receive(message, &self.shared.documents, updates) {
            return;
        }
        let result = Request::parse(message).and_then(|request| self.handle(request, updates));
        updates.extend(result.err().map(|error| Update::Error(&error).text()));
    }

    fn handle(&mut self, request: Request, updates: &mut Vec<String>) -> Result<(), String> {
        let agent = |key| self.shared.agent(key).ok_or_else(|| format!("unknown agent {key}"));
        if request.is_hold() {
            self.holds += 1;
            // Its state is sent again, with the new number.
            self.selected.iter_mut().for_each(Seen::forget_hold);
        }
        match request {
            Request::Select(None) => self.selected = None,
            Request::Select(Some(key)) => {
                let agent = agent(key).inspect_err(|_| updates.push(Update::Lost(key).text()));
                self.selected = None;
                self.request_list();
                self.selected = Some(Seen::new(agent?));
            }
            Request::Follow(keys) => {
                if keys.len() > MAX_FOLLOWED {
                    return Err(format!("too many agents to follow (limit: {MAX_FOLLOWED})"));
                }
                self.followed.retain(|seen| keys.contains(&seen.agent().key));
                for key in keys {
                    if !self.followed.iter().any(|seen| seen.agent().key == key) {
                        self.followed.push(Seen::new(agent(key)?));
                    }
                }
            }
            Request::List(listing) => {
                let listing = listing.requested(&self.shared);
                self.shared.set_columns(self.key, listing.needs())?;
                if listing.times {
                    self.shared.need_times();
                }
                self.listing = listing;
                self.last_values = None;
                self.request_list();
            }
            Request::Pause(Some(key)) => agent(key)?.pause(),
            Request::Resume(Some(key)) => agent(key)?.resume(),
            Request::Step(Some(key)) => agent(key)?.step(),
            Request::Walk { agent: key, how } => agent(key)?.walk(how),
            Request::Pause(None) => self.shared.hold_all(true, Agent::pause),
            Request::Resume(None) => self.shared.hold_all(false, Agent::resume),
            Request::Step(None) => self.shared.hold_all(true, Agent::step),
            Request::Edit { agent: key, path, value } => {
                let answer = Answer::default();
                if !agent(key)?.edit(Edit { path: path.clone(), value, answer: Arc::clone(&answer) }) {
                    return Err("too many edits wait for the program".to_owned());
                }
                self.edits.push((key, path, answer));
            }
            Request::Break { tree, breakpoint } => {
                self.shared.set_breakpoint(tree, breakpoint)?;
                self.request_list();
            }
            Request::Watch { tree, watch, remove: true } => {
                self.shared.change_breakpoints(tree, |_, _, breakpoints| {
                    breakpoints.remove_watch(&watch);
                    Ok(())
                })?;
                self.request_list();
            }
            Request::Watch { tree, watch, remove: false } => {
                self.shared.change_breakpoints(tree, |_, _, breakpoints| breakpoints.set_watch(watch))?;
                self.request_list();
            }
            Request::Check { agent: key, expression, condition } => {
                updates.push(check(&expression, condition, agent(key)?.shown().as_ref()).text());
            }
            Request::Past { agent: Some(key), every } => agent(key)?.past.keep(every),
            Request::Past { agent: None, every } => self.shared.keep_past_of_all(every),
            Request::Rewind { agent: key, tick, all, at: _ } => {
                let selected = agent(key)?;
                if !selected.past.is_offered() {
                    return Err("the program does not let pages take this agent back; help: call `agent.rewind(…)` before each tick".to_owned());
                }
                let time = selected.time_of(tick).filter(|time| all && !time.is_zero());
                let to = time.map_or(Moment::Tick(tick), Moment::Time);
                self.rewind(if all { self.shared.agents() } else { vec![selected] }, to);
            }
            Request::RewindAll(at) => {
                let at = Duration::try_from_secs_f64(at).map_err(|error| format!("invalid time of day: {error}"))?;
                self.rewind(self.shared.agents(), Moment::Day(at));
            }
            Request::Test { agent: key, from, to } => {
                updates.push(Update::Test(test(&*agent(key)?, from..=to)?).text());
            }
            Request::Overview(key) => {
                let tree = key.map(|key| self.shared.versions(key)).transpose()?;
                if let Some(tree) = &tree {
                    self.shared.show_overview(tree);
                }
                let before = std::mem::replace(&mut self.overview, tree.map(|tree| (tree, String::new())));
                if let Some((tree, _)) = before {
                    self.shared.hide_overview(&tree);
                }
                self.last_values = None;
            }
        }
        Ok(())
    }

    /// Takes those of the agents back that the program lets pages take back.
    fn rewind(&mut self, agents: Vec<Arc<Agent>>, to: Moment) {
        self.rewinds.clear();
        for agent in agents.into_iter().filter(|agent| agent.past.is_offered()) {
            let answer = Answer::default();
            self.rewinds.push((agent.name.clone(), Arc::clone(&answer)));
            agent.rewind(RewindRequest { to, answer });
        }
    }

    /// Makes the next update contain the list of agents.
    pub(super) fn request_list(&mut self) {
        self.list.clear();
        self.last_list = None;
    }

    /// Adds everything that has changed since the last update. `now` is the time since any fixed moment.
    pub(crate) fn push_updates(&mut self, now: Duration, updates: &mut Vec<String>) {
        let loading = self.shared.loading();
        if loading != self.loading {
            updates.push(Update::Loading(loading.as_deref()).text());
            self.loading = loading;
        }
        let trees = self.shared.trees_from(self.next_tree);
        if let Some(last) = trees.last() {
            self.next_tree = last.key + 1;
            let infos = trees.iter().map(|tree| TreeInfo {
                key: tree.key,
                first: tree.first,
                name: &tree.name,
                fingerprint: format!("{:016x}", tree.fingerprint),
                nodes: &tree.description,
                numbers: (tree.key != tree.first).then(|| tree.numbers.all()),
                dropped: &tree.dropped,
                bytes: tree.bytes.iter().map(|bytes| [bytes.open, bytes.kept]).collect(),
                folder: tree.folder.as_deref(),
            });
            updates.push(Update::Trees(infos.collect()).text());
        }
        let asks = is_due(self.last_values, VALUES_INTERVAL, now);
        if asks {
            self.last_values = Some(now);
            let overview = self.overview.as_ref().map(|(tree, _)| overview(&self.shared, tree).text());
            if let (Some((_, before)), Some(text)) = (&mut self.overview, overview)
                && text != *before
            {
                before.clone_from(&text);
                updates.push(text);
            }
        }
        if asks || is_due(self.last_list, LIST_INTERVAL, now) {
            self.last_list = Some(now);
            let list = self.agents(asks);
            let (breakpoints, watches) = self.breakpoints();
            for (text, before) in
                [(list, &mut self.list), (breakpoints, &mut self.breakpoints), (watches, &mut self.watches)]
            {
                if text != *before {
                    before.clone_from(&text);
                    updates.push(text);
                }
            }
        }
        self.edits.retain(|(agent, path, answer)| {
            let Some(result) = answer.get() else { return true };
            updates
                .push(Update::Edited { agent: *agent, path, error: result.as_ref().err().map(String::as_str) }.text());
            false
        });
        // One error is enough, however many agents stay where they are.
        let mut failed = Vec::new();
        self.rewinds.retain(|(name, answer)| {
            let Some(result) = answer.get() else { return true };
            failed.extend(result.as_ref().err().map(|error| format!("{name}: {error}")));
            false
        });
        updates.extend(failed.first().map(|error| Update::Error(error).text()));
        let selected = self.selected.as_ref().map(|seen| seen.agent().key);
        for seen in self.selected.iter_mut().chain(&mut self.followed) {
            let is_selected = selected == Some(seen.agent().key);
            updates.extend(seen.updates(self.next_tree, self.listing.times, is_selected.then_some(self.holds)));
        }
        #[cfg(feature = "edit")]
        self.editing.push_updates(&self.shared, self.next_tree, updates);
    }

    /// Returns the listed agents, as a message.
    fn agents(&self, asks: bool) -> String {
        let watched = self.selected.iter().chain(&self.followed).map(|seen| Arc::clone(seen.agent()));
        let Listed { total, matching, from, list, waiting } = self.listing.choose(&self.shared, watched, asks);
        let selected = self.selected.as_ref().map(|seen| AgentInfo::of(seen.agent(), &self.listing));
        let (list, waiting) = (AgentInfo::all(&list, &self.listing), AgentInfo::all(&waiting, &self.listing));
        Update::Agents {
            id: self.listing.id,
            total,
            matching,
            from,
            list,
            waiting,
            selected,
            held: self.shared.all_held(),
            holds: self.holds,
        }
        .text()
    }

    /// Returns the breakpoints and the watched values of all trees, as messages.
    fn breakpoints(&self) -> (String, String) {
        let trees: Vec<_> = self.shared.trees_from(0).iter().map(|tree| (tree.key, tree.breakpoints())).collect();
        let list = trees.iter().flat_map(|(tree, of)| {
            of.list().map(|(breakpoint, hits)| BreakpointInfo { tree: *tree, breakpoint, hits })
        });
        let watches = trees
            .iter()
            .flat_map(|(tree, of)| of.watches().map(|(watch, hits)| WatchInfo { tree: *tree, watch, hits }));
        (Update::Breakpoints(list.collect()).text(), Update::Watches(watches.collect()).text())
    }
}

/// Returns whether an interval has passed since the last time.
fn is_due(last: Option<Duration>, interval: Duration, now: Duration) -> bool {
    last.is_none_or(|last| now.saturating_sub(last) >= interval)
}

/// Checks an expression with the values that an agent has shown last, if it has shown any.
fn check<'a>(text: &'a str, is_condition: bool, shown: Option<&Value>) -> Update<'a> {
    let expression = match Expression::parse(text) {
        Ok(expression) => expression,
        Err(error) => return Update::Checked { expression: text, error: Some(error), warning: None, value: None },
    };
    let value = shown.map(|shown| expression.evaluate(shown));
    let is_bool = expression.is_condition() || matches!(value, None | Some(Value::Bool(_) | Value::Null));
    let comparison = (is_condition && !is_bool).then(|| "expected a comparison, such as `hp < 3`".to_owned());
    let warning = shown.and_then(|shown| expression.check(shown).err()).or(comparison);
    Update::Checked { expression: text, error: None, warning, value }
}

/// Returns the source of a unit test that repeats ticks of an agent.
fn test(agent: &Agent, ticks: RangeInclusive<u64>) -> Result<String, String> {
    let tree = agent.tree();
    let of_tree = if is_identifier(&tree.name) { format!("{}()", tree.name) } else { "tree()".to_owned() };
    let test_name = format!("ticks_{}_to_{}", ticks.start(), ticks.end());
    // The program must not wait until the test is written.
    let history = lock(&agent.history);
    let before = history.ticks.iter().rev().find(|stored| stored.tree.key != tree.key);
    let first = before.map_or(0, |before| before.tick.number + 1);
    if *ticks.start() < first {
        return Err(format!(
            "no test can be written: the tree was replaced before tick {first}, and the test would be of the new tree; help: begin with this tick"
        ));
    }
    let stored = history.ticks.iter().map(|stored| stored.tick.clone());
    let stored: Vec<_> = stored.filter(|tick| tick.number >= first).collect();
    drop(history);
    RecordedTest::new(&test_name, &of_tree, "Default::default()")
        .source(&tree.description, stored, ticks)
        .map_err(|error| format!("no test can be written: {error}"))
}

/// Returns what all agents of a tree do.
fn overview<'a>(shared: &Shared, versions: &Arc<Versions>) -> Update<'a> {
    let (tree, counts) = versions.counts();
    let agents = shared.agents();
    let agents: Vec<_> = agents.iter().filter(|agent| Arc::ptr_eq(&agent.versions, versions)).collect();
    let mut here = vec![0; tree.description.nodes().len()];
    for agent in &agents {
        if !shared.is_recording {
            agent.set_awake(SAMPLE, true);
        }
        for node in lock(&agent.tracked).running() {
            if let Some(node) = tree.node(node) {
                here[node.index()] += 1;
            }
        }
    }
    let nodes = here.into_iter().zip(tree.description.nodes()).map(|(here, node)| {
        let NodeCounts { visits, runs, success, failure, running, error, halts, .. } = *counts.statistics.of(node.id);
        NodeOverview { visits, runs, success, failure, running, error, halts, here }
    });
    Update::Overview { tree: tree.key, agents: agents.len(), ticks: counts.ticks, nodes: nodes.collect() }
}

impl Drop for Page {
    fn drop(&mut self) {
        // Before the last page puts all agents to sleep.
        self.selected = None;
        self.followed.clear();
        if let Some((tree, _)) = self.overview.take() {
            self.shared.hide_overview(&tree);
        }
        self.shared.disconnect(self.key);
    }
}
