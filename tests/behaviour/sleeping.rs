//! When a tree has to be ticked again, and herds that tick only the agents that are due.

use bt_core::Status::{Failure, Running, Success};
use bt_core::observe::Statistics;
use bt_core::prelude::*;
use bt_core::{Shift, Step, Wake};
use bt_dynamic::Registry;

#[derive(Clone, Default)]
struct Npc {
    now: Duration,
    hit: bool,
    ticks: u32,
    work: u32,
}

impl Clock for Npc {
    fn now(&self) -> Duration {
        self.now
    }
}

#[condition(event)]
fn is_hit(npc: &Npc) -> bool {
    npc.hit
}

#[condition]
fn polled(npc: &Npc) -> bool {
    npc.hit
}

fn busy(npc: &mut Npc) -> Status {
    npc.ticks += 1;
    Running
}

fn work(npc: &mut Npc) {
    npc.work += 1;
}

/// Charges until a time, then waits for an event.
fn charge(npc: &mut Npc) -> Step<Wake> {
    npc.ticks += 1;
    match npc.now {
        now if now < secs(10) => Step::Running(Wake::At(secs(10))),
        _ if npc.hit => Step::Done(Outcome::Success),
        _ => Step::Running(Wake::Event),
    }
}

/// When the tree has to be ticked again after one tick at second 1.
fn due<N: Node<Npc>>(tree: &N) -> Wake {
    let (mut npc, mut memory) = (Npc { now: secs(1), ..Npc::default() }, tree.memory());
    let status = tree.tick(&mut npc, &mut memory);
    tree.due(status, &memory, &mut npc)
}

macro_rules! due {
    ($($tree:tt => $due:expr;)+) => {$(assert_eq!(due(&tree! { for Npc: $tree }), $due, stringify!($tree));)+};
}

const fn at(second: u64) -> Wake {
    Wake::At(Duration::from_secs(second))
}

#[test]
fn timed_nodes_know_their_times() {
    due! {
        (wait(secs(3))) => at(4);
        (run) => Wake::Event;
        (busy) => Wake::Next;
        (charge) => at(10);
    }
    assert_eq!(due(&tree! { for Npc: delay(secs(2)) { busy } }), at(3));
    // At its deadline, the child is still ticked.
    assert_eq!(due(&tree! { for Npc: timeout(secs(2)) { run } }), Wake::At(secs(3) + Duration::from_nanos(1)));
    assert_eq!(due(&tree! { for Npc: timeout(secs(9)) { wait(secs(4)) } }), at(5));
    assert_eq!(due(&tree! { for Npc: timeout(secs(2)) { busy } }), Wake::Next);
    assert_eq!(due(&tree! { for Npc: service(secs(2), work) { run } }), at(3));
    assert_eq!(due(&tree! { for Npc: cooldown(secs(2)) { wait(secs(7)) } }), at(8));
}

#[test]
fn a_composite_with_memory_depends_on_its_running_child() {
    assert_eq!(due(&tree! { for Npc: mem_sequence { work, wait(secs(3)), busy } }), at(4));
    assert_eq!(due(&tree! { for Npc: mem_selector { polled, wait(secs(3)) } }), at(4));
    assert_eq!(due(&tree! { for Npc: kept_sequence { work, wait(secs(3)) } }), at(4));
    assert_eq!(due(&tree! { for Npc: mem_parallel { work, wait(secs(3)), wait(secs(2)), run } }), at(3));
    assert_eq!(due(&tree! { for Npc: mem_parallel { wait(secs(3)), busy } }), Wake::Next);
    assert_eq!(due(&tree! { for Npc: mem_if polled { busy } else { wait(secs(3)) } }), at(4));
    assert_eq!(due(&tree! { for Npc: mem_utility_selector { 0.5 => wait(secs(3)), 0.1 => busy } }), at(4));
    assert_eq!(due(&tree! { for Npc: mem_match |npc: &Npc| npc.hit { true => busy, false => wait(secs(3)) } }), at(4));
    assert_eq!(due(&tree! { for Npc: utility_selector { 0.5 => wait(secs(3)), 0.1 => busy } }), Wake::Next);
}

#[test]
fn a_reactive_composite_sleeps_if_what_is_before_its_running_child_depends_on_events_or_times() {
    assert_eq!(due(&tree! { for Npc: selector { polled, wait(secs(3)) } }), Wake::Next);
    assert_eq!(due(&tree! { for Npc: selector { is_hit, wait(secs(3)) } }), at(4));
    assert_eq!(due(&tree! { for Npc: selector { by_event { polled } wait(secs(3)) } }), at(4));
    assert_eq!(due(&tree! { for Npc: selector { sequence { is_hit, busy } run } }), Wake::Event);
    assert_eq!(due(&tree! { for Npc: selector { sequence { succeed, is_hit, busy } run } }), Wake::Event);
    assert_eq!(due(&tree! { for Npc: sequence { !is_hit, wait(secs(3)) } }), at(4));
    assert_eq!(due(&tree! { for Npc: sequence { work, wait(secs(3)) } }), Wake::Next);
    assert_eq!(due(&tree! { for Npc: selector { cooldown(secs(5)) { !work } run } }), at(6));
    assert_eq!(due(&tree! { for Npc: selector { limit(1) { !work } run } }), Wake::Event);
    assert_eq!(due(&tree! { for Npc: selector { limit(2) { !work } run } }), Wake::Next);
    assert_eq!(due(&tree! { for Npc: if is_hit { busy } else { wait(secs(3)) } }), at(4));
    assert_eq!(due(&tree! { for Npc: if polled { busy } else { wait(secs(3)) } }), Wake::Next);
    assert_eq!(due(&tree! { for Npc: sequence { succeed_once { work } run } }), Wake::Event);
    assert_eq!(due(&tree! { for Npc: sequence { run_once { work } run } }), Wake::Event);
    assert_eq!(due(&tree! { for Npc: selector { force_failure { is_hit } run } }), Wake::Event);
    assert_eq!(due(&tree! { for Npc: sequence { force_success { is_hit } wait(secs(3)) } }), at(4));
    assert_eq!(due(&tree! { for Npc: selector { timeout(secs(5)) { sequence { is_hit, busy } } run } }), Wake::Event);
    assert_eq!(due(&tree! { for Npc: selector { if is_hit { busy } else { is_hit } run } }), Wake::Event);
    let conditions = || vec![tree! { for Npc: is_hit }, tree! { for Npc: is_hit }];
    assert_eq!(due(&tree! { for Npc: selector { ..conditions(), wait(secs(3)) } }), at(4));
    assert_eq!(due(&tree! { for Npc: selector { is_hit, ..conditions(), is_hit, wait(secs(3)) } }), at(4));
    assert_eq!(due(&tree! { for Npc: parallel { is_hit, run } }), Wake::Next, "it has failed");
    assert_eq!(due(&tree! { for Npc: parallel { !is_hit, wait(secs(3)) } }), at(4));
    assert_eq!(due(&tree! { for Npc: parallel { work, run } }), Wake::Next);
}

#[test]
fn what_has_changed_since_the_tick_is_noticed() {
    fn check<N: Node<Npc>>(tree: &N, first: bool, expected: [Wake; 2]) {
        let (mut npc, mut memory) = (Npc { now: secs(1), hit: first, ..Npc::default() }, tree.memory());
        let status = tree.tick(&mut npc, &mut memory);
        assert_eq!(status, Running);
        assert_eq!(tree.due(status, &memory, &mut npc), expected[0]);
        npc.hit = !first;
        assert_eq!(tree.due(status, &memory, &mut npc), expected[1]);
    }
    check(&tree! { for Npc: if is_hit { busy } else { wait(secs(3)) } }, false, [at(4), Wake::Next]);
    check(&tree! { for Npc: if is_hit { wait(secs(3)) } else { busy } }, true, [at(4), Wake::Next]);
    check(&tree! { for Npc: selector { is_hit, wait(secs(3)) } }, false, [at(4), Wake::Next]);
    check(&tree! { for Npc: sequence { is_hit, wait(secs(3)) } }, true, [at(4), Wake::Next]);
}

#[test]
fn a_machine_sleeps_until_a_guard_holds() {
    assert_eq!(
        due(&tree! { for Npc: machine { state a { wait(secs(3)), success -> b } state b { busy, failure -> a } } }),
        at(4)
    );
    assert_eq!(
        due(&tree! { for Npc: machine { state a { wait(secs(3)), is_hit -> b } state b { busy, success -> a } } }),
        at(4)
    );
    assert_eq!(
        due(&tree! { for Npc: machine { state a { run, !is_hit -> b } state b { busy, success -> a } } }),
        Wake::Next,
        "the guard is evaluated before the state's node is ticked the next time"
    );
    assert_eq!(
        due(&tree! { for Npc: machine { state a { run, is_hit -> b, polled -> b } state b { busy, success -> a } } }),
        Wake::Next
    );
    assert_eq!(
        due(&tree! {
            for Npc: machine { state a { run, is_hit -> b, cooldown(secs(2)) { polled } -> b } state b { busy } }
        }),
        at(3)
    );
    assert_eq!(
        due(&tree! {
            for Npc: machine {
                state a { wait(secs(3)), success -> b }
                state b { busy, failure -> a }
                any { is_hit -> b }
            }
        }),
        at(4)
    );
    assert_eq!(
        due(&tree! {
            for Npc: machine { state a { run, is_hit -> b } state b { busy, failure -> a } any { !is_hit -> a } }
        }),
        Wake::Event,
        "it leads to the present state"
    );
    assert_eq!(
        due(&tree! {
            for Npc: machine { state a { run, is_hit -> b } state b { busy, failure -> a } any { polled -> b } }
        }),
        Wake::Next
    );
}

#[test]
fn a_tree_that_has_ended_may_sleep_until_an_event() {
    assert_eq!(due(&tree! { for Npc: sequence { is_hit, work } }), Wake::Event);
    assert_eq!(due(&tree! { for Npc: sequence { polled, work } }), Wake::Next);
    assert_eq!(due(&tree! { for Npc: work }), Wake::Next);
    assert_eq!(due(&tree! { for Npc: error }), Wake::Next);
}

#[test]
fn a_loaded_tree_knows_the_same() {
    let mut registry = Registry::<Npc>::new().with_clock();
    registry.add::<is_hit>("IsHit").add_leaf("Busy", busy).add_leaf("Charge", charge).add_leaf("Work", work);
    let load = |nodes: &str| registry.load(&format!(r#"{{ "root": "1", "nodes": {{ {nodes} }} }}"#)).unwrap();
    for (nodes, expected) in [
        (r#""1": { "name": "Wait", "properties": { "milliseconds": 3000 } }"#, at(4)),
        (r#""1": { "name": "Charge" }"#, at(10)),
        (r#""1": { "name": "Busy" }"#, Wake::Next),
        (
            r#""1": { "name": "Priority", "children": ["2", "3"] }, "2": { "name": "IsHit" }, "3": { "name": "Runner" }"#,
            Wake::Event,
        ),
        (
            r#""1": { "name": "Priority", "children": ["2", "3"] }, "2": { "name": "Busy" }, "3": { "name": "Runner" }"#,
            Wake::Next,
        ),
        (
            r#""1": { "name": "service", "properties": { "every": 2000, "action": "Work" }, "child": "3" }, "3": { "name": "Runner" }"#,
            at(3),
        ),
        (
            r#""1": { "name": "machine", "children": ["2"] }, "2": { "name": "state", "properties": { "name": "a", "transitions": ["success -> success"] }, "child": "3" }, "3": { "name": "Runner" }"#,
            Wake::Event,
        ),
        (
            r#""1": { "name": "machine", "children": ["2"] }, "2": { "name": "state", "properties": { "name": "a", "transitions": ["IsHit -> success"] }, "child": "3" }, "3": { "name": "Runner" }"#,
            Wake::Event,
        ),
        (
            r#""1": { "name": "machine", "children": ["2"] }, "2": { "name": "state", "properties": { "name": "a", "transitions": ["!IsHit -> success"] }, "child": "3" }, "3": { "name": "Runner" }"#,
            Wake::Next,
        ),
    ] {
        assert_eq!(due(&load(nodes)), expected, "{nodes}");
    }
}

#[test]
fn an_action_says_when_it_continues() {
    let tree = tree! { for Npc: charge };
    let (mut npc, mut memory) = (Npc::default(), tree.memory());
    assert_eq!(tree.tick(&mut npc, &mut memory), Running);
    assert_eq!(tree.due(Running, &memory, &mut npc), at(10));
    npc.now = secs(10);
    assert_eq!(tree.tick(&mut npc, &mut memory), Running);
    assert_eq!(tree.due(Running, &memory, &mut npc), Wake::Event);
    npc.hit = true;
    assert_eq!(tree.tick(&mut npc, &mut memory), Success);
}

/// A herd of three: one waits, one is busy, one has a free slot before it.
fn herd() -> (Herd<impl Node<Npc> + Save>, [AgentIds; 1], Vec<Npc>) {
    let mut herd = Herd::new(guard());
    let ids = [herd.add(), herd.add(), herd.add()];
    herd.remove(ids[1], &mut Npc::default());
    (herd, [ids], vec![Npc::default(); 3])
}

type AgentIds = [bt_core::AgentId; 3];

fn guard() -> impl Node<Npc> + Save {
    tree! { for Npc: selector { sequence { is_hit, busy } mem_sequence { work, wait(secs(3)) } } }
}

fn tick<N: Node<Npc>>(herd: &mut Herd<N>, npcs: &mut [Npc], second: u64) -> usize {
    for npc in npcs.iter_mut() {
        npc.now = secs(second);
    }
    herd.tick_due(secs(second), npcs).total()
}

#[test]
fn a_herd_ticks_the_agents_that_are_due() {
    let (mut herd, [ids], mut npcs) = herd();
    assert_eq!(herd.next_due(), Wake::Next);
    let ticked: Vec<_> = (0..8).map(|second| tick(&mut herd, &mut npcs, second)).collect();
    // A wait that is over ends its tree, which starts again in the next tick.
    assert_eq!(ticked, [2, 0, 0, 2, 2, 0, 0, 2]);
    assert_eq!([npcs[0].work, npcs[1].work, npcs[2].work], [2, 0, 2]);
    assert_eq!(herd.due(ids[0]), Some(Wake::Next));
    assert_eq!(herd.due(ids[1]), None);
    tick(&mut herd, &mut npcs, 8);
    assert_eq!((herd.due(ids[0]), herd.next_due()), (Some(at(11)), at(11)));
}

#[test]
fn agents_that_are_due_can_be_halted() {
    let (mut herd, [ids], mut npcs) = herd();
    tick(&mut herd, &mut npcs, 0);
    herd.wake_all();
    let mut seen = bt_tests::world::Events::default();
    herd.for_each_due(secs(1), |agent| {
        if agent.id() == ids[0] {
            agent.halt(&mut npcs[0]);
        } else {
            agent.halt_with(&mut npcs[2], &mut seen);
        }
        assert_eq!(agent.due(), Wake::Next);
    });
    assert!([ids[0], ids[2]].iter().all(|id| !herd.get_mut(*id).expect("it is in the herd").1.is_running()));
    assert!(!seen.0.is_empty());
    assert_eq!(tick(&mut herd, &mut npcs, 1), 2, "they stay due");
}

#[test]
fn a_copy_of_a_herd_is_due_at_the_same_times() {
    let tree = guard();
    let (mut herd, mut npcs) = (Herd::new(&tree), vec![Npc::default(); 1]);
    let id = herd.add();
    tick(&mut herd, &mut npcs, 0);
    let mut copy = herd.clone();
    assert_eq!((herd.due(id), copy.due(id)), (Some(at(3)), Some(at(3))));
    assert_eq!([tick(&mut copy, &mut npcs, 1), tick(&mut copy, &mut npcs, 3)], [0, 1]);
}

#[test]
fn all_threads_call_a_function_for_each_agent() {
    let (mut herd, [ids], mut npcs) = herd();
    for npc in &mut npcs {
        npc.now = secs(7);
    }
    herd.par_for_each(&mut npcs, |id, tree, memory, npc| {
        assert!([ids[0], ids[2]].contains(&id));
        tree.tick(npc, memory);
    });
    assert_eq!(npcs.iter().map(|npc| npc.work).collect::<Vec<_>>(), [1, 0, 1]);
}

#[test]
fn an_event_wakes_one_agent_or_all() {
    let (mut herd, [ids], mut npcs) = herd();
    tick(&mut herd, &mut npcs, 0);
    npcs[0].hit = true;
    assert_eq!(tick(&mut herd, &mut npcs, 1), 0, "the event was not reported");
    assert!(herd.wake(ids[0]) && !herd.wake(ids[1]));
    assert_eq!(tick(&mut herd, &mut npcs, 1), 1);
    assert_eq!((npcs[0].ticks, herd.due(ids[0])), (1, Some(Wake::Next)));
    herd.wake_all();
    assert_eq!(tick(&mut herd, &mut npcs, 1), 2);
}

#[test]
fn everything_else_that_ticks_or_changes_agents_wakes_them() {
    let (mut herd, [ids], mut npcs) = herd();
    macro_rules! wakes {
        ($count:literal, |$herd:ident| $act:expr) => {{
            for npc in &mut npcs {
                npc.hit = false;
            }
            herd.wake_all();
            herd.halt_all(|agent| agent.with(&mut npcs[agent.id().index()]));
            tick(&mut herd, &mut npcs, 20);
            assert_eq!(tick(&mut herd, &mut npcs, 20), 0, "all sleep");
            let $herd = &mut herd;
            $act;
            assert_eq!(tick(&mut herd, &mut npcs, 20), $count, "{}", stringify!($act));
        }};
    }
    wakes!(2, |herd| herd.tick_all(&mut npcs));
    wakes!(2, |herd| herd.for_each(|_, _, _| {}));
    wakes!(2, |herd| herd.halt_all(|agent| agent.with(&mut npcs[agent.id().index()])));
    wakes!(2, |herd| herd.shift(Shift::new(secs(20), secs(20))));
    wakes!(2, |herd| herd.par_tick_all(&mut npcs));
    wakes!(1, |herd| herd.tick(ids[2], &mut npcs[2]));
    wakes!(1, |herd| herd.get_mut(ids[0]));
    // A clock that goes back.
    assert_eq!((tick(&mut herd, &mut npcs, 20), tick(&mut herd, &mut npcs, 19)), (0, 2));
    let saved = serde_json::to_string(&herd.saved()).unwrap();
    wakes!(2, |herd| herd.load(&mut serde_json::Deserializer::from_str(&saved)).unwrap());
    let new = herd.add();
    assert_eq!((new.index(), tick(&mut herd, &mut npcs, 20)), (1, 1));
}

#[test]
fn in_parallel_and_with_contexts_made_on_demand_it_is_the_same() {
    let ((mut one, _, mut npcs), (mut other, _, mut others), (mut third, _, mut thirds)) = (herd(), herd(), herd());
    let mut statistics = Statistics::default();
    for second in 0..30 {
        for npc in npcs.iter_mut().chain(&mut others).chain(&mut thirds) {
            npc.now = secs(second);
        }
        let counts = one.tick_due(secs(second), &mut npcs);
        assert_eq!(other.par_tick_due(secs(second), &mut others), counts);
        let mut ticked = 0;
        third.for_each_due(secs(second), |agent| {
            ticked += 1;
            agent.tick_with(&mut thirds[agent.id().index()], &mut statistics);
        });
        assert_eq!(ticked, counts.total());
        assert_eq!(counts.of(Running) + counts.of(Success) + counts.of(Failure), counts.total());
    }
    let done = |npcs: &[Npc]| npcs.iter().map(|npc| npc.work).collect::<Vec<_>>();
    assert_eq!((done(&npcs), done(&thirds)), (done(&others), done(&npcs)));
}

#[test]
fn an_agent_whose_tick_panics_is_due() {
    fn break_down(npc: &mut Npc) -> Step<Wake> {
        assert!(npc.now < secs(1) || npc.now > secs(1), "broken");
        Step::Running(Wake::At(npc.now + secs(1)))
    }
    let mut herd = Herd::new(tree! { for Npc: break_down });
    let agent = herd.add();
    let mut npcs = [Npc::default()];
    assert_eq!(tick(&mut herd, &mut npcs, 0), 1);
    let broken = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| tick(&mut herd, &mut npcs, 1)));
    assert!(broken.is_err());
    assert_eq!((herd.due(agent), herd.next_due()), (Some(Wake::Next), Wake::Next));
    assert_eq!(tick(&mut herd, &mut npcs, 2), 1);
    assert_eq!(herd.next_due(), Wake::At(secs(3)));
}

#[test]
fn a_slot_whose_agent_was_removed_is_not_ticked() {
    let (mut herd, [ids], mut npcs) = herd();
    assert_eq!(tick(&mut herd, &mut npcs, 0), 2);
    herd.remove(ids[0], &mut npcs[0]);
    herd.wake_all();
    assert_eq!(tick(&mut herd, &mut npcs, 1), 1);
    herd.remove(ids[2], &mut npcs[2]);
    assert_eq!((tick(&mut herd, &mut npcs, 0), herd.next_due()), (0, Wake::Event));
    // A slot that is added and removed before the next tick.
    let more = [herd.add(), herd.add(), herd.add(), herd.add()];
    npcs.push(Npc::default());
    herd.remove(more[3], &mut npcs[3]);
    assert_eq!((herd.tick_all(&mut npcs).total(), herd.par_tick_due(secs(9), &mut npcs).total()), (3, 3));
}

#[test]
fn an_agent_that_is_halted_after_its_tick_stays_due() {
    let (mut herd, [ids], mut npcs) = herd();
    herd.for_each_due(secs(0), |agent| {
        let npc = &mut npcs[agent.id().index()];
        assert_eq!(agent.tick(npc), Running);
        assert_eq!(agent.due(), at(3));
        agent.halt(npc);
        assert_eq!((agent.due(), agent.memory().is_running()), (Wake::Next, false));
    });
    assert_eq!([ids[0], ids[2]].map(|id| herd.due(id)), [Some(Wake::Next); 2]);
    assert_eq!((tick(&mut herd, &mut npcs, 1), npcs[0].work), (2, 2));
}

#[test]
fn a_herd_of_free_slots_waits_for_an_event() {
    // Without any tick so far.
    let mut herd = Herd::new(guard());
    let only = herd.add();
    assert_eq!(herd.next_due(), Wake::Next);
    herd.remove(only, &mut Npc::default());
    assert_eq!(herd.next_due(), Wake::Event);
    // After ticks, with a slot that was freed since the last one and one that was added and freed.
    let (mut herd, [ids], mut npcs) = self::herd();
    tick(&mut herd, &mut npcs, 0);
    herd.wake_all();
    let more = herd.add();
    let last = herd.add();
    for id in [ids[0], ids[2], more, last] {
        assert_eq!(herd.next_due(), Wake::Next);
        herd.remove(id, &mut npcs[0]);
    }
    assert_eq!(herd.next_due(), Wake::Event);
}

/// A timeout fails after its deadline, so a loop that waits until an agent is due must not wait for the deadline itself.
#[test]
fn a_timeout_is_due_when_it_fails() {
    struct Robot(Duration);
    impl Clock for Robot {
        fn now(&self) -> Duration {
            self.0
        }
    }
    let mut robots = [Robot(secs(0))];
    let mut herd = Herd::new(tree! { for Robot: timeout(millis(500)) { run } });
    herd.add();
    assert_eq!(herd.tick_due(secs(0), &mut robots).of(Running), 1);
    let due = herd.next_due();
    assert_eq!(due, Wake::At(millis(500) + Duration::from_nanos(1)));
    let Wake::At(due) = due else { return };
    robots[0].0 = due;
    assert_eq!(herd.tick_due(due, &mut robots).of(Failure), 1);
}
