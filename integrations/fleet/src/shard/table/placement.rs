//! Which process gets which agent.

use std::sync::Arc;
use std::time::Duration;

use super::{Entry, Goal, Pin, Process, Step, Table};
use crate::shard::message::{Arrival, Owned, Taken};

/// The maximum number of agents that one process hands over at once, when agents are balanced.
const MAX_MOVING: usize = 256;

impl Table {
    /// Gives agents without an owner to processes. Returns the names of those that cannot continue, since nothing is known of them but their names.
    pub(crate) fn recover(&mut self, now: Duration) -> Vec<String> {
        let mut lost = Vec::new();
        self.orphans.retain(|agent| {
            let has_state = self.agents.get(agent).is_some_and(|entry| entry.state.is_some());
            if !has_state {
                lost.push(agent.to_string());
            }
            has_state
        });
        if self.by_load.is_empty() {
            return lost;
        }
        for agent in self.orphans.clone() {
            let Some(Entry { state: Some((_, at)), is_lost, arrival, .. }) = self.agents.get(&agent) else { continue };
            let arrival = if *is_lost { Arrival::Recovered { age: now.saturating_sub(*at) } } else { *arrival };
            self.assign(&agent, arrival);
        }
        lost
    }

    /// Moves agents from processes that have many to those that have few. Afterwards, and after the hand-overs, they differ by at most an eighth of the average.
    pub(crate) fn balance(&mut self) {
        if self.by_load.len() < 2 {
            return;
        }
        let average = self.by_load.iter().map(|(load, _)| load).sum::<usize>() / self.by_load.len();
        let allowed = 1 + average / 8;
        let mut sources: Vec<_> = self.by_load.iter().rev().map(|(_, process)| *process).collect();
        sources.truncate(sources.len() - 1);
        for source in sources {
            loop {
                let (Some(load), Some((least, to))) = (self.processes.get(&source), self.by_load.first().copied())
                else {
                    return;
                };
                let moving = load.agents.len().saturating_sub(load.expected);
                if load.expected <= least + allowed || moving >= MAX_MOVING {
                    break;
                }
                let refused = |agent: &Arc<str>| self.agents.get(agent).is_none_or(|e| e.refused_by.contains(&to));
                let Some(agent) = load.movable.iter().find(|agent| !refused(agent)).cloned() else { break };
                self.set_goal(&agent, Goal::To(to, false));
            }
        }
    }

    /// Gives an agent without an owner to the process that has the fewest.
    pub(super) fn assign(&mut self, agent: &Arc<str>, arrival: Arrival) {
        let Some(entry) = self.agents.get(agent) else { return };
        let free = self.by_load.iter().map(|(_, process)| *process).find(|one| !entry.refused_by.contains(one));
        match free {
            Some(process) => self.give(agent, process, arrival, false),
            None => _ = self.orphans.insert(Arc::clone(agent)),
        }
    }

    /// Gives an agent without an owner to a process, in a new epoch.
    pub(super) fn give(&mut self, agent: &Arc<str>, to: Process, arrival: Arrival, pin: Pin) {
        let epoch = self.next_epoch();
        let Some(entry) = self.agents.get_mut(agent) else { return };
        let Some((state, _)) = &entry.state else { return };
        (entry.epoch, entry.was) = (epoch, None);
        (entry.owner, entry.is_taken, entry.arrival, entry.is_lost) = (Some(to), false, arrival, false);
        let owned = Owned { agent: agent.to_string(), epoch: entry.epoch };
        self.steps.push((to, Step::Take(Taken { owned, state: state.clone(), arrival })));
        self.own(to, agent);
        if pin {
            self.set_goal(agent, Goal::StayHere);
        }
    }

    /// A process has an agent more.
    pub(super) fn own(&mut self, process: Process, agent: &Arc<str>) {
        self.orphans.remove(agent);
        if let Some(load) = self.processes.get_mut(&process) {
            load.agents.insert(Arc::clone(agent));
            load.movable.insert(Arc::clone(agent));
        }
        self.expect(process, 1);
    }

    /// A process has an agent less.
    pub(super) fn free(&mut self, process: Process, agent: &Arc<str>, goal: Goal) {
        if let Some(load) = self.processes.get_mut(&process) {
            load.agents.remove(agent);
            load.movable.remove(agent);
        }
        if let Some(process) = goal.expected_at(process) {
            self.expect(process, -1);
        }
    }

    /// Changes where an agent with an owner is to go. Its owner is asked to release it.
    pub(super) fn set_goal(&mut self, agent: &Arc<str>, goal: Goal) {
        let Some(entry) = self.agents.get_mut(agent) else { return };
        let Some(owner) = entry.owner else { return };
        let old = std::mem::replace(&mut entry.goal, goal);
        let owned = Owned { agent: agent.to_string(), epoch: entry.epoch };
        if let Some(process) = old.expected_at(owner) {
            self.expect(process, -1);
        }
        if let Some(process) = goal.expected_at(owner) {
            self.expect(process, 1);
        }
        if let Some(load) = self.processes.get_mut(&owner) {
            load.movable.remove(agent);
        }
        if goal.is_elsewhere() && !old.is_elsewhere() {
            self.steps.push((owner, Step::Release(owned)));
        }
    }

    /// A process expects more or fewer agents.
    pub(super) fn expect(&mut self, process: Process, change: isize) {
        let Some(load) = self.processes.get_mut(&process) else { return };
        let old = load.expected;
        load.expected = old.saturating_add_signed(change);
        if self.by_load.remove(&(old, process)) {
            self.by_load.insert((load.expected, process));
        }
    }

    pub(super) fn may_get(&self, process: Process) -> bool {
        self.processes.get(&process).is_some_and(|load| !load.is_leaving)
    }
}
