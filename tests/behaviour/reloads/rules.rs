//! Editing a running tree: a test for each rule of the guide's page.

use bt_core::Status::{Failure, Running};
use bt_core::prelude::*;
use serde_json::{Value, json};

use super::edited::{Agent, load, one, root};

#[test]
fn a_timeout_keeps_its_start_and_gets_the_new_length() {
    let timeout = |millis: u32| load(&root("t"), &json!({ "t": one("timeout", &json!({ "time": millis }), "w") }));
    for (new, last) in [(6000, 6.0), (3000, 3.0)] {
        let mut agent = Agent::new(timeout(5000));
        agent.tick_at(2.0);
        assert_eq!(agent.edit(timeout(new)), "");
        assert_eq!(agent.tick_at(last), Running);
        assert_eq!(agent.tick_at(last + 0.1), Failure);
    }
}

#[test]
fn a_branch_that_is_wrapped_goes_on_and_the_time_of_its_timeout_begins() {
    let mut agent = Agent::new(load(&root("w"), &json!({})));
    agent.npc.now = secs(10);
    assert_eq!(agent.edit(load(&root("t"), &json!({ "t": one("timeout", &json!({ "time": 5000 }), "w") }))), "");
    assert_eq!(agent.tick_at(15.0), Running);
    assert_eq!(agent.tick_at(15.1), Failure);
}

#[test]
fn a_node_is_removed_and_what_runs_below_goes_on() {
    let mut agent = Agent::new(load(&root("t"), &json!({ "t": one("timeout", &json!({ "time": 5000 }), "w") })));
    assert_eq!(agent.edit(load(&root("w"), &json!({}))), "");
    assert_eq!(agent.tick_at(100.0), Running);
    assert!(agent.npc.log.is_empty());
}

#[test]
fn an_inserted_service_is_due_at_once() {
    let mut agent = Agent::new(load(&root("w"), &json!({})));
    agent.edit(load(&root("s"), &json!({ "s": one("service", &json!({ "every": 1000, "action": "Ring" }), "w") })));
    agent.tick_at(5.0);
    agent.tick_at(5.5);
    agent.tick_at(6.0);
    assert_eq!(agent.npc.log.join(", "), "Ring, Ring");
}

#[test]
fn a_delay_is_over_and_a_limit_counts_a_run() {
    let mut agent = Agent::new(load(&root("w"), &json!({})));
    assert_eq!(agent.edit(load(&root("d"), &json!({ "d": one("delay", &json!({ "time": 5000 }), "w") }))), "");
    assert_eq!(agent.tick_at(0.0), Running);
    assert_eq!(agent.edit(load(&root("l"), &json!({ "l": one("limit", &json!({ "runs": 1 }), "w") }))), "");
    agent.tree.halt(&mut agent.npc, &mut agent.memory);
    assert_eq!(agent.tick_at(0.0), Failure, "the run was the only one");
}

#[test]
fn a_node_that_would_not_start_the_child_halts_it() {
    let mut agent = Agent::new(load(&root("w"), &json!({})));
    let edit = load(&root("l"), &json!({ "l": one("repeat", &json!({ "times": 0 }), "w") }));
    let migrated = agent.tree.reload(&edit, &mut agent.memory, &mut agent.npc);
    assert_eq!(agent.npc.log.join(", "), "Halted(Edited)");
    assert!(migrated.starts_afresh && migrated.halted == [NodeId::new(1)]);
    assert!(!agent.memory.is_running());
}

#[test]
fn a_leaf_with_other_properties_begins_again_and_the_nodes_above_it_go_on() {
    let steps = |to: u32| {
        let nodes = json!({ "r": { "name": "Ring" }, "w": { "name": "Walk", "properties": { "to": to } } });
        load(&json!({ "name": "MemSequence", "children": ["r", "w"] }), &nodes)
    };
    let mut agent = Agent::new(steps(1));
    assert_eq!(agent.edit(steps(3)), "Halted(Edited), walk 3");
    agent.tick_at(0.0);
    assert!(agent.npc.log.is_empty(), "it does not ring again");
}

#[test]
fn a_subtree_in_one_leaf_goes_on_as_a_whole() {
    let mut agent = Agent::new(load(&root("p"), &json!({ "p": { "name": "pair" } })));
    let nodes = json!({ "i": { "name": "Inverter", "child": "p" }, "p": { "name": "pair" } });
    let new = load(&root("i"), &nodes);
    assert_eq!(agent.tree.matching(&new).pairs().map(|(_, to)| to.index()).collect::<Vec<_>>(), [0, 2, 3]);
    assert_eq!(agent.edit(new), "");
    assert_eq!(agent.tick_at(0.0), Running);
}

#[test]
fn a_decorator_whose_child_is_deleted_goes_on_with_another() {
    let timeout = |child: &str| load(&root("t"), &json!({ "t": one("timeout", &json!({ "time": 5000 }), child) }));
    let mut agent = Agent::new(timeout("w"));
    agent.tick_at(2.0);
    assert_eq!(agent.edit(timeout("v")), "Halted(Edited)");
    assert_eq!((agent.tick_at(5.0), agent.npc.log.join(", ").as_str()), (Running, "walk 2"));
    assert_eq!(agent.tick_at(5.1), Failure);
}

#[test]
fn the_condition_of_an_if_cannot_be_what_runs() {
    let children = |children: &[&str]| {
        load(&json!({ "name": "if", "children": children }), &json!({ "y": { "name": "Succeeder" } }))
    };
    let mut agent = Agent::new(children(&["y", "w"]));
    assert_eq!(agent.edit(children(&["w", "y"])), "Halted(Edited)");
    assert!(!agent.memory.is_running());
}

#[test]
fn a_mem_parallel_does_not_repeat_children_that_have_ended() {
    let parallel = |children: &[&str]| {
        let mut nodes = json!({ "r": { "name": "Ring" } });
        if children.contains(&"l") {
            nodes["l"] = one("limit", &json!({ "runs": 3 }), "r");
        }
        load(&json!({ "name": "mem_parallel", "children": children }), &nodes)
    };
    let mut agent = Agent::new(parallel(&["r", "w"]));
    // Also a child that was wrapped.
    for children in [&["w", "r"][..], &["v", "w", "l"], &["w", "l"]] {
        agent.edit(parallel(children));
        agent.tick_at(0.0);
        let log = std::mem::take(&mut agent.npc.log).join(", ");
        assert!(!log.contains("Ring"), "{log}");
    }
}

#[test]
fn a_machine_that_is_inserted_enters_the_state_that_runs() {
    let state = |name: &str, child: &str| {
        let properties = json!({ "name": name, "enter": "Enter", "exit": "Exit" });
        json!({ "name": "state", "properties": properties, "children": [child] })
    };
    let nodes =
        json!({ "m": { "name": "machine", "children": ["a", "b"] }, "a": state("a", "v"), "b": state("b", "w") });
    let mut agent = Agent::new(load(&root("w"), &json!({})));
    assert_eq!(agent.edit(load(&root("m"), &nodes)), "Enter");
    assert_eq!(agent.tree.machine("m").expect("there is one").state(&agent.memory), Some("b"));
    assert_eq!(agent.tick_at(0.0), Running);
    assert_eq!(agent.edit(load(&root("w"), &json!({}))), "Exit");
    assert_eq!(agent.tick_at(0.0), Running);
}

#[test]
fn a_count_stays_with_its_node() {
    let limit = |above: &Value| {
        let nodes = json!({ "l": one("limit", &json!({ "runs": 1 }), "y"), "y": { "name": "Succeeder" }, "i": above });
        load(&json!({ "name": "Sequence", "children": ["i", "w"] }), &nodes)
    };
    let mut agent = Agent::new(limit(&one("force_success", &json!({}), "l")));
    agent.edit(limit(&one("invert", &json!({}), "l")));
    agent.tick_at(0.0);
    assert_eq!(agent.npc.log, [""; 0], "the limit fails, and the sequence goes on");
}

#[test]
fn a_pause_keeps_its_start_and_gets_the_new_length() {
    let cooldown = |millis: u32| {
        let nodes = json!({
            "f": one("force_success", &json!({}), "c"), "c": one("cooldown", &json!({ "time": millis }), "r"), "r": { "name": "Ring" }
        });
        load(&json!({ "name": "Sequence", "children": ["f", "w"] }), &nodes)
    };
    for (new, before, after) in [(8000, 7.9, 8.0), (3000, 2.9, 3.0)] {
        let mut agent = Agent::new(cooldown(5000));
        agent.tick_at(1.0);
        assert_eq!(agent.edit(cooldown(new)), "");
        agent.tick_at(before);
        assert_eq!(agent.npc.log, [""; 0]);
        agent.tick_at(after);
        assert_eq!(agent.npc.log, ["Ring"]);
    }
}

#[test]
fn a_leaf_that_moves_to_another_branch_goes_on_and_that_branch_continues_behind_it() {
    let branches = |first: &[&str], second: &[&str]| {
        let branch = |children: &[&str]| json!({ "name": "MemSequence", "children": children });
        let nodes =
            json!({ "p": branch(first), "q": branch(second), "y": { "name": "Succeeder" }, "r": { "name": "Ring" } });
        load(&json!({ "name": "Sequence", "children": ["p", "q"] }), &nodes)
    };
    let mut agent = Agent::new(branches(&["y", "w"], &["r"]));
    assert_eq!(agent.edit(branches(&["y"], &["r", "w"])), "");
    assert_eq!(agent.tick_at(0.0), Running);
    assert_eq!(agent.npc.log, [""; 0], "what comes before it in the branch is not done");
    // And back.
    assert_eq!(agent.edit(branches(&["y", "w"], &["r"])), "");
    assert_eq!((agent.tick_at(0.0), agent.npc.log.len()), (Running, 0));
}

#[test]
fn a_kept_sequence_continues_at_its_child_wherever_that_moves() {
    let kept = |children: &[&str]| {
        load(&json!({ "name": "kept_sequence", "children": children }), &json!({ "r": { "name": "Ring" } }))
    };
    let mut agent = Agent::new(kept(&["r", "w"]));
    agent.tree.halt(&mut agent.npc, &mut agent.memory);
    agent.npc.log.clear();
    assert_eq!(agent.edit(kept(&["v", "r", "w"])), "");
    agent.tick_at(0.0);
    assert_eq!(agent.npc.log, ["walk 1"]);
}
