//! Memories of loaded trees that are saved and loaded.

use bt_core::Status::{Failure, Running, Success};
use bt_core::prelude::*;
use serde_json::json;

use super::{Npc, file, load, registry};

/// What comes back of a memory through JSON, and through a format of bytes.
fn saved_in_all_ways<N: Save>(tree: &N, memory: &Memory<N>) -> Vec<Memory<N>> {
    let json = serde_json::to_string(&tree.saved(memory)).expect("it can be written");
    let value = serde_json::to_value(tree.saved(memory)).expect("it can be written");
    let bytes = postcard::to_allocvec(&tree.saved(memory)).expect("it can be written");
    let mut loaded: [_; 3] = std::array::from_fn(|_| tree.memory());
    let [one, two, three] = &mut loaded;
    tree.load(one, &mut serde_json::Deserializer::from_str(&json)).expect("json");
    tree.load(two, value).expect("json value");
    tree.load(three, &mut postcard::Deserializer::from_bytes(&bytes)).expect("postcard");
    loaded.into()
}

#[test]
fn a_saved_leaf_goes_on_with_its_state_whatever_the_format() {
    let mut file = file(&json!({ "name": "parallel", "children": ["a", "c", "p", "m"] }));
    file["nodes"]["c"] = json!({ "name": "closing", "properties": { "after": 9 }, "child": "b" });
    file["nodes"]["p"] = json!({ "name": "pair" });
    file["nodes"]["m"] = json!({ "name": "Limiter", "properties": { "maxLoop": 2 }, "child": "d" });
    let tree = load(&file);
    let (mut npc, mut memory) = (Npc::new(), tree.memory());
    tree.tick(&mut npc, &mut memory);
    tree.tick(&mut npc, &mut memory);
    npc.take();
    for memory in saved_in_all_ways(&tree, &memory) {
        let again = saved_in_all_ways(&tree, &memory);
        for mut memory in again.into_iter().chain([memory]) {
            assert!(memory.is_running());
            tree.tick(&mut npc, &mut memory);
            assert_eq!(npc.take(), "a3 b3 y3 d3");
            tree.halt(&mut npc, &mut memory);
            assert_eq!(npc.take(), "a3) b3) closing2:Halted(Stopped) y3) d3)");
        }
    }
}

#[test]
fn a_state_that_could_not_be_read_again_is_not_written() {
    #[derive(Clone, Default, serde::Serialize, serde::Deserialize)]
    struct Angle(f32);
    #[action]
    fn turn(_: &mut Npc, #[open] angle: &mut Angle) -> Status {
        angle.0 = f32::NAN;
        Running
    }
    let mut registry = registry();
    registry.add::<turn>("turn");
    let tree = registry.load(r#"{ "root": "1", "nodes": { "1": { "name": "turn" } } }"#).expect("nothing is wrong");
    let (mut npc, mut memory) = (Npc::new(), tree.memory());
    tree.tick(&mut npc, &mut memory);
    let error = serde_json::to_string(&tree.saved(&memory)).unwrap_err().to_string();
    assert!(error.starts_with("the state of a leaf cannot be deserialized again: "), "{error}");
}

#[test]
fn numbers_that_no_run_gives_are_no_panic_and_no_endless_run() {
    let ends = json!({ "success": 7, "failure": 7 });
    let mut all =
        file(&json!({ "name": "mem_parallel", "properties": ends, "children": ["r", "t", "m", "a", "x", "l", "o"] }));
    all["nodes"]["r"] = json!({ "name": "Repeater", "properties": { "maxLoop": 3 }, "child": "s" });
    all["nodes"]["t"] = json!({ "name": "RepeatUntilSuccess", "properties": { "maxLoop": 3 }, "child": "f" });
    all["nodes"]["m"] = json!({ "name": "mem_parallel", "children": ["s2", "f2"] });
    all["nodes"]["x"] = json!({ "name": "random_selector", "children": ["f3", "b"] });
    all["nodes"]["l"] = json!({ "name": "Limiter", "properties": { "maxLoop": 3 }, "child": "s4" });
    all["nodes"]["o"] = json!({ "name": "run_once", "child": "s5" });
    for name in ["s", "s2", "s4", "s5"] {
        all["nodes"][name] = json!({ "name": "Succeeder" });
    }
    for name in ["f", "f2", "f3"] {
        all["nodes"][name] = json!({ "name": "Failer" });
    }
    let tree = load(&all);
    let (mut npc, mut memory) = (Npc::new(), tree.memory());
    assert_eq!(tree.tick(&mut npc, &mut memory), Failure, "success is out of reach");
    all["nodes"]["root"]["properties"]["success"] = json!(4);
    let tree = load(&all);
    assert_eq!(tree.tick(&mut npc, &mut memory), Running);
    let save = serde_json::to_value(tree.saved(&memory)).expect("it is data");
    let words = save["memory"][1]["words"].as_array().expect("they are a list").len();
    assert!(words > 5);
    for word in 0..words {
        for bits in [0, 1, 3, u64::MAX, u64::MAX / 3, 1 << 63] {
            let mut save = save.clone();
            save["memory"][1]["words"][word] = json!(bits);
            let mut memory = tree.memory();
            tree.load(&mut memory, save).expect("it is of this tree");
            let ends = (0..20).any(|_| tree.tick(&mut npc, &mut memory) != Running);
            assert!(ends, "word {word} is {bits}");
            tree.halt(&mut npc, &mut memory);
        }
    }
    for words in [json!([]), json!([3]), json!([3, u64::MAX])] {
        let mut save = save.clone();
        save["memory"][1]["words"] = words;
        let mut memory = tree.memory();
        tree.load(&mut memory, save).expect("it is of this tree");
        npc.take();
        tree.tick(&mut npc, &mut memory);
        assert!(npc.take().contains("a("), "it begins anew");
    }
}

#[test]
fn a_parallel_all_of_whose_children_have_ended_has_ended() {
    let tree = load(&file(&json!({ "name": "mem_parallel", "children": ["a", "b"] })));
    let mut memory = tree.memory();
    tree.tick(&mut Npc::new(), &mut memory);
    let saved = serde_json::to_value(tree.saved(&memory)).expect("it is data");
    assert_eq!(saved["memory"][1]["slots"][0], json!({ "open": { "successes": 0, "failures": 0 }, "kept": null }));
    // Both children are marked as ended, whatever was counted.
    for (counts, ended) in [([0, 0], Failure), ([1, 0], Failure), ([2, 0], Success), ([0, 2], Failure)] {
        let mut save = saved.clone();
        save["memory"][1]["words"] = json!([1, 0b11]);
        save["memory"][1]["slots"][0]["open"] = json!({ "successes": counts[0], "failures": counts[1] });
        let mut memory = tree.memory();
        tree.load(&mut memory, save).expect("it is of this tree");
        assert_eq!(tree.tick(&mut Npc::new(), &mut memory), ended, "{counts:?}");
    }
}
