//! Agents that are migrated to a changed tree.

use bt_core::prelude::*;
use bt_dynamic::{FileTree, LoadedTree};
use serde_json::json;

use super::{Npc, file, load, registry};

fn reloaded(old: &LoadedTree<Npc>, ticks: usize, new: &LoadedTree<Npc>) -> (String, String) {
    let (mut npc, mut memory) = (Npc::new(), old.memory());
    for _ in 0..ticks {
        old.tick(&mut npc, &mut memory);
    }
    npc.take();
    old.reload(new, &mut memory, &mut npc);
    let halted = npc.take();
    new.tick(&mut npc, &mut memory);
    (halted, npc.take())
}

#[test]
fn a_leaf_that_stays_keeps_its_state_wherever_it_goes() {
    let old = load(&file(&json!({ "name": "parallel", "children": ["a", "b"] })));
    let new = load(&file(&json!({ "name": "parallel", "children": ["c", "b", "a"] })));
    assert_eq!(reloaded(&old, 2, &new), (String::new(), "c( c1 b3 a3".to_owned()));
}

#[test]
fn the_memory_of_another_tree_stays_as_it_is() {
    let parallel = |children: &[&str]| load(&file(&json!({ "name": "parallel", "children": children })));
    let (old, new, other) = (parallel(&["a", "b"]), parallel(&["b", "c"]), parallel(&["b", "a"]));
    let (mut npc, mut memory) = (Npc::new(), other.memory());
    other.tick(&mut npc, &mut memory);
    npc.take();
    old.reload(&new, &mut memory, &mut npc);
    assert_eq!(npc.take(), "");
    other.tick(&mut npc, &mut memory);
    assert_eq!(npc.take(), "b2 a2");
}

#[test]
fn a_tree_is_reloaded_to_several_others() {
    let parallel = |children: &[&str]| load(&file(&json!({ "name": "parallel", "children": children })));
    let old = parallel(&["a", "b"]);
    for _ in 0..2 {
        assert_eq!(reloaded(&old, 2, &parallel(&["b", "c"])), ("a2)".to_owned(), "b3 c( c1".to_owned()));
        assert_eq!(reloaded(&old, 2, &parallel(&["c", "a"])), ("b2)".to_owned(), "c( c1 a3".to_owned()));
    }
}

#[test]
fn a_new_memory_is_reloaded_to_a_new_one() {
    let nodes = |children: &[&str]| {
        let file = json!({ "root": "1", "nodes": {
            "1": { "name": "Sequence", "children": children }, "2": { "name": "Succeeder" }, "3": { "name": "Failer" }
        } });
        load(&file)
    };
    let (old, new) = (nodes(&["2"]), nodes(&["2", "3"]));
    let (mut npc, mut memory) = (Npc::new(), old.memory());
    old.reload(&new, &mut memory, &mut npc);
    assert_eq!(new.tick(&mut npc, &mut memory), Status::Failure);
}

#[test]
fn a_leaf_under_another_parent_goes_on() {
    let [one, two] = ["p", "q"].map(|parent| {
        let mut file = file(&json!({ "name": "parallel", "children": [parent, "b"] }));
        file["nodes"][parent] = json!({ "name": "Inverter", "child": "a" });
        file
    });
    assert_eq!(reloaded(&load(&one), 2, &load(&two)), (String::new(), "a3 b3".to_owned()));
    // Both parents stay, and exchange their children.
    let [one, two] = [("a", "b"), ("b", "a")].map(|(first, second)| {
        let mut file = file(&json!({ "name": "parallel", "children": ["p", "q"] }));
        file["nodes"]["p"] = json!({ "name": "MemSequence", "children": [first] });
        file["nodes"]["q"] = json!({ "name": "MemSequence", "children": [second] });
        file
    });
    assert_eq!(reloaded(&load(&one), 2, &load(&two)), (String::new(), "b3 a3".to_owned()));
}

#[test]
fn composites_remember_children_rather_than_places() {
    for root in ["random_sequence", "random_selector", "mem_parallel"] {
        let old = load(&file(&json!({ "name": root, "children": ["a", "b", "c"] })));
        let same = load(&file(&json!({ "name": root, "title": "other", "children": ["a", "b", "c"] })));
        let other = load(&file(&json!({ "name": root, "children": ["b", "a", "c"] })));
        let (halted, goes_on) = reloaded(&old, 2, &same);
        assert!(halted.is_empty() && !goes_on.contains('('), "{root}: {halted}, {goes_on}");
        let (halted, goes_on) = reloaded(&old, 2, &other);
        assert!(halted.is_empty() && !goes_on.contains('('), "{root}: {halted}, {goes_on}");
    }
}

#[test]
fn an_agent_that_was_forgotten_goes_over_with_its_next_tick() {
    let path = std::env::temp_dir().join(format!("bt-forgotten-{}.json", std::process::id()));
    let write = |children: &[&str]| {
        let text = file(&json!({ "name": "parallel", "children": children })).to_string();
        std::fs::write(&path, text).expect("there is a temporary folder");
    };
    write(&["a"]);
    let mut file = FileTree::open(&path, registry()).expect("nothing is wrong with it");
    let (mut npc, mut memory) = (Npc::new(), file.tree().memory());
    let above = |file: &FileTree<Npc>| tree! { for Npc: sequence { file.shared() } };
    let mut outer = above(&file).memory();
    file.tree().tick(&mut npc, &mut memory);
    above(&file).tick(&mut npc, &mut outer);
    npc.take();
    // Two changes, of which the agents are not told.
    write(&["a", "b"]);
    assert!(file.poll().expect("it has changed").is_ok());
    write(&["b", "c", "d"]);
    let last = file.poll().expect("it has changed").expect("nothing is wrong");
    file.tree().tick(&mut npc, &mut memory);
    assert_eq!(npc.take(), "a1) b( b1 c( c1 d( d1", "what is gone is closed, by the tree that it was of");
    let mut events = bt_tests::world::Events::default();
    above(&file).tick_with(&mut npc, &mut outer, &mut events);
    assert_eq!(npc.take(), "a1) b( b1 c( c1 d( d1", "also where it stands in another tree");
    // Told late, it does not go over twice.
    last.apply(&mut memory, &mut npc);
    file.tree().tick(&mut npc, &mut memory);
    assert_eq!(npc.take(), "b2 c2 d2");
    std::fs::remove_file(&path).expect("it is there");
}

#[test]
fn a_memory_of_another_tree_begins_anew() {
    let one = load(&file(&json!({ "name": "parallel", "children": ["a", "b"] })));
    let other = load(&file(&json!({ "name": "parallel", "children": ["c", "d"] })));
    let (mut npc, mut memory) = (Npc::new(), one.memory());
    one.tick(&mut npc, &mut memory);
    one.tick(&mut npc, &mut memory);
    npc.take();
    let mut events = bt_tests::world::Events::default();
    other.tick_with(&mut npc, &mut memory, &mut events);
    assert_eq!(npc.take(), "c( c1 d( d1", "nothing of one is taken for something of the other");
    let halted = events.0.iter().filter(|event| matches!(event, bt_tests::world::Event::Close(0, End::Halted(_))));
    assert_eq!(halted.count(), 1, "the observer sees that the run was broken off");
    one.halt(&mut npc, &mut memory);
    assert_eq!(npc.take(), "", "and nothing is closed that was never opened");
}

#[test]
fn a_memory_of_an_equal_tree_with_other_values_goes_on_only_if_it_was_loaded() {
    let one = load(&file(&json!({ "name": "parallel", "children": ["a", "b"] })));
    let mut values = file(&json!({ "name": "parallel", "children": ["a", "b"] }));
    values["nodes"]["a"]["properties"]["steps"] = json!(8);
    let other = load(&values);
    assert_eq!(one.fingerprint(), other.fingerprint());
    let (mut npc, mut memory) = (Npc::new(), one.memory());
    one.tick(&mut npc, &mut memory);
    one.tick(&mut npc, &mut memory);
    npc.take();
    let saved = serde_json::to_string(&one.saved(&memory)).expect("it is data");
    other.tick(&mut npc, &mut memory);
    assert_eq!(npc.take(), "a( a1 b( b1", "a live memory belongs to the tree that has ticked it");
    let mut memory = other.memory();
    other.load(&mut memory, &mut serde_json::Deserializer::from_str(&saved)).expect("the structure is the same");
    other.tick(&mut npc, &mut memory);
    assert_eq!(npc.take(), "a3 b3", "a save may be of an earlier run of the program");
}

#[test]
fn a_machine_stays_in_its_state_wherever_that_moves() {
    let machine = |states: &[&str], next: &str| {
        let state = |name: &str, to: &str, child: &str| {
            let properties = json!({ "name": name, "transitions": [format!("success -> {to}")] });
            json!({ "name": "state", "properties": properties, "children": [child] })
        };
        let mut file = file(&json!({ "name": "machine", "children": states }));
        file["nodes"]["one"] = state("one", next, "a");
        file["nodes"]["two"] = state("two", "one", "b");
        if next == "three" {
            file["nodes"]["three"] = state("three", "two", "c");
        }
        load(&file)
    };
    let old = machine(&["one", "two"], "two");
    // The transitions may change too.
    assert_eq!(reloaded(&old, 2, &machine(&["one", "two", "three"], "three")), (String::new(), "a3".to_owned()));
    assert_eq!(reloaded(&old, 2, &machine(&["three", "one", "two"], "three")), (String::new(), "a3".to_owned()));
}
