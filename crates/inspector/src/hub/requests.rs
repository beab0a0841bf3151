//! The requests of a page of the hub: each goes to the machines that it is about.

use super::page::HubPage;
use super::rollouts::Rollouts;
use super::{Machine, Outgoing};
use crate::protocol::{Listing, Request, Update, error};
use crate::state::{Breakpoint, Watch};

impl HubPage {
    /// Parses and handles a request. Errors are added to `updates`.
    pub(super) fn request(
        &mut self,
        message: &str,
        rollouts: &mut Rollouts,
        outbox: &mut Vec<Outgoing>,
        updates: &mut Vec<String>,
    ) {
        if self.edit(message, rollouts, outbox, updates) {
            return;
        }
        let result = Request::parse(message).and_then(|request| self.handle(request, outbox, updates));
        updates.extend(result.err().map(|reason| error(&reason)));
    }

    fn handle(
        &mut self,
        request: Request,
        outbox: &mut Vec<Outgoing>,
        updates: &mut Vec<String>,
    ) -> Result<(), String> {
        self.is_changed = true;
        if request.is_hold() {
            self.holds += 1;
        }
        match request {
            Request::Select(key) => self.select(key, outbox, updates)?,
            Request::Follow(keys) => {
                for machine in self.machines.values_mut() {
                    let of = keys.iter().map(|key| Machine::of(*key)).filter(|(of, _)| *of == machine.machine);
                    let agents: Vec<_> = of.map(|(_, agent)| agent).collect();
                    if agents != machine.followed {
                        machine.send(&Request::Follow(agents.clone()), outbox);
                        machine.followed = agents;
                    }
                }
            }
            Request::List(listing) => self.request_list(listing, outbox),
            Request::Pause(None) | Request::Resume(None) | Request::Step(None) | Request::Past { agent: None, .. } => {
                self.machines.values_mut().for_each(|machine| machine.send(&request, outbox));
            }
            Request::Pause(Some(key)) => self.at_agent(key, |agent| Request::Pause(Some(agent)), outbox)?,
            Request::Resume(Some(key)) => self.at_agent(key, |agent| Request::Resume(Some(agent)), outbox)?,
            Request::Step(Some(key)) => self.at_agent(key, |agent| Request::Step(Some(agent)), outbox)?,
            Request::Walk { agent: key, how } => self.at_agent(key, |agent| Request::Walk { agent, how }, outbox)?,
            Request::Break { tree, breakpoint } => {
                let only = breakpoint.agent.map(|key| self.agent(key)).transpose()?;
                self.has_tree(tree)?;
                self.at_tree(tree, only, outbox, |tree, agent| {
                    let breakpoint = Breakpoint { agent, ..breakpoint.clone() };
                    Request::Break { tree, breakpoint }
                });
            }
            Request::Watch { tree, watch, remove } => {
                let only = watch.agent.map(|key| self.agent(key)).transpose()?;
                self.has_tree(tree)?;
                self.at_tree(tree, only, outbox, |tree, agent| {
                    let watch = Watch { agent, ..watch.clone() };
                    Request::Watch { tree, watch, remove }
                });
            }
            Request::Check { agent: key, expression, condition } => {
                self.at_agent(key, |agent| Request::Check { agent, expression, condition }, outbox)?;
            }
            Request::Past { agent: Some(key), every } => {
                self.at_agent(key, |agent| Request::Past { agent: Some(agent), every }, outbox)?;
            }
            Request::Rewind { agent: key, tick, all, at } => {
                self.at_agent(key, |agent| Request::Rewind { agent, tick, all, at: None }, outbox)?;
                // Each machine has its own clock.
                if let Some(at) = at.filter(|_| all) {
                    let others = self.machines.values_mut().filter(|machine| machine.machine != Machine::of(key).0);
                    others.for_each(|machine| machine.send(&Request::RewindAll(at), outbox));
                }
            }
            Request::RewindAll(_) => self.machines.values_mut().for_each(|machine| machine.send(&request, outbox)),
            Request::Test { agent: key, from, to } => {
                self.at_agent(key, |agent| Request::Test { agent, from, to }, outbox)?;
            }
            Request::Overview(tree) => {
                tree.map(|tree| self.has_tree(tree)).transpose()?;
                self.overview = tree;
                self.sent.remove("overview");
                for machine in self.machines.values_mut() {
                    machine.overview = None;
                    let tree = tree.and_then(|tree| machine.trees.machine(tree));
                    machine.send(&Request::Overview(tree), outbox);
                }
            }
            Request::Edit { agent: key, path, value } => {
                self.at_agent(key, |agent| Request::Edit { agent, path, value }, outbox)?;
            }
        }
        Ok(())
    }

    /// Selects an agent, or none.
    fn select(
        &mut self,
        key: Option<usize>,
        outbox: &mut Vec<Outgoing>,
        updates: &mut Vec<String>,
    ) -> Result<(), String> {
        let before = self.selected.take().map(|key| Machine::of(key).0);
        let now = key.map(|key| Machine::of(key).0);
        if let Some(before) = before.filter(|before| Some(*before) != now) {
            self.send(before, &Request::Select(None), outbox);
        }
        let (Some(key), Some(now)) = (key, now) else { return Ok(()) };
        if !self.machines.contains_key(&now) {
            updates.push(Update::Lost(key).text());
        }
        self.at_agent(key, |agent| Request::Select(Some(agent)), outbox)?;
        self.selected = Some(key);
        Ok(())
    }

    fn request_list(&mut self, listing: Listing, outbox: &mut Vec<Outgoing>) {
        let before = std::mem::replace(&mut self.listing, listing);
        let is_other = self.listing.columns != before.columns;
        self.is_requested = true;
        for machine in self.machines.values_mut() {
            if is_other {
                machine.forget_cells();
            }
            machine.send(&Request::List(machine.listing(&self.listing)), outbox);
        }
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

    /// Sends a request to the machine of an agent.
    fn at_agent(
        &mut self,
        key: usize,
        request: impl FnOnce(usize) -> Request,
        outbox: &mut Vec<Outgoing>,
    ) -> Result<(), String> {
        let (machine, agent) = self.agent(key)?;
        self.send(machine, &request(agent), outbox);
        Ok(())
    }

    /// Sends a request to all machines that have a tree, or to that of one agent.
    fn at_tree(
        &mut self,
        tree: usize,
        only: Option<(Machine, usize)>,
        outbox: &mut Vec<Outgoing>,
        request: impl Fn(usize, Option<usize>) -> Request,
    ) {
        for machine in self.machines.values_mut() {
            if only.is_none_or(|(only, _)| only == machine.machine)
                && let Some(tree) = machine.trees.machine(tree)
            {
                machine.send(&request(tree, only.map(|(_, agent)| agent)), outbox);
            }
        }
    }
}
