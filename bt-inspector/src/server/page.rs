//! A connected page: handles its requests, and sends updates about 30 times per second.
//!
//! There are no queues. Each update reads from the bounded memory of the agents, so a slow page misses data.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket};
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use super::listing::{Listed, Listing};
use super::message::{AgentInfo, BreakpointInfo, Request, StopInfo, TickInfo, TreeInfo, Update};
use crate::state::{Agent, Shared, Variables, lock};
use crate::values::{Answer, Edit, Path};

/// The interval between updates, and between lists of agents.
const FRAME_INTERVAL: Duration = Duration::from_millis(33);
const LIST_INTERVAL: Duration = Duration::from_millis(400);
/// The interval between pings, and the time after which a silent page is disconnected.
const PING_INTERVAL: Duration = Duration::from_secs(1);
const TIMEOUT: Duration = Duration::from_secs(5);
/// The maximum number of ticks per agent and update.
const MAX_TICKS: usize = 256;
/// The maximum number of agents that a page watches besides the selected one.
const MAX_FOLLOWED: usize = 16;
/// The text sent instead of values that are no longer stored.
const DROPPED: &str = "\"no longer stored\"";

/// A connected page. Dropping the last page releases all waiting agents.
pub(crate) struct Page {
    shared: Arc<Shared>,
    /// The key of the first tree that was not sent.
    next_tree: usize,
    listing: Listing,
    list: String,
    breakpoints: String,
    last_list: Instant,
    selected: Option<Seen>,
    followed: Vec<Seen>,
    edits: Vec<(usize, Path, Answer)>,
    /// The number of requests to pause, resume or step.
    holds: u64,
}

/// An agent whose ticks a page receives.
struct Seen {
    agent: Arc<Agent>,
    /// The number of the next tick to send.
    next: u64,
    /// The values that were sent with the last tick.
    values: Variables,
    /// The version of the pause state that was sent since the last request to pause, resume or step.
    version: Option<u64>,
}

impl Page {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        shared.connect();
        let last_list = Instant::now().checked_sub(LIST_INTERVAL).unwrap_or_else(Instant::now);
        Self {
            shared,
            next_tree: 0,
            listing: Listing::default(),
            list: String::new(),
            breakpoints: String::new(),
            last_list,
            selected: None,
            followed: Vec::new(),
            edits: Vec::new(),
            holds: 0,
        }
    }

    /// Serves the page until it disconnects or times out.
    pub(crate) async fn serve(mut self, mut socket: WebSocket) {
        let mut frames = interval(FRAME_INTERVAL);
        frames.set_missed_tick_behavior(MissedTickBehavior::Skip);
        let (mut last_received, mut last_ping) = (Instant::now(), Instant::now());
        let mut updates =
            vec![Update::Hello { recording: self.shared.is_recording, session: self.shared.session }.text()];
        loop {
            for message in updates.drain(..) {
                match timeout(TIMEOUT, socket.send(Message::Text(message.into()))).await {
                    Ok(Ok(())) => {}
                    _ => return,
                }
            }
            tokio::select! {
                message = socket.recv() => {
                    last_received = Instant::now();
                    match message {
                        Some(Ok(Message::Text(message))) => self.receive(&message, &mut updates),
                        Some(Ok(Message::Binary(_))) => updates.push(Update::Error("expected a text message, found a binary message").text()),
                        Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                        Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                    }
                }
                _ = frames.tick() => {
                    if last_received.elapsed() > TIMEOUT || self.shared.closed.load(Ordering::SeqCst) {
                        return;
                    }
                    if last_ping.elapsed() > PING_INTERVAL {
                        last_ping = Instant::now();
                        match timeout(TIMEOUT, socket.send(Message::Ping(Vec::new().into()))).await {
                            Ok(Ok(())) => {}
                            _ => return,
                        }
                    }
                    self.push_updates(&mut updates);
                }
            }
        }
    }

    /// Parses and handles a request. Errors are added to `updates`.
    fn receive(&mut self, message: &str, updates: &mut Vec<String>) {
        let request = serde_json::from_str(message).map_err(|error| format!("invalid request: {error}"));
        let result = request.and_then(|request| self.handle(request, updates));
        updates.extend(result.err().map(|error| Update::Error(&error).text()));
    }

    fn handle(&mut self, request: Request, updates: &mut Vec<String>) -> Result<(), String> {
        let agent = |key| self.shared.agent(key).ok_or_else(|| format!("unknown agent {key}"));
        if matches!(request, Request::Pause(_) | Request::Resume(_) | Request::Step(_)) {
            self.holds += 1;
            // Its state is sent again, with the new number.
            self.selected.iter_mut().for_each(|seen| seen.version = None);
        }
        match request {
            Request::Select(key) => {
                let agent = agent(key).inspect_err(|_| updates.push(Update::Lost(key).text()));
                self.selected = None;
                self.request_list();
                self.selected = Some(Seen::new(agent?));
            }
            Request::Follow(keys) => {
                if keys.len() > MAX_FOLLOWED {
                    return Err(format!("too many agents to follow (limit: {MAX_FOLLOWED})"));
                }
                self.followed.retain(|seen| keys.contains(&seen.agent.key));
                for key in keys {
                    if !self.followed.iter().any(|seen| seen.agent.key == key) {
                        self.followed.push(Seen::new(agent(key)?));
                    }
                }
            }
            Request::List(listing) => {
                self.listing = listing.requested();
                self.request_list();
            }
            Request::Pause(Some(key)) => agent(key)?.pause(),
            Request::Resume(Some(key)) => agent(key)?.resume(),
            Request::Step(Some(key)) => agent(key)?.step(),
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
                let node = breakpoint.node;
                if !self.shared.set_breakpoint(tree, breakpoint) {
                    return Err(format!("unknown node {node} in tree {tree}"));
                }
                self.request_list();
            }
        }
        Ok(())
    }

    /// Makes the next update contain the list of agents.
    fn request_list(&mut self) {
        self.list.clear();
        self.last_list = Instant::now().checked_sub(LIST_INTERVAL).unwrap_or_else(Instant::now);
    }

    /// Adds everything that has changed since the last update.
    fn push_updates(&mut self, updates: &mut Vec<String>) {
        let trees = self.shared.trees_from(self.next_tree);
        if let Some(last) = trees.last() {
            self.next_tree = last.key + 1;
            let infos = trees.iter().map(|tree| TreeInfo {
                key: tree.key,
                name: &tree.name,
                fingerprint: format!("{:016x}", tree.fingerprint),
                nodes: &tree.description,
                folder: tree.folder.as_deref(),
            });
            updates.push(Update::Trees(infos.collect()).text());
        }
        if self.last_list.elapsed() >= LIST_INTERVAL {
            self.last_list = Instant::now();
            let list = self.agents();
            if list != self.list {
                self.list.clone_from(&list);
                updates.push(list);
            }
            let breakpoints = self.breakpoints();
            if breakpoints != self.breakpoints {
                self.breakpoints.clone_from(&breakpoints);
                updates.push(breakpoints);
            }
        }
        self.edits.retain(|(agent, path, answer)| {
            let Some(result) = answer.get() else { return true };
            updates
                .push(Update::Edited { agent: *agent, path, error: result.as_ref().err().map(String::as_str) }.text());
            false
        });
        let selected = self.selected.as_ref().map(|seen| seen.agent.key);
        for seen in self.selected.iter_mut().chain(&mut self.followed) {
            updates.extend(seen.ticks());
            if selected == Some(seen.agent.key)
                && let Some((version, paused, stop)) = seen.agent.hold.state(seen.version)
            {
                seen.version = Some(version);
                let at = |(node, on): (bt_core::NodeId, _)| (node.index(), on);
                let stop = stop.map(|stop| StopInfo { at: stop.at.map(at), current: stop.current });
                updates.push(Update::Pause { agent: seen.agent.key, paused, stop, holds: self.holds }.text());
            }
        }
    }

    /// Returns the listed agents, as a message.
    fn agents(&self) -> String {
        let watched = self.selected.iter().chain(&self.followed).map(|seen| Arc::clone(&seen.agent));
        let Listed { total, matching, from, list, waiting } = self.listing.choose(&self.shared, watched);
        let selected = self.selected.as_ref().map(|seen| AgentInfo::of(&seen.agent));
        let (list, waiting) = (AgentInfo::all(&list), AgentInfo::all(&waiting));
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

    /// Returns the breakpoints of all trees, as a message.
    fn breakpoints(&self) -> String {
        let trees: Vec<_> = self.shared.trees_from(0).iter().map(|tree| (tree.key, tree.breakpoints())).collect();
        let list = trees.iter().flat_map(|(tree, breakpoints)| {
            breakpoints.list().map(|(breakpoint, hits)| BreakpointInfo { tree: *tree, breakpoint, hits })
        });
        Update::Breakpoints(list.collect()).text()
    }
}

impl Seen {
    fn new(agent: Arc<Agent>) -> Self {
        agent.select();
        Self { agent, next: 0, values: Variables::Nothing, version: None }
    }

    /// Returns the next ticks as a message, or `None` if there are none.
    fn ticks(&mut self) -> Option<String> {
        let ticks = {
            let history = lock(&self.agent.history);
            let first = history.first().max(self.next);
            let skip = usize::try_from(first - history.first()).unwrap_or(usize::MAX);
            let mut ticks: Vec<_> = history.ticks.iter().skip(skip).take(MAX_TICKS).cloned().collect();
            self.next = first + ticks.len() as u64;
            if ticks.is_empty() {
                // The values of the last tick may have been shown or edited since it was sent.
                ticks.extend(history.ticks.back().filter(|(_, values)| *values != self.values).cloned());
            }
            if let Some((_, values)) = ticks.last() {
                self.values = values.clone();
            }
            ticks
        };
        if ticks.is_empty() {
            return None;
        }
        let list = ticks.iter().map(|(tick, variables)| {
            let (values, changes) = match variables {
                Variables::Nothing => (None, None),
                Variables::Values(values) => (serde_json::from_str(values).ok(), None),
                Variables::Dropped => (serde_json::from_str(DROPPED).ok(), None),
                Variables::Changes(changes) => (None, serde_json::from_str(changes).ok()),
            };
            TickInfo { tick, values, changes }
        });
        Some(Update::Ticks { agent: self.agent.key, list: list.collect() }.text())
    }
}

impl Drop for Seen {
    fn drop(&mut self) {
        self.agent.deselect();
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // Before the last page puts all agents to sleep.
        self.selected = None;
        self.followed.clear();
        self.shared.disconnect();
    }
}

#[cfg(test)]
mod tests {
    use bt_core::prelude::*;
    use serde_json::{Value, json};

    use super::*;
    use crate::program::Watched;
    use crate::server::listing::MAX_AGENTS;

    /// Returns a page of a program with agents `soldier 0`, `soldier 1` and so on.
    fn page(agents: usize) -> Page {
        let shared = Arc::new(Shared::default());
        let tree = shared.add_tree("counter", 0, tree! { for u32: |n: &mut u32| *n += 1 }.description());
        for number in 0..agents {
            shared.add_agent(Arc::clone(&tree), format!("soldier {number}"));
        }
        Page::new(shared)
    }

    /// Sends a request and returns the updates.
    fn request(page: &mut Page, message: &str) -> Vec<Value> {
        let mut updates = Vec::new();
        page.receive(message, &mut updates);
        page.push_updates(&mut updates);
        updates.iter().map(|text| serde_json::from_str(text).expect("valid JSON")).collect()
    }

    /// Returns the last list of agents in the updates.
    fn agents(updates: &[Value]) -> &Value {
        updates.iter().rev().find_map(|message| message.get("agents")).expect("agents are listed")
    }

    #[test]
    fn states_are_sent_with_the_number_of_requests_before_them() {
        let mut page = page(2);
        let paused = |updates: &[Value]| updates.iter().find_map(|message| message.get("pause").cloned());
        let state =
            |paused: bool, holds: u64| Some(json!({ "agent": 0, "paused": paused, "stop": null, "holds": holds }));
        assert_eq!(paused(&request(&mut page, "{\"select\":0}")), state(false, 0));
        assert_eq!(paused(&request(&mut page, "{\"pause\":0}")), state(true, 1));
        assert_eq!(paused(&request(&mut page, "{\"pause\":0}")), state(true, 2), "although nothing has changed");
        assert_eq!(paused(&request(&mut page, "{\"resume\":7}")), state(true, 3), "although there is no such agent");
        assert_eq!(paused(&request(&mut page, "{\"resume\":0}")), state(false, 4));
        assert_eq!(paused(&request(&mut page, "{\"follow\":[1]}")), None, "nothing was requested");
        let updates = request(&mut page, "{\"list\":{\"search\":\"soldier 1\"}}");
        assert_eq!((&agents(&updates)["held"], &agents(&updates)["holds"]), (&json!(false), &json!(4)));
    }

    #[test]
    fn the_selected_agent_is_sent_even_if_it_is_not_listed() {
        let mut page = page(1000);
        assert_eq!(agents(&request(&mut page, "{\"list\":{\"search\":\"soldier 999\"}}"))["selected"], Value::Null);
        assert_eq!(agents(&request(&mut page, "{\"select\":999}"))["selected"]["name"], "soldier 999");
        let updates = request(&mut page, "{\"list\":{\"search\":\"\"}}");
        let list = agents(&updates);
        let listed = list["list"].as_array().expect("an array");
        assert_eq!(listed.len(), MAX_AGENTS);
        assert!(!listed.iter().any(|agent| agent["key"] == 999));
        let info = json!({ "key": 999, "name": "soldier 999", "tree": 0, "status": null, "removed": false });
        assert_eq!(list["selected"], info);
    }

    #[test]
    fn a_dropped_agent_is_freed_when_no_page_shows_it_and_its_key_is_not_reused() {
        let tree = tree! { for u32: |n: &mut u32| *n += 1 };
        let mut page = page(1);
        let shared = Arc::clone(&page.shared);
        let key = shared.agent(0).expect("the agent exists").tree.clone();
        let mut watched: Vec<_> = ["Ann", "Bob"]
            .map(|name| Watched::new(Arc::clone(&shared), shared.add_agent(Arc::clone(&key), name)))
            .into();
        let [ann, bob] = [1, 2].map(|key| Arc::downgrade(&shared.agent(key).expect("the agent exists")));
        request(&mut page, "{\"select\":1}");
        tree.tick_with(&mut 0, &mut tree.memory(), &mut watched[0]);
        assert!(shared.stored.load(Ordering::Relaxed) > 0);
        watched.clear();
        assert!(bob.upgrade().is_none());
        page.request_list();
        let updates = request(&mut page, "{\"list\":{\"search\":\"\"}}");
        let list = agents(&updates);
        assert_eq!(
            (&list["total"], &list["selected"]["name"], &list["selected"]["removed"]),
            (&json!(2), &json!("Ann"), &json!(true))
        );
        assert_eq!(list["list"][1]["name"], "Ann");
        assert_eq!(shared.add_agent(Arc::clone(&key), "Cid").key, 3);
        request(&mut page, "{\"select\":3}");
        assert!(ann.upgrade().is_none());
        assert_eq!(shared.stored.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn replaced_trees_are_freed_and_leave_their_breakpoints_to_the_next_of_their_name() {
        use crate::state::{Breakpoint, Trigger};
        let shared = Arc::new(Shared::default());
        let mut page = Page::new(Arc::clone(&shared));
        let tree = tree! { for u32: |n: &mut u32| *n += 1 };
        let mut watched = None;
        for version in 0..5 {
            let key = shared.add_tree("counter", 0, tree.description());
            assert_eq!(key.key, version);
            assert!(shared.trees_from(0).len() <= 2);
            if version == 0 {
                let on = vec![Trigger::Success];
                let breakpoint = Breakpoint { node: 0, on, agent: Some(0), disabled: false, skip: 2 };
                assert!(shared.set_breakpoint(0, breakpoint));
            }
            let kept: Vec<_> = key.breakpoints().list().map(|(of, _)| (of.node, of.skip)).collect();
            assert_eq!(kept, [(0, 2)]);
            watched = Some(Watched::new(Arc::clone(&shared), shared.add_agent(key, "Ann")));
        }
        let updates = request(&mut page, "{\"list\":{\"search\":\"\"}}");
        let sent = updates.iter().find_map(|update| update.get("trees")).expect("the trees are sent");
        assert_eq!(sent.as_array().map(Vec::len), Some(2));
        assert!(!shared.set_breakpoint(0, Breakpoint { node: 0, on: vec![], agent: None, disabled: false, skip: 0 }));
        drop(watched);
    }

    #[test]
    fn the_history_of_an_unwatched_agent_is_freed_after_a_while() {
        let tree = tree! { for u32: |n: &mut u32| *n += 1 };
        let mut page = page(2);
        let shared = Arc::clone(&page.shared);
        let mut watched = Watched::new(Arc::clone(&shared), shared.agent(0).expect("the agent exists"));
        let mut tick = || {
            tree.tick_with(&mut 0, &mut tree.memory(), &mut watched);
            watched.show(|| "x".repeat(1000));
        };
        let stored = || shared.stored.load(Ordering::Relaxed);
        let start = std::time::Instant::now();
        let sweep = |seconds| shared.sweep(start + secs(seconds));
        request(&mut page, "{\"select\":0}");
        tick();
        [0, 100].into_iter().for_each(sweep);
        assert!(stored() > 1000, "a page has selected the agent");
        request(&mut page, "{\"select\":1}");
        [200, 229].into_iter().for_each(sweep);
        assert!(stored() > 1000, "the page may select it again");
        request(&mut page, "{\"select\":0}");
        [230, 300].into_iter().for_each(sweep);
        assert!(stored() > 1000);
        drop(page);
        [400, 429].into_iter().for_each(sweep);
        assert!(stored() > 1000, "the page may be reloaded");
        sweep(430);
        assert_eq!(stored(), 0);
        tick();
        assert_eq!(stored(), 0);
    }

    #[test]
    fn agents_are_filtered_sorted_and_listed_in_parts() {
        let mut page = page(300);
        let shared = Arc::clone(&page.shared);
        let tree = tree! {
            for u32: sequence { succeed, |n: &mut u32| if *n > 0 { Status::Running } else { Status::Success } }
        };
        let key = shared.add_tree("other", 1, tree.description());
        let mut watched =
            ["Ann", "Bob"].map(|name| Watched::new(Arc::clone(&shared), shared.add_agent(Arc::clone(&key), name)));
        let mut listed = |listing: &str| {
            let updates = request(&mut page, &format!("{{\"list\":{listing}}}"));
            let list = agents(&updates);
            let names = list["list"].as_array().expect("an array").iter();
            let names: Vec<_> = names.map(|agent| agent["name"].as_str().expect("a name").to_owned()).collect();
            (list["matching"].as_u64().expect("a number"), names)
        };
        let ann = || vec!["Ann".to_owned()];
        assert_eq!(listed(r#"{"tree":1}"#), (2, vec!["Ann".to_owned(), "Bob".to_owned()]));
        assert_eq!(listed(r#"{"tree":1,"sort":"name","descending":true}"#).1, ["Bob", "Ann"]);
        assert_eq!(listed(r#"{"search":" 10","sort":"name"}"#).1[..3], ["soldier 10", "soldier 100", "soldier 101"]);
        let (matching, names) = listed(r#"{"sort":"name","from":290}"#);
        assert_eq!((matching, names.len(), names[0].as_str()), (302, 12, "soldier 288"));
        assert_eq!(listed(r#"{"from":100000}"#).1, ["Bob"]);
        let (_, names) = listed(r#"{"around":250}"#);
        assert_eq!((names.len(), names[0].as_str(), names[100].as_str()), (152, "soldier 150", "soldier 250"));
        assert_eq!(listed(r#"{"around":9,"from":301}"#).1[0], "soldier 0");
        assert_eq!(listed(r#"{"around":9,"search":"soldier 29","from":3}"#).1[0], "soldier 292", "it does not match");
        // All agents report their status with their next tick.
        assert_eq!(listed(r#"{"states":["running"]}"#).0, 0);
        for (agent, mut running) in watched.iter_mut().zip([1, 0]) {
            tree.tick_with(&mut running, &mut tree.memory(), agent);
        }
        assert_eq!(listed(r#"{"states":["running"]}"#), (1, ann()));
        assert_eq!(listed(r#"{"states":["new"],"tree":1}"#).0, 0);
        assert_eq!(listed(r#"{"states":["running","success"]}"#).0, 2);
        assert_eq!(listed(r#"{"tree":1,"node":2}"#), (1, ann()));
        assert_eq!(listed(r#"{"tree":1,"node":1}"#).0, 0);
        assert_eq!(listed(r#"{"tree":1,"sort":"running","descending":true}"#).1, ["Ann", "Bob"]);
        shared.agent(301).expect("Bob").pause();
        assert!(watched[1].is_held());
        assert_eq!(listed(r#"{"states":["waiting"]}"#).1, ["Bob"]);
    }

    #[test]
    fn selecting_an_unknown_agent_deselects_the_current_one() {
        let mut page = page(2);
        request(&mut page, "{\"select\":1}");
        assert!(page.selected.is_some());
        request(&mut page, "{\"select\":7}");
        assert!(page.selected.is_none());
    }

    #[test]
    fn an_unknown_agent_is_reported_as_lost() {
        let updates = request(&mut page(1), "{\"select\":7}");
        assert_eq!(updates[0], json!({ "lost": 7 }));
        assert_eq!(updates[1], json!({ "error": "unknown agent 7" }));
    }
}
