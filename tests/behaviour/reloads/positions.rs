//! What nodes remember of their children when a tree is edited: children rather than positions.

use bt_core::Status::{Failure, Running, Success};
use bt_core::Tree as _;
use bt_dynamic::LoadedTree;
use serde_json::{Value, json};

use super::edited::{Agent, Npc, load, one, root};

fn composite(name: &str, properties: &Value, children: &[&str]) -> LoadedTree<Npc> {
    let mut nodes = json!({ "r": { "name": "Ring" }, "m": { "name": "Miss" } });
    if children.contains(&"l") {
        nodes["l"] = one("limit", &json!({ "runs": 9 }), "r");
    }
    load(&json!({ "name": name, "properties": properties, "children": children }), &nodes)
}

#[test]
fn a_sibling_that_is_inserted_before_the_running_child_takes_nothing_from_it() {
    for (name, ended) in [("MemSequence", "r"), ("MemPriority", "m"), ("kept_sequence", "r")] {
        let mut agent = Agent::new(composite(name, &json!({}), &[ended, "w"]));
        assert_eq!(agent.edit(composite(name, &json!({}), &["v", ended, "w"])), "", "{name}");
        assert_eq!(agent.arrive(Running), (Running, String::new()), "{name}");
        let pass = if ended == "r" { Success } else { Failure };
        assert_eq!(agent.arrive(pass), (pass, format!("{pass:?}")), "{name}: it was the last child");
    }
}

#[test]
fn children_that_had_their_turn_have_no_other_after_an_edit() {
    for (name, property, ended, before, after) in [
        // The first child is drawn first.
        ("random_sequence", "weights", "r", json!([1e9, 1]), json!([1, 1e9, 1])),
        ("random_selector", "weights", "m", json!([1e9, 1]), json!([1, 1e9, 1])),
        ("mem_utility_selector", "scores", "m", json!(["highest", "high"]), json!(["low", "highest", "high"])),
    ] {
        let mut agent = Agent::new(composite(name, &json!({ property: before }), &[ended, "w"]));
        assert_eq!(agent.edit(composite(name, &json!({ property: after }), &["v", ended, "w"])), "", "{name}");
        assert_eq!(agent.arrive(Running), (Running, String::new()), "{name}");
        let pass = if ended == "r" { Success } else { Failure };
        assert_eq!(agent.arrive(pass), (Running, format!("{pass:?}, walk 2")), "{name}");
        assert_eq!(agent.arrive(pass), (pass, format!("{pass:?}")), "{name}");
    }
}

#[test]
fn a_kept_sequence_keeps_its_child_when_it_is_moved_to_the_front_and_back() {
    let kept = |children: &[&str]| composite("kept_sequence", &json!({}), children);
    for is_halted in [false, true] {
        let mut agent = Agent::new(kept(&["r", "w", "m"]));
        if is_halted {
            agent.tree.halt(&mut agent.npc, &mut agent.memory);
            agent.npc.log.clear();
        }
        for children in [["w", "r", "m"], ["w", "m", "r"], ["r", "w", "m"]] {
            assert_eq!(agent.edit(kept(&children)), "", "{children:?}");
        }
        let (status, log) = agent.arrive(Success);
        assert_eq!(status, Failure, "it continues at the second child");
        assert!(!log.contains("Ring"), "{log}");
    }
}

#[test]
fn a_kept_sequence_whose_child_is_halted_by_the_edit_continues_at_that_child() {
    let kept = |children: &[&str]| {
        let mut nodes = json!({ "r": { "name": "Ring" } });
        if children.contains(&"l") {
            nodes["l"] = one("limit", &json!({ "runs": 0 }), "w");
        }
        load(&json!({ "name": "kept_sequence", "children": children }), &nodes)
    };
    let mut agent = Agent::new(kept(&["r", "w"]));
    assert_eq!(agent.edit(kept(&["v", "r", "l"])), "Halted(Edited)");
    assert_eq!(agent.arrive(Running), (Failure, String::new()), "the limit fails");
}

#[test]
fn a_mem_parallel_goes_on_with_the_children_that_are_left() {
    let parallel = |children: &[&str]| composite("mem_parallel", &json!({}), children);
    let mut agent = Agent::new(parallel(&["r", "w"]));
    assert_eq!(agent.edit(parallel(&["v", "r", "w"])), "");
    assert_eq!(agent.arrive(Running), (Running, "walk 2".to_owned()));
    agent.npc.ends.push(Success);
    assert_eq!(agent.arrive(Success), (Success, "Success, Success".to_owned()), "it does not ring again");
}

#[test]
fn a_mem_parallel_ends_in_the_next_tick_if_a_new_threshold_is_reached_already() {
    let parallel = |success: u32, failure: u32, children: &[&str]| {
        composite("mem_parallel", &json!({ "success": success, "failure": failure }), children)
    };
    let mut agent = Agent::new(parallel(2, 1, &["r", "w"]));
    assert_eq!(agent.edit(parallel(1, 1, &["r", "w"])), "");
    assert_eq!(agent.arrive(Running), (Success, "Halted(Ended)".to_owned()));
    let mut agent = Agent::new(parallel(1, 2, &["m", "w"]));
    assert_eq!(agent.edit(parallel(1, 1, &["m", "w"])), "");
    assert_eq!(agent.arrive(Running), (Failure, "Halted(Ended)".to_owned()));
    // Without the third child, two cannot succeed.
    let mut agent = Agent::new(parallel(2, 2, &["m", "w", "v"]));
    assert_eq!(agent.edit(parallel(2, 2, &["m", "w"])), "Halted(Edited)");
    assert_eq!(agent.arrive(Running), (Failure, "Halted(Ended)".to_owned()));
}

#[test]
fn a_repeat_keeps_its_count_and_gets_the_new_number() {
    let repeat = |times: u32| load(&root("n"), &json!({ "n": one("repeat", &json!({ "times": times }), "w") }));
    // The third run is over, and then there are so many more.
    for (times, more) in [(3, 0), (5, 2), (2, 0), (0, 0)] {
        let mut agent = Agent::new(repeat(4));
        agent.npc.ends = vec![Running, Success];
        assert_eq!(agent.arrive(Success), (Running, "Success, walk 1, Success, walk 1".to_owned()));
        assert_eq!(agent.edit(repeat(times)), "", "no run is broken off");
        for _ in 0..more {
            agent.npc.ends = vec![Running];
            assert_eq!(agent.arrive(Success), (Running, "Success, walk 1".to_owned()));
        }
        assert_eq!(agent.arrive(Success), (Success, "Success".to_owned()));
    }
}

#[test]
fn the_pause_after_a_run_that_goes_on_has_the_new_length() {
    let cooldown = |millis: u32| load(&root("c"), &json!({ "c": one("cooldown", &json!({ "time": millis }), "w") }));
    let mut agent = Agent::new(cooldown(5000));
    agent.tick_at(1.0);
    assert_eq!(agent.edit(cooldown(2000)), "");
    assert_eq!(agent.arrive(Success).0, Success);
    assert_eq!(agent.tick_at(2.9), Failure);
    assert_eq!(agent.tick_at(3.0), Running);
}

#[test]
fn the_first_of_several_running_children_goes_on_where_one_runs_at_a_time() {
    let under = |name: &str, children: &[&str]| composite(name, &json!({}), children);
    let mut agent = Agent::new(under("parallel", &["w", "r", "v"]));
    assert_eq!(agent.edit(under("MemSequence", &["v", "r", "w"])), "Halted(Edited)");
    assert_eq!(agent.arrive(Success), (Running, "Success, Ring, walk 1".to_owned()));
}

#[test]
fn a_running_child_moves_between_composites_that_run_one_child_at_a_time() {
    let trees = |first: (&str, &[&str]), second: (&str, &[&str])| {
        let branch = |(name, children): (&str, &[&str])| json!({ "name": name, "children": children });
        let nodes =
            json!({ "p": branch(first), "q": branch(second), "r": { "name": "Ring" }, "m": { "name": "Miss" } });
        load(&json!({ "name": "MemPriority", "children": ["p", "q"] }), &nodes)
    };
    for name in ["MemSequence", "MemPriority", "kept_sequence", "random_sequence", "random_selector", "RoundRobin"] {
        let mut agent = Agent::new(trees(("MemSequence", &["w", "m"]), (name, &["r"])));
        assert_eq!(agent.edit(trees(("MemSequence", &["m"]), (name, &["r", "w"]))), "", "{name}");
        assert_eq!(agent.arrive(Running), (Running, String::new()), "{name}");
        // And back.
        assert_eq!(agent.edit(trees(("MemSequence", &["w", "m"]), (name, &["r"]))), "", "{name}");
        assert_eq!(agent.arrive(Running), (Running, String::new()), "{name}");
    }
}

#[test]
fn a_delay_does_not_wait_with_a_running_child_that_moves_into_it() {
    let trees = |outer: &[&str], inner: &[&str]| {
        let nodes = json!({
            "d": one("delay", &json!({ "time": 5000 }), "s"), "s": { "name": "Sequence", "children": inner },
            "r": { "name": "Ring" },
        });
        load(&json!({ "name": "mem_parallel", "children": outer }), &nodes)
    };
    let mut agent = Agent::new(trees(&["d", "w"], &["r"]));
    assert_eq!(agent.edit(trees(&["d"], &["w", "r"])), "");
    assert_eq!(agent.arrive(Success), (Success, "Success, Ring".to_owned()));
}

#[test]
fn a_composite_of_ones_own_follows_its_child() {
    let round = |children: &[&str]| composite("RoundRobin", &json!({}), children);
    let mut agent = Agent::new(round(&["w", "r"]));
    assert_eq!(agent.edit(round(&["r", "v", "w"])), "");
    assert_eq!(agent.arrive(Running), (Running, String::new()));
    // Wrapped by two of its own, and while it does not run.
    assert_eq!(agent.edit(round(&["w", "l"])), "");
    assert_eq!(agent.arrive(Success), (Success, "Success".to_owned()));
    assert_eq!(agent.edit(round(&["v", "w", "l"])), "");
    assert_eq!(agent.arrive(Running).1, "Ring", "the one after `w`");
}

#[test]
fn a_composite_of_ones_own_that_has_never_run_begins_at_the_first_child() {
    let second = |children: &[&str]| {
        let nodes = json!({ "o": { "name": "RoundRobin", "children": children }, "r": { "name": "Ring" } });
        load(&json!({ "name": "MemSequence", "children": ["w", "o"] }), &nodes)
    };
    let mut agent = Agent::new(second(&["r"]));
    assert_eq!(agent.edit(second(&["v", "r"])), "");
    assert_eq!(agent.arrive(Success), (Running, "Success, walk 2".to_owned()));
}

#[test]
fn a_machine_that_cannot_run_on_where_it_is_leaves_its_own_state() {
    let state = |name: &str, child: &str, to: &str| {
        let properties =
            json!({ "name": name, "exit": format!("Exit{name}"), "transitions": [format!("success -> {to}")] });
        json!({ "name": "state", "properties": properties, "children": [child] })
    };
    let nodes = json!({
        "m": { "name": "machine", "children": ["a", "b"] },
        "a": state("A", "r", "B"), "b": state("B", "w", "A"), "r": { "name": "Ring" },
    });
    let mut limited = nodes.clone();
    limited["l"] = one("limit", &json!({ "runs": 0 }), "m");
    let mut agent = Agent::new(load(&root("m"), &nodes));
    assert_eq!(agent.tick_at(0.0), Running);
    agent.npc.log.clear();
    assert_eq!(agent.edit(load(&root("l"), &limited)), "Halted(Edited), ExitB");
}

#[test]
fn a_machine_does_not_take_the_end_of_an_earlier_run_for_that_of_a_child_that_is_replaced() {
    let machine = |child: &str, transitions: &[&str]| {
        let properties = json!({ "name": "a", "transitions": transitions });
        let state = json!({ "name": "state", "properties": properties, "children": [child] });
        load(&json!({ "name": "machine", "children": ["a"] }), &json!({ "a": state }))
    };
    let mut agent = Agent::new(machine("w", &[]));
    assert_eq!(agent.arrive(Failure).0, Running, "the state is not left");
    assert_eq!(agent.arrive(Running).1, "walk 1");
    assert_eq!(agent.edit(machine("v", &["failure -> failure"])), "Halted(Edited)");
    assert_eq!(agent.arrive(Running), (Running, "walk 2".to_owned()));
}

/// A composite whose first child is below a guard, with the guard's condition beside it, if `guard` is the name of one.
fn guarded(name: &str, guard: Option<&str>, child: &str) -> LoadedTree<Npc> {
    let first = if guard.is_some() { "g" } else { child };
    let mut nodes = json!({ "r": { "name": "Ring" }, "m": { "name": "Miss" } });
    if let Some(guard) = guard {
        nodes["s"] = json!({ "name": "Succeeder" });
        nodes["g"] = json!({ "name": guard, "children": ["s", child] });
    }
    load(&json!({ "name": name, "properties": {}, "children": [first, "w"] }), &nodes)
}

#[test]
fn a_child_that_gets_a_guard_while_it_does_not_run_is_still_the_same() {
    for guard in ["Sequence", "MemSequence", "if", "mem_if"] {
        let mut agent = Agent::new(guarded("mem_parallel", None, "r"));
        assert_eq!(agent.edit(guarded("mem_parallel", Some(guard), "r")), "", "{guard}");
        assert_eq!(agent.arrive(Success), (Success, "Success".to_owned()), "{guard}: it does not ring again");
        // Neither does it without the guard.
        let mut agent = Agent::new(guarded("mem_parallel", Some(guard), "r"));
        assert_eq!(agent.edit(guarded("mem_parallel", None, "r")), "", "{guard}");
        assert_eq!(agent.arrive(Success), (Success, "Success".to_owned()), "{guard}: it does not ring again");
    }
    // The one that misses is drawn first.
    let drawn = |guard: Option<&str>| {
        let mut nodes = json!({ "m": { "name": "Miss" }, "r": { "name": "Ring" } });
        let first = if guard.is_some() { "g" } else { "m" };
        nodes["s"] = json!({ "name": "Succeeder" });
        if let Some(guard) = guard {
            nodes["g"] = json!({ "name": guard, "children": ["s", "m"] });
        }
        let weights = json!({ "weights": [1e9, 1e-9] });
        load(&json!({ "name": "random_selector", "properties": weights, "children": [first, "w"] }), &nodes)
    };
    let mut agent = Agent::new(drawn(None));
    assert_eq!(agent.edit(drawn(Some("Sequence"))), "");
    assert_eq!(agent.arrive(Failure), (Failure, "Failure".to_owned()), "none is left");
}

#[test]
fn a_child_around_two_others_is_none_of_them() {
    let parallel = |children: &[&str], all: &[&str]| {
        let mut nodes = json!({ "r": { "name": "Ring" }, "m": { "name": "Miss" } });
        if children.contains(&"g") {
            nodes["g"] = json!({ "name": "Sequence", "children": all });
        }
        load(&json!({ "name": "mem_parallel", "properties": {}, "children": children }), &nodes)
    };
    let mut agent = Agent::new(parallel(&["r", "w", "v"], &[]));
    assert_eq!(agent.edit(parallel(&["g", "v"], &["r", "w"])), "");
    assert_eq!(agent.arrive(Running), (Running, "Ring".to_owned()), "the sequence begins again with its first child");
}

#[test]
fn a_composite_that_cannot_convert_its_state_goes_on_if_its_children_are_in_place() {
    let stuck = |first: Value| {
        let mut nodes = json!({ "s": first, "r": { "name": "Ring" } });
        if nodes["s"]["name"] != "Ring" {
            nodes["c"] = json!({ "name": "Succeeder" });
        }
        load(&json!({ "name": "Stuck", "children": ["s", "w"] }), &nodes)
    };
    let [ring, sequence, other] = [
        json!({ "name": "Ring" }),
        json!({ "name": "Sequence", "children": ["c"] }),
        json!({ "name": "MemSequence", "children": ["c"] }),
    ];
    for (before, after) in [(&sequence, &other), (&sequence, &ring)] {
        let tree = stuck(before.clone());
        let mut npc = Agent::idle();
        let mut memory = tree.memory();
        assert_eq!(tree.tick(&mut npc, &mut memory), Success);
        let mut agent = Agent::running(tree, memory, npc);
        assert_eq!(agent.edit(stuck(after.clone())), "", "{before} is no child that runs");
        assert_eq!(agent.arrive(Success), (Success, "Success".to_owned()), "the walk went on");
    }
}
