//! A keeper and processes on a simulated network, with a seed: delays, losses, repetitions, partitions, clocks that differ, processes that are stopped or killed, keepers that
//! are replaced. The code is the one that runs over zenoh.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::time::Duration;

use rand_core::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

use crate::keys::MemberId;
use crate::shard::keeper::Keeper;
use crate::shard::member::Member;
use crate::shard::message::{Action, Arrival, Epoch, State, ToKeeper, ToProcess, decode, encode};
use crate::shard::program::{Codec, Program, ShardEvent, lock};

const LEASE: Duration = Duration::from_secs(2);
const STEP: Duration = Duration::from_millis(20);
const SNAPSHOTS: Duration = Duration::from_millis(500);

/// A random number below `end`.
fn below(random: &mut Pcg64Mcg, end: u64) -> u64 {
    random.next_u64() % end.max(1)
}

fn one_in(random: &mut Pcg64Mcg, number: u64) -> bool {
    number > 0 && below(random, number) == 0
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
            term: 1,
            processes: Vec::new(),
            network: BTreeMap::new(),
            sent: 0,
            bytes: 0,
            truth: BTreeMap::new(),
            hand_overs: 0,
            recoveries: 0,
            drops: 0,
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
            rate = 970 + u32::try_from(below(&mut self.random, 60)).expect("it is small");
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
            stopped_until,
        });
    }

    fn add(&mut self, agents: usize) {
        let first = self.truth.len();
        for number in first..first + agents {
            let agent = format!("agent {number}");
            let state = State { ticks: 0, clock: Duration::ZERO, data: 0_u64.to_le_bytes().to_vec() };
            lock(&self.processes[number % self.processes.len()].member)
                .request(Action::Add { agent: agent.clone(), state });
            self.truth.insert(agent, Truth::default());
        }
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
                    let is_cut_off = self.process(&id).is_cut_off;
                    let message: Option<ToKeeper> = decode(&bytes);
                    if !is_cut_off {
                        self.keeper.received(self.now, &id, message.expect("it is a message"));
                    }
                }
                Bytes::ToProcess(id, bytes) => {
                    let process = self.process(&id);
                    let message: Option<ToProcess> = decode(&bytes);
                    if process.is_alive && !process.is_cut_off && self.now >= process.stopped_until {
                        let now = process.clock(self.now);
                        lock(&process.member).received(now, message.expect("it is a message"));
                    }
                }
            }
        }
        if self.now >= self.keeper_stopped_until {
            for (id, message) in self.keeper.poll(self.now) {
                self.send(&Bytes::ToProcess(id, encode(&message)));
            }
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
                }
            }
        }
        let process = &mut self.processes[number];
        let (id, messages) = (process.id.clone(), lock(&process.member).poll(now));
        for message in messages {
            self.send(&Bytes::ToKeeper(id.clone(), encode(&message)));
        }
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
        self.term += 1;
        self.keeper = Keeper::new(self.term, LEASE, self.now);
        self.is_replaced = true;
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
        let missing: Vec<_> = self.truth.keys().filter(|agent| !seen.contains(*agent)).collect();
        assert!(missing.is_empty(), "missing: {missing:?}, the keeper has {:?}", self.keeper.agents());
        alive().map(|process| process.program.agents().len()).collect()
    }

    fn lost(&self) -> u64 {
        self.truth.values().map(|truth| truth.lost).sum()
    }
}

/// Returns a variable of the environment as a number.
fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

fn seeds() -> std::ops::Range<u64> {
    let first = setting("SEED", 0);
    first..first + setting("SEEDS", 12)
}

#[test]
fn agents_are_balanced_when_a_process_joins_and_lose_nothing() {
    let mut world = World::new(1, Faults::default());
    world.join();
    world.join();
    world.add(1000);
    world.run_for(LEASE * 2);
    world.join();
    world.join();
    world.run_for(LEASE * 2);
    let counts = world.check_all_there();
    assert!(counts.iter().all(|count| (220..=290).contains(count)), "{counts:?}");
    assert!(world.hand_overs >= 400, "{}", world.hand_overs);
    assert_eq!((world.lost(), world.recoveries, world.drops), (0, 0, 0));
    assert!(world.truth.values().all(|truth| truth.ticks > 150), "all were ticked all the time");
}

#[test]
fn agents_of_a_killed_process_continue_from_their_snapshots() {
    let mut world = World::new(2, Faults::default());
    for _ in 0..3 {
        world.join();
    }
    world.add(300);
    world.run_for(LEASE * 3);
    world.processes[0].is_alive = false;
    let killed = world.processes[0].program.agents().len();
    world.run_for(LEASE * 3);
    world.check_all_there();
    assert_eq!(world.recoveries, killed as u64);
    // At most what a snapshot interval, a message and a step contain.
    let most = (SNAPSHOTS.as_millis() / STEP.as_millis() + 3) * killed as u128;
    assert!(world.lost() > 0 && u128::from(world.lost()) <= most, "{} of {most}", world.lost());
}

#[test]
fn a_process_that_is_cut_off_stops_before_others_continue_its_agents() {
    for rate in [970, 1000, 1030] {
        let mut world = World::new(3, Faults { clocks: true, ..Faults::default() });
        for _ in 0..3 {
            world.join();
        }
        world.processes[0].rate = rate;
        world.add(30);
        world.run_for(LEASE * 3);
        let before = world.processes[0].program.agents().len() as u64;
        assert!(before > 0);
        world.processes[0].is_cut_off = true;
        world.run_for(LEASE * 2);
        let now = world.processes[0].clock(world.now);
        assert!(!world.processes[0].program.is_leased(now));
        assert_eq!((world.recoveries, world.drops), (before, 0));
        world.settle();
        world.check_all_there();
        assert_eq!(world.drops, before);
    }
}

#[test]
fn a_process_that_leaves_hands_everything_over() {
    let mut world = World::new(4, Faults::default());
    world.join();
    world.join();
    world.add(700);
    world.run_for(LEASE * 3);
    lock(&world.processes[0].member).request(Action::Leave);
    world.run_for(LEASE);
    assert_eq!(world.processes[0].program.agents().len(), 0);
    assert!(lock(&world.processes[0].member).is_done());
    assert_eq!(world.check_all_there(), [0, 700]);
    // The last process leaves them with the keeper.
    lock(&world.processes[1].member).request(Action::Leave);
    world.run_for(LEASE);
    world.processes[0].is_alive = false;
    world.processes[1].is_alive = false;
    world.run_for(LEASE * 2);
    assert_eq!(world.keeper.agents(), (700, 700));
    world.join();
    world.run_for(LEASE);
    assert_eq!(world.check_all_there(), [700]);
    assert_eq!(world.lost(), 0);
}

#[test]
fn a_moved_agent_stays_where_it_is_moved_to() {
    let mut world = World::new(5, Faults::default());
    world.join();
    world.join();
    world.add(20);
    world.run_for(LEASE * 2);
    for number in 0..20 {
        let (agent, machine) = (format!("agent {number}"), "m1".to_owned());
        lock(&world.processes[0].member).request(Action::Move { agent, machine });
    }
    world.run_for(LEASE);
    assert_eq!(world.check_all_there(), [0, 20]);
    assert_eq!(world.lost(), 0);
}

#[test]
fn a_keeper_that_is_replaced_learns_everything_and_no_tick_is_lost() {
    let mut world = World::new(6, Faults::default());
    for _ in 0..4 {
        world.join();
    }
    world.add(200);
    world.run_for(LEASE * 2);
    let before = world.truth.values().map(|truth| truth.ticks).sum::<u64>();
    for _ in 0..3 {
        world.replace_keeper();
        world.run_for(LEASE * 2);
    }
    let ticks = world.truth.values().map(|truth| truth.ticks).sum::<u64>() - before;
    world.check_all_there();
    assert_eq!((world.lost(), world.drops), (0, 0));
    let steps = 3 * (LEASE * 2).as_millis() / STEP.as_millis();
    assert_eq!(u128::from(ticks), 200 * steps, "no tick was left out");
}

#[test]
fn a_keeper_that_was_stopped_takes_nothing_from_those_that_were_there() {
    let mut world = World::new(9, Faults::default());
    for _ in 0..3 {
        world.join();
    }
    world.add(60);
    world.run_for(LEASE * 2);
    for pause in [LEASE / 2, LEASE * 3] {
        world.keeper_stopped_until = world.now + pause;
        // The processes are not heard at the same time.
        world.processes[1].stopped_until = world.keeper_stopped_until + LEASE / 4;
        world.run_for(pause + LEASE * 2);
        world.check_all_there();
    }
    assert_eq!((world.lost(), world.recoveries, world.drops), (0, 0, 0));
}

#[test]
fn an_agent_that_is_refused_on_its_way_says_what_it_has_lost() {
    let mut world = World::new(10, Faults::default());
    world.join();
    world.join();
    world.join();
    world.processes[1].program.codec.is_foreign = true;
    world.add(9);
    world.run_for(LEASE * 2);
    world.processes[0].is_alive = false;
    let killed = world.processes[0].program.agents().len() as u64;
    world.run_for(LEASE * 3);
    // The process with another tree gets some of them first.
    assert_eq!((world.recoveries, world.check_all_there()), (killed, vec![0, 9]));
    lock(&world.processes[2].member).request(Action::Leave);
    world.run_for(LEASE);
    assert_eq!(world.keeper.agents(), (9, 9));
    world.join();
    world.run_for(LEASE);
    // What was handed over is not recovered.
    assert_eq!((world.recoveries, world.check_all_there()), (killed, vec![0, 0, 9]));
}

#[test]
fn a_new_keeper_gets_snapshots_of_agents_that_are_not_ticked() {
    let mut world = World::new(8, Faults::default());
    world.join();
    world.join();
    world.add(10);
    world.run_for(LEASE * 2);
    world.is_idle = true;
    world.run_for(LEASE);
    world.replace_keeper();
    world.run_for(LEASE * 2);
    world.processes[0].is_alive = false;
    world.run_for(LEASE * 2);
    world.is_idle = false;
    world.run_for(LEASE);
    assert_eq!(world.check_all_there(), [10]);
    assert_eq!(world.lost(), 0);
}

/// All faults but those of the keeper.
const FAULTS: Faults = Faults {
    loss: 50,
    repetition: 20,
    partition: 200,
    stop: 150,
    kill: 400,
    join: 200,
    keeper: 0,
    moves: 20,
    clocks: true,
};

/// Runs 40 agents at 4 processes under faults, which then end. Panics if an agent is ticked by a process that does not own it.
fn run_under(seed: u64, faults: Faults) -> World {
    let mut world = World::new(seed, Faults { clocks: true, ..Faults::default() });
    for _ in 0..4 {
        world.join();
    }
    world.add(40);
    world.run_for(LEASE * 2);
    world.faults = faults;
    world.run_for(Duration::from_secs(setting("SECONDS", 60)));
    world.settle();
    world
}

#[test]
fn under_random_faults_each_tick_has_one_owner_and_no_agent_is_lost() {
    for seed in seeds() {
        let world = run_under(seed, FAULTS);
        let counts = world.check_all_there();
        println!(
            "seed {seed}: {counts:?}, {} hand-overs, {} recoveries, {} drops, {} ticks lost",
            world.hand_overs,
            world.recoveries,
            world.drops,
            world.lost(),
        );
    }
}

#[test]
fn under_random_faults_of_keepers_and_the_network_no_agent_is_lost() {
    for seed in seeds() {
        run_under(seed, Faults { keeper: 300, partition: 0, stop: 0, kill: 0, ..FAULTS }).check_all_there();
    }
}

#[test]
fn under_all_faults_at_once_each_tick_has_one_owner() {
    for seed in seeds() {
        // An agent may be lost with its process and the keeper.
        let world = run_under(seed, Faults { keeper: 300, ..FAULTS });
        println!("seed {seed}: {} drops, the keeper has {:?}", world.drops, world.keeper.agents());
    }
}

/// `PROCESSES=1000 AGENTS=1000000 cargo test --release --lib many_agents -- --nocapture` measures more of them.
#[test]
fn many_agents_at_many_processes() {
    let (processes, agents) = (setting("PROCESSES", 100), setting("AGENTS", 10_000));
    let mut world = World::new(7, Faults { clocks: true, ..Faults::default() });
    world.step = Duration::from_millis(100);
    for _ in 0..processes {
        world.join();
    }
    world.add(usize::try_from(agents).expect("it is small"));
    let start = std::time::Instant::now();
    world.run_for(LEASE * 2);
    for process in world.processes.iter_mut().take(usize::try_from(processes / 10).expect("it is small")) {
        process.is_alive = false;
    }
    world.run_for(LEASE * 2);
    for _ in 0..processes / 10 {
        world.join();
    }
    world.settle();
    let counts = world.check_all_there();
    println!(
        "{agents} agents, {processes} processes: {} to {} agents, {} hand-overs, {} recoveries, {} messages, {} MB, {:?}",
        counts.iter().min().expect("there are some"),
        counts.iter().max().expect("there are some"),
        world.hand_overs,
        world.recoveries,
        world.sent,
        world.bytes / 1_000_000,
        start.elapsed(),
    );
}
