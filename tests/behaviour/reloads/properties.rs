//! Values of parameters in files.

use bt_core::Status::Success;
use bt_core::prelude::*;
use bt_dynamic::Registry;

use super::{Npc, registry};

#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
struct Place {
    x: f32,
    by: Option<u8>,
}

#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
enum Pace {
    Slow,
}

#[action]
fn travel(_: &mut Npc, to: Place, pace: Pace, after: Duration, name: &String, list: &Vec<Option<u32>>) -> Status {
    Status::from(
        (to, pace) == (Place { x: 0.1, by: Some(3) }, Pace::Slow)
            && after == millis(1500)
            && name == "3"
            && *list == [None, Some(u32::MAX)],
    )
}

#[action]
fn optional(npc: &mut Npc, at: Option<u32>, #[param(default = Some(3))] or: Option<u32>) {
    npc.log.extend([at, or].map(|value| format!("{value:?}")));
}

#[test]
fn null_is_a_value_of_an_option_and_a_missing_property_elsewhere() {
    let tree = tree! { for Npc: optional(None, None) };
    let mut registry = registry();
    registry.add::<optional>("optional").add::<travel>("travel");
    let loaded = registry
        .load(&bt_dynamic::to_behavior3(&tree.description(), "t").write())
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(loaded.description().to_string(), tree.description().to_string());
    let mut npc = Npc::new();
    assert_eq!(loaded.tick(&mut npc, &mut loaded.memory()), Success);
    assert_eq!(npc.take(), "None None");
    let error = registry
        .load(r#"{ "root": "1", "nodes": { "1": { "name": "travel", "properties": { "to": null, "pace": "slow", "after": null, "name": "x", "list": [] } } } }"#)
        .expect_err("they are needed");
    let text = error.to_string();
    assert!(text.contains("missing property `to`") && text.contains("missing property `after`"), "{text}");
}

#[derive(Clone, Copy, serde::Deserialize)]
struct Turns {
    nth: u32,
}

#[test]
fn properties_that_the_editor_has_made_text_of_are_read() {
    let mut registry = registry();
    registry.add_with("turn", |Turns { nth }| move |npc: &mut Npc| npc.log.push(nth.to_string()));
    let tree = registry.load(r#"{ "root": "1", "nodes": { "1": { "name": "turn", "properties": { "nth": "2" } } } }"#);
    let (tree, mut npc) = (tree.unwrap_or_else(|error| panic!("{error}")), Npc::new());
    assert_eq!(tree.tick(&mut npc, &mut tree.memory()), Success);
    assert_eq!(npc.take(), "2");
    let error = registry.load(r#"{ "root": "1", "nodes": { "1": { "name": "turn", "properties": { "nth": "x" } } } }"#);
    assert!(error.expect_err("it is no number").to_string().contains("expected u32"));
}

#[derive(Clone, Copy, PartialEq, Debug, serde::Deserialize, serde::Serialize)]
struct Spot {
    x: i32,
}

#[test]
fn a_struct_in_text_is_no_variable() {
    #[action]
    fn go(board: &mut Board, #[input] to: Spot) {
        board.set(&Key::new("went"), to.x);
    }
    let mut registry = Registry::<Board>::new();
    registry.add::<go>("go");
    let tree =
        registry.load(r#"{ "root": "1", "nodes": { "1": { "name": "go", "properties": { "to": "{\"x\":1}" } } } }"#);
    let (tree, mut board) = (tree.unwrap_or_else(|error| panic!("{error}")), Board::new());
    assert_eq!(tree.tick(&mut board, &mut tree.memory()), Success);
    assert_eq!(board.get(&Key::<i32>::new("went")), Some(&1));
}

#[test]
fn a_written_tree_keeps_structs_enums_and_times_in_a_file() {
    let tree = tree! {
        for Npc: travel(Place { x: 0.1, by: Some(3) }, Pace::Slow, millis(1500), "3".to_owned(), vec![None, Some(u32::MAX)])
    };
    let file = bt_dynamic::to_behavior3(&tree.description(), "travel").write();
    for expected in [r#""x": 0.1"#, r#""by": 3"#, r#""slow""#, r#""nanos": 500000000"#, r#""3""#, "4294967295"] {
        assert!(file.contains(expected), "{expected}: {file}");
    }
    let mut registry = registry();
    registry.add::<travel>("travel");
    let loaded = registry.load(&file).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(loaded.description().to_string(), tree.description().to_string());
    assert_eq!(loaded.tick(&mut Npc::new(), &mut loaded.memory()), Success);
}
