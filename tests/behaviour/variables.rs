//! Variables that a file reads and no node writes.

use bt_core::board::{compare, copy, is_set, set, unset};
use bt_core::prelude::*;
use bt_dynamic::{NoProperties, Registry};

const GOAL: Key<u32> = Key::new("goal");

#[action]
fn find(_: &mut Board, #[output] goal: &mut Option<u32>) {
    *goal = Some(3);
}

#[action]
fn drive(_: &mut Board, #[input] goal: u32, #[input] via: Option<u32>) {
    let _ = (goal, via);
}

#[derive(serde::Deserialize)]
#[expect(dead_code, reason = "only its form matters")]
struct To {
    to: String,
}

fn registry() -> Registry<Board> {
    let mut registry = Registry::<Board>::new().with_board();
    registry.add::<find>("Find").add::<drive>("Drive").add_leaf("SetGoal", set(GOAL, 3));
    registry.add_with("Goto", |_: To| succeed()).add_with("Nothing", |_: NoProperties| succeed());
    registry
}

/// The errors of a sequence of these nodes.
fn errors(registry: &Registry<Board>, nodes: &[&str]) -> Vec<String> {
    load(registry, &format!(r#"{{ "root": "0", "nodes": {} }}"#, sequence(nodes)))
}

/// The errors of a tree that nests a sequence of these nodes, which is over the property `goal`.
fn nested(registry: &Registry<Board>, nodes: &[&str]) -> Vec<String> {
    load(
        registry,
        &format!(
            r#"{{ "selectedTree": "a", "trees": [
                {{ "id": "a", "root": "7", "nodes": {{ "7": {{ "name": "b", "properties": {{ "goal": "{{goal}}" }} }} }} }},
                {{ "id": "b", "root": "0", "properties": {{ "goal": null }}, "nodes": {} }}
            ] }}"#,
            sequence(nodes)
        ),
    )
}

fn sequence(nodes: &[&str]) -> String {
    let ids: Vec<_> = (1..=nodes.len()).map(|id| format!("\"{id}\"")).collect();
    let nodes: Vec<_> = ids.iter().zip(nodes).map(|(id, node)| format!(", {id}: {{ {node} }}")).collect();
    format!(r#"{{ "0": {{ "name": "Sequence", "children": [{}] }}{} }}"#, ids.join(", "), nodes.concat())
}

fn load(registry: &Registry<Board>, file: &str) -> Vec<String> {
    let error = registry.load(file).err().map(|error| error.to_string()).unwrap_or_default();
    error.lines().map(str::to_owned).collect()
}

const DRIVE: &str = r#""name": "Drive", "properties": { "goal": "{goal}" }"#;

#[test]
fn any_variable_can_be_set_by_the_program() {
    assert!(errors(&registry(), &[DRIVE]).is_empty());
}

#[test]
fn a_declared_variable_an_output_and_a_leaf_that_shows_its_key_write() {
    let strict = || registry().with_variables(["speed"]);
    let missing =
        "variable `{goal}` is read, but no node writes it; help: if the program sets it, add it to `with_variables`";
    assert_eq!(errors(&strict(), &[DRIVE]), [format!("node 1 (\"Drive\"): {missing}")]);
    assert!(errors(&strict().with_variables(["goal"]), &[DRIVE]).is_empty());
    assert!(errors(&strict(), &[r#""name": "Find", "properties": { "goal": "{goal}" }"#, DRIVE]).is_empty());
    assert!(errors(&strict(), &[r#""name": "SetGoal""#, DRIVE]).is_empty());
    // A leaf of unknown type may write what it names.
    assert!(errors(&strict(), &[r#""name": "Goto", "properties": { "to": "{goal}" }"#, DRIVE]).is_empty());
    assert_eq!(errors(&strict(), &[r#""name": "Nothing""#, DRIVE]).len(), 1);
    // An optional input can be missing.
    let optional = r#""name": "Drive", "properties": { "goal": 1, "via": "{via}" }"#;
    assert!(errors(&strict(), &[optional]).is_empty());
}

#[test]
fn a_leaf_that_only_looks_at_a_variable_does_not_write_it() {
    let mut strict = registry().with_variables(["speed"]);
    strict.add_leaf("IsSet", is_set(GOAL)).add_leaf("Compare", compare(GOAL, |goal| *goal > 1));
    strict.add_leaf("Unset", unset(GOAL)).add_leaf("Copy", copy(GOAL, Key::new("other")));
    strict.add_with("Sub", |_: NoProperties| tree! { for Board: repeat(GOAL) { succeed } });
    for name in ["IsSet", "Compare", "Unset", "Copy"] {
        assert_eq!(errors(&strict, &[&format!("\"name\": \"{name}\""), DRIVE]).len(), 1, "{name}");
    }
    assert!(
        errors(&strict, &[r#""name": "Copy""#, r#""name": "Drive", "properties": { "goal": "{other}" }"#]).is_empty()
    );
    // A static subtree reads its variables too.
    let found = errors(&strict, &[r#""name": "Sub""#]);
    assert!(found.len() == 1 && found[0].starts_with("node 1 (\"Sub\"): variable `{goal}` is read"), "{found:?}");
}

#[test]
fn words_read_variables_too() {
    let strict = registry().with_variables(["speed", "lives"]);
    for (node, variable) in [
        (r#""name": "repeat", "properties": { "times": "{count}" }, "child": "2""#, "count"),
        (r#""name": "match", "properties": { "on": "{mood}", "cases": [1] }, "children": ["2", "3"]"#, "mood"),
        (
            // It reads the variable twice, which is one mistake.
            r#""name": "utility_selector", "properties": { "scores": ["{hunger}", "{hunger}"] }, "children": ["2", "3"]"#,
            "hunger",
        ),
    ] {
        let file = format!(
            r#"{{ "root": "1", "nodes": {{ "1": {{ {node} }}, "2": {{ "name": "run" }}, "3": {{ "name": "run" }} }} }}"#
        );
        let found = load(&strict, &file);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains(&format!("variable `{{{variable}}}` is read, but no node writes it")), "{found:?}");
    }
    let close = errors(&strict, &[r#""name": "Drive", "properties": { "goal": "{sped}" }"#]);
    assert_eq!(
        close,
        ["node 1 (\"Drive\"): variable `{sped}` is read, but no node writes it; help: did you mean `speed`?"]
    );
}

#[test]
fn a_variable_of_a_nested_tree_that_no_node_writes_is_always_an_error() {
    let own = r#""name": "Drive", "properties": { "goal": "{_itm}" }"#;
    let find = r#""name": "Find", "properties": { "goal": "{_item}" }"#;
    assert_eq!(
        nested(&registry(), &[find, own]),
        ["node 7/2 (\"Drive\"): variable `{_itm}` is read, but no node writes it; help: did you mean `_item`?"]
    );
    assert_eq!(
        nested(&registry(), &[r#""name": "wait", "properties": { "time": "{_n}" }"#]).first().map(String::as_str),
        Some("node 7/1 (\"wait\"): variable `{_n}` is read, but no node writes it")
    );
    assert!(nested(&registry(), &[find, r#""name": "Drive", "properties": { "goal": "{_item}" }"#]).is_empty());
    // A value that is written and not needed is no mistake.
    assert!(nested(&registry(), &[find]).is_empty());
    // The variable that a property names belongs to the tree above.
    assert!(nested(&registry(), &[DRIVE]).is_empty());
    assert_eq!(nested(&registry().with_variables(["speed"]), &[DRIVE]).len(), 1);
}

#[test]
fn one_mistake_is_one_error() {
    // The node that would write the variable is unknown.
    let broken = [r#""name": "Fnd", "properties": { "goal": "{goal}" }"#, DRIVE, DRIVE];
    let found = errors(&registry().with_variables(["speed"]), &broken);
    assert_eq!(found, ["node 1 (\"Fnd\"): unknown node `Fnd`; help: did you mean `Find`?"]);
}

#[action]
fn say(board: &mut Board, #[input] names: Vec<String>, #[input] place: (f32, f32)) {
    board.set(&Key::new("said"), format!("{names:?} {place:?}"));
}

#[action]
fn name(_: &mut Board, #[output] goal: &mut Option<String>) {
    *goal = Some(String::new());
}

#[test]
fn a_list_can_be_text() {
    let mut registry = registry();
    registry.add::<say>("Say");
    let said = |names: &str, place: &str| {
        let file = format!(
            r#"{{ "root": "1", "nodes": {{ "1": {{ "name": "Say", "properties": {{ "names": {names}, "place": {place} }} }} }} }}"#
        );
        let tree = registry.load(&file).expect("it is valid");
        let mut board = Board::new();
        tree.tick(&mut board, &mut tree.memory());
        board.get(&Key::<String>::new("said")).cloned().unwrap_or_default()
    };
    assert_eq!(said(r#""a;b c; 3""#, r#""1;-2.5""#), r#"["a", "b c", "3"] (1.0, -2.5)"#);
    assert_eq!(said(r#""a""#, r#""json:[1,2]""#), r#"["a"] (1.0, 2.0)"#);
    assert_eq!(said(r#""""#, r#"".5;5.;""#), "[] (0.5, 5.0)");
    assert_eq!(said(r#"["a;b"]"#, "[1, 2]"), r#"["a;b"] (1.0, 2.0)"#);
}

#[test]
fn parameters_of_two_types_cannot_name_one_variable() {
    let mut registry = registry();
    registry.add::<name>("Name");
    let errors = errors(
        &registry,
        &[
            r#""name": "Find", "properties": { "goal": "{goal}" }"#,
            r#""name": "Name", "properties": { "goal": "{goal}" }"#,
        ],
    );
    assert_eq!(errors, ["node 2 (\"Name\"): variable `{goal}` has type `u32` as `goal` of \"Find\", not `String`"]);
}

#[test]
fn a_default_names_a_variable_of_the_nested_tree() {
    let registry = registry();
    let file = r#"{ "selectedTree": "a", "trees": [
        { "id": "a", "root": "1", "nodes": {
            "1": { "name": "Sequence", "children": ["2", "3"] },
            "2": { "name": "b" }, "3": { "name": "b", "properties": { "goal": "{mine}" } }
        } },
        { "id": "b", "root": "1", "properties": { "goal": "{_goal}", "via": "{_via}" }, "nodes": {
            "1": { "name": "Sequence", "children": ["2", "3", "4"] },
            "2": { "name": "Find", "properties": { "goal": "{goal}" } },
            "3": { "name": "Drive", "properties": { "goal": "{goal}" } },
            "4": { "name": "Find", "properties": { "goal": "{@goal}" } }
        } }
    ] }"#;
    let tree = registry.load(file).expect("it is valid");
    let mut board = Board::new();
    assert_eq!(tree.tick(&mut board, &mut tree.memory()), Status::Success);
    let mut names = Vec::new();
    bt_core::board::Blackboard::show(&board, &mut |shown| names.push(shown.name.to_owned()));
    assert_eq!(names, ["2/_goal", "goal", "mine"]);
}

#[action]
fn told(board: &mut Board, #[input] text: String, #[input] more: Option<&str>) {
    board.set(&Key::new("told"), format!("{text} {more:?}"));
}

#[test]
fn text_is_read_from_a_variable_of_any_type() {
    let mut registry = registry();
    registry.add::<told>("Tell");
    let tree = registry.load(
        r#"{ "root": "0", "nodes": { "0": { "name": "Sequence", "children": ["1", "2"] },
        "1": { "name": "Find", "properties": { "goal": "{goal}" } },
        "2": { "name": "Tell", "properties": { "text": "{goal}", "more": "{place}" } } } }"#,
    );
    let tree = tree.expect("text has any type");
    let mut board = Board::new();
    board.set(&Key::new("place"), (1.5, true));
    assert_eq!(tree.tick(&mut board, &mut tree.memory()), Status::Success);
    assert_eq!(board.get(&Key::<String>::new("told")).map(String::as_str), Some(r#"3 Some("(1.5, true)")"#));
}
