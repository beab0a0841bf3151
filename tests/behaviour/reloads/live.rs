//! A node whose tree is replaced while agents run.

use bt_core::Status::{Failure, Running, Success};
use bt_core::prelude::*;
use bt_core::{Shift, Wake};
use bt_dynamic::{DynTree, LiveTree, Registry};

#[derive(Default)]
struct Npc {
    now: Duration,
    hit: bool,
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

fn load(nodes: &str) -> DynTree<Npc> {
    let mut registry = Registry::<Npc>::new().with_clock();
    registry.add::<is_hit>("IsHit").add_leaf("Work", |npc: &mut Npc| npc.work += 1);
    registry.load(&format!(r#"{{ "root": "1", "nodes": {{ {nodes} }} }}"#)).expect("the file is valid")
}

#[test]
fn before_the_first_tree_it_runs_and_sleeps() {
    let live = LiveTree::<Npc>::new();
    let tree = tree! { for Npc: sequence { succeed, live.clone() } };
    assert!(live.tree().is_none());
    assert_eq!(tree.count(), 3);
    let names: Vec<_> = tree.description().nodes().iter().map(|node| node.name.clone()).collect();
    assert_eq!(names, ["sequence", "succeed", "not loaded"]);
    let (mut npc, mut memory) = (Npc::default(), tree.memory());
    assert_eq!(tree.tick(&mut npc, &mut memory), Running);
    assert_eq!(tree.due(Running, &memory, &mut npc), Wake::Event);
    tree.halt(&mut npc, &mut memory);
    assert!(!memory.is_running());
    assert_eq!(format!("{live:?}"), "LiveTree(None)");
}

#[test]
fn it_counts_shows_shifts_and_wakes_as_its_tree() {
    let live = LiveTree::<Npc>::new();
    live.replace(load(
        r#""1": { "name": "MemSequence", "children": ["2", "3"] }, "2": { "name": "Work" },
           "3": { "name": "Wait", "properties": { "milliseconds": 10000 } }"#,
    ));
    let tree = tree! { for Npc: sequence { live.clone(), succeed } };
    assert_eq!((tree.count(), live.tree().map(|tree| tree.count())), (5, Some(3)));
    let names: Vec<_> = tree.description().nodes().iter().map(|node| node.name.clone()).collect();
    assert_eq!(names, ["sequence", "mem_sequence", "Work", "wait", "succeed"]);
    let (mut npc, mut memory) = (Npc { now: secs(100), ..Npc::default() }, tree.memory());
    assert_eq!((tree.tick(&mut npc, &mut memory), npc.work), (Running, 1));
    assert_eq!(tree.due(Running, &memory, &mut npc), Wake::At(secs(110)));
    tree.shift(&mut memory, Shift::new(secs(108), secs(0)));
    npc.now = secs(1);
    assert_eq!(tree.tick(&mut npc, &mut memory), Running);
    npc.now = secs(2);
    assert_eq!(tree.tick(&mut npc, &mut memory), Success);
    assert_ne!(format!("{live:?}"), "LiveTree(None)");
}

#[test]
fn an_agent_migrates_through_several_trees() {
    let live = LiveTree::<Npc>::new();
    let file = |more: &str, children: &str| {
        load(&format!(
            r#""1": {{ "name": "MemSequence", "children": [{children}] }}, "2": {{ "name": "Work" }},
               "3": {{ "name": "Wait", "properties": {{ "milliseconds": 10000 }} }} {more}"#
        ))
    };
    live.replace(file("", r#""2", "3""#));
    let (mut npc, mut memory) = (Npc::default(), live.memory());
    assert_eq!((live.tick(&mut npc, &mut memory), npc.work), (Running, 1));
    // Two changes before the next tick, and another agent that starts with the last tree.
    live.replace(file(r#", "4": { "name": "Work" }"#, r#""2", "3", "4""#));
    live.replace(file(r#", "4": { "name": "Work" }, "5": { "name": "Work" }"#, r#""2", "3", "4", "5""#));
    let (mut other, mut others) = (Npc::default(), live.memory());
    live.tick(&mut other, &mut others);
    npc.now = secs(9);
    assert_eq!((live.tick(&mut npc, &mut memory), npc.work), (Running, 1), "the wait goes on");
    npc.now = secs(10);
    assert_eq!((live.tick(&mut npc, &mut memory), npc.work), (Success, 3));
    assert!(live.error(&memory).is_none());
}

#[test]
fn what_it_would_do_is_foreseen() {
    let live = LiveTree::<Npc>::new();
    live.replace(load(r#""1": { "name": "IsHit" }"#));
    let tree = tree! { for Npc: selector { live.clone(), run } };
    let (mut npc, mut memory) = (Npc::default(), tree.memory());
    assert_eq!(tree.tick(&mut npc, &mut memory), Running);
    assert_eq!(tree.due(Running, &memory, &mut npc), Wake::Event);
    npc.hit = true;
    assert_eq!(tree.due(Running, &memory, &mut npc), Wake::Next);
    assert_eq!(tree.tick(&mut npc, &mut memory), Success);
    live.replace(load(r#""1": { "name": "Failer" }"#));
    assert_eq!(live.tick(&mut npc, &mut live.memory()), Failure);
}

#[test]
fn migrations_to_different_trees_are_not_mixed_up() {
    let chain = |extra: usize| {
        let children: Vec<_> = (0..=extra).map(|child| format!("\"{}\"", child + 2)).collect();
        let leaves: Vec<_> = (0..extra).map(|child| format!(r#""{}": {{ "name": "Work" }}"#, child + 3)).collect();
        let wait = r#""2": { "name": "Wait", "properties": { "milliseconds": 1000 } }"#;
        let root = format!(r#""1": {{ "name": "MemSequence", "children": [{}] }}"#, children.join(","));
        load(&[vec![root, wait.to_owned()], leaves].concat().join(","))
    };
    let (old, one, other) = (chain(0), chain(1), chain(5));
    for (new, work) in [(&one, 1), (&other, 5), (&one, 1)] {
        let (mut npc, mut memory) = (Npc::default(), old.memory());
        assert_eq!(old.tick(&mut npc, &mut memory), Running);
        old.reload(new, &mut memory, &mut npc);
        npc.now = secs(1);
        assert_eq!((new.tick(&mut npc, &mut memory), npc.work), (Success, work));
    }
}
