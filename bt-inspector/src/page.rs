//! One connected page: what it asks for, and what it is told some thirty times a second.
//!
//! There are no queues: each turn takes what is there from what the program keeps in bounds anyway. A page that is slow finds less of it.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket};
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use crate::message::{AgentInfo, Ask, StopInfo, Tell, TickInfo, TreeInfo};
use crate::past::Variables;
use crate::shared::{Agent, SAMPLE, Shared, lock};

/// How often a page is told what is new, and how often of all agents.
const FRAME: Duration = Duration::from_millis(33);
const LIST: Duration = Duration::from_millis(400);
/// How often a page is asked whether it is there, and how long it may be silent.
const PING: Duration = Duration::from_secs(1);
const SILENCE: Duration = Duration::from_secs(5);
/// So many ticks are told at once, and so many agents.
const TICKS: usize = 256;
const AGENTS: usize = 200;
/// What is told in the place of values that are no longer stored.
const DROPPED: &str = "\"no longer stored\"";

/// A connected page. Counted as long as it lives; when the last is gone, nobody has to wait any more.
pub(crate) struct Page {
    shared: Arc<Shared>,
    trees: usize,
    search: String,
    list: String,
    listed: Instant,
    chosen: Option<Chosen>,
}

struct Chosen {
    agent: Arc<Agent>,
    /// The number of the next tick to tell.
    next: u64,
    turn: Option<u64>,
}

impl Page {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        shared.pages.fetch_add(1, Ordering::SeqCst);
        let listed = Instant::now().checked_sub(LIST).unwrap_or_else(Instant::now);
        Self { shared, trees: 0, search: String::new(), list: String::new(), listed, chosen: None }
    }

    /// Serves the page until it is gone, or silent for too long.
    pub(crate) async fn serve(mut self, mut socket: WebSocket) {
        let mut frames = interval(FRAME);
        frames.set_missed_tick_behavior(MissedTickBehavior::Skip);
        let (mut heard, mut pinged) = (Instant::now(), Instant::now());
        let mut news = vec![text(&Tell::Hello { recording: self.shared.is_recording })];
        loop {
            for message in news.drain(..) {
                match timeout(SILENCE, socket.send(Message::Text(message.into()))).await {
                    Ok(Ok(())) => {}
                    _ => return,
                }
            }
            tokio::select! {
                message = socket.recv() => {
                    heard = Instant::now();
                    match message {
                        Some(Ok(Message::Text(asked))) => self.hear(&asked, &mut news),
                        Some(Ok(Message::Binary(_))) => news.push(text(&Tell::Error("messages are text"))),
                        Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                        Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                    }
                }
                _ = frames.tick() => {
                    if heard.elapsed() > SILENCE || self.shared.closed.load(Ordering::SeqCst) {
                        return;
                    }
                    if pinged.elapsed() > PING {
                        pinged = Instant::now();
                        match timeout(SILENCE, socket.send(Message::Ping(Vec::new().into()))).await {
                            Ok(Ok(())) => {}
                            _ => return,
                        }
                    }
                    self.news(&mut news);
                }
            }
        }
    }

    /// Does what a page asks for, and reports what cannot be done.
    fn hear(&mut self, asked: &str, news: &mut Vec<String>) {
        let ask = serde_json::from_str(asked).map_err(|error| format!("not understood: {error}"));
        let done = ask.and_then(|ask| self.ask(ask, news));
        news.extend(done.err().map(|error| text(&Tell::Error(&error))));
    }

    fn ask(&mut self, ask: Ask, news: &mut Vec<String>) -> Result<(), String> {
        let agent = |key| self.shared.agent(key).ok_or_else(|| format!("there is no agent {key}"));
        match ask {
            Ask::Choose(key) => {
                let agent = agent(key).inspect_err(|_| news.push(text(&Tell::Lost(key))));
                self.unchoose();
                self.list_now();
                let agent = agent?;
                agent.choose();
                self.chosen = Some(Chosen { agent, next: 0, turn: None });
            }
            Ask::Search(search) => {
                self.search = search.to_lowercase();
                self.list_now();
            }
            Ask::Pause(key) => agent(key)?.pause(),
            Ask::Resume(key) => agent(key)?.resume(),
            Ask::Step(key) => agent(key)?.step(),
            Ask::Break { tree, node, on } => {
                if !self.shared.set_breaks(tree, node, &on) {
                    return Err(format!("there is no node {node} in tree {tree}"));
                }
            }
        }
        Ok(())
    }

    /// Has the agents listed with the next news.
    fn list_now(&mut self) {
        self.list.clear();
        self.listed = Instant::now().checked_sub(LIST).unwrap_or_else(Instant::now);
    }

    fn unchoose(&mut self) {
        if let Some(chosen) = self.chosen.take() {
            chosen.agent.unchoose();
        }
    }

    /// All that is new to the page.
    fn news(&mut self, news: &mut Vec<String>) {
        let trees: Vec<_> = lock(&self.shared.trees).iter().skip(self.trees).cloned().collect();
        if !trees.is_empty() {
            self.trees += trees.len();
            let infos = trees.iter().map(|tree| TreeInfo { key: tree.key, name: &tree.name, nodes: &tree.description });
            news.push(text(&Tell::Trees(infos.collect())));
        }
        if self.listed.elapsed() >= LIST {
            self.listed = Instant::now();
            let list = self.agents();
            if list != self.list {
                self.list.clone_from(&list);
                news.push(list);
            }
        }
        let Some(chosen) = &mut self.chosen else { return };
        news.extend(chosen.ticks());
        if let Some((version, paused, stop)) = chosen.agent.turn(chosen.turn) {
            chosen.turn = Some(version);
            let at = |(node, on): (bt_core::NodeId, _)| (node.index(), on);
            let stop = stop.map(|stop| StopInfo { at: stop.at.map(at), current: stop.current });
            news.push(text(&Tell::Turn { agent: chosen.agent.key, paused, stop }));
        }
    }

    /// The agents that the page has searched for, and how they are. They are asked how they are with their next tick.
    fn agents(&self) -> String {
        let mut agents = self.shared.agents();
        let total = agents.len();
        agents.extend(self.chosen.iter().map(|chosen| Arc::clone(&chosen.agent)).filter(|agent| agent.is_gone()));
        let mut matching = 0;
        let mut list = Vec::new();
        for agent in &agents {
            let waits = agent.is_waiting();
            let found = self.search.is_empty() || agent.name.to_lowercase().contains(&self.search);
            matching += usize::from(found);
            // Who waits is always told of.
            if waits || (found && list.len() < AGENTS) {
                agent.want(SAMPLE, !self.shared.is_recording);
                list.push(agent.info());
            }
        }
        let chosen = self.chosen.as_ref().map(|chosen| chosen.agent.info());
        text(&Tell::Agents { total, matching, list, chosen })
    }
}

impl Agent {
    fn info(&self) -> AgentInfo<'_> {
        AgentInfo {
            key: self.key,
            name: &self.name,
            tree: self.tree.key,
            status: lock(&self.past).last,
            gone: self.is_gone(),
            waits: self.is_waiting(),
        }
    }
}

impl Chosen {
    /// The next ticks, if there are any.
    fn ticks(&mut self) -> Option<String> {
        let (ticks, dropped) = {
            let past = lock(&self.agent.past);
            let first = past.first().max(self.next);
            let dropped = if self.next == 0 { 0 } else { first - self.next };
            let skip = usize::try_from(first - past.first()).unwrap_or(usize::MAX);
            let ticks: Vec<_> = past.ticks.iter().skip(skip).take(TICKS).cloned().collect();
            self.next = first + ticks.len() as u64;
            (ticks, dropped)
        };
        if ticks.is_empty() {
            return None;
        }
        let list = ticks.iter().map(|(tick, shown)| {
            let (values, changes) = match shown {
                Variables::Nothing => (None, None),
                Variables::Values(values) => (serde_json::from_str(values).ok(), None),
                Variables::Dropped => (serde_json::from_str(DROPPED).ok(), None),
                Variables::Changes(changes) => (None, serde_json::from_str(changes).ok()),
            };
            TickInfo { tick, values, changes }
        });
        Some(text(&Tell::Ticks { agent: self.agent.key, dropped, list: list.collect() }))
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.unchoose();
        if self.shared.pages.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.shared.release();
        }
    }
}

fn text(message: &Tell<'_>) -> String {
    serde_json::to_string(message).unwrap_or_else(|error| serde_json::json!({ "error": error.to_string() }).to_string())
}

#[cfg(test)]
mod tests {
    use bt_core::prelude::*;
    use serde_json::{Value, json};

    use super::*;
    use crate::agent::Watched;

    /// A page of a program with agents, named by their number.
    fn page(agents: usize) -> Page {
        let shared = Arc::new(Shared::default());
        let tree = shared.add_tree("counter", tree! { for u32: |n: &mut u32| *n += 1 }.description());
        for number in 0..agents {
            shared.add_agent(Arc::clone(&tree), &format!("soldier {number}"));
        }
        Page::new(shared)
    }

    /// The news after a question.
    fn asked(page: &mut Page, ask: &str) -> Vec<Value> {
        let mut news = Vec::new();
        page.hear(ask, &mut news);
        page.news(&mut news);
        news.iter().map(|text| serde_json::from_str(text).expect("it is JSON")).collect()
    }

    /// The last list of agents in the news.
    fn agents(news: &[Value]) -> &Value {
        news.iter().rev().find_map(|message| message.get("agents")).expect("agents are listed")
    }

    #[test]
    fn the_chosen_agent_is_told_where_the_list_does_not_reach_it() {
        let mut page = page(1000);
        assert_eq!(agents(&asked(&mut page, "{\"search\":\"soldier 999\"}"))["chosen"], Value::Null);
        assert_eq!(agents(&asked(&mut page, "{\"choose\":999}"))["chosen"]["name"], "soldier 999");
        let news = asked(&mut page, "{\"search\":\"\"}");
        let told = agents(&news);
        let list = told["list"].as_array().expect("it is a list");
        assert_eq!(list.len(), AGENTS);
        assert!(!list.iter().any(|agent| agent["key"] == 999));
        let info =
            json!({ "key": 999, "name": "soldier 999", "tree": 0, "status": null, "gone": false, "waits": false });
        assert_eq!(told["chosen"], info);
    }

    #[test]
    fn a_dropped_agent_is_freed_when_no_page_shows_it_and_its_key_is_not_used_again() {
        let tree = tree! { for u32: |n: &mut u32| *n += 1 };
        let mut page = page(1);
        let shared = Arc::clone(&page.shared);
        let key = shared.agent(0).expect("it is there").tree.clone();
        let mut watched: Vec<_> = ["Ann", "Bob"]
            .map(|name| Watched::new(Arc::clone(&shared), shared.add_agent(Arc::clone(&key), name)))
            .into();
        let [ann, bob] = [1, 2].map(|key| Arc::downgrade(&shared.agent(key).expect("it is there")));
        asked(&mut page, "{\"choose\":1}");
        tree.tick_with(&mut 0, &mut tree.memory(), &mut watched[0]);
        assert!(shared.stored.load(Ordering::Relaxed) > 0);
        watched.clear();
        assert!(bob.upgrade().is_none());
        page.list_now();
        let news = asked(&mut page, "{\"search\":\"\"}");
        let told = agents(&news);
        assert_eq!(
            (&told["total"], &told["chosen"]["name"], &told["chosen"]["gone"]),
            (&json!(1), &json!("Ann"), &json!(true))
        );
        assert_eq!(told["list"][1]["name"], "Ann");
        assert_eq!(shared.add_agent(Arc::clone(&key), "Cid").key, 3);
        asked(&mut page, "{\"choose\":3}");
        assert!(ann.upgrade().is_none());
        assert_eq!(shared.stored.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn the_past_of_an_agent_is_freed_when_no_page_has_looked_for_a_while() {
        let tree = tree! { for u32: |n: &mut u32| *n += 1 };
        let mut page = page(2);
        let shared = Arc::clone(&page.shared);
        let mut watched = Watched::new(Arc::clone(&shared), shared.agent(0).expect("it is there"));
        let mut tick = || {
            tree.tick_with(&mut 0, &mut tree.memory(), &mut watched);
            watched.show(|| "x".repeat(1000));
        };
        let stored = || shared.stored.load(Ordering::Relaxed);
        let start = std::time::Instant::now();
        let sweep = |seconds| shared.sweep(start + secs(seconds));
        asked(&mut page, "{\"choose\":0}");
        tick();
        [0, 100].into_iter().for_each(sweep);
        assert!(stored() > 1000, "a page looks");
        asked(&mut page, "{\"choose\":1}");
        [200, 229].into_iter().for_each(sweep);
        assert!(stored() > 1000, "it may look again");
        asked(&mut page, "{\"choose\":0}");
        [230, 300].into_iter().for_each(sweep);
        assert!(stored() > 1000);
        drop(page);
        [400, 429].into_iter().for_each(sweep);
        assert!(stored() > 1000, "it may be loaded again");
        sweep(430);
        assert_eq!(stored(), 0);
        tick();
        assert_eq!(stored(), 0);
    }

    #[test]
    fn a_page_that_chooses_an_agent_that_is_not_there_has_none_chosen() {
        let mut page = page(2);
        asked(&mut page, "{\"choose\":1}");
        assert!(page.chosen.is_some());
        asked(&mut page, "{\"choose\":7}");
        assert!(page.chosen.is_none());
    }

    #[test]
    fn an_agent_that_is_not_there_is_told_to_be_lost() {
        let news = asked(&mut page(1), "{\"choose\":7}");
        assert_eq!(news[0], json!({ "lost": 7 }));
        assert_eq!(news[1], json!({ "error": "there is no agent 7" }));
    }
}
