//! A keeper and processes on a simulated network, with a seed: delays, losses, repetitions, partitions, clocks that differ, processes that are stopped or killed, keepers that
//! are replaced. The code is the one that runs over zenoh.

mod restarts;
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::time::Duration;

use rand_core::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

use crate::keys::MemberId;
use crate::lock::lock;
use crate::shard::keeper::{Event, Keeper};
use crate::shard::member::Member;
use crate::shard::message::{Action, Arrival, Epoch, KeeperSays, State, ToKeeper, ToProcess, decode, encode};
use crate::shard::program::{Codec, Program, ShardEvent};

const LEASE: Duration = Duration::from_secs(2);
const STEP: Duration = Duration::from_millis(20);
const SNAPSHOTS: Duration = Duration::from_millis(500);
/// The interval at which sessions connect again.
const CONNECTING: Duration = Duration::from_secs(1);

/// Returns a variable of the environment as a number.
fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// A random number below `end`.
fn below(random: &mut Pcg64Mcg, end: u64) -> u64 {
    random.next_u64() % end.max(1)
}

fn one_in(random: &mut Pcg64Mcg, number: u64) -> bool {
    number > 0 && below(random, number) == 0
}

/// Returns the rate of a clock: two of them differ by less than 10 %.
fn any_rate(random: &mut Pcg64Mcg) -> u32 {
    954 + u32::try_from(below(random, 94)).expect("it is small")
}

/// An agent counts its own ticks.
#[derive(Default)]
struct Counter {
    /// Whether this program has another tree.
    is_foreign: bool,
}

impl Codec for Counter {
    type Agent = u64;

    fn load(&mut self, _: &str, data: &[u8]) -> Result<u64, String> {
        if self.is_foreign {
            return Err("another tree".to_owned());
        }
        data.try_into().map(u64::from_le_bytes).map_err(|_| "not a counter".to_owned())
    }

    fn save(&self, agent: &u64) -> Result<Vec<u8>, String> {
        Ok(agent.to_le_bytes().to_vec())
    }
}

struct Process {
    id: MemberId,
    member: Mutex<Member>,
    program: Program<Counter>,
    /// Its clock is `offset + real * rate / 1000`.
    offset: Duration,
    rate: u32,
    is_alive: bool,
    is_cut_off: bool,
    /// When its session reaches the keeper that has begun.
    connects: Duration,
    /// Neither its threads nor its network run until then.
    stopped_until: Duration,
}

impl Process {
    fn clock(&self, real: Duration) -> Duration {
        self.offset + real * self.rate / 1000
    }
}

/// What is known of an agent by who sees everything.
#[derive(Default)]
struct Truth {
    epoch: Option<Epoch>,
    owner: usize,
    ticks: u64,
    /// The most ticks that it ever had.
    most: u64,
    /// The ticks that were lost.
    lost: u64,
}

/// How often something goes wrong: once in so many messages or steps, or never.
#[derive(Clone, Copy, Default)]
struct Faults {
    loss: u64,
    repetition: u64,
    partition: u64,
    stop: u64,
    kill: u64,
    join: u64,
    keeper: u64,
    moves: u64,
    clocks: bool,
}

enum Bytes {
    ToKeeper(MemberId, Vec<u8>),
    ToProcess(MemberId, Vec<u8>),
}

struct World {
    random: Pcg64Mcg,
    faults: Faults,
    now: Duration,
    step: Duration,
    keeper: Keeper,
    /// The keeper has the time `real * rate / 1000`.
    keeper_rate: u32,
    /// The keeper is killed, and another one begins then.
    keeper_begins: Duration,
    term: u64,
    processes: Vec<Process>,
    /// What arrives when, in an order that is not that of sending.
    network: BTreeMap<(Duration, u64), Bytes>,
    sent: u64,
    bytes: u64,
    truth: BTreeMap<String, Truth>,
    hand_overs: u64,
    recoveries: u64,
    drops: u64,
    /// The agents that a process was refused to add.
    refused: BTreeSet<String>,
    events: Vec<Event>,
    /// Whether the keeper is not the first one.
    is_replaced: bool,
    /// Whether programs do not tick their agents.
    is_idle: bool,
    /// The keeper receives and decides nothing until then.
    keeper_stopped_until: Duration,
}

impl World {
    fn new(seed: u64, faults: Faults) -> Self {
        Self {
            random: Pcg64Mcg::seed_from_u64(seed),
            faults,
            now: Duration::ZERO,
            step: STEP,
            keeper: Keeper::new(1, LEASE, Duration::ZERO),
            keeper_rate: 1000,
            keeper_begins: Duration::ZERO,
            term: 1,
            processes: Vec::new(),
            network: BTreeMap::new(),
            sent: 0,
            bytes: 0,
            truth: BTreeMap::new(),
            hand_overs: 0,
            recoveries: 0,
            drops: 0,
            refused: BTreeSet::new(),
            events: Vec::new(),
            is_replaced: false,
            is_idle: false,
            keeper_stopped_until: Duration::ZERO,
        }
    }

    fn join(&mut self) {
        let number = self.processes.len();
        let id = MemberId { machine: format!("m{number}"), session: format!("{number:016x}") };
        let (mut offset, mut rate) = (Duration::ZERO, 1000);
        if self.faults.clocks {
            offset = Duration::from_secs(below(&mut self.random, 1000));
            rate = any_rate(&mut self.random);
        }
        let program = Program::new(Counter::default(), SNAPSHOTS);
        let (member, stopped_until) = (Mutex::new(Member::new()), Duration::ZERO);
        self.processes.push(Process {
            id,
            member,
            program,
            offset,
            rate,
            is_alive: true,
            is_cut_off: false,
            connects: Duration::ZERO,
            stopped_until,
        });
    }

    fn add(&mut self, agents: usize) {
        let first = self.truth.len();
        for number in first..first + agents {
            let agent = format!("agent {number}");
            self.add_at(number % self.processes.len(), &agent);
            self.truth.insert(agent, Truth::default());
        }
    }

    /// A program adds an agent, as it does at its start.
    fn add_at(&mut self, process: usize, agent: &str) {
        let state = State { ticks: 0, clock: Duration::ZERO, data: 0_u64.to_le_bytes().to_vec() };
        lock(&self.processes[process].member).request(Action::Add { agent: agent.to_owned(), state });
    }

    fn send(&mut self, bytes: &Bytes) {
        let (Bytes::ToKeeper(_, content) | Bytes::ToProcess(_, content)) = bytes;
        self.bytes += content.len() as u64;
        if one_in(&mut self.random, self.faults.loss) {
            return;
        }
        let copies = 1 + u64::from(one_in(&mut self.random, self.faults.repetition));
        for _ in 0..copies {
            let mut delay = Duration::from_micros(500 + below(&mut self.random, 3000));
            // Now and then a message takes longer than a lease.
            if one_in(&mut self.random, self.faults.loss * 10) {
                delay += Duration::from_millis(below(&mut self.random, 6000));
            }
            self.sent += 1;
            // Without faults messages arrive in order, as over zenoh.
            let at = if self.faults.loss == 0 { self.now + self.step } else { self.now + delay };
            let bytes = match bytes {
                Bytes::ToKeeper(id, content) => Bytes::ToKeeper(id.clone(), content.clone()),
                Bytes::ToProcess(id, content) => Bytes::ToProcess(id.clone(), content.clone()),
            };
            self.network.insert((at, self.sent), bytes);
        }
    }

    fn step(&mut self) {
        self.now += self.step;
        self.break_something();
        while let Some(entry) = self.network.first_entry() {
            if entry.key().0 > self.now {
                break;
            }
            let (_, number) = *entry.key();
            match entry.remove() {
                waiting @ Bytes::ToKeeper(..) if self.now < self.keeper_stopped_until => {
                    // It looks at the time before all of them have come.
                    self.network.insert((self.keeper_stopped_until + 2 * self.step, number), waiting);
                }
                Bytes::ToKeeper(id, bytes) => {
                    let message: Option<ToKeeper> = decode(&bytes);
                    if self.reaches_keeper(&id) {
                        self.keeper.received(self.keeper_clock(), &id, message.expect("it is a message"));
                    }
                }
                Bytes::ToProcess(id, bytes) => {
                    let process = self.process(&id);
                    let message: Option<ToProcess> = decode(&bytes);
                    if process.is_alive && self.reaches_keeper(&id) && self.now >= process.stopped_until {
                        let now = process.clock(self.now);
                        lock(&process.member).received(now, message.expect("it is a message"));
                    }
                }
            }
        }
        if self.now >= self.keeper_stopped_until.max(self.keeper_begins) {
            for (id, message) in self.keeper.poll(self.keeper_clock()) {
                self.send(&Bytes::ToProcess(id, encode(&message)));
            }
            self.events.extend(self.keeper.events());
        }
        for number in 0..self.processes.len() {
            self.run(number);
        }
    }

    fn run(&mut self, number: usize) {
        let process = &mut self.processes[number];
        if !process.is_alive || self.now < process.stopped_until {
            return;
        }
        let now = process.clock(self.now);
        let events = process.program.update(&process.member, now);
        let (truth, is_replaced, is_idle) = (&mut self.truth, self.is_replaced, self.is_idle);
        process.program.for_each(
            || now,
            |_, name, hosted, _| {
                if is_idle {
                    return;
                }
                let truth = truth.get_mut(name).expect("it was added");
                if truth.epoch != Some(hosted.epoch) {
                    assert!(truth.epoch.is_none_or(|epoch| epoch < hosted.epoch), "{name} is ticked in an old epoch");
                    (truth.epoch, truth.owner) = (Some(hosted.epoch), number);
                    // Nothing is ticked twice but what was lost. A keeper that knows nothing may take any process that comes back.
                    let most = if is_replaced { truth.most } else { truth.ticks };
                    assert!(hosted.ticks <= most, "{name} has ticks that it did not run");
                    truth.lost += truth.ticks.saturating_sub(hosted.ticks);
                    truth.ticks = hosted.ticks;
                }
                assert_eq!(truth.owner, number, "{name} has two owners in one epoch");
                assert_eq!((truth.ticks, hosted.value), (hosted.ticks, hosted.ticks), "{name} has lost ticks");
                hosted.ticks += 1;
                hosted.value += 1;
                truth.ticks += 1;
                truth.most = truth.most.max(truth.ticks);
            },
        );
        for event in events {
            match event {
                ShardEvent::Arrived { arrival: Arrival::Moved, .. } => self.hand_overs += 1,
                ShardEvent::Arrived { arrival: Arrival::Recovered { .. }, .. } => self.recoveries += 1,
                ShardEvent::Arrived { arrival: Arrival::Added, .. } | ShardEvent::Left { .. } => {}
                ShardEvent::Dropped { .. } => self.drops += 1,
                ShardEvent::Refused { agent, reason } => {
                    // Another keeper does not know that it has done it, or the machine is gone.
                    let is_known = self.is_replaced && reason.contains("there is an agent with this name");
                    assert!(is_known || self.faults.moves > 0 || reason == "another tree", "{agent}: {reason}");
                    self.refused.insert(agent);
                }
            }
        }
        let process = &mut self.processes[number];
        let (id, messages) = (process.id.clone(), lock(&process.member).poll(now));
        for message in messages {
            self.send(&Bytes::ToKeeper(id.clone(), encode(&message)));
        }
    }

    fn keeper_clock(&self) -> Duration {
        self.now * self.keeper_rate / 1000
    }

    fn reaches_keeper(&self, id: &MemberId) -> bool {
        let process = self.process(id);
        !process.is_cut_off && self.now >= self.keeper_begins.max(process.connects)
    }

    fn process(&self, id: &MemberId) -> &Process {
        let number: usize = id.machine[1..].parse().expect("it is a number");
        &self.processes[number]
    }

    fn any_alive(&mut self) -> usize {
        let alive: Vec<_> = (0..self.processes.len()).filter(|number| self.processes[*number].is_alive).collect();
        alive[usize::try_from(below(&mut self.random, alive.len() as u64)).expect("it is small")]
    }

    fn break_something(&mut self) {
        let faults = self.faults;
        if one_in(&mut self.random, faults.partition) {
            let number = self.any_alive();
            self.processes[number].is_cut_off = true;
        }
        if one_in(&mut self.random, faults.partition / 2) {
            let number = self.any_alive();
            self.processes[number].is_cut_off = false;
        }
        if one_in(&mut self.random, faults.stop) {
            let number = self.any_alive();
            self.processes[number].stopped_until = self.now + Duration::from_millis(below(&mut self.random, 8000));
        }
        if one_in(&mut self.random, faults.stop * 3) {
            self.keeper_stopped_until = self.now + Duration::from_millis(below(&mut self.random, 8000));
        }
        let alive = self.processes.iter().filter(|process| process.is_alive).count();
        if alive > 2 && one_in(&mut self.random, faults.kill) {
            let number = self.any_alive();
            self.processes[number].is_alive = false;
        }
        if alive < 12 && one_in(&mut self.random, faults.join) {
            self.join();
        }
        if one_in(&mut self.random, faults.moves) {
            let (number, to) = (self.any_alive(), self.any_alive());
            let agent = format!("agent {}", below(&mut self.random, self.truth.len() as u64));
            lock(&self.processes[number].member).request(Action::Move { agent, machine: format!("m{to}") });
        }
        if one_in(&mut self.random, faults.keeper) {
            self.replace_keeper();
        }
    }

    /// The keeper is killed, and another one begins, which knows nothing.
    fn replace_keeper(&mut self) {
        let term = self.term + 1;
        self.restart_keeper(term, Duration::ZERO);
    }

    /// The keeper is killed, and another one begins some time later. Processes take up to [`CONNECTING`] to connect to it.
    fn restart_keeper(&mut self, term: u64, outage: Duration) {
        self.keeper_begins = self.now + outage;
        if self.faults.clocks {
            self.keeper_rate = any_rate(&mut self.random);
        }
        (self.term, self.is_replaced) = (term, true);
        self.keeper = Keeper::new(term, LEASE, self.keeper_begins * self.keeper_rate / 1000);
        if outage > Duration::ZERO {
            for process in &mut self.processes {
                let milliseconds = below(&mut self.random, u64::try_from(CONNECTING.as_millis()).expect("it is small"));
                process.connects = self.keeper_begins + Duration::from_millis(milliseconds);
            }
        }
    }

    fn run_for(&mut self, time: Duration) {
        let end = self.now + time;
        while self.now < end {
            self.step();
        }
    }

    /// Stops all faults, and waits until every agent runs.
    fn settle(&mut self) {
        // Earlier moves may still be refused.
        self.faults = Faults { clocks: self.faults.clocks, moves: u64::MAX, ..Faults::default() };
        self.keeper_stopped_until = Duration::ZERO;
        for process in &mut self.processes {
            process.is_cut_off = false;
            process.stopped_until = Duration::ZERO;
        }
        self.run_for(LEASE * 6);
    }

    /// Returns how many agents each living process has. All agents are somewhere, once.
    fn check_all_there(&self) -> Vec<usize> {
        let mut seen = BTreeSet::new();
        let alive = || self.processes.iter().filter(|process| process.is_alive);
        for process in alive() {
            assert!(process.program.is_leased(process.clock(self.now)), "{} has a lease", process.id.machine);
            for agent in process.program.agents().keys() {
                assert!(seen.insert(agent.clone()), "{agent} is at two processes");
            }
        }
        let missing = self.missing();
        assert!(missing.is_empty(), "missing: {missing:?}, the keeper has {:?}", self.keeper.agents());
        alive().map(|process| process.program.agents().len()).collect()
    }

    /// Returns the agents that are at no process.
    fn missing(&self) -> Vec<String> {
        let alive = || self.processes.iter().filter(|process| process.is_alive);
        let is_missing = |agent: &&String| alive().all(|process| !process.program.agents().contains_key(*agent));
        self.truth.keys().filter(is_missing).cloned().collect()
    }

    fn lost(&self) -> u64 {
        self.truth.values().map(|truth| truth.lost).sum()
    }
}
