//! One tree, many agents.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use bt_core::Status::{Failure, Running, Success};
use bt_core::prelude::*;
use bt_tests::world::{Event, World, told};

fn herd() -> Herd<impl Node<World>> {
    Herd::new(tree! { for World: mem_sequence { limit(2) { told(1) } told(2) } })
}

fn worlds(told: &[&[Status]]) -> Vec<World> {
    told.iter().map(|told| World::telling(told)).collect()
}

#[test]
fn all_agents_are_ticked_with_the_contexts_at_their_places() {
    let mut herd = herd();
    herd.grow(3);
    let mut worlds = worlds(&[&[Success, Running], &[Failure], &[Success, Success]]);
    let count = herd.tick_all(&mut worlds);
    assert_eq!([Success, Failure, Running].map(|status| count.of(status)), [1, 1, 1]);
    assert_eq!(
        herd.ids().map(|member| herd.memory(member).unwrap().is_running()).collect::<Vec<_>>(),
        [true, false, false]
    );
}

#[test]
fn the_agents_are_counted_by_status() {
    let statuses = [(Success, 1), (Failure, 2), (Running, 3), (Status::Error, 4)];
    let mut worlds: Vec<_> =
        statuses.iter().flat_map(|(status, count)| vec![World::telling(&[*status]); *count]).collect();
    let mut herd = Herd::new(tree! { for World: told(0) });
    herd.grow(worlds.len());
    let counts = herd.tick_all(&mut worlds);
    assert_eq!(counts.total(), 10);
    for (status, count) in statuses {
        assert_eq!(counts.of(status), count, "{status:?}");
    }
}

#[test]
fn whoever_is_removed_is_halted_and_its_place_given_to_the_next() {
    let mut herd = herd();
    assert_eq!((herd.is_empty(), herd.len(), herd.slots()), (true, 0, 0));
    let (ann, ben) = (herd.add(), herd.add());
    assert_eq!((herd.is_empty(), herd.len(), herd.slots()), (false, 2, 2));
    let mut worlds = worlds(&[&[Success, Running], &[Failure]]);
    herd.tick_all(&mut worlds);
    worlds[0].take_seen();
    assert!(herd.remove(ann, &mut worlds[0]));
    assert_eq!(worlds[0].take_seen(), [Event::Close(2, End::Halted(Cause::Stopped))]);
    assert_eq!((herd.len(), herd.slots()), (1, 2));
    let cid = herd.add();
    assert_eq!(cid.index(), ann.index());
    assert_ne!(cid, ann);
    assert!(herd.has(ben) && herd.has(cid) && !herd.has(ann));
}

#[test]
fn nothing_of_an_agents_memory_leaks_into_the_next_one() {
    let mut herd = herd();
    let mut world = World::telling(&[Failure]);
    let ann = herd.add();
    // Two runs use the limit up.
    for expected in [Failure, Failure, Failure] {
        assert_eq!(herd.tick(ann, &mut world), Some(expected));
    }
    assert_eq!(*world.ticked.borrow(), 2);
    herd.remove(ann, &mut world);
    let ben = herd.add();
    assert_eq!(ben.index(), ann.index());
    world.told = vec![Running];
    assert_eq!(herd.tick(ben, &mut world), Some(Running), "a new agent has its own limit");
}

#[test]
fn an_agent_that_was_removed_is_nobody() {
    let mut herd = herd();
    let mut world = World::telling(&[Running]);
    let ann = herd.add();
    herd.remove(ann, &mut world);
    herd.add();
    assert_eq!(herd.tick(ann, &mut world), None);
    assert!(herd.memory(ann).is_none() && herd.get_mut(ann).is_none());
    assert!(!herd.remove(ann, &mut world));
}

#[test]
fn contexts_at_free_places_are_left_alone() {
    let mut herd = herd();
    let (ann, _) = (herd.add(), herd.add());
    let mut worlds = worlds(&[&[Success, Running], &[Running]]);
    herd.remove(ann, &mut worlds[0]);
    let count = herd.tick_all(&mut worlds);
    assert_eq!(count.of(Running), 1);
    assert!(worlds[0].take_seen().is_empty());
    assert_eq!(herd.ids().count(), 1);
}

#[test]
#[should_panic(expected = "expected 1 contexts, found 0")]
fn too_few_contexts_are_a_panic() {
    let mut herd = herd();
    herd.add();
    herd.tick_all::<World>(&mut []);
}

#[test]
fn all_cores_do_the_same_as_one() {
    let tree = || {
        tree! {
            for u32: selector {
                sequence { |n: &u32| n.is_multiple_of(3), |n: &mut u32| { *n += 7; Status::from(n.is_multiple_of(2)) } }
                |n: &mut u32| { *n += 1; if n.is_multiple_of(5) { Running } else { Failure } },
            }
        }
    };
    let (mut one, mut all) = (Herd::new(tree()), Herd::new(tree()));
    one.grow(10_000);
    all.grow(10_000);
    let mut numbers: Vec<u32> = (0..10_000).collect();
    let mut same = numbers.clone();
    for _ in 0..20 {
        assert_eq!(one.tick_all(&mut numbers), all.par_tick_all(&mut same));
    }
    assert_eq!(numbers, same);
}

#[test]
fn a_clone_of_a_herd_has_the_same_agents_with_memories_of_their_own() {
    let mut herd = Herd::new(std::sync::Arc::new(tree! { for World: mem_sequence { told(1), told(2) } }));
    let ann = herd.add();
    let mut world = World::telling(&[Success, Running, Success]);
    herd.tick(ann, &mut world);
    let mut copy = herd.clone();
    assert_eq!(copy.tick(ann, &mut world), Some(Success));
    assert!(herd.memory(ann).unwrap().is_running() && !copy.memory(ann).unwrap().is_running());
}

#[test]
fn all_agents_of_a_herd_are_halted() {
    let mut herd = herd();
    herd.grow(3);
    let mut worlds = worlds(&[&[Success, Running], &[Failure], &[Running]]);
    herd.tick_all(&mut worlds);
    for world in &worlds {
        world.take_seen();
    }
    herd.halt_all(|agent| agent.with(&mut worlds[agent.id().index()]));
    let halted = [
        vec![Event::Close(2, End::Halted(Cause::Stopped))],
        vec![],
        vec![Event::Close(1, End::Halted(Cause::Stopped))],
    ];
    assert_eq!(worlds.iter().map(World::take_seen).collect::<Vec<_>>(), halted);
}

#[test]
fn a_function_is_called_for_a_herd_dropped_while_an_agent_runs() {
    static DROPPED: AtomicUsize = AtomicUsize::new(0);
    let new = || {
        Herd::new(tree! { for World: told(1) }).on_running_drop(|_| {
            DROPPED.fetch_add(1, SeqCst);
        })
    };
    let (mut forgotten, mut halted) = (new(), new());
    for herd in [&mut forgotten, &mut halted] {
        herd.grow(2);
    }
    let mut worlds = worlds(&[&[Running], &[Running]]);
    forgotten.tick_all(&mut worlds);
    drop(forgotten);
    assert_eq!(DROPPED.load(SeqCst), 1);
    let mut worlds = self::worlds(&[&[Running], &[Running]]);
    halted.tick_all(&mut worlds);
    halted.halt_all(|agent| agent.with(&mut worlds[agent.id().index()]));
    drop(halted);
    assert_eq!(DROPPED.load(SeqCst), 1);
}
