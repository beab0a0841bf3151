//! Loaded trees that are written to files again.

use bt_core::Status::Running;
use bt_core::prelude::*;
use bt_dynamic::Registry;
use bt_tests::without_layout;
use serde_json::{Value, json};

use super::{Npc, registry};

#[test]
fn a_file_that_was_loaded_is_written_with_all_that_it_said() {
    #[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
    struct Vec3 {
        x: f32,
        y: f32,
        z: f32,
    }
    fn step_aside(_: &mut Npc) {}
    #[action]
    fn fly(_: &mut Npc, to: Vec3, by: Option<u8>) -> Status {
        Status::from(to.x + to.y + to.z > 0.0 && by.is_some())
    }
    let mut registry = registry();
    registry.add::<fly>("FlyTo").add_leaf("closure", |npc: &mut Npc| npc.log.clear()).add_leaf("Walk", step_aside);
    let file = json!({
        "version": "0.3.0", "scope": "tree", "id": "7a", "title": "bird", "description": "a bird", "root": "r-1",
        "display": { "camera_x": 1, "camera_y": 2, "camera_z": 3 },
        "properties": { "author": "me" },
        "nodes": {
            "r-1": { "id": "r-1", "name": "MemSequence", "title": "MemSequence", "description": "all", "children": ["a", "b", "c", "d", "e"] },
            "a": { "id": "a", "name": "FlyTo", "title": "Fly <by>", "properties": { "to": { "x": 1.5, "y": 0, "z": -2 }, "by": 3 }, "mood": "high" },
            "b": { "id": "b", "name": "closure" },
            "c": { "id": "c", "name": "RepeatUntilFailure", "properties": { "maxLoop": 3 }, "child": "f" },
            "d": { "id": "d", "name": "pair" },
            "e": { "id": "e", "name": "machine", "properties": { "any": ["Walk -> two"] }, "children": ["s1", "s2"] },
            "s1": { "id": "s1", "name": "state", "properties": { "name": "one", "transitions": ["!closure -> two"] }, "child": "g" },
            "s2": { "id": "s2", "name": "state", "properties": { "name": "two" }, "child": "h" },
            "f": { "id": "f", "name": "Walk" }, "g": { "id": "g", "name": "Runner" }, "h": { "id": "h", "name": "Runner" }
        },
        "custom_nodes": [{ "name": "FlyTo", "category": "action", "title": "Fly <by>", "properties": { "by": 1 } }]
    });
    let tree = registry.load(&file.to_string()).unwrap_or_else(|error| panic!("{error}"));
    let lines = tree.description().lines().join("\n");
    for drawn in ["FlyTo(", "\"Fly 3\"", "├─ closure", "\"pair\"", "Walk"] {
        assert!(lines.contains(drawn), "{drawn}: {lines}");
    }
    let written: Value = serde_json::from_str(&tree.to_behavior3().write()).expect("it is JSON");
    for (key, value) in file.as_object().expect("it is an object") {
        if key == "nodes" {
            let nodes = written["nodes"].as_object().expect("they are an object");
            assert_eq!(nodes.len(), value.as_object().expect("they are an object").len(), "{nodes:?}");
            for (id, node) in value.as_object().expect("they are an object") {
                for (key, value) in node.as_object().expect("it is an object") {
                    assert_eq!(&nodes[id][key], value, "{id}: {key}");
                }
            }
        } else if key == "custom_nodes" {
            assert!(written[key].as_array().expect("it is a list").contains(&value[0]));
        } else if key == "display" {
            // The editor's camera; the tree had no layout.
            for (key, value) in value.as_object().expect("it is an object") {
                assert_eq!(&written["display"][key], value, "{key}");
            }
        } else {
            assert_eq!(&written[key], value, "{key}");
        }
    }
    assert!(written["nodes"].as_object().expect("an object").values().all(|node| node["display"]["y"].is_number()));
    let again = registry.load(&written.to_string()).expect("nothing is wrong with it");
    assert_eq!(without_layout(&again.description()), without_layout(&tree.description()));
    let twice: Value = serde_json::from_str(&again.to_behavior3().write()).expect("it is JSON");
    assert_eq!(twice, written);
}

#[test]
fn the_file_of_the_readme_survives_both_engines() {
    struct Guard;
    #[condition]
    fn enemy_within(_: &Guard, meters: f32) -> bool {
        meters > 100.0
    }
    fn attack(_: &mut Guard) -> Status {
        Running
    }
    fn patrol(_: &mut Guard) -> Status {
        Running
    }
    const FILE: &str = include_str!("../../../bt-core/src/file/guard.b3.json");
    let mut registry = Registry::<Guard>::new();
    registry.add::<enemy_within>("EnemyWithin").add_leaf("Attack", attack).add_leaf("patrol", patrol);
    let loaded = registry.load(FILE).expect("nothing is wrong with it");
    let built = bt_core::tree_from_json!("../../../bt-core/src/file/guard.b3.json", for Guard: EnemyWithin => enemy_within, Attack => attack, patrol);
    let drawn = loaded.description().to_string();
    assert_eq!(built.description().to_string(), drawn);
    for description in [loaded.description(), built.description()] {
        let again =
            registry.load(&bt_dynamic::to_behavior3(&description, "guard").write()).expect("nothing is wrong with it");
        assert_eq!(again.description().to_string(), drawn);
    }
}

#[test]
fn a_written_file_declares_the_leaves_that_properties_name() {
    let mut registry = Registry::<bool>::new();
    registry.add_leaf("On", |on: &bool| *on).add_leaf("Beep", |_: &mut bool| ());
    let file = r#"{ "root": "1", "nodes": {
        "1": { "name": "machine", "children": ["2", "3"] },
        "2": { "name": "state", "properties": { "name": "off", "transitions": ["On -> on"], "enter": "Beep" }, "children": ["4"] },
        "3": { "name": "state", "properties": { "name": "on", "transitions": ["!On -> off"] }, "children": ["5"] },
        "4": { "name": "Runner" }, "5": { "name": "Runner" }
    } }"#;
    let tree = registry.load(file).expect("the file is valid");
    for written in [tree.to_behavior3(), bt_dynamic::to_behavior3(&tree.description(), "lamp")] {
        let declared: Vec<_> = written.declared().map(|node| node.name.as_str()).collect();
        assert!(["On", "Beep"].iter().all(|name| declared.contains(name)), "{declared:?}");
    }
}

#[test]
fn a_registry_declares_all_its_nodes_with_their_properties() {
    let registry = super::registry();
    let mut written = super::load(&super::file(&super::steps("a"))).to_behavior3();
    assert_eq!(written.declared().count(), 1);
    registry.declare(&mut written);
    registry.declare(&mut written);
    let mut declared: Vec<_> = written
        .declared()
        .map(|node| {
            (
                node.name.as_str(),
                node.category().unwrap_or(""),
                node.properties.keys().cloned().collect::<Vec<_>>().join(" "),
            )
        })
        .collect();
    declared.sort();
    let expected = [("closing", "decorator", "after"), ("pair", "action", ""), ("steps", "action", "name steps")];
    assert_eq!(declared, expected.map(|(name, category, properties)| (name, category, properties.to_owned())));
    registry.load(&written.write()).expect("the file is still valid");
}

#[test]
fn a_declaration_has_the_defaults_if_nothing_is_required() {
    #[condition]
    fn tired(steps: &u32, #[param(default = 8)] after: u32, #[param(default = 2.5)] by: f32) -> bool {
        *steps > after && by > 0.0
    }
    #[action]
    fn walk(steps: &mut u32, by: u32, #[param(default = 1)] times: u32) {
        *steps += by * times;
    }
    let mut registry = Registry::<u32>::new();
    registry.add::<tired>("Tired").add::<walk>("Walk");
    let declared = registry.declarations();
    let [tired, walk] = declared.as_slice() else { panic!("{declared:?}") };
    assert_eq!(
        (tired.category(), &tired.properties["after"], &tired.properties["by"]),
        (Some("condition"), &json!(8), &json!(2.5))
    );
    assert_eq!((walk.category(), walk.properties.len()), (Some("action"), 2));
}
