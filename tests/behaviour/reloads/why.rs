//! Answers of `Description::why` about ticks before and after an edit.

use bt_core::observe::{Recorder, TickRecord};
use bt_core::prelude::*;
use bt_core::testing::ManualClock;
use bt_dynamic::{LoadedTree, Registry};
use serde_json::{Value, json};

/// There is an enemy in the seconds 2 and 3.
fn enemy(clock: &ManualClock) -> bool {
    (2..=3).contains(&clock.now().as_secs())
}

fn run(_: &mut ManualClock) -> Status {
    Status::Running
}

fn load(root: &str, more: &Value) -> LoadedTree<ManualClock> {
    let mut nodes = json!({
        "root": { "name": "Priority", "children": ["fight", "day"] },
        "fight": { "name": "Sequence", "children": ["enemy", "flee"] },
        "enemy": { "name": "enemy" },
        "flee": { "name": "flee" },
        "day": { "name": "MemSequence", "children": ["wake", "patrol"] },
        "wake": { "name": "Succeeder" },
        "patrol": { "name": "patrol" },
    });
    for (id, node) in more.as_object().expect("they are nodes") {
        nodes[id] = node.clone();
    }
    let mut registry = Registry::new().with_clock();
    registry.add_leaf("enemy", enemy);
    registry.add_leaf("flee", run);
    registry.add_leaf("patrol", run);
    registry.load(&json!({ "root": root, "nodes": nodes }).to_string()).unwrap_or_else(|error| panic!("{error}"))
}

/// Ticks three times, edits, ticks twice, and returns the last tree and the ticks.
fn edited<const N: usize>(edits: [LoadedTree<ManualClock>; N]) -> (LoadedTree<ManualClock>, Vec<TickRecord>) {
    let mut tree = load("root", &json!({}));
    let (mut memory, mut clock, mut recorder) = (tree.memory(), ManualClock::default(), Recorder::new(1000));
    let tick = |tree: &LoadedTree<_>, memory: &mut _, clock: &mut ManualClock, recorder: &mut Recorder| {
        tree.tick_with(clock, memory, recorder);
        clock.advance(secs(1));
    };
    (0..3).for_each(|_| tick(&tree, &mut memory, &mut clock, &mut recorder));
    for new in edits {
        tree.reload(&new, &mut memory, &mut clock);
        recorder.replace(&tree.description(), &new.description(), &tree.matching(&new));
        tree = new;
    }
    (0..2).for_each(|_| tick(&tree, &mut memory, &mut clock, &mut recorder));
    let ticks = recorder.recording(0).expect("it was ticked").ticks().collect();
    (tree, ticks)
}

fn why((tree, ticks): &(LoadedTree<ManualClock>, Vec<TickRecord>), id: &str, tick: u64) -> String {
    let description = tree.description();
    let node = description.nodes().iter().find(|node| tree.file_id(node.id) == Some(id)).expect("the node exists").id;
    description.why(ticks, tick, node).to_string()
}

fn around(child: &str) -> Value {
    json!({ "name": "MaxTime", "properties": { "maxTime": 9_000_000 }, "child": child })
}

#[test]
fn a_node_above_the_others_is_new() {
    let run = edited([load("new", &json!({ "new": around("root") }))]);
    assert_eq!(why(&run, "patrol", 2), "halted at tick 2; the tree was another one then");
    assert_eq!(why(&run, "patrol", 1), "running since tick 0; the tree was another one then");
    assert_eq!(why(&run, "new", 1), "not visited: the tree was another one at tick 1");
    assert_eq!(
        why(&run, "new", 3),
        "running since before tick 3, the first after the tree was replaced: `flee` has run since tick 2"
    );
    assert_eq!(why(&run, "flee", 3), "running since tick 2, because `enemy` succeeded at tick 3");
    assert_eq!(why(&run, "patrol", 3), "not visited: `flee` has run since tick 2; `patrol` was halted at tick 2");
    assert_eq!(why(&run, "root", 4), "running since tick 0: `patrol` has run since tick 4");
}

#[test]
fn a_branch_has_a_new_node() {
    let run = edited([load(
        "root",
        &json!({ "fight": { "name": "Sequence", "children": ["enemy", "new"] }, "new": around("flee") }),
    )]);
    assert_eq!(
        why(&run, "new", 3),
        "running since before tick 3, the first after the tree was replaced: `flee` has run since tick 2, \
         because `enemy` succeeded at tick 3"
    );
    assert_eq!(
        why(&run, "fight", 4),
        "failed at tick 4, after it had run since tick 2: `enemy` failed at tick 4; it last succeeded at tick 3"
    );
}

#[test]
fn a_leaf_was_deleted_and_put_back() {
    let without = load("root", &json!({ "day": { "name": "MemSequence", "children": ["wake"] } }));
    let run = edited([without, load("root", &json!({}))]);
    for tick in 0..3 {
        assert_eq!(why(&run, "patrol", tick), format!("not visited: the tree was another one at tick {tick}"));
    }
    assert_eq!(
        why(&run, "patrol", 3),
        "not visited: `flee` has run since tick 2; \
         `patrol` has not been visited before in the recorded ticks since the tree was replaced"
    );
    assert_eq!(why(&run, "day", 1), "running since tick 0; the tree was another one then");
    assert_eq!(why(&run, "enemy", 1), "failed at tick 1; the tree was another one then");
    assert_eq!(why(&run, "enemy", 2), "succeeded at tick 2; it last failed at tick 1; the tree was another one then");
}
