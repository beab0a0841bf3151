//! The requests of a page of the hub: each goes to the machines that it is about.

use bt_inspector::protocol::{Listing, MAX_MESSAGE, access};
use serde_json::json;
use serde_json::value::RawValue;

use super::machine::{Machine, Outgoing};
use super::names::{Fields, with_key};
use super::page::HubPage;
use super::request::{Request, RequestKind, invalid, kind, split};
use super::rollouts::Rollouts;

impl HubPage {
    /// Parses and handles a request. Errors are added to `updates`.
    pub(super) fn request(
        &mut self,
        message: &str,
        rollouts: &mut Rollouts,
        outbox: &mut Vec<Outgoing>,
        updates: &mut Vec<String>,
    ) {
        let split = split(message);
        let name = split.as_ref().map_or("", |(name, _)| name.as_str());
        let access = access(name);
        let result = match split {
            Ok((name, content)) if name == "rollout" || access.is_some() => {
                return self.edit((&name, &content), access, rollouts, outbox, updates);
            }
            _ if message.len() > MAX_MESSAGE => {
                Err(format!("the message is too long: {} bytes, the limit is {MAX_MESSAGE}", message.len()))
            }
            Ok((name, content)) => kind(&name).and_then(|kind| self.handle(Request { kind, content }, outbox, updates)),
            Err(reason) => Err(reason),
        };
        updates.extend(result.err().map(|reason| json!({ "error": reason }).to_string()));
    }

    fn handle(
        &mut self,
        request: Request,
        outbox: &mut Vec<Outgoing>,
        updates: &mut Vec<String>,
    ) -> Result<(), String> {
        self.is_changed = true;
        if request.kind.is_hold() {
            self.holds += 1;
        }
        match request.kind {
            RequestKind::Select => self.select(&request, outbox, updates)?,
            RequestKind::Follow => {
                let keys: Vec<usize> = request.read()?;
                for machine in self.machines.values_mut() {
                    let of = keys.iter().map(|key| Machine::of(*key)).filter(|(of, _)| *of == machine.machine);
                    let agents: Vec<_> = of.map(|(_, agent)| agent).collect();
                    if agents != machine.followed {
                        if let Some(request) = Request::new(RequestKind::Follow, &agents) {
                            machine.send(&request, outbox);
                        }
                        machine.followed = agents;
                    }
                }
            }
            RequestKind::List => self.request_list(request.read()?, outbox),
            RequestKind::Pause | RequestKind::Resume | RequestKind::Step => {
                self.at_agent_or_all(&request, &[], outbox)?;
            }
            RequestKind::Past => self.at_agent_or_all(&request, &["agent"], outbox)?,
            RequestKind::Walk | RequestKind::Check | RequestKind::Test | RequestKind::Edit => {
                self.at_its_agent(&request, outbox)?;
            }
            RequestKind::Break | RequestKind::Watch => self.at_tree(&request, outbox)?,
            RequestKind::Rewind => self.rewind(request, outbox)?,
            RequestKind::RewindAll => self.at_all(&request, outbox),
            RequestKind::Overview => {
                let tree: Option<usize> = request.read()?;
                tree.map(|tree| self.has_tree(tree)).transpose()?;
                self.overview = tree;
                self.sent.remove("overview");
                for machine in self.machines.values_mut() {
                    machine.overview = None;
                    machine.send_overview(tree, outbox);
                }
            }
        }
        Ok(())
    }

    /// Selects an agent, or none.
    fn select(
        &mut self,
        request: &Request,
        outbox: &mut Vec<Outgoing>,
        updates: &mut Vec<String>,
    ) -> Result<(), String> {
        let key: Option<usize> = request.read()?;
        let before = self.selected.take().map(|key| Machine::of(key).0);
        let now = key.map(|key| Machine::of(key).0);
        let none = Request::new(RequestKind::Select, &None::<usize>);
        if let (Some(before), Some(none)) = (before.filter(|before| Some(*before) != now), none) {
            self.send(before, &none, outbox);
        }
        let (Some(key), Some(now)) = (key, now) else { return Ok(()) };
        if !self.machines.contains_key(&now) {
            updates.push(json!({ "lost": key }).to_string());
        }
        self.at_agent(request, &[], outbox)?;
        self.selected = Some(key);
        Ok(())
    }

    fn request_list(&mut self, listing: Listing, outbox: &mut Vec<Outgoing>) {
        let before = std::mem::replace(&mut self.listing, listing);
        let is_other = !self.listing.has_columns_of(&before);
        self.is_requested = true;
        for machine in self.machines.values_mut() {
            if is_other {
                machine.forget_cells();
            }
            machine.send_listing(&self.listing, outbox);
        }
    }

    /// Takes an agent back, or all agents: each machine has its own clock, so the others receive the time of day.
    fn rewind(&mut self, mut request: Request, outbox: &mut Vec<Outgoing>) -> Result<(), String> {
        let mut fields: Fields = request.read()?;
        let is_for_all = fields.get("all").is_some_and(|all| all.get() == "true");
        let at = fields.remove("at").filter(|at| is_for_all && at.get() != "null");
        request = Request::new(RequestKind::Rewind, &fields).unwrap_or(request);
        let of = self.at_its_agent(&request, outbox)?;
        if let Some(content) = at {
            let others = Request { kind: RequestKind::RewindAll, content };
            for machine in self.machines.values_mut().filter(|machine| machine.machine != of) {
                machine.send(&others, outbox);
            }
        }
        Ok(())
    }

    /// Returns the machine of an agent, and its key there.
    fn agent(&self, key: usize) -> Result<(Machine, usize), String> {
        let (machine, agent) = Machine::of(key);
        match self.machines.get(&machine) {
            None => Err(format!("unknown agent {key}")),
            Some(machine) if machine.is_gone => Err(format!("the machine `{}` is gone", machine.name)),
            Some(_) => Ok((machine, agent)),
        }
    }

    /// Checks that a machine has a tree.
    fn has_tree(&self, tree: usize) -> Result<(), String> {
        let is_there = self.machines.values().any(|machine| !machine.is_gone && machine.trees.machine(tree).is_some());
        is_there.then_some(()).ok_or_else(|| format!("no machine that is there has the tree {tree}"))
    }

    fn send(&mut self, machine: Machine, request: &Request, outbox: &mut Vec<Outgoing>) {
        if let Some(machine) = self.machines.get_mut(&machine) {
            machine.send(request, outbox);
        }
    }

    fn at_all(&mut self, request: &Request, outbox: &mut Vec<Outgoing>) {
        self.machines.values_mut().for_each(|machine| machine.send(request, outbox));
    }

    /// Sends a request to the machine of the agent at a path. Returns the machine; `None` without an agent.
    fn at_agent(
        &mut self,
        request: &Request,
        path: &[&str],
        outbox: &mut Vec<Outgoing>,
    ) -> Result<Option<Machine>, String> {
        let (key, content) = with_agent(&request.content, path)?;
        let Some(key) = key else { return Ok(None) };
        let (machine, _) = self.agent(key)?;
        self.send(machine, &Request { kind: request.kind, content }, outbox);
        Ok(Some(machine))
    }

    fn at_agent_or_all(&mut self, request: &Request, path: &[&str], outbox: &mut Vec<Outgoing>) -> Result<(), String> {
        if self.at_agent(request, path, outbox)?.is_none() {
            self.at_all(request, outbox);
        }
        Ok(())
    }

    fn at_its_agent(&mut self, request: &Request, outbox: &mut Vec<Outgoing>) -> Result<Machine, String> {
        let machine = self.at_agent(request, &["agent"], outbox)?;
        machine.ok_or_else(|| invalid("expected the key of an agent"))
    }

    /// Sends a request to all machines that have its tree, or to that of its agent.
    fn at_tree(&mut self, request: &Request, outbox: &mut Vec<Outgoing>) -> Result<(), String> {
        let what = request.kind.set().unwrap_or_default();
        let (agent, content) = with_agent(&request.content, &[what, "agent"])?;
        let only = agent.map(|key| self.agent(key)).transpose()?;
        let (tree, _) = with_tree(&content, |tree| tree)?;
        self.has_tree(tree)?;
        for machine in self.machines.values_mut() {
            if only.is_none_or(|(only, _)| only == machine.machine)
                && let Some(key) = machine.trees.machine(tree)
            {
                let (_, content) = with_tree(&content, |_| key)?;
                machine.send(&Request { kind: request.kind, content }, outbox);
            }
        }
        Ok(())
    }
}

/// Replaces the key of an agent by that at its machine. Returns the key that was there, too, if there was one.
fn with_agent(content: &RawValue, path: &[&str]) -> Result<(Option<usize>, Box<RawValue>), String> {
    with_key(content, path, |key| Machine::of(key).1).ok_or_else(|| invalid("expected the key of an agent"))
}

/// Replaces the key of the tree. Returns the key that was there, too.
fn with_tree(content: &RawValue, key: impl Fn(usize) -> usize) -> Result<(usize, Box<RawValue>), String> {
    let (before, content) = with_key(content, &["tree"], key).unwrap_or((None, content.to_owned()));
    before.map(|before| (before, content)).ok_or_else(|| invalid("expected the key of a tree"))
}
