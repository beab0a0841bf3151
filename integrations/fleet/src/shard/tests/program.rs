//! The agents of a program.

use std::cell::Cell;
use std::sync::Mutex;

use super::*;
use crate::lock::lock;
use crate::shard::member::Member;
use crate::shard::message::{Arrival, KeeperSays, ProcessSays, Taken, ToProcess};
use crate::shard::program::{Codec, Program, ShardEvent};

const INTERVAL: Duration = Duration::from_millis(500);

/// An agent is its number of ticks.
struct Numbers;

impl Codec for Numbers {
    type Agent = u64;

    fn load(&mut self, _: &str, data: &[u8]) -> Result<u64, String> {
        data.try_into().map(u64::from_le_bytes).map_err(|_| "no number".to_owned())
    }

    fn save(&self, agent: &u64) -> Result<Vec<u8>, String> {
        Ok(agent.to_le_bytes().to_vec())
    }
}

/// A program, and the messages of its keeper.
struct Process {
    member: Mutex<Member>,
    program: Program<Numbers>,
    term: u64,
    connection: u64,
    number: u64,
}

impl Process {
    /// Returns a program that a keeper has answered at 0 s.
    fn new() -> Self {
        let member = Mutex::new(Member::new());
        lock(&member).poll(ms(0));
        let mut process = Self { member, program: Program::new(Numbers, INTERVAL), term: 0, connection: 1, number: 0 };
        process.answers(5, ms(0));
        process
    }

    /// A keeper says that it is there, and answers.
    fn answers(&mut self, term: u64, now: Duration) {
        (self.term, self.number) = (term, 0);
        self.hears(now, KeeperSays::Again);
        (self.connection, self.number) = (self.connection + 1, 0);
        let body = KeeperSays::Welcome { lease: LEASE, dropped: Vec::new(), renewed: Vec::new(), forget: Vec::new() };
        self.hears(now, body);
        self.sent(now);
    }

    fn hears(&mut self, now: Duration, body: KeeperSays) {
        let (term, connection, number) = (self.term, self.connection, self.number);
        lock(&self.member).received(now, ToProcess { term, connection, number, body });
        self.number += 1;
    }

    fn gets(&mut self, now: Duration, agent: &str, number: u64, ticks: u64) -> Vec<ShardEvent> {
        let (owned, mut state) = (owned(agent, self.term, number), state(ticks));
        state.clock = ms(70);
        self.hears(now, KeeperSays::Take(vec![Taken { owned, state, arrival: Arrival::Added }]));
        self.program.update(&self.member, now)
    }

    fn sent(&mut self, now: Duration) -> Vec<ProcessSays> {
        lock(&self.member).poll(now).into_iter().map(|message| message.body).collect()
    }

    /// Returns the ticks of the agents in the snapshots that are sent.
    fn snapshots(&mut self, now: Duration) -> Vec<u64> {
        self.program.update(&self.member, now);
        let snapshots = self.sent(now).into_iter().filter_map(|body| match body {
            ProcessSays::Snapshots(all) => Some(all),
            _ => None,
        });
        snapshots.flatten().map(|(_, state)| state.ticks).collect()
    }

    fn tick(&mut self, now: Duration) -> usize {
        self.program.for_each(|| now, |_, _, hosted, _| hosted.ticks += 1)
    }
}

#[test]
fn agents_are_ticked_until_the_lease_ends_also_within_a_round() {
    let mut process = Process::new();
    for (number, agent) in ["a", "b", "c"].into_iter().enumerate() {
        process.gets(ms(0), agent, number as u64 + 1, 0);
    }
    let time = Cell::new(ms(1970));
    let visited = process
        .program
        .for_each(|| time.replace(time.get() + ms(15)), |_, _, hosted, now| assert_eq!(hosted.now(now), ms(70) + now));
    assert_eq!(visited, 2);
    assert!(process.program.is_leased(ms(1999)) && !process.program.is_leased(LEASE));
    assert_eq!(process.tick(LEASE), 0);
}

#[test]
fn a_snapshot_is_sent_after_an_interval_if_the_agent_was_ticked() {
    let mut process = Process::new();
    process.gets(ms(0), "a", 1, 3);
    assert_eq!(process.snapshots(ms(499)), [0; 0]);
    assert_eq!(process.snapshots(ms(500)), [3], "once on each connection");
    process.tick(ms(510));
    assert_eq!(process.snapshots(ms(999)), [0; 0]);
    assert_eq!(process.snapshots(ms(1000)), [4]);
    assert_eq!(process.snapshots(ms(1600)), [0; 0], "it is the same");
    process.answers(5, ms(1650));
    assert_eq!(process.snapshots(ms(1650)), [4]);
    assert_eq!(process.snapshots(ms(2400)), [0; 0]);
}

#[test]
fn a_new_keeper_gets_snapshots_at_once() {
    let mut process = Process::new();
    process.gets(ms(0), "a", 1, 3);
    process.tick(ms(10));
    assert_eq!(process.snapshots(ms(20)), [0; 0]);
    process.answers(6, ms(30));
    assert_eq!(process.snapshots(ms(30)), [4]);
    process.tick(ms(40));
    assert_eq!(process.snapshots(ms(529)), [0; 0]);
    assert_eq!(process.snapshots(ms(530)), [5]);
}

#[test]
fn what_is_said_of_another_epoch_changes_nothing() {
    let mut process = Process::new();
    process.gets(ms(0), "a", 4, 3);
    process.gets(ms(0), "b", 5, 3);
    process.gets(ms(0), "a", 9, 8);
    process.hears(ms(0), KeeperSays::Release(vec![owned("a", 5, 4)]));
    assert_eq!(process.program.update(&process.member, ms(0)), []);
    assert_eq!(process.program.agents().get("a").map(|hosted| (hosted.ticks, hosted.epoch.number)), Some((8, 9)));
    process.hears(ms(0), KeeperSays::Release(vec![owned("a", 5, 9)]));
    let left = ShardEvent::Left { agent: "a".to_owned() };
    assert_eq!(process.program.update(&process.member, ms(0)), [left]);
    assert!(
        process.program.remove(&process.member, "a").is_none()
            && process.program.remove(&process.member, "b").is_some()
    );
    assert_eq!(process.program.agents().len(), 0);
    let requests: Vec<_> = process
        .sent(ms(0))
        .into_iter()
        .flat_map(|body| match body {
            ProcessSays::Requests(all) => all,
            _ => Vec::new(),
        })
        .map(|request| request.action)
        .collect();
    let (mut released, removed) = (state(8), Action::Remove(owned("b", 5, 5)));
    released.clock = ms(70);
    let take = |agent, number| Action::Take(owned(agent, 5, number));
    assert_eq!(
        requests,
        [take("a", 4), take("b", 5), take("a", 9), Action::Release(owned("a", 5, 9), released), removed]
    );
}

#[test]
fn an_agent_that_is_lost_is_not_removed_but_dropped_with_a_copy() {
    let mut process = Process::new();
    process.gets(ms(0), "a", 4, 3);
    process.hears(ms(0), KeeperSays::Again);
    (process.connection, process.number) = (process.connection + 1, 0);
    let dropped = vec![(owned("a", 5, 4), true)];
    process.hears(ms(0), KeeperSays::Welcome { lease: LEASE, dropped, renewed: Vec::new(), forget: Vec::new() });
    assert!(process.program.remove(&process.member, "a").is_none(), "it is not the process's anymore");
    let dropped = ShardEvent::Dropped { agent: "a".to_owned(), ticks: 3 };
    assert_eq!(process.program.update(&process.member, ms(0)), [dropped]);
    process.hears(ms(0), KeeperSays::Again);
    let has_copy = |body: &ProcessSays| matches!(body, ProcessSays::Hello { copies, .. } if copies.len() == 1);
    assert!(process.sent(ms(0)).iter().any(has_copy));
}
