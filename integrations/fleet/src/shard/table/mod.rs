//! All agents of a herd, who owns them, and where they are to go. Without connections and without time-outs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

mod placement;
mod reports;

use crate::shard::message::{Arrival, Epoch, Owned, State, Taken};

/// A process, by a number that is never used again.
pub(crate) type Process = u32;

/// What a process is to be told.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Step {
    Take(Taken),
    Release(Owned),
    Forget(Owned),
}

/// Where an agent is to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Goal {
    Stay,
    /// It has been moved here, and is not moved to balance processes.
    StayHere,
    /// It is handed over to this process.
    To(Process, Pin),
    /// It is handed over to any other process.
    Away,
}

impl Goal {
    const fn is_elsewhere(self) -> bool {
        matches!(self, Self::To(..) | Self::Away)
    }

    /// Returns the process that expects the agent, which `owner` has.
    const fn expected_at(self, owner: Process) -> Option<Process> {
        match self {
            Self::Stay | Self::StayHere => Some(owner),
            Self::To(target, _) => Some(target),
            Self::Away => None,
        }
    }
}

/// Whether an agent stays where it is moved to.
type Pin = bool;

/// What a process has that says so after it has connected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Report {
    Keeps,
    Renewed(Epoch),
    /// It is a copy until its new owner has taken it.
    Copy,
    Lost,
}

struct Entry {
    epoch: Epoch,
    /// The epoch before, which its owner may still use.
    was: Option<Epoch>,
    owner: Option<Process>,
    /// Whether its owner has said that it has it.
    is_taken: bool,
    /// The last snapshot, and when it came. `None` if the keeper was restarted and has not received one.
    state: Option<(State, Duration)>,
    /// Why its owner has it, or the next one will.
    arrival: Arrival,
    /// Whether its last owner is gone, with what it did after the snapshot.
    is_lost: bool,
    goal: Goal,
    /// The processes that cannot load it.
    refused_by: BTreeSet<Process>,
    /// Who has handed it over, and still has a copy.
    copy: Option<(Process, Epoch)>,
}

#[derive(Default)]
struct Load {
    agents: BTreeSet<Arc<str>>,
    /// Those that may be moved to balance processes.
    movable: BTreeSet<Arc<str>>,
    /// How many agents it has when all hand-overs are over.
    expected: usize,
    is_leaving: bool,
}

pub(crate) struct Table {
    term: u64,
    last_number: u64,
    agents: BTreeMap<Arc<str>, Entry>,
    processes: BTreeMap<Process, Load>,
    /// The processes that may get agents, by the number that they expect.
    by_load: BTreeSet<(usize, Process)>,
    /// Agents without an owner that may continue.
    orphans: BTreeSet<Arc<str>>,
    /// The epochs of agents that were removed, of earlier terms, which the epoch alone does not show.
    removed: BTreeMap<String, Epoch>,
    steps: Vec<(Process, Step)>,
}

impl Table {
    pub(crate) fn new(term: u64) -> Self {
        Self {
            term,
            last_number: 0,
            agents: BTreeMap::new(),
            processes: BTreeMap::new(),
            by_load: BTreeSet::new(),
            orphans: BTreeSet::new(),
            removed: BTreeMap::new(),
            steps: Vec::new(),
        }
    }

    /// Returns what processes are to be told, in order.
    pub(crate) fn steps(&mut self) -> Vec<(Process, Step)> {
        std::mem::take(&mut self.steps)
    }

    /// Returns the number of agents, and of those without an owner.
    #[cfg(test)]
    pub(crate) fn count(&self) -> (usize, usize) {
        (self.agents.len(), self.orphans.len())
    }

    pub(crate) fn join(&mut self, process: Process) {
        self.processes.insert(process, Load::default());
        self.by_load.insert((0, process));
    }

    /// Removes a process whose lease is over. Returns how many of its agents continue from a snapshot.
    pub(crate) fn gone(&mut self, process: Process) -> usize {
        let Some(load) = self.processes.remove(&process) else { return 0 };
        let mut continued = 0;
        self.by_load.remove(&(load.expected, process));
        for agent in &load.agents {
            let Some(entry) = self.agents.get_mut(agent) else { continue };
            let goal = std::mem::replace(&mut entry.goal, Goal::Stay);
            (entry.owner, entry.is_lost) = (None, true);
            continued += usize::from(entry.state.is_some());
            if let Goal::To(target, _) = goal {
                self.expect(target, -1);
            }
            self.orphans.insert(Arc::clone(agent));
        }
        continued
    }

    /// A process leaves: it hands over everything, and gets nothing more.
    pub(crate) fn leave(&mut self, process: Process) {
        let Some(load) = self.processes.get_mut(&process) else { return };
        load.is_leaving = true;
        self.by_load.remove(&(load.expected, process));
        for agent in load.agents.clone() {
            if self.agents.get(&agent).is_some_and(|entry| !entry.goal.is_elsewhere()) {
                self.set_goal(&agent, Goal::Away);
            }
        }
    }

    /// Adds a new agent. One that is lost is replaced: its process may still come back, but with an earlier epoch.
    pub(crate) fn add(&mut self, agent: &str, state: State, now: Duration) -> Result<(), String> {
        if self.agents.get(agent).is_some_and(|entry| entry.owner.is_some() || entry.state.is_some()) {
            return Err("there is an agent with this name".to_owned());
        }
        let agent = self.insert(agent, Epoch { term: self.term, number: 0 }, Some((state, now)));
        self.assign(&agent, Arrival::Added);
        Ok(())
    }

    /// Moves an agent to a process, and keeps it there.
    pub(crate) fn move_to(&mut self, agent: &str, to: Process) -> Result<(), String> {
        let Some((agent, entry)) = self.agents.get_key_value(agent) else {
            return Err("there is no agent with this name".to_owned());
        };
        if entry.refused_by.contains(&to) {
            return Err("the machine could not load the agent before".to_owned());
        }
        let agent = Arc::clone(agent);
        match entry.owner {
            Some(owner) if owner == to && !entry.goal.is_elsewhere() => {
                self.set_goal(&agent, Goal::StayHere);
            }
            Some(_) => self.set_goal(&agent, Goal::To(to, true)),
            None => return Err("no machine has the agent at present".to_owned()),
        }
        Ok(())
    }

    /// Removes an agent that has ended.
    pub(crate) fn remove(&mut self, process: Process, owned: &Owned) {
        if self.owned_by(process, owned).is_none() {
            return;
        }
        let Some((agent, entry)) = self.agents.remove_entry(owned.agent.as_str()) else { return };
        self.free(process, &agent, entry.goal);
        self.forget_copy(&agent, entry.copy);
        if owned.epoch.term < self.term {
            // Those that others may still have are of earlier terms.
            self.removed.insert(owned.agent.clone(), owned.epoch);
        }
    }

    /// A process has an agent that it was given.
    pub(crate) fn taken(&mut self, process: Process, owned: &Owned) {
        let Some(entry) = self.owned_by(process, owned) else { return };
        entry.is_taken = true;
        let copy = entry.copy.take();
        self.forget_copy(&owned.agent, copy);
    }

    /// A process cannot load an agent that it was given. Another one gets it.
    pub(crate) fn refused(&mut self, process: Process, owned: &Owned, state: State, now: Duration) {
        let Some(entry) = self.owned_by(process, owned) else { return };
        entry.refused_by.insert(process);
        // It did nothing there.
        self.handed_over(process, owned, state, now, false);
    }

    /// A process has handed an agent over.
    pub(crate) fn released(&mut self, process: Process, owned: &Owned, state: State, now: Duration) {
        self.handed_over(process, owned, state, now, true);
    }

    fn handed_over(&mut self, process: Process, owned: &Owned, state: State, now: Duration, has_copy: bool) {
        let Some(entry) = self.owned_by(process, owned) else {
            self.copy(process, owned, state, now);
            return;
        };
        entry.owner = None;
        if has_copy {
            entry.arrival = Arrival::Moved;
        }
        let arrival = entry.arrival;
        let was_newer = entry.state.as_ref().is_some_and(|(old, _)| old.ticks > state.ticks);
        if !was_newer {
            entry.state = Some((state, now));
        }
        let goal = std::mem::replace(&mut entry.goal, Goal::Stay);
        let old = if has_copy { entry.copy.replace((process, owned.epoch)) } else { None };
        let Some((agent, _)) = self.agents.get_key_value(owned.agent.as_str()) else { return };
        let agent = Arc::clone(agent);
        self.forget_copy(&agent, old);
        self.free(process, &agent, goal);
        match goal {
            Goal::To(to, pin) if self.may_get(to) => self.give(&agent, to, arrival, pin),
            _ => self.assign(&agent, arrival),
        }
    }

    /// Stores what an agent is now.
    pub(crate) fn snapshot(&mut self, process: Process, owned: &Owned, state: State, now: Duration) {
        if let Some(entry) = self.owned_by(process, owned) {
            entry.state = Some((state, now));
        }
    }

    fn insert(&mut self, agent: &str, epoch: Epoch, state: Option<(State, Duration)>) -> Arc<str> {
        let key = Arc::<str>::from(agent);
        let (arrival, goal, refused_by) = (Arrival::Added, Goal::Stay, BTreeSet::new());
        let entry = Entry {
            epoch,
            was: None,
            owner: None,
            is_taken: false,
            state,
            arrival,
            is_lost: false,
            goal,
            refused_by,
            copy: None,
        };
        self.agents.insert(Arc::clone(&key), entry);
        self.orphans.insert(Arc::clone(&key));
        key
    }

    fn next_epoch(&mut self) -> Epoch {
        self.last_number += 1;
        Epoch { term: self.term, number: self.last_number }
    }

    fn owned_by(&mut self, process: Process, owned: &Owned) -> Option<&mut Entry> {
        self.agents
            .get_mut(owned.agent.as_str())
            .filter(|entry| entry.owner == Some(process))
            .filter(|entry| entry.epoch == owned.epoch || entry.was == Some(owned.epoch))
    }

    fn forget_copy(&mut self, agent: &str, copy: Option<(Process, Epoch)>) {
        if let Some((process, epoch)) = copy {
            self.steps.push((process, Step::Forget(Owned { agent: agent.to_owned(), epoch })));
        }
    }
}
