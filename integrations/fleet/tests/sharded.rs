//! Herds over several processes, on loopback.

mod common;

use bt_core::prelude::*;
use bt_fleet::{Arrival, Change, Config, Fleet, FleetError, FleetHub, HubConfig, ShardConfig, ShardEvent, Sharded};
use common::{TestHub, endpoint, open, wait_for, wait_for_update};
use serde::{Deserialize, Serialize};
use zenoh::Wait as _;

const LEASE: Duration = Duration::from_secs(2);

/// What an agent did, and what a format must not lose.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Job {
    now: Duration,
    begun: u32,
    ended: u32,
    distance: f64,
}

impl Clock for Job {
    fn now(&self) -> Duration {
        self.now
    }
}

const NEW: Job = Job { now: Duration::ZERO, begun: 0, ended: 0, distance: f64::INFINITY };

fn job() -> impl Node<Job> + Save {
    tree! { mem_sequence { |job: &mut Job| job.begun += 1, wait(secs(2)), |job: &mut Job| job.ended += 1, run } }
}

fn hub(fleet: &str, endpoint: &str) -> TestHub {
    TestHub::with(HubConfig::new(fleet).listen(endpoint).keeper(LEASE))
}

fn join(fleet: &str, machine: &str, endpoint: &str) -> Fleet {
    Fleet::join(Config::new(fleet, machine).connect(endpoint)).expect("it can join")
}

fn shard<N: Node<Job> + Save>(fleet: &Fleet, tree: N) -> Sharded<N, Job> {
    let config = ShardConfig::new("jobs").snapshot_interval(millis(100));
    Sharded::join(fleet, config, tree).expect("it can take part")
}

fn tick<N: Node<Job> + Save>(herd: &mut Sharded<N, Job>) -> usize {
    herd.tick_all(|agent| {
        agent.context.now = agent.now();
        agent.tick();
    })
}

fn count<N: Node<Job> + Save>(herd: &Sharded<N, Job>) -> usize {
    herd.names().count()
}

#[test]
fn an_agent_moves_with_its_running_leaf_and_its_clock() {
    let endpoint = endpoint();
    let hub = hub("moves", &endpoint);
    let (one, two) = (join("moves", "one", &endpoint), join("moves", "two", &endpoint));
    let mut first = shard(&one, job());
    for number in 0..10 {
        first.add(&format!("job {number}"), &NEW).expect("it can be saved");
    }
    wait_for("all begin at the first", || (tick(&mut first) == 10).then_some(()));
    assert!(first.names().all(|name| first.context(name).is_some_and(|job| job.begun == 1)));

    let mut second = shard(&two, job());
    wait_for("half of them move", || {
        tick(&mut first);
        tick(&mut second);
        (count(&first) == 5 && count(&second) == 5).then_some(())
    });
    let events = second.events();
    let moved = |event: &ShardEvent| matches!(event, ShardEvent::Arrived { arrival: Arrival::Moved, ticks: 1.., .. });
    assert!(events.iter().all(moved), "{events:?}");
    first.move_to("job 0", "two");
    first.move_to("nobody", "two");
    first.move_to("job 1", "nowhere");
    wait_for("one is moved", || {
        tick(&mut first);
        tick(&mut second);
        second.names().any(|name| name == "job 0").then_some(())
    });
    let mut refused = Vec::new();
    wait_for("others are refused", || {
        tick(&mut first);
        refused.extend(first.events().into_iter().filter(|event| matches!(event, ShardEvent::Refused { .. })));
        (refused.len() == 2).then_some(())
    });
    assert!(format!("{refused:?}").contains("there is no machine with this name"), "{refused:?}");

    let mut page = hub.hub.hub().connect();
    wait_for_update(&mut page, "\"name\":\"job 0\"");

    // The first process ends, and the second one has all of them.
    let leaving = std::thread::spawn(move || drop((first, one)));
    wait_for("all move", || {
        tick(&mut second);
        (count(&second) == 10).then_some(())
    });
    leaving.join().expect("it leaves");
    wait_for("all end", || {
        tick(&mut second);
        second.names().all(|name| second.context(name).is_some_and(|job| job.ended == 1)).then_some(())
    });
    for name in second.names() {
        let job = second.context(name).expect("it is here");
        assert_eq!((job.begun, job.distance), (1, f64::INFINITY), "{name}");
    }
    let job = second.remove("job 3").expect("it is here");
    assert_eq!((job.ended, count(&second)), (1, 9));
    assert!(second.remove("job 3").is_none());
}

#[test]
fn a_process_that_is_cut_off_stops_and_others_continue() {
    let endpoint = endpoint();
    let hub = hub("cut", &endpoint);
    let (one, two) = (join("cut", "one", &endpoint), join("cut", "two", &endpoint));
    let (mut first, mut second) = (shard(&one, job()), shard(&two, job()));
    wait_for("both take part", || {
        tick(&mut first);
        tick(&mut second);
        (first.is_leased() && second.is_leased()).then_some(())
    });
    for number in 0..8 {
        first.add(&format!("job {number}"), &NEW).expect("it can be saved");
    }
    first.add("job 0", &NEW).expect("it can be saved");
    wait_for("they are balanced", || (tick(&mut first) == 4 && tick(&mut second) == 4).then_some(()));
    let refused = |event: &ShardEvent| matches!(event, ShardEvent::Refused { agent, .. } if agent == "job 0");
    wait_for("a name is taken", || {
        tick(&mut first);
        first.events().iter().any(refused).then_some(())
    });
    // Without its session nothing that it says arrives.
    drop(one);
    wait_for("the others continue", || {
        let ticked = tick(&mut first);
        tick(&mut second);
        assert!(count(&second) == 4 || ticked == 0, "the first one has stopped before");
        (count(&second) == 8).then_some(())
    });
    assert!(!first.is_leased() && tick(&mut first) == 0);
    let recovered = |event: &ShardEvent| matches!(event, ShardEvent::Arrived { arrival: Arrival::Recovered { age }, .. } if *age < secs(15));
    assert_eq!(second.events().iter().filter(|event| recovered(event)).count(), 4);
    wait_for("the hub says so", || {
        let is_told = |change: &Change| matches!(change, Change::Recovered { agents: 4, .. });
        hub.changes().iter().any(is_told).then_some(())
    });
}

#[test]
fn agents_continue_under_a_new_keeper() {
    let endpoint = endpoint();
    let old = hub("again", &endpoint);
    let one = join("again", "one", &endpoint);
    let mut herd = shard(&one, job());
    herd.add("job", &NEW).expect("it can be saved");
    wait_for("it begins", || (tick(&mut herd) == 1).then_some(()));
    drop(old);
    wait_for("the lease ends", || (tick(&mut herd) == 0).then_some(()));
    let _new = hub("again", &endpoint);
    wait_for("it continues", || (tick(&mut herd) == 1).then_some(()));
    assert_eq!(herd.context("job").map(|job| job.begun), Some(1));
}

#[test]
fn a_program_may_take_part_twice() {
    let endpoint = endpoint();
    let _hub = hub("twice", &endpoint);
    let fleet = join("twice", "one", &endpoint);
    let (mut first, mut second) = (shard(&fleet, job()), shard(&fleet, job()));
    wait_for("both take part", || {
        tick(&mut first);
        tick(&mut second);
        (first.is_leased() && second.is_leased()).then_some(())
    });
    for number in 0..6 {
        second.add(&format!("job {number}"), &NEW).expect("it can be saved");
    }
    wait_for("each has half of them", || (tick(&mut first) == 3 && tick(&mut second) == 3).then_some(()));
    assert!(first.names().all(|name| second.context(name).is_none()));
}

#[test]
fn a_process_that_leaves_without_a_keeper_says_what_it_takes_with_it() {
    let endpoint = endpoint();
    let hub = hub("leaves", &endpoint);
    let fleet = join("leaves", "one", &endpoint);
    let mut herd = shard(&fleet, job());
    for name in ["a", "b"] {
        herd.add(name, &NEW).expect("it can be saved");
    }
    wait_for("they begin", || (tick(&mut herd) == 2).then_some(()));
    drop(hub);
    assert_eq!(herd.leave(millis(100)), ["a", "b"]);
    // With a keeper that comes back in time, they are handed over.
    let mut again = shard(&fleet, job());
    again.add("c", &NEW).expect("it can be saved");
    let hub = self::hub("leaves", &endpoint);
    wait_for("it begins", || (tick(&mut again) == 1).then_some(()));
    drop(hub);
    let leaving = std::thread::spawn(move || again.leave(secs(20)));
    let _hub = self::hub("leaves", &endpoint);
    assert_eq!(leaving.join().expect("it leaves"), [""; 0]);
    let mut last = shard(&fleet, job());
    wait_for("it continues", || (tick(&mut last) == 1).then_some(()));
    assert_eq!(last.context("c").map(|job| job.begun), Some(1));
}

#[test]
fn an_agent_that_a_process_cannot_load_goes_back() {
    let endpoint = endpoint();
    let hub = hub("other", &endpoint);
    let (one, two) = (join("other", "one", &endpoint), join("other", "two", &endpoint));
    let mut first = shard(&one, job());
    for number in 0..4 {
        first.add(&format!("job {number}"), &NEW).expect("it can be saved");
    }
    wait_for("all begin", || (tick(&mut first) == 4).then_some(()));
    let mut second = shard(&two, tree! { for Job: wait(secs(1)) });
    wait_for("it is refused", || {
        tick(&mut first);
        tick(&mut second);
        let is_refused = |change: &Change| matches!(change, Change::Refused { machine, .. } if machine == "two");
        hub.changes().iter().any(is_refused).then_some(())
    });
    let events = format!("{:?}", second.events());
    assert!(events.contains("made for a tree with another structure"), "{events}");
    wait_for("all are at the first", || {
        tick(&mut second);
        (tick(&mut first) == 4).then_some(())
    });
}

#[test]
fn what_no_process_sends_changes_nothing() {
    let endpoint = endpoint();
    let _hub = hub("hostile", &endpoint);
    let one = join("hostile", "one", &endpoint);
    let mut herd = shard(&one, job());
    herd.add("job", &NEW).expect("it can be saved");
    wait_for("it begins", || (tick(&mut herd) == 1).then_some(()));
    let other = open(&[], &[&endpoint]);
    let id = "0123456789abcdef";
    for herd in ["jobs", "x", "*", ""] {
        for bytes in [&b""[..], b"\xff", b"\x93\x01\x00", b"\xdd\xff\xff\xff\xff", b"\xdb\xff\xff\xff\xff"] {
            // A key that is invalid is refused here.
            let _ = other.put(format!("bt/hostile/shard/{herd}/to-keeper/m/{id}"), bytes).wait();
            let _ = other.put(format!("bt/hostile/shard/{herd}/to/one/{id}"), bytes).wait();
        }
    }
    std::thread::sleep(LEASE * 2);
    assert_eq!(tick(&mut herd), 1);
    assert_eq!(herd.context("job").map(|job| job.begun), Some(1));
}

#[test]
fn invalid_names_and_leases_are_errors() {
    let endpoint = endpoint();
    let fleet = join("names", "one", &endpoint);
    let error = |herd| Sharded::<_, Job>::join(&fleet, ShardConfig::new(herd), job()).err().map(|e| e.to_string());
    assert!(error("a/b").is_some_and(|text| text.starts_with("invalid name \"a/b\" of a herd")));
    let herd = shard(&fleet, job());
    let error_of = |name| herd.add(name, &NEW).err().map(|error| error.to_string());
    let expected = "invalid name \"\" of an agent: it is empty\nhelp: use 1 to 100 characters, such as `robot-1`";
    assert_eq!(error_of("").as_deref(), Some(expected));
    assert!(matches!(herd.add(&"x".repeat(101), &NEW), Err(FleetError::Name { .. })));
    herd.add("a/b *", &NEW).expect("an agent may have any name");
    let large = Sharded::<_, String>::join(&fleet, ShardConfig::new("large"), tree! { for String: run });
    let error = large.expect("it can take part").add("a", &"x".repeat(5_000_000)).expect_err("it is too large");
    assert!(error.to_string().starts_with("agent \"a\" cannot be saved: it has 5000"), "{error}");
    let config = HubConfig::new("names").address("127.0.0.1:0").listen(&endpoint).keeper(millis(1));
    let error = FleetHub::serve(config).err().map(|error| error.to_string());
    assert_eq!(error.as_deref(), Some("lease: expected at least 200ms, found 1ms"));
}
