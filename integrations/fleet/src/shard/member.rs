//! A process, as the keeper sees it: what it owns, what it has handed over, and what it asks. Without a network and without agents.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use crate::shard::lease::Lease;
use crate::shard::message::{
    Action, Epoch, KeeperSays, Owned, ProcessSays, Request, State, Taken, ToKeeper, ToProcess, parts,
};

/// How often a process says `Hello` until it is answered.
const HELLO_INTERVAL: Duration = Duration::from_millis(250);
/// Into how many parts beats divide a lease: one that is late costs nothing.
const BEATS: u32 = 4;

/// What the program is to do with an agent, in this order.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Command {
    Load(Taken),
    Save(Owned),
    /// Drops it. `true`: a copy is kept.
    Drop(Owned, bool),
    /// An agent is in a new epoch.
    Renew(Owned, Epoch),
    /// A request about an agent was refused.
    Refused {
        agent: String,
        reason: String,
    },
}

/// Where a connection is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// `Hello` is said at this time, again.
    Hello(Duration),
    /// The next beat is sent at this time.
    Welcome(Duration),
}

/// The epoch of an agent, and the one before if it was renewed, which the program may still use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Epochs {
    epoch: Epoch,
    was: Option<Epoch>,
}

/// A connection that a keeper has answered. A keeper that is new has another term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Connection {
    pub(crate) term: u64,
    pub(crate) number: u64,
}

pub(crate) struct Member {
    /// The term of the keeper to which the process speaks, and of the last one that has answered `Hello`.
    term: u64,
    welcomed: u64,
    connection: u64,
    stage: Stage,
    /// The number of the next message, in both directions.
    next_sent: u64,
    next_received: u64,
    /// The messages that ask for a lease, and when they were sent. Without an answer, the connection ends after a lease, and with it these.
    beats: VecDeque<(u64, Duration)>,
    lease_length: Duration,
    lease: Lease,
    owned: BTreeMap<String, Epochs>,
    copies: BTreeMap<String, (Epoch, State)>,
    requests: VecDeque<Request>,
    next_request: u64,
    /// The last request that this connection has carried.
    told: u64,
    commands: Vec<Command>,
    outgoing: Vec<ToKeeper>,
}

impl Member {
    /// Returns a process that owns nothing, and says `Hello` when it is first polled.
    pub(crate) fn new() -> Self {
        Self {
            term: 0,
            welcomed: 0,
            connection: 0,
            stage: Stage::Hello(Duration::ZERO),
            next_sent: 0,
            next_received: 0,
            beats: VecDeque::new(),
            lease_length: Duration::ZERO,
            lease: Lease::default(),
            owned: BTreeMap::new(),
            copies: BTreeMap::new(),
            requests: VecDeque::new(),
            next_request: 1,
            told: 0,
            commands: Vec::new(),
            outgoing: Vec::new(),
        }
    }

    /// Returns the lease of what the process owns after the commands so far.
    pub(crate) fn lease(&self) -> Lease {
        self.lease.clone()
    }

    /// Returns the present connection.
    pub(crate) fn connection(&self) -> Option<Connection> {
        let connection = Connection { term: self.term, number: self.connection };
        matches!(self.stage, Stage::Welcome(_)).then_some(connection)
    }

    /// Returns what the program is to do.
    pub(crate) fn commands(&mut self) -> Vec<Command> {
        std::mem::take(&mut self.commands)
    }

    /// Returns whether everything that was asked is done.
    pub(crate) fn is_done(&self) -> bool {
        self.requests.is_empty()
    }

    /// Returns the agents that were handed over without a confirmation of the keeper.
    pub(crate) fn unconfirmed(&self) -> impl Iterator<Item = &str> {
        self.requests.iter().filter_map(|request| match &request.action {
            Action::Release(owned, _) => Some(owned.agent.as_str()),
            _ => None,
        })
    }

    pub(crate) fn request(&mut self, action: Action) {
        let number = self.next_request;
        self.next_request += 1;
        self.requests.push_back(Request { number, action });
    }

    /// Hands an agent over: it was saved, and is not ticked here anymore. Returns `false` if the process does not own it.
    pub(crate) fn release(&mut self, owned: &Owned, state: State) -> bool {
        let Some(owned) = self.give_up(owned) else { return false };
        self.copies.insert(owned.agent.clone(), (owned.epoch, state.clone()));
        self.request(Action::Release(owned, state));
        true
    }

    /// Keeps what an agent was when the process lost it.
    pub(crate) fn keep_copy(&mut self, Owned { agent, epoch }: Owned, state: State) {
        self.copies.insert(agent, (epoch, state));
    }

    /// Returns an agent that cannot be loaded.
    pub(crate) fn refuse(&mut self, owned: &Owned, state: State, reason: String) {
        if let Some(owned) = self.give_up(owned) {
            self.request(Action::Refuse { owned, state, reason });
        }
    }

    /// Ends an agent. Returns `false` if the process does not own it.
    pub(crate) fn remove(&mut self, owned: &Owned) -> bool {
        let Some(owned) = self.give_up(owned) else { return false };
        self.request(Action::Remove(owned));
        true
    }

    /// Sends what agents are now. Snapshots that cannot be sent are left out: the next ones replace them.
    pub(crate) fn snapshots(&mut self, mut snapshots: Vec<(Owned, State)>) {
        snapshots.retain(|(owned, _)| self.current(owned).is_some());
        if matches!(self.stage, Stage::Welcome(_)) {
            for part in parts(snapshots, |(_, state)| Some(state)) {
                self.send(ProcessSays::Snapshots(part));
            }
        }
    }

    /// Returns the epoch of an agent that the process owns.
    fn current(&self, owned: &Owned) -> Option<Epoch> {
        let epochs = self.owned.get(&owned.agent)?;
        (epochs.epoch == owned.epoch || epochs.was == Some(owned.epoch)).then_some(epochs.epoch)
    }

    /// The process does not own an agent anymore. Returns it in its epoch.
    fn give_up(&mut self, owned: &Owned) -> Option<Owned> {
        let epoch = self.current(owned)?;
        self.owned.remove(&owned.agent);
        Some(Owned { agent: owned.agent.clone(), epoch })
    }

    /// Returns the messages that are to be sent. Call it often compared with a lease.
    pub(crate) fn poll(&mut self, now: Duration) -> Vec<ToKeeper> {
        match self.stage {
            Stage::Hello(at) if now >= at => {
                // Who has a greater term and does not answer may be no keeper. One that is repeats its term.
                self.term = self.welcomed;
                self.hello(now);
            }
            // The keeper is silent, or was replaced.
            Stage::Welcome(_) if !self.lease.holds(now) => self.hello(now),
            Stage::Welcome(at) => {
                let first = self.requests.partition_point(|request| request.number <= self.told);
                self.told = self.next_request - 1;
                for part in parts(self.requests.range(first..).cloned().collect(), Request::state) {
                    self.send(ProcessSays::Requests(part));
                }
                if now >= at {
                    self.beats.push_back((self.next_sent, now));
                    self.send(ProcessSays::Beat);
                    self.stage = Stage::Welcome(now + self.lease_length / BEATS);
                }
            }
            Stage::Hello(_) => {}
        }
        std::mem::take(&mut self.outgoing)
    }

    /// Begins a new connection. What was sent on the last one and is not answered may be lost.
    fn hello(&mut self, now: Duration) {
        self.connection += 1;
        (self.next_sent, self.next_received) = (0, 0);
        self.outgoing.clear();
        // The keeper repeats what is to be handed over.
        self.commands.retain(|command| !matches!(command, Command::Save(_)));
        self.beats = VecDeque::from([(0, now)]);
        self.stage = Stage::Hello(now + HELLO_INTERVAL);
        self.told = self.next_request - 1;
        let owned = |(agent, epochs): (&String, &Epochs)| Owned { agent: agent.clone(), epoch: epochs.epoch };
        let copy = |(agent, (epoch, state)): (&String, &(Epoch, State))| {
            (Owned { agent: agent.clone(), epoch: *epoch }, state.clone())
        };
        self.send(ProcessSays::Hello {
            term: self.term,
            is_leased: self.lease.holds(now),
            owned: self.owned.iter().map(owned).collect(),
            copies: self.copies.iter().map(copy).collect(),
            requests: self.requests.iter().cloned().collect(),
        });
    }

    fn send(&mut self, body: ProcessSays) {
        self.outgoing.push(ToKeeper { connection: self.connection, number: self.next_sent, body });
        self.next_sent += 1;
    }

    /// Handles a message of a keeper.
    pub(crate) fn received(&mut self, now: Duration, ToProcess { term, connection, number, body }: ToProcess) {
        if term > self.term {
            self.term = term;
            return self.hello(now);
        }
        if term < self.term || connection != self.connection {
            return;
        }
        if body == KeeperSays::Again {
            return self.hello(now);
        }
        if number < self.next_received {
            return;
        }
        let is_welcome = matches!(body, KeeperSays::Welcome { .. });
        if number > self.next_received || is_welcome != (number == 0) {
            return self.hello(now);
        }
        self.next_received += 1;
        match body {
            KeeperSays::Welcome { lease, dropped, renewed, forget } => {
                for (owned, has_copy) in dropped {
                    match self.give_up(&owned) {
                        Some(owned) => self.commands.push(Command::Drop(owned, has_copy)),
                        None => self.forget(vec![owned]),
                    }
                }
                for (owned, epoch) in renewed {
                    self.renew(owned, epoch);
                }
                self.forget(forget);
                (self.welcomed, self.lease_length) = (term, lease);
                // The lease of what has been dropped is never extended.
                self.lease = Lease::until(self.beats.front().map_or(now, |(_, sent)| *sent) + lease);
                self.stage = Stage::Welcome(now);
            }
            KeeperSays::Lease { beat, done } => {
                self.done(done);
                if let Some((_, sent)) = self.beats.iter().find(|(number, _)| *number == beat) {
                    self.lease.extend(*sent + self.lease_length);
                }
                self.beats.retain(|(number, _)| *number > beat);
            }
            KeeperSays::Refused { request, reason } => {
                if let Some(agent) = self.requests.iter().find(|asked| asked.number == request).and_then(agent_of) {
                    self.commands.push(Command::Refused { agent: agent.to_owned(), reason });
                }
            }
            KeeperSays::Take(all) => {
                for taken in all {
                    self.take(taken);
                }
            }
            KeeperSays::Release(all) => self.commands.extend(all.into_iter().map(Command::Save)),
            KeeperSays::Forget(all) => self.forget(all),
            KeeperSays::Again => {}
        }
    }

    fn take(&mut self, taken: Taken) {
        let Owned { agent, epoch } = &taken.owned;
        if self.owned.get(agent).is_none_or(|old| old.epoch < *epoch) {
            self.owned.insert(agent.clone(), Epochs { epoch: *epoch, was: None });
            self.commands.push(Command::Load(taken));
        }
    }

    fn renew(&mut self, owned: Owned, epoch: Epoch) {
        if self.current(&owned) == Some(owned.epoch) {
            self.owned.insert(owned.agent.clone(), Epochs { epoch, was: Some(owned.epoch) });
            self.commands.push(Command::Renew(owned, epoch));
        }
    }

    fn forget(&mut self, all: Vec<Owned>) {
        for Owned { agent, epoch } in all {
            if self.copies.get(&agent).is_some_and(|(of, _)| *of == epoch) {
                self.copies.remove(&agent);
            }
        }
    }

    fn done(&mut self, done: u64) {
        let count = self.requests.partition_point(|request| request.number <= done);
        self.requests.drain(..count);
    }
}

/// Returns the agent of a request whose refusal concerns the program.
fn agent_of(request: &Request) -> Option<&str> {
    match &request.action {
        Action::Add { agent, .. } | Action::Move { agent, .. } => Some(agent),
        Action::Remove(owned) | Action::Take(owned) | Action::Refuse { owned, .. } | Action::Release(owned, _) => {
            Some(&owned.agent)
        }
        Action::Leave => None,
    }
}
