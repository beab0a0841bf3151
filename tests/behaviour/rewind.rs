//! `Rewind`: going back to an earlier tick.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use bt_core::Status::{Failure, Running, Success};
use bt_core::prelude::*;
use bt_core::testing::{ManualClock, TreeTest};
use bt_core::{HerdMemories, Rewind, StatusCounts};
use bt_dynamic::Registry;
use bt_tests::world::{World, act, told};

/// Stores the numbers of these ticks.
fn stored(ticks: impl IntoIterator<Item = u64>, rewind: Rewind<u64>) -> Rewind<u64> {
    let mut rewind = rewind;
    ticks.into_iter().for_each(|tick| rewind.store(tick, secs(tick), || tick));
    rewind
}

fn ticks<S>(rewind: &Rewind<S>) -> Vec<u64> {
    rewind.iter().map(|snapshot| snapshot.tick).collect()
}

#[test]
fn a_new_ring_is_empty_and_takes_no_bytes() {
    let mut rewind = Rewind::<u64>::new(1000);
    assert!(
        rewind.iter().next().is_none()
            && rewind.ticks().is_none()
            && rewind.at(7).is_none()
            && rewind.rewind_to(7).is_none()
    );
    assert_eq!((rewind.iter().len(), rewind.bytes()), (0, 0));
}

#[test]
fn a_tick_that_is_not_stored_returns_the_one_before_it() {
    let rewind = stored([3, 5, 9], Rewind::new(1000));
    let at = |tick| rewind.at(tick).map(|snapshot| (snapshot.tick, snapshot.now, snapshot.state));
    assert_eq!(at(2), None);
    assert_eq!([at(3), at(4)], [Some((3, secs(3), 3)); 2]);
    assert_eq!(at(8), Some((5, secs(5), 5)));
    assert_eq!(at(u64::MAX), Some((9, secs(9), 9)));
    assert_eq!(rewind.ticks(), Some(3..=9));
}

#[test]
fn going_back_forgets_what_comes_later() {
    let mut rewind = stored(0..10, Rewind::new(10_000));
    assert_eq!(rewind.rewind_to(6).map(|snapshot| snapshot.state), Some(6));
    assert_eq!(ticks(&rewind), [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(rewind.rewind_to(u64::MAX).map(|snapshot| snapshot.state), Some(6));
    assert_eq!(rewind.iter().len(), 7);
}

#[test]
fn going_back_beyond_the_oldest_forgets_nothing() {
    let mut rewind = stored(5..10, Rewind::new(10_000));
    assert!(rewind.rewind_to(4).is_none());
    assert_eq!(rewind.iter().len(), 5);
}

#[test]
fn storing_an_earlier_tick_forgets_what_came_later() {
    let mut rewind = stored(0..10, Rewind::new(10_000));
    rewind.store(4, secs(0), || 44);
    assert_eq!(ticks(&rewind), [0, 1, 2, 3, 4]);
    assert_eq!(rewind.at(4).map(|snapshot| snapshot.state), Some(44));
}

#[test]
fn every_n_ticks_calls_the_function_no_more_often() {
    let (mut rewind, mut calls) = (Rewind::new(10_000).every(4), 0);
    for tick in 0..10 {
        rewind.store(tick, secs(0), || calls += 1);
    }
    assert_eq!((ticks(&rewind), calls), (vec![0, 4, 8], 3));
    // After going back, the distance counts from the last one that is still stored.
    rewind.rewind_to(6);
    rewind.store(6, secs(0), || calls += 1);
    rewind.store(8, secs(0), || calls += 1);
    assert_eq!((ticks(&rewind), calls), (vec![0, 4, 8], 4));
    // A distance of 0 stores each tick, as 1 does.
    assert_eq!(stored(0..3, Rewind::new(1000).every(0)).iter().len(), 3);
}

#[test]
fn the_oldest_are_dropped_beyond_the_bound() {
    let rewind = stored(0..1000, Rewind::new(1000));
    let kept = rewind.iter().len() as u64;
    assert!(kept > 10, "{kept}");
    assert_eq!(rewind.ticks(), Some(1000 - kept..=999));
    assert!(rewind.bytes() <= 1000 && rewind.bytes() > 900, "{}", rewind.bytes());
}

#[test]
fn a_snapshot_beyond_the_bound_is_not_stored() {
    assert!(stored(0..10, Rewind::new(8)).iter().next().is_none());
    let mut rewind = Rewind::new(1000).weigh(|text: &String| text.capacity());
    rewind.store(0, secs(0), || "small".to_owned());
    rewind.store(1, secs(0), || "large".repeat(1000));
    assert_eq!(ticks(&rewind), [0]);
}

#[test]
fn the_bound_includes_what_the_user_weighs() {
    // Light snapshots first, then heavy ones, then light ones.
    let sizes = (0..500).map(|_| 0).chain((0..50).map(|n| 500 + n)).chain((0..2000).map(|n| n % 3));
    let mut rewind = Rewind::new(10_000).weigh(|bytes: &Vec<u8>| bytes.capacity());
    let mut lengths = Vec::new();
    for (tick, size) in (0..).zip(sizes) {
        rewind.store(tick, secs(0), || Vec::with_capacity(size));
        assert!(rewind.bytes() <= 10_000, "{} bytes", rewind.bytes());
        assert_eq!(*rewind.ticks().unwrap().end(), tick, "the last one is stored");
        lengths.push(rewind.iter().len());
    }
    assert!(lengths[499] > 100 && (14..=19).contains(&lengths[549]) && lengths[2500] > 100, "{lengths:?}");
    rewind.clear();
    assert_eq!((rewind.iter().len(), rewind.bytes()), (0, 0));
}

fn patrol() -> impl Node<World> + Save + Send + Sync {
    tree! { for World: mem_sequence { act(1), limit(2) { act(2) } wait(secs(2)) } }
}

#[test]
fn an_agent_goes_back() {
    let tree = patrol();
    let (mut world, mut memory) = (World::telling(&[Running, Success, Failure]), tree.memory());
    let mut rewind = Rewind::new(100_000);
    let tick = |world: &mut World, memory: &mut Memory<_>| {
        world.now += millis(700);
        tree.tick(world, memory)
    };
    let mut first = Vec::new();
    for number in 0..20 {
        rewind.store(number, world.now, || (memory.clone(), world.clone()));
        first.push(tick(&mut world, &mut memory));
    }
    (memory, world) = rewind.rewind_to(5).unwrap().state.clone();
    let again: Vec<_> = (5..20).map(|_| tick(&mut world, &mut memory)).collect();
    assert_eq!(again, first[5..]);
}

#[test]
fn an_agent_in_a_loaded_tree_goes_back() {
    let mut registry = Registry::<World>::new().with_clock();
    registry.add_with("act", |_: bt_dynamic::NoProperties| act(1));
    let tree = registry
        .load(
            r#"{ "root": "1", "nodes": {
                "1": { "name": "MemSequence", "children": ["2", "3"] },
                "2": { "name": "Limiter", "child": "4", "properties": { "maxLoop": 2 } },
                "3": { "name": "Wait", "properties": { "milliseconds": 2000 } },
                "4": { "name": "act" }
            } }"#,
        )
        .unwrap();
    let (mut world, mut memory) = (World::telling(&[Running, Success]), tree.memory());
    let mut rewind = Rewind::new(100_000);
    let mut first = Vec::new();
    for number in 0..8 {
        rewind.store(number, world.now, || (memory.clone(), world.clone()));
        world.now += millis(700);
        first.push(tree.tick(&mut world, &mut memory));
    }
    assert!(first.contains(&Success) && first.contains(&Running));
    (memory, world) = rewind.rewind_to(1).unwrap().state.clone();
    for status in &first[1..] {
        world.now += millis(700);
        assert_eq!(tree.tick(&mut world, &mut memory), *status);
    }
}

#[test]
fn a_machine_goes_back() {
    let tree = tree! { for u32: machine { state calm { run, |n: &u32| *n > 2 -> angry } state angry { run } } };
    let (mut n, mut memory, mut rewind) = (0, tree.memory(), Rewind::new(10_000));
    for tick in 0..6 {
        rewind.store(tick, secs(0), || (memory.clone(), n));
        n += 1;
        tree.tick(&mut n, &mut memory);
    }
    assert_eq!(tree.state(&memory), Some("angry"));
    (memory, n) = rewind.rewind_to(2).unwrap().state.clone();
    assert_eq!((tree.state(&memory), n), (Some("calm"), 2));
}

#[test]
fn a_brain_goes_back_and_is_due() {
    let tree = Arc::new(patrol());
    let (mut world, mut brain) = (World::telling(&[Success]), Brain::new(&tree));
    let before = (brain.memory().clone(), world.clone());
    assert_eq!(brain.tick_due(secs(0), &mut world), Some(Running));
    assert_eq!(brain.tick_due(secs(0), &mut world), None, "it sleeps");
    let later = brain.memory().clone();
    brain.set_memory(before.0);
    world = before.1;
    assert!(!brain.is_running());
    assert_eq!(brain.tick_due(secs(0), &mut world), Some(Running));
    world.now = secs(2);
    brain.set_memory(later);
    assert_eq!(brain.tick_due(secs(2), &mut world), Some(Success));
}

fn tick_herd(herd: &mut Herd<impl Node<World>>, worlds: &mut [World]) -> StatusCounts {
    for world in &mut *worlds {
        world.now += secs(1);
    }
    herd.tick_all(worlds)
}

#[test]
fn a_whole_herd_goes_back() {
    let mut herd = Herd::new(patrol()).on_running_drop(|tree| panic!("{tree}"));
    herd.grow(3);
    let ids: Vec<_> = herd.ids().collect();
    let mut worlds: Vec<_> = (0..3).map(|_| World::telling(&[Running, Success])).collect();
    let mut rewind = Rewind::new(10_000).weigh(|(memories, _): &(HerdMemories<_>, Vec<World>)| memories.heap_bytes());
    let mut first = Vec::new();
    for tick in 0..5 {
        // Dropping a snapshot is not dropping a herd.
        rewind.store(tick, secs(tick), || (herd.memories(), worlds.clone()));
        first.push(tick_herd(&mut herd, &mut worlds));
    }
    assert!(herd.remove(ids[0], &mut worlds[0]));
    let (memories, before) = rewind.rewind_to(1).unwrap().state.clone();
    herd.set_memories(memories);
    worlds = before;
    assert!(herd.has(ids[0]), "an agent that was removed since then is back");
    for counts in &first[1..] {
        assert_eq!(tick_herd(&mut herd, &mut worlds), *counts);
    }
    herd.halt_all(|agent| agent.with(&mut worlds[agent.id().index()]));
}

#[test]
fn ids_of_agents_that_were_added_since_then_stay_invalid() {
    let mut herd = Herd::new(tree! { for (): run });
    let old = herd.add();
    let before = herd.memories();
    let added = herd.add();
    herd.set_memories(before);
    assert!(herd.has(old) && !herd.has(added));
    assert_ne!(herd.add(), added);
    assert!(!herd.has(added));
}

#[test]
fn a_herd_that_goes_back_is_due() {
    let mut herd = Herd::new(tree! { for ManualClock: wait(secs(5)) });
    herd.grow(2);
    let mut clocks = [ManualClock::default(); 2];
    assert_eq!(herd.tick_due(secs(0), &mut clocks).total(), 2);
    let before = herd.memories();
    assert_eq!(herd.tick_due(secs(0), &mut clocks).total(), 0);
    herd.add();
    herd.set_memories(before);
    assert_eq!(herd.slots(), 2);
    assert_eq!(herd.tick_due(secs(0), &mut clocks).total(), 2);
}

#[test]
fn a_context_that_is_not_clone_is_saved_and_loaded_by_functions() {
    struct World {
        apples: u32,
        _device: Box<dyn FnMut()>,
    }
    let tree = tree! { for World: |world: &mut World| world.apples += 1 };
    let (mut world, mut memory) = (World { apples: 0, _device: Box::new(|| {}) }, tree.memory());
    let mut rewind = Rewind::new(10_000);
    for tick in 0..5 {
        rewind.store(tick, secs(0), || (memory.clone(), world.apples));
        tree.tick(&mut world, &mut memory);
    }
    (memory, world.apples) = rewind.rewind_to(3).unwrap().state.clone();
    assert_eq!(world.apples, 3);
    assert!(!memory.is_running());
}

#[test]
fn a_running_asynchronous_action_starts_again() {
    use std::sync::atomic::{AtomicU32, Ordering};
    static STARTED: AtomicU32 = AtomicU32::new(0);
    let tree = tree! {
        for (): mem_sequence {
            succeed,
            |(): &mut ()| { STARTED.fetch_add(1, Ordering::SeqCst); std::future::pending::<bool>() },
        }
    };
    let (mut memory, mut rewind) = (tree.memory(), Rewind::new(10_000));
    for tick in 0..3 {
        rewind.store(tick, secs(0), || memory.clone());
        tree.tick(&mut (), &mut memory);
    }
    assert_eq!(STARTED.load(Ordering::SeqCst), 1);
    memory = rewind.rewind_to(2).unwrap().state.clone();
    assert!(memory.is_running());
    assert_eq!(tree.tick(&mut (), &mut memory), Running);
    assert_eq!(STARTED.load(Ordering::SeqCst), 2);
}

fn message<R>(act: impl FnOnce() -> R) -> String {
    let panic = catch_unwind(AssertUnwindSafe(|| _ = act())).expect_err("it panics");
    match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => (*panic.downcast::<&str>().expect("the panic has a text")).to_owned(),
    }
}

/// A test with a clock, whose leaf returns these statuses in turn.
fn test_of(statuses: &[Status]) -> TreeTest<impl Node<World>, World> {
    TreeTest::new(tree! { for World: selector { told(1) "first", run "second" } }, World::telling(statuses))
        .before_each_tick(|world| world.now += secs(1))
        .with_rewind()
}

#[test]
fn a_test_looks_at_an_earlier_tick() {
    let mut test = test_of(&[Failure, Running, Success]);
    assert_eq!(test.tick_count(), 0);
    (0..3).for_each(|_| _ = test.tick());
    assert_eq!(test.tick_count(), 3);
    let start = test.at(0);
    assert_eq!((start.ctx.now, start.status("first"), start.is_running("")), (secs(0), None, false));
    let second = test.at(1);
    assert_eq!((second.ctx.now, second.status("first")), (secs(1), Some(Failure)));
    assert!(second.is_running("second") && second.memory.is_running());
    let third = test.at(2);
    assert_eq!((third.status("first"), third.status("second")), (Some(Running), None));
    assert!(third.is_running("first") && !third.is_running("second"));
    // The number of the next tick is the present.
    assert_eq!((test.at(3).ctx.now, test.at(3).status("first")), (secs(3), Some(Success)));
    assert!(!test.at(3).is_running(""));
}

#[test]
fn a_test_goes_back_with_context_memory_and_statuses() {
    let mut test = test_of(&[Failure, Running, Success]);
    let statuses: Vec<_> = (0..6).map(|_| test.tick()).collect();
    let log = test.log();
    test.rewind_to(2);
    assert_eq!((test.tick_count(), test.ctx.now), (2, secs(2)));
    assert_eq!((test.status("first"), test.is_running("first")), (Some(Running), true));
    let again: Vec<_> = (2..6).map(|_| test.tick()).collect();
    assert_eq!(again, statuses[2..]);
    let repeated = test.log();
    assert_eq!(repeated[0], "rewound to tick 2");
    assert!(log.ends_with(&repeated[1..]), "{log:?} {repeated:?}");
}

#[test]
fn a_test_sees_changes_that_were_made_before_the_tick() {
    let mut test = TreeTest::new(tree! { for bool: |on: &bool| *on }, false).with_rewind();
    assert_eq!(test.tick(), Failure);
    test.ctx = true;
    assert_eq!(test.tick(), Success);
    test.ctx = false;
    test.rewind_to(1);
    assert_eq!(test.tick(), Success);
}

#[test]
fn a_test_goes_back_with_replacements_and_their_positions() {
    let mut test = test_of(&[Success]);
    test.tick();
    test.replace("first", [Failure, Running, Success]);
    assert_eq!([test.tick(), test.tick()], [Running, Running]);
    test.restore("first");
    assert_eq!(test.tick(), Success);
    test.rewind_to(2);
    assert_eq!([test.status("first"), test.status("second")], [Some(Failure), Some(Running)]);
    assert_eq!([test.tick(), test.tick(), test.tick()], [Running, Success, Success], "the second status of the script");
    test.rewind_to(0);
    assert_eq!(test.tick(), Success);
    assert_eq!(test.status("second"), None, "nothing is replaced");
}

#[test]
fn a_test_goes_back_with_choices() {
    let tree = tree! { for World: random_selector { fail "a", fail "b", fail "c" } };
    let mut test = TreeTest::new(tree, World::default()).with_rewind();
    test.choose("random_selector", [2, 1, 0, 1, 1, 0]);
    test.tick();
    test.tick();
    let log = test.log();
    assert_eq!(log[..2], ["c: failure", "b: failure"]);
    test.rewind_to(1);
    test.tick();
    assert_eq!(test.log()[1..], log[3..]);
}

#[test]
fn a_test_goes_back_only_to_what_is_stored() {
    let mut test = test_of(&[Success]);
    assert_eq!(message(|| _ = test.at(1)), "tick 1 is not stored, because the test has not ticked yet");
    test.tick();
    test.tick();
    assert_eq!(message(|| _ = test.at(7)), "tick 7 is not stored; stored: 0 to 1");
    assert_eq!(message(|| test.rewind_to(3)), "tick 3 is not stored; stored: 0 to 1");
    let mut test = TreeTest::new(tree! { for (): run }, ());
    test.tick();
    let help = "no ticks are stored\nhelp: create the test with `.with_rewind()`";
    assert_eq!(message(|| _ = test.at(0)), help);
    assert_eq!(message(|| test.rewind_to(0)), help);
}

#[test]
fn a_test_of_a_context_that_is_not_clone_needs_no_rewind() {
    struct Device;
    let mut test = TreeTest::new(tree! { for Device: run }, Device);
    assert_eq!(test.tick(), Running);
    assert_eq!(test.tick_count(), 1);
    assert_eq!(test.at(1).status("run"), Some(Running), "the present is there without it");
}

#[test]
fn snapshots_of_a_long_test_are_bounded() {
    let mut test = TreeTest::new(tree! { for [u8; 1 << 13]: run }, [0_u8; 1 << 13]).with_rewind();
    (0..9000).for_each(|_| _ = test.tick());
    let dropped = message(|| _ = test.at(0));
    assert!(dropped.starts_with("tick 0 is not stored; stored: ") && dropped.ends_with(" to 8999"), "{dropped}");
    assert!(test.at(8000).is_running(""));
}
