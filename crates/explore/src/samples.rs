//! Ticks that are repeated at the end, on agents that were never copied.

use std::hash::Hash;

use bt_core::{Node, Save};
use hashbrown::HashMap;

use crate::choices::Script;
use crate::key::Keys;
use crate::live::Live;
use crate::states::States;
use crate::subject::Subject;
use crate::watch::Moment;

/// A tick that was explored.
pub(crate) struct Sample {
    pub(crate) state: u32,
    /// The hash of the state.
    pub(crate) before: u128,
    pub(crate) choices: Vec<u16>,
    pub(crate) events: Vec<Moment>,
    /// The hash of the next state.
    pub(crate) next: u128,
}

/// Ticks at equal distances.
pub(crate) struct Samples {
    all: Vec<Sample>,
    /// The number of ticks that could have been samples.
    ticks: usize,
    /// The distance between two samples.
    every: usize,
}

/// The greatest number of samples.
const MAX: usize = 64;
/// The number of ticks that small explorations repeat. A counter that all agents share is in another state after some of them.
const TICKS: u64 = 1000;

impl Default for Samples {
    fn default() -> Self {
        Self { all: Vec::new(), ticks: 0, every: 1 }
    }
}

impl Samples {
    /// Returns `true` if the next tick is a sample.
    pub(crate) const fn takes_next(&mut self) -> bool {
        let takes = self.ticks.is_multiple_of(self.every);
        self.ticks += 1;
        takes
    }

    pub(crate) fn add(&mut self, sample: Sample) {
        self.all.push(sample);
        if self.all.len() > MAX {
            self.every *= 2;
            let mut index = 0;
            self.all.retain(|_| {
                index += 1;
                index % 2 == 1
            });
        }
    }

    /// Repeats ticks on agents that are not copied. What a copy lacks or shares appears as a different run.
    ///
    /// # Errors
    ///
    /// Returns an error if a run differs.
    pub(crate) fn confirm<N: Node<C> + Save, C: Clone + Hash>(
        &self,
        subject: &mut Subject<'_, N, C>,
        states: &States,
        keys: &mut Keys,
        transitions: u64,
    ) -> Result<(), &'static str> {
        let mut runs = Runs { subject, keys, ticks: 0 };
        let most = TICKS.max(transitions / 8);
        let is_same = self.all.iter().all(|sample| {
            runs.ticks > most
                || runs.follow(&states.path(sample.state)).is_some_and(|agent| runs.repeat(sample, agent).is_some())
        });
        if is_same && self.walk(&mut runs) {
            return Ok(());
        }
        Err(
            "a copy of an agent must behave like the agent: a run of one agent differs from the same run of copies\nhelp: everything that a tick depends on must be in the context, the memory or a choice, and `Clone` must copy all of it: no statics, no shared counters, no futures",
        )
    }

    /// Repeats ticks one after the other, in longer runs. Returns whether all are the same.
    fn walk<N: Node<C> + Save, C: Clone + Hash>(&self, runs: &mut Runs<'_, '_, N, C>) -> bool {
        let mut known = HashMap::<u128, Vec<&Sample>>::new();
        for sample in &self.all {
            known.entry(sample.before).or_default().push(sample);
        }
        runs.ticks = 0;
        let mut taken = 0;
        while runs.ticks < TICKS {
            let Some(mut agent) = runs.follow(&[]) else { return false };
            let Some(mut sample) = self.all.first() else { return true };
            while runs.ticks < TICKS {
                let Some(next) = runs.repeat(sample, agent) else { return false };
                let Some(found) = known.get(&sample.next) else { break };
                taken += 1;
                (agent, sample) = (next, found[taken % found.len()]);
            }
        }
        true
    }
}

/// Runs of agents that are not copied.
struct Runs<'r, 'p, N: Save, C> {
    subject: &'r mut Subject<'p, N, C>,
    keys: &'r mut Keys,
    ticks: u64,
}

impl<N: Node<C> + Save, C: Clone + Hash> Runs<'_, '_, N, C> {
    /// Returns an agent after ticks with these choices; `None` if one of them panics.
    fn follow(&mut self, path: &[Vec<u16>]) -> Option<Live<N, C>> {
        let mut agent = Live::first(self.subject);
        for choices in path {
            self.tick(&mut agent, choices)?;
        }
        Some(agent)
    }

    /// Ticks an agent in the state of a sample. Returns it if state and tick are those of the sample.
    fn repeat(&mut self, sample: &Sample, mut agent: Live<N, C>) -> Option<Live<N, C>> {
        let is_there = self.hash(&agent) == Some(sample.before);
        let events = self.tick(&mut agent, &sample.choices)?;
        (is_there && events == sample.events && self.hash(&agent) == Some(sample.next)).then_some(agent)
    }

    fn tick(&mut self, agent: &mut Live<N, C>, choices: &[u16]) -> Option<Vec<Moment>> {
        let Subject { tree, setup, watch, .. } = &mut *self.subject;
        self.ticks += 1;
        watch.begin_tick(&agent.open, &agent.machines);
        let tick = agent.tick(tree, setup, &mut Script::of(choices), watch);
        agent.settle(tree, setup, watch);
        tick.status.ok().map(|_| std::mem::take(&mut watch.events))
    }

    fn hash(&mut self, agent: &Live<N, C>) -> Option<u128> {
        self.keys.hash::<C, N>(&agent.ctx, &agent.memory, &[]).ok()
    }
}
