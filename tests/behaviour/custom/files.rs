//! Custom composites in files.

use bt_core::prelude::*;
use bt_core::tree_from_json;
use bt_tests::world::{World, act};

use super::composites::recovery;
use super::nav2::registry;
use super::visit_all::visit_all;

const FILE: &str = include_str!("nav2.b3.json");

#[test]
fn a_file_uses_composites_compiled_and_loaded() {
    let built_in =
        tree_from_json!("nav2.b3.json", for World: RecoveryNode => recovery, VisitAll => visit_all, Act => act);
    let mut registry = registry();
    registry.add::<act>("Act");
    let loaded = registry.load(FILE).expect("the file is valid");
    assert_eq!(
        loaded.description().to_string(),
        "\
RecoveryNode(number_of_retries: 2) \"navigate\"
├─ VisitAll
│  ├─ Act(number: 1)
│  └─ Act(number: 2)
└─ Act(number: 3)
"
    );
    let statuses = [Status::Success, Status::Failure, Status::Success, Status::Running, Status::Failure];
    let (mut one, mut other) = (World::telling(&statuses), World::telling(&statuses));
    let (mut first, mut second) = (built_in.memory(), loaded.memory());
    for _ in 0..30 {
        assert_eq!(built_in.tick(&mut one, &mut first), loaded.tick(&mut other, &mut second));
        assert_eq!(one.take_seen(), other.take_seen());
    }
    // It is written with its composites, and loaded again.
    for written in [loaded.to_behavior3().write(), bt_dynamic::to_behavior3(&built_in.description(), "again").write()] {
        assert!(written.contains("\"category\": \"composite\""), "{written}");
        let again = registry.load(&written).expect("it was written");
        assert_eq!(again.description().to_string(), loaded.description().to_string());
    }
}

#[test]
fn a_wrong_number_of_children_is_an_error_of_the_file() {
    let file = |children: &str| {
        format!(
            r#"{{ "root": "1", "nodes": {{ "1": {{ "name": "RecoveryNode", "properties": {{ "number_of_retries": 1 }}, "children": [{children}] }},
            "2": {{ "name": "run" }}, "3": {{ "name": "run" }}, "4": {{ "name": "run" }} }} }}"#
        )
    };
    let error = |children: &str| registry().load(&file(children)).expect_err("not 2 children").to_string();
    assert_eq!(error("\"2\""), "node 1 (\"RecoveryNode\"): expected 2 children, found 1");
    assert_eq!(error("\"2\", \"3\", \"4\""), "node 1 (\"RecoveryNode\"): expected 2 children, found 3");
    assert_eq!(error(""), "node 1 (\"RecoveryNode\"): expected at least 1 child, found 0");
    assert!(registry().load(&file("\"2\", \"3\"")).is_ok());
    let wrong = file("\"2\", \"3\"").replace("number_of_retries", "retries");
    let error = registry().load(&wrong).expect_err("an unknown property").to_string();
    assert!(error.starts_with("node 1 (\"RecoveryNode\"): properties: "), "{error}");
}

#[test]
fn a_composite_that_stores_nothing_goes_on_when_its_children_are_moved() {
    let file = |children: &str| {
        format!(
            r#"{{ "root": "1", "nodes": {{ "1": {{ "name": "VisitAll", "children": [{children}] }},
            "2": {{ "name": "told", "properties": {{ "number": 2 }} }}, "3": {{ "name": "told", "properties": {{ "number": 3 }} }} }} }}"#
        )
    };
    let load = |children: &str| registry().load(&file(children)).expect("the file is valid");
    let (old, same, new) = (load("\"2\", \"3\""), load("\"2\", \"3\""), load("\"3\", \"2\""));
    let (mut world, mut memory) = (World::telling(&[Status::Running]), old.memory());
    old.tick(&mut world, &mut memory);
    world.take_seen();
    old.reload(&same, &mut memory, &mut world);
    assert_eq!(world.take_seen(), []);
    same.reload(&new, &mut memory, &mut world);
    assert_eq!(world.take_seen(), [], "both children go on");
}
