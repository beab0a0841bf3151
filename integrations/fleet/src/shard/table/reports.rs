//! What processes say that they have, after they have connected.

use std::sync::Arc;
use std::time::Duration;

use super::{Goal, Process, Report, Step, Table};
use crate::shard::message::{Owned, State, Taken};

impl Table {
    /// A process that has connected says that it owns an agent. If its lease was over, others may have owned it meanwhile, of which this keeper does not know: it begins a new
    /// epoch.
    pub(crate) fn report(&mut self, process: Process, owned: &Owned, is_leased: bool) -> Report {
        let is_removed = self.is_removed(owned);
        let agent = match self.agents.get_mut(owned.agent.as_str()) {
            None if is_removed => return Report::Lost,
            None => self.insert(&owned.agent, owned.epoch, None),
            Some(entry) if entry.owner == Some(process) && entry.epoch == owned.epoch => return Report::Keeps,
            Some(entry) if entry.owner == Some(process) && entry.was == Some(owned.epoch) => {
                return Report::Renewed(entry.epoch);
            }
            Some(entry)
                if entry.owner.is_some()
                    && !entry.is_taken
                    && entry.copy.is_none_or(|copy| copy == (process, owned.epoch)) =>
            {
                entry.copy = Some((process, owned.epoch));
                return Report::Copy;
            }
            Some(entry) if entry.owner.is_some() || owned.epoch < entry.epoch => return Report::Lost,
            Some(entry) => {
                if entry.epoch < owned.epoch {
                    // A state of an earlier epoch is older than what the process has.
                    entry.state = None;
                }
                Arc::from(owned.agent.as_str())
            }
        };
        let next = self.next_epoch();
        let Some(entry) = self.agents.get_mut(&agent) else { return Report::Lost };
        (entry.owner, entry.is_taken, entry.is_lost) = (Some(process), true, false);
        (entry.epoch, entry.was) = if is_leased { (owned.epoch, None) } else { (next, Some(owned.epoch)) };
        let copy = entry.copy.take();
        self.forget_copy(&agent, copy);
        self.own(process, &agent);
        if self.processes.get(&process).is_some_and(|load| load.is_leaving) {
            self.set_goal(&agent, Goal::Away);
        }
        if is_leased { Report::Keeps } else { Report::Renewed(next) }
    }

    /// A process that has connected has a copy of an agent. Returns whether it is needed.
    pub(crate) fn copy(&mut self, process: Process, owned: &Owned, state: State, now: Duration) -> bool {
        let Some(entry) = self.agents.get_mut(owned.agent.as_str()) else {
            if self.is_removed(owned) {
                return false;
            }
            let agent = self.insert(&owned.agent, owned.epoch, Some((state, now)));
            if let Some(entry) = self.agents.get_mut(&agent) {
                // Another process may have had it afterwards.
                (entry.copy, entry.is_lost) = (Some((process, owned.epoch)), true);
            }
            return true;
        };
        let is_newer = owned.epoch > entry.epoch
            || owned.epoch == entry.epoch && entry.state.as_ref().is_none_or(|(old, _)| old.ticks < state.ticks);
        if entry.owner.is_none() && is_newer {
            entry.epoch = owned.epoch;
            entry.state = Some((state, now));
            let old = entry.copy.replace((process, owned.epoch));
            self.forget_copy(&owned.agent, old);
            self.orphans.insert(Arc::from(owned.agent.as_str()));
            return true;
        }
        entry.copy == Some((process, owned.epoch))
    }

    /// What a process that has connected is to be told again: it has not said that it owns these.
    pub(crate) fn repeat(&mut self, process: Process, has: impl Fn(&str) -> bool) {
        let Some(load) = self.processes.get(&process) else { return };
        for agent in &load.agents {
            let Some(entry) = self.agents.get(agent) else { continue };
            let owned = Owned { agent: agent.to_string(), epoch: entry.epoch };
            if !has(agent) {
                // It was told so and did not hear it, so the state is the one at the begin of the epoch.
                if let Some((state, _)) = &entry.state {
                    let taken = Taken { owned: owned.clone(), state: state.clone(), arrival: entry.arrival };
                    self.steps.push((process, Step::Take(taken)));
                }
            }
            if entry.goal.is_elsewhere() {
                self.steps.push((process, Step::Release(owned)));
            }
        }
    }

    fn is_removed(&self, owned: &Owned) -> bool {
        owned.epoch.term == self.term || self.removed.get(&owned.agent).is_some_and(|epoch| owned.epoch <= *epoch)
    }
}
