//! The keeper.

use std::collections::BTreeMap;

use super::*;
use crate::shard::keeper::{Event, Keeper};
use crate::shard::message::{Arrival, KeeperSays, ProcessSays, ToKeeper};

const TERM: u64 = 5;
/// When no lease of an earlier keeper holds anymore, and when all processes have come back.
const STARTS: Duration = Duration::from_millis(2250);
const KNOWS: Duration = Duration::from_millis(3750);
/// How long the agents of a process that is silent are left alone.
const SILENT: Duration = Duration::from_millis(2250);
const INSTANT: Duration = Duration::from_nanos(1);

/// A keeper, which is polled often, and what it has sent since.
struct World {
    keeper: Keeper,
    now: Duration,
    /// The connection of a process, and the number of its next message.
    next: BTreeMap<String, (u64, u64)>,
    sent: Vec<(String, KeeperSays)>,
}

fn hello(owned: &[Owned], is_leased: bool) -> ProcessSays {
    let owned = owned.to_vec();
    ProcessSays::Hello { term: TERM, is_leased, owned, copies: Vec::new(), requests: Vec::new() }
}

impl World {
    fn new() -> Self {
        Self {
            keeper: Keeper::new(TERM, LEASE, Duration::ZERO),
            now: Duration::ZERO,
            next: BTreeMap::new(),
            sent: Vec::new(),
        }
    }

    /// Returns a keeper that knows all processes: `a`, which has an agent of an earlier keeper, and `b`.
    fn with_two() -> Self {
        let mut world = Self::new();
        world.says("a", 1, 0, hello(&[owned("x", 4, 1)], true));
        world.says("b", 1, 0, hello(&[], true));
        for time in [SILENT / 2, SILENT, KNOWS] {
            world.run_to(time);
            world.goes_on("a", ProcessSays::Beat);
            world.goes_on("b", ProcessSays::Beat);
        }
        world
    }

    /// A process says something on its connection.
    fn goes_on(&mut self, process: &str, body: ProcessSays) {
        let (connection, number) = self.next[process];
        self.says(process, connection, number, body);
    }

    fn says(&mut self, process: &str, connection: u64, number: u64, body: ProcessSays) {
        self.next.insert(process.to_owned(), (connection, number + 1));
        self.keeper.received(self.now, &member(process), ToKeeper { connection, number, body });
    }

    fn asks(&mut self, process: &str, requests: &[Request]) {
        self.goes_on(process, ProcessSays::Requests(requests.to_vec()));
    }

    fn poll(&mut self) {
        let sent = self.keeper.poll(self.now).into_iter();
        self.sent.extend(sent.map(|(to, message)| (to.machine, message.body)));
    }

    /// Polls until a time, at which nothing is decided yet.
    fn run_to(&mut self, end: Duration) {
        while self.now + ms(20) < end {
            self.now += ms(20);
            self.poll();
        }
        self.now = end;
    }

    /// Polls until the last instant before a time.
    fn run_before(&mut self, end: Duration) {
        self.run_to(end.saturating_sub(INSTANT));
    }

    /// Returns what was sent to a process.
    fn to(&mut self, process: &str) -> Vec<KeeperSays> {
        self.poll();
        let (to, others) = std::mem::take(&mut self.sent).into_iter().partition(|(to, _)| to == process);
        self.sent = others;
        to.into_iter().map(|(_, body): (String, KeeperSays)| body).collect()
    }

    /// Returns the agents that a process was given, and why it has them.
    fn taken(&mut self, process: &str) -> Vec<(String, Arrival)> {
        let taken = self.to(process).into_iter().filter_map(|body| match body {
            KeeperSays::Take(all) => Some(all),
            _ => None,
        });
        taken.flatten().map(|taken| (taken.owned.agent, taken.arrival)).collect()
    }
}

fn is_welcome(body: &KeeperSays) -> bool {
    matches!(body, KeeperSays::Welcome { .. })
}

fn added(agent: &str) -> Vec<(String, Arrival)> {
    vec![(agent.to_owned(), Arrival::Added)]
}

#[test]
fn a_process_without_a_lease_is_answered_when_no_lease_of_an_earlier_keeper_holds() {
    let mut world = World::new();
    world.says("a", 1, 0, hello(&[], true));
    assert!(matches!(&world.to("a")[..], [welcome] if is_welcome(welcome)), "its lease says that it is alone");
    world.run_before(STARTS);
    world.says("b", 1, 0, hello(&[], false));
    assert_eq!(world.to("b"), []);
    world.now = STARTS;
    world.says("b", 1, 0, hello(&[], false));
    assert!(matches!(&world.to("b")[..], [welcome] if is_welcome(welcome)));
}

#[test]
fn what_was_said_to_another_keeper_is_asked_again() {
    let mut world = World::new();
    let before =
        ProcessSays::Hello { term: TERM - 1, is_leased: true, owned: vec![], copies: vec![], requests: vec![] };
    world.says("a", 1, 0, before);
    assert_eq!(world.to("a"), [KeeperSays::Again]);
    world.says("a", 1, 1, ProcessSays::Beat);
    assert_eq!(world.to("a"), [KeeperSays::Again], "there is no such connection");
}

#[test]
fn nothing_is_added_before_all_processes_have_come_back_and_then_in_order() {
    let mut world = World::new();
    world.says("a", 1, 0, hello(&[], true));
    world.asks("a", &[add(1, "x"), add(2, "y")]);
    world.run_to(STARTS);
    world.goes_on("a", ProcessSays::Beat);
    world.run_before(KNOWS);
    assert!(world.taken("a").is_empty());
    world.now = KNOWS;
    // What was asked before is done before, also if this arrives first.
    world.asks("a", &[add(3, "x"), add(4, "z")]);
    let all = world.to("a");
    let refused = KeeperSays::Refused { request: 3, reason: "there is an agent with this name".to_owned() };
    assert!(all.contains(&refused), "{all:?}");
    assert_eq!(world.keeper.agents(), (3, 0));
    world.goes_on("a", ProcessSays::Beat);
    assert_eq!(world.to("a"), [KeeperSays::Lease { beat: 4, done: 4 }]);
}

#[test]
fn the_agents_of_a_silent_process_continue_after_its_lease_and_an_eighth() {
    let mut world = World::with_two();
    world.goes_on("a", ProcessSays::Snapshots(vec![(owned("x", 4, 1), state(7))]));
    let silent = world.now;
    world.run_to(silent + ms(1200));
    world.goes_on("b", ProcessSays::Beat);
    world.run_before(silent + SILENT);
    assert_eq!(world.taken("b"), []);
    world.now = silent + SILENT;
    assert_eq!(world.taken("b"), [("x".to_owned(), Arrival::Recovered { age: SILENT })]);
    assert_eq!(world.keeper.events(), [Event::Gone { machine: "a".to_owned(), agents: 1 }]);
}

#[test]
fn a_connection_begins_the_same_time_and_never_shortens_it() {
    let mut world = World::with_two();
    world.run_to(world.now + ms(1000));
    world.says("a", 2, 0, hello(&[owned("x", 4, 1)], true));
    let begun = world.now;
    world.run_before(begun + SILENT);
    world.poll();
    assert_eq!(world.keeper.events(), []);
    world.now += INSTANT;
    world.poll();
    assert_eq!(world.keeper.events().len(), 1);
}

#[test]
fn a_keeper_that_was_late_gives_processes_as_much_more_time() {
    // As often as an eighth of a lease is not late.
    for (pause, more) in [(LEASE / 8, Duration::ZERO), (LEASE / 8 + INSTANT, LEASE / 8 + INSTANT)] {
        let mut world = World::with_two();
        world.poll();
        let silent = world.now;
        world.goes_on("a", ProcessSays::Beat);
        world.now += pause;
        world.poll();
        world.run_before(silent + SILENT + more);
        world.poll();
        let gone = |world: &mut World| {
            world.keeper.events().iter().any(|one| matches!(one, Event::Gone { .. } | Event::Lost { .. }))
        };
        assert!(!gone(&mut world));
        world.now += INSTANT;
        world.poll();
        assert!(gone(&mut world));
    }
}

#[test]
fn messages_are_taken_once_and_in_order_and_those_of_an_earlier_connection_never() {
    let mut world = World::with_two();
    world.to("a");
    let asks = |number, agent| ProcessSays::Requests(vec![add(number, agent)]);
    world.says("a", 1, 4, asks(1, "y"));
    assert_eq!(world.keeper.agents().0, 2);
    world.says("a", 1, 4, asks(2, "z"));
    assert_eq!((world.keeper.agents().0, world.to("a").contains(&KeeperSays::Again)), (2, false));
    world.says("a", 1, 6, asks(2, "z"));
    assert_eq!((world.keeper.agents().0, world.to("a").contains(&KeeperSays::Again)), (2, true));
    world.says("a", 2, 0, hello(&[owned("x", 4, 1)], true));
    assert_eq!(world.to("a").iter().filter(|body| is_welcome(body)).count(), 1);
    world.says("a", 2, 0, hello(&[owned("x", 4, 1)], true));
    world.says("a", 1, 1, ProcessSays::Beat);
    assert_eq!(world.to("a"), [KeeperSays::Again], "a repeated `Hello` is not answered, and an old beat is not heard");
}

#[test]
fn a_request_is_done_once_also_if_its_process_was_gone() {
    let mut world = World::with_two();
    world.to("a");
    world.asks("a", &[add(1, "y")]);
    world.run_to(world.now + SILENT);
    world.poll();
    world.to("a");
    let requests = vec![add(1, "y"), add(2, "y")];
    world.says("a", 2, 0, ProcessSays::Hello { term: TERM, is_leased: false, owned: vec![], copies: vec![], requests });
    let refused: Vec<_> = world.to("a").into_iter().filter(|body| matches!(body, KeeperSays::Refused { .. })).collect();
    let reason = "there is an agent with this name".to_owned();
    assert_eq!(refused, [KeeperSays::Refused { request: 2, reason }]);
}

#[test]
fn what_was_to_be_sent_on_an_earlier_connection_is_sent_once() {
    let mut world = World::with_two();
    world.to("a");
    world.asks("a", &[add(1, "y"), add(2, "z")]);
    world.says("a", 2, 0, hello(&[owned("x", 4, 1)], true));
    let to_a = world.to("a");
    assert!(is_welcome(&to_a[0]), "{to_a:?}");
    let takes = to_a.iter().filter_map(|body| match body {
        KeeperSays::Take(all) => Some(all.len()),
        _ => None,
    });
    let b = world.taken("b").len();
    assert_eq!(takes.sum::<usize>() + b, 2, "{to_a:?}");
}

#[test]
fn nothing_moves_before_all_processes_have_come_back() {
    let mut world = World::new();
    let agents: Vec<_> = (0..30).map(|number| owned(&format!("x{number}"), 4, number)).collect();
    world.says("a", 1, 0, hello(&agents, true));
    world.says("b", 1, 0, hello(&[], true));
    let is_released = |body: &KeeperSays| matches!(body, KeeperSays::Release(_));
    for time in [SILENT / 2, SILENT] {
        world.run_to(time);
        world.goes_on("a", ProcessSays::Beat);
        world.goes_on("b", ProcessSays::Beat);
    }
    world.run_before(KNOWS);
    assert!(!world.to("a").iter().any(is_released));
    world.now = KNOWS;
    assert!(world.to("a").iter().any(is_released));
}

#[test]
fn a_process_that_has_an_agent_again_forgets_its_copy() {
    let mut world = World::new();
    let (term, owned, copies) = (TERM, vec![owned("x", 4, 2)], vec![(owned("x", 4, 1), state(3))]);
    world.says("a", 1, 0, ProcessSays::Hello { term, is_leased: true, owned, copies, requests: vec![] });
    let all = world.to("a");
    assert!(is_welcome(&all[0]) && all[1..] == [KeeperSays::Forget(vec![super::owned("x", 4, 1)])], "{all:?}");
}

#[test]
fn agents_without_a_snapshot_are_lost_and_can_be_added_again() {
    let mut world = World::with_two();
    world.run_to(world.now + ms(1750));
    world.goes_on("b", ProcessSays::Beat);
    world.run_to(world.now + ms(520));
    world.poll();
    assert_eq!(world.keeper.events(), [Event::Lost { agents: vec!["x".to_owned()] }]);
    world.poll();
    assert_eq!((world.keeper.events(), world.keeper.agents()), (vec![], (1, 0)), "it is said once");
    world.to("b");
    world.asks("b", &[add(1, "x")]);
    assert_eq!(world.taken("b"), added("x"));
    // Its process was only cut off, and comes back too late.
    world.says("a", 2, 0, hello(&[owned("x", 4, 1)], false));
    let all = world.to("a");
    let is_dropped = |body: &KeeperSays| matches!(body, KeeperSays::Welcome { dropped, .. } if dropped.len() == 1);
    assert!(all.iter().any(is_dropped), "{all:?}");
}

#[test]
fn a_process_that_comes_back_still_has_what_is_lost() {
    let mut world = World::with_two();
    world.run_to(world.now + SILENT);
    world.poll();
    assert_eq!(world.keeper.events(), [Event::Lost { agents: vec!["x".to_owned()] }]);
    world.says("a", 2, 0, hello(&[owned("x", 4, 1)], false));
    let all = world.to("a");
    let renewed = |body: &KeeperSays| matches!(body, KeeperSays::Welcome { renewed, .. } if renewed.len() == 1);
    assert!(all.iter().any(renewed), "{all:?}");
    // The same holds for one that has handed it over.
    let mut world = World::with_two();
    world.run_to(world.now + SILENT);
    world.poll();
    let copies = vec![(owned("x", 4, 1), state(3))];
    world.says("c", 1, 0, ProcessSays::Hello { term: TERM, is_leased: false, owned: vec![], copies, requests: vec![] });
    assert_eq!(world.taken("c").len(), 1);
}

#[test]
fn a_keeper_exceeds_the_term_of_an_earlier_one_and_begins_again() {
    let mut world = World::with_two();
    world.to("a");
    let later = |term| ProcessSays::Hello { term, is_leased: true, owned: vec![], copies: vec![], requests: vec![] };
    world.says("c", 1, 0, later(50));
    let all = world.keeper.poll(world.now);
    assert!(matches!(&all[..], [(_, message)] if message.term == 51 && message.body == KeeperSays::Again), "{all:?}");
    assert_eq!(world.keeper.agents(), (0, 0), "what it knew may not hold anymore");
    world.says("c", 2, 0, later(51));
    assert!(is_welcome(&world.to("c")[0]));
    // Two keepers at a time do not outdo each other without end.
    world.says("d", 1, 0, later(60));
    world.says("d", 1, 0, later(60));
    assert_eq!(world.keeper.events(), [Event::Outranked { term: 60 }], "it is said once");
    world.run_before(world.now + KNOWS);
    world.says("d", 1, 0, later(61));
    assert_eq!(world.keeper.events().last(), Some(&Event::Outranked { term: 61 }));
    world.now += INSTANT;
    world.says("d", 1, 0, later(61));
    world.says("d", 1, 0, later(62));
    assert!(is_welcome(world.to("d").last().expect("it is answered")));
    world.run_to(world.now + KNOWS);
    world.says("d", 2, 0, later(u64::MAX));
    assert_eq!(world.keeper.events().last(), Some(&Event::Outranked { term: u64::MAX }));
}

#[test]
fn processes_are_bounded() {
    let mut world = World::new();
    (0..5000).for_each(|number| world.says(&format!("m{number}"), 1, 0, hello(&[], true)));
    let all = world.keeper.poll(world.now);
    assert_eq!(all.iter().filter(|(_, message)| is_welcome(&message.body)).count(), 4096);
}
