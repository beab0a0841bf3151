//! Agents that leave a herd while cleanups run: of trees of `tree!`, boxed ones, and loaded ones.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use bt_core::prelude::*;
use bt_core::{AgentId, Wake};
use bt_dynamic::Registry;

/// A guest at a table, and how many ticks the end of the reservation takes.
#[derive(Clone, Default)]
struct Guest {
    has_table: bool,
    left: u32,
    ticks: u32,
}

#[action]
fn reserve(guest: &mut Guest) {
    (guest.has_table, guest.left) = (true, 3);
}

#[action]
fn eat(guest: &mut Guest) -> Status {
    guest.ticks += 1;
    Status::Running
}

#[action]
fn release(guest: &mut Guest) -> Status {
    guest.left -= 1;
    guest.has_table = guest.left > 0;
    if guest.has_table { Status::Running } else { Status::Success }
}

fn visit() -> impl Node<Guest> + Save + Clone + Send + Sync + 'static {
    tree! { mem_sequence { reserve, finally { eat, release } } }
}

fn loaded() -> impl Node<Guest> + Send + Sync + 'static {
    let mut registry = Registry::<Guest>::new();
    registry.add::<reserve>("reserve").add::<eat>("eat").add::<release>("release");
    registry.load_tree("mem_sequence { reserve, finally { eat, release } }").expect("it is valid")
}

/// A herd of two guests at their tables.
fn herd<N: Node<Guest>>(tree: N) -> (Herd<N>, [AgentId; 2], Vec<Guest>) {
    let mut herd = Herd::new(tree);
    let ids = [herd.add(), herd.add()];
    let mut guests = vec![Guest::default(); 2];
    herd.tick_all(&mut guests);
    assert!(guests.iter().all(|guest| guest.has_table));
    (herd, ids, guests)
}

/// Retires the first guest, and ticks the herd in one of the ways until the cleanup has ended.
fn retires<N: Node<Guest>>(tree: N, tick: impl Fn(&mut Herd<N>, &mut [Guest], u64)) {
    let (mut herd, [ann, ben], mut guests) = herd(tree);
    assert!(herd.retire(ann, &mut guests[0]), "it takes more ticks");
    assert!(!herd.has(ann) && herd.memory(ann).is_none() && !herd.wake(ann) && !herd.retire(ann, &mut guests[0]));
    assert_eq!((herd.len(), herd.slots(), herd.ids().collect::<Vec<_>>()), (1, 2, vec![ben]));
    assert_eq!((guests[0].left, herd.next_due()), (2, Wake::Next));
    let cid = herd.add();
    assert_eq!(cid.index(), 2, "the slot is in use");
    guests.push(Guest::default());
    for left in [1, 0, 0] {
        assert_eq!(herd.is_retiring(), guests[0].left > 0);
        tick(&mut herd, &mut guests, 10 - u64::from(left));
        assert_eq!((guests[0].left, guests[0].ticks), (left, 1), "only the cleanup is ticked");
    }
    assert!(!guests[0].has_table && guests[1].has_table && guests[2].has_table);
    assert_eq!(herd.add().index(), 0, "the slot is free");
    tick(&mut herd, &mut guests, 20);
    assert!(guests[0].has_table, "the next agent has a new memory");
}

macro_rules! all_retire {
    ($tick:expr) => {
        retires(visit(), $tick);
        retires(boxed::<Guest, _>(visit()), $tick);
        retires(loaded(), $tick);
    };
}

#[test]
fn the_cleanup_of_an_agent_that_retires_is_ticked_until_it_ends() {
    all_retire!(|herd, guests, _| _ = herd.tick_all(guests));
    all_retire!(|herd, guests, now| _ = herd.tick_due(secs(now), guests));
    all_retire!(|herd, guests, _| _ = herd.par_tick_all(guests));
    all_retire!(|herd, guests, now| _ = herd.par_tick_due(secs(now), guests));
}

#[test]
fn contexts_on_demand_are_passed_to_the_cleanups_of_agents_that_retire() {
    all_retire!(|herd, guests, _| {
        herd.for_each(|agent, tree, memory| _ = tree.tick(&mut guests[agent.index()], memory));
        herd.clean_up_retired(|agent| agent.with(&mut guests[agent.id().index()]));
    });
    all_retire!(|herd, guests, now| {
        herd.for_each_due(secs(now), |agent| _ = agent.tick(&mut guests[agent.id().index()]));
        herd.clean_up_retired(|agent| agent.with(&mut guests[agent.id().index()]));
    });
}

#[test]
fn an_agent_without_a_cleanup_retires_at_once() {
    let (mut herd, [ann, _], mut guests) = herd(visit());
    guests[0].left = 1;
    assert!(!herd.retire(ann, &mut guests[0]) && !herd.is_retiring());
    assert_eq!((herd.add().index(), guests[0].has_table), (0, false));
}

#[test]
fn a_cleanup_that_is_lost_is_reported() {
    static LOST: AtomicUsize = AtomicUsize::new(0);
    let (herd, [ann, ben], mut guests) = herd(visit());
    let mut herd = herd.on_running_drop(|_| _ = LOST.fetch_add(1, SeqCst));
    assert!(herd.remove(ann, &mut guests[0]));
    assert_eq!((LOST.load(SeqCst), herd.is_retiring(), herd.add().index()), (1, false, 0));
    herd.retire(ben, &mut guests[1]);
    assert_eq!(LOST.load(SeqCst), 1);
    drop(herd);
    assert_eq!(LOST.load(SeqCst), 2);
}

#[test]
fn all_agents_are_halted_and_cleaned_up_with_contexts_on_demand() {
    let (mut herd, [ann, _], mut guests) = herd(visit());
    herd.retire(ann, &mut guests[0]);
    herd.halt_all(|agent| agent.with(&mut guests[agent.id().index()]));
    assert_eq!([guests[0].left, guests[1].left], [2, 2], "the cleanup of one that has retired goes on");
    assert!(herd.clean_up_all(|agent| agent.with(&mut guests[agent.id().index()])));
    let mut visited = Vec::new();
    assert!(!herd.clean_up_all(|agent| {
        visited.push(agent.id());
        agent.with(&mut guests[agent.id().index()]);
    }));
    assert_eq!((visited[0], visited.len()), (ann, 2));
    assert!(!herd.is_retiring() && guests.iter().all(|guest| !guest.has_table));
}

#[test]
fn a_visit_without_a_context_changes_nothing() {
    let (mut herd, [ann, _], mut guests) = herd(visit());
    herd.retire(ann, &mut guests[0]);
    assert!(herd.clean_up_retired(|_| {}) && herd.clean_up_all(|_| {}));
    herd.halt_all(|_| {});
    assert!(herd.is_retiring() && herd.ids().all(|agent| herd.memory(agent).is_some_and(Memory::is_running)));
}

#[test]
fn agents_that_retire_are_part_of_clones_snapshots_and_saves() {
    let (mut herd, [ann, _], mut guests) = herd(visit());
    herd.retire(ann, &mut guests[0]);
    let save = serde_json::to_string(&herd.saved()).expect("it is data");
    let mut loaded = Herd::new(visit());
    loaded.load(&mut serde_json::Deserializer::from_str(&save)).expect("it was just saved");
    let mut back = Herd::new(visit());
    back.set_memories(herd.memories());
    for mut other in [herd.clone(), loaded, back] {
        let mut guests = guests.clone();
        assert_eq!((other.len(), other.is_retiring(), other.add().index()), (1, true, 2));
        guests.push(Guest::default());
        other.tick_all(&mut guests);
        other.tick_all(&mut guests);
        assert!(!other.is_retiring() && !guests[0].has_table && guests[1].has_table);
    }
}
