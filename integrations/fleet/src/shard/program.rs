//! The agents that a process has, and what it does when the keeper gives or takes one. Without a network and without trees.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use crate::lock::lock;
use crate::shard::lease::Lease;
use crate::shard::member::{Command, Connection, Member};
use crate::shard::message::{Action, Arrival, Epoch, Owned, State, Taken};

/// How agents become bytes.
pub(crate) trait Codec {
    type Agent;

    fn load(&mut self, name: &str, data: &[u8]) -> Result<Self::Agent, String>;

    fn save(&self, agent: &Self::Agent) -> Result<Vec<u8>, String>;
}

/// What happened to an agent of a [`Sharded`](crate::Sharded) herd in this process.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum ShardEvent {
    /// An agent has arrived, and is ticked here.
    #[non_exhaustive]
    Arrived {
        /// Its name.
        agent: String,
        /// Where it comes from.
        arrival: Arrival,
        /// The number of its ticks so far.
        ticks: u64,
    },
    /// An agent was handed over to another process.
    #[non_exhaustive]
    Left {
        /// Its name.
        agent: String,
    },
    /// This process was cut off for longer than its lease, and the agent continues elsewhere from a snapshot.
    #[non_exhaustive]
    Dropped {
        /// Its name.
        agent: String,
        /// The number of its ticks, of which those after the snapshot are lost.
        ticks: u64,
    },
    /// An agent was not added or moved, or cannot be loaded or saved in this process. While it cannot be saved, it stays, and there are no snapshots of it.
    #[non_exhaustive]
    Refused {
        /// Its name.
        agent: String,
        /// Why.
        reason: String,
    },
}

/// An agent, and where it is in its life.
pub(crate) struct Hosted<A> {
    pub(crate) epoch: Epoch,
    pub(crate) ticks: u64,
    pub(crate) value: A,
    /// Its clock when it arrived, and when that was.
    clock: Duration,
    arrived: Duration,
    /// When the last snapshot was taken, after how many ticks, and for which connection.
    saved_at: Duration,
    saved_ticks: u64,
    saved_on: Connection,
}

impl<A> Hosted<A> {
    fn new(Taken { owned, state, .. }: &Taken, value: A, now: Duration) -> Self {
        let State { ticks, clock, .. } = *state;
        Self {
            epoch: owned.epoch,
            ticks,
            value,
            clock,
            arrived: now,
            saved_at: now,
            saved_ticks: ticks,
            // The keeper that has given it has its state.
            saved_on: Connection { term: owned.epoch.term, number: 0 },
        }
    }

    /// Returns the time of its clock.
    pub(crate) fn now(&self, now: Duration) -> Duration {
        self.clock + now.saturating_sub(self.arrived)
    }

    fn state(&self, data: Vec<u8>, now: Duration) -> State {
        State { ticks: self.ticks, clock: self.now(now), data }
    }
}

pub(crate) struct Program<C: Codec> {
    pub(crate) codec: C,
    agents: BTreeMap<String, Hosted<C::Agent>>,
    lease: Lease,
    /// The agents that are to be handed over as soon as they can be saved, and whether it was told that they cannot.
    saving: BTreeMap<Owned, bool>,
    snapshot_interval: Duration,
}

impl<C: Codec> Program<C> {
    pub(crate) fn new(codec: C, snapshot_interval: Duration) -> Self {
        Self { codec, agents: BTreeMap::new(), lease: Lease::default(), saving: BTreeMap::new(), snapshot_interval }
    }

    /// Does what the keeper has told since the last call, and sends snapshots that are due.
    pub(crate) fn update(&mut self, member: &Mutex<Member>, now: Duration) -> Vec<ShardEvent> {
        let (commands, connection) = {
            let mut member = lock(member);
            self.lease = member.lease();
            (member.commands(), member.connection())
        };
        let mut events = Vec::new();
        for command in commands {
            match command {
                Command::Load(taken) => self.load(member, taken, now, &mut events),
                Command::Save(owned) => _ = self.saving.entry(owned).or_insert(false),
                Command::Drop(owned, has_copy) => {
                    let Some(hosted) = self.take(&owned) else { continue };
                    events.push(ShardEvent::Dropped { agent: owned.agent.clone(), ticks: hosted.ticks });
                    if let (true, Ok(data)) = (has_copy, self.codec.save(&hosted.value)) {
                        lock(member).keep_copy(owned, hosted.state(data, now));
                    }
                }
                Command::Renew(owned, epoch) => {
                    if let Some(hosted) = self.agents.get_mut(&owned.agent).filter(|one| one.epoch == owned.epoch) {
                        hosted.epoch = epoch;
                    }
                }
                Command::Refused { agent, reason } => events.push(ShardEvent::Refused { agent, reason }),
            }
        }
        self.hand_over(member, now, &mut events);
        if let Some(connection) = connection {
            self.take_snapshots(member, connection, now);
        }
        events
    }

    /// Removes an agent if it is here in this epoch.
    fn take(&mut self, owned: &Owned) -> Option<Hosted<C::Agent>> {
        self.agents.get(&owned.agent).filter(|hosted| hosted.epoch == owned.epoch)?;
        self.agents.remove(&owned.agent)
    }

    fn load(&mut self, member: &Mutex<Member>, taken: Taken, now: Duration, events: &mut Vec<ShardEvent>) {
        let agent = taken.owned.agent.clone();
        match self.codec.load(&agent, &taken.state.data) {
            Ok(value) => {
                let hosted = Hosted::new(&taken, value, now);
                let (arrival, ticks) = (taken.arrival, hosted.ticks);
                self.agents.insert(agent.clone(), hosted);
                lock(member).request(Action::Take(taken.owned));
                events.push(ShardEvent::Arrived { agent, arrival, ticks });
            }
            Err(reason) => {
                lock(member).refuse(&taken.owned, taken.state, reason.clone());
                events.push(ShardEvent::Refused { agent, reason });
            }
        }
    }

    fn hand_over(&mut self, member: &Mutex<Member>, now: Duration, events: &mut Vec<ShardEvent>) {
        for (owned, is_told) in std::mem::take(&mut self.saving) {
            let Some(hosted) = self.agents.get(&owned.agent).filter(|hosted| hosted.epoch == owned.epoch) else {
                continue;
            };
            match self.codec.save(&hosted.value) {
                Ok(data) => {
                    let (state, agent) = (hosted.state(data, now), owned.agent.clone());
                    if lock(member).release(&owned, state) {
                        self.agents.remove(&agent);
                        events.push(ShardEvent::Left { agent });
                    }
                }
                Err(reason) => {
                    if !is_told {
                        events.push(ShardEvent::Refused { agent: owned.agent.clone(), reason });
                    }
                    self.saving.insert(owned, true);
                }
            }
        }
    }

    fn take_snapshots(&mut self, member: &Mutex<Member>, connection: Connection, now: Duration) {
        let mut snapshots = Vec::new();
        for (agent, hosted) in &mut self.agents {
            let is_saved = hosted.ticks == hosted.saved_ticks && hosted.saved_on == connection;
            // A keeper that is new has nothing: without a snapshot, the agent would be lost with this process.
            let is_due = now >= hosted.saved_at + self.snapshot_interval || hosted.saved_on.term != connection.term;
            if is_saved || !is_due {
                continue;
            }
            (hosted.saved_at, hosted.saved_ticks, hosted.saved_on) = (now, hosted.ticks, connection);
            // What cannot be saved now can be saved later.
            if let Ok(data) = self.codec.save(&hosted.value) {
                let owned = Owned { agent: agent.clone(), epoch: hosted.epoch };
                snapshots.push((owned, hosted.state(data, now)));
            }
        }
        if !snapshots.is_empty() {
            lock(member).snapshots(snapshots);
        }
    }

    /// Calls a function with each agent while the lease holds. Returns how many were visited.
    pub(crate) fn for_each(
        &mut self,
        clock: impl Fn() -> Duration,
        mut call: impl FnMut(&C, &str, &mut Hosted<C::Agent>, Duration),
    ) -> usize {
        let mut visited = 0;
        for (name, hosted) in &mut self.agents {
            let now = clock();
            if !self.lease.holds(now) {
                break;
            }
            call(&self.codec, name, hosted, now);
            visited += 1;
        }
        visited
    }

    pub(crate) fn agents(&self) -> &BTreeMap<String, Hosted<C::Agent>> {
        &self.agents
    }

    pub(crate) fn is_leased(&self, now: Duration) -> bool {
        self.lease.holds(now)
    }

    /// Ends an agent. Returns it, or `None` if it is not here.
    pub(crate) fn remove(&mut self, member: &Mutex<Member>, agent: &str) -> Option<Hosted<C::Agent>> {
        let epoch = self.agents.get(agent)?.epoch;
        let is_owned = lock(member).remove(&Owned { agent: agent.to_owned(), epoch });
        if is_owned { self.agents.remove(agent) } else { None }
    }
}
