//! Disabled nodes are as if they were not there, and survive a conversion to text.

use bt_behavior3::{Arity, NodeNames, Project};

fn names() -> NodeNames {
    NodeNames::new(["near", "attack", "patrol"].map(|name| (name, Arity::Zero))).with_values(["mood", "hunger"])
}

fn project(nodes: &str) -> Project {
    Project::read(&format!(r#"{{ "root": "1", "nodes": {{ {nodes} }} }}"#)).expect("it is a tree")
}

/// Returns the tree as Rust in one line, or the errors.
fn rust(nodes: &str) -> String {
    match project(nodes).check(None, &names()) {
        Ok(tree) => tree.to_rust().split_whitespace().collect::<Vec<_>>().join(" "),
        Err(errors) => errors.iter().map(ToString::to_string).collect::<Vec<_>>().join(" | "),
    }
}

#[test]
fn a_disabled_node_and_what_is_below_it_are_not_there() {
    let nodes = r#"
        "1": { "name": "Priority", "children": ["2", "4", "6"] },
        "2": { "name": "Sequence", "properties": { "disabled": true }, "children": ["3"] },
        "3": { "name": "is_no_leaf", "properties": { "x": 1 } },
        "4": { "name": "Sequence", "children": ["5"] },
        "5": { "name": "attack", "properties": { "disabled": false } },
        "6": { "name": "patrol" }"#;
    assert_eq!(rust(nodes), "selector { sequence { attack } patrol }");
    assert!(project(nodes).trees[0].unconnected().is_empty());
    assert_eq!(project(nodes).trees[0].disabled(), ["2", "3"].into());
    let without = project(nodes).trees[0].without_disabled();
    assert_eq!(without.nodes.len(), 4);
    assert!(without.disabled().is_empty());
}

#[test]
fn the_entries_of_disabled_children_are_removed() {
    let two = r#""2": { "name": "attack", "properties": { "disabled": true } }, "3": { "name": "patrol" }, "4": { "name": "near" }"#;
    let parent = |name: &str, properties: &str| {
        rust(&format!(
            r#""1": {{ "name": "{name}", "properties": {{ {properties} }}, "children": ["2", "3", "4"] }}, {two}"#
        ))
    };
    assert_eq!(parent("random_selector", r#""weights": [1, 2, 3]"#), "random_selector { 2 => patrol, 3 => near }");
    assert_eq!(
        parent("utility_selector", r#""scores": ["hunger", "mood", "hunger"]"#),
        "utility_selector { mood => patrol, hunger => near }"
    );
    assert_eq!(
        parent("match", r#""on": "mood", "cases": ["calm", "angry"]"#),
        "match mood { \"angry\" => patrol, _ => near }"
    );
    assert!(
        parent("random_selector", r#""weights": [2, 3]"#)
            .contains("expected 3 entries, also for disabled children, found 2")
    );
}

#[test]
fn what_has_to_be_there_cannot_be_disabled() {
    let off = r#""properties": { "disabled": true }"#;
    assert_eq!(
        rust(&format!(r#""1": {{ "name": "attack", {off} }}"#)),
        "node 1 (\"attack\"): the root is disabled, so the tree has no nodes"
    );
    let one = format!(r#""1": {{ "name": "Inverter", "child": "2" }}, "2": {{ "name": "near", {off} }}"#);
    assert_eq!(rust(&one), "node 1 (\"Inverter\"): expected 1 child, found 0; note: 1 child is disabled");
    let branches = |disabled: &str| {
        let node = |id: &str, name: &str| {
            let off = if id == disabled { off } else { r#""properties": {}"# };
            format!(r#""{id}": {{ "name": "{name}", {off} }}"#)
        };
        let below = [node("2", "near"), node("3", "attack"), node("4", "patrol")].join(",");
        rust(&format!(r#""1": {{ "name": "if", "children": ["2", "3", "4"] }}, {below}"#))
    };
    assert!(branches("2").contains("the condition is disabled"));
    assert!(branches("3").contains("the node for a condition that succeeds is disabled"));
    assert_eq!(branches("4"), "if (near) { attack }");
    let finally = |off: [&str; 2]| {
        let [body, cleanup] = off.map(|off| format!(r#""name": "attack", "properties": {{ {off} }}"#));
        rust(&format!(
            r#""1": {{ "name": "finally", "children": ["2", "3"] }}, "2": {{ {body} }}, "3": {{ {cleanup} }}"#
        ))
    };
    assert!(finally([r#""disabled": true"#, ""]).contains("the body is disabled"));
    assert!(finally(["", r#""disabled": true"#]).contains("the cleanup is disabled"));
    assert_eq!(finally(["", ""]), "finally { attack, attack }");
    let last = format!(
        r#""1": {{ "name": "match", "properties": {{ "on": "mood", "cases": ["calm"] }}, "children": ["2", "3"] }},
        "2": {{ "name": "attack" }}, "3": {{ "name": "patrol", {off} }}"#
    );
    assert!(rust(&last).contains("the last child, for any other value, is disabled"));
}

#[test]
fn a_tree_may_contain_itself_in_a_disabled_node() {
    let text = r#"{ "trees": [{ "id": "a", "root": "1", "nodes": {
        "1": { "name": "Priority", "children": ["2", "3"] },
        "2": { "name": "a", "properties": { "disabled": true } },
        "3": { "name": "attack" }
    } }] }"#;
    let project = Project::read(text).expect("a project");
    assert_eq!(project.check(None, &names()).expect("it is valid").nodes.len(), 2);
    assert_eq!(
        project.to_text(&names()).expect("it is valid"),
        "tree a {\n    selector { #[disabled] a, attack }\n}\n"
    );
}

#[test]
fn disabled_nodes_are_written_as_text() {
    let text = project(
        r#"
        "1": { "name": "random_selector", "properties": { "weights": [1, 2] }, "children": ["2", "3"] },
        "2": { "name": "Inverter", "properties": { "disabled": true }, "child": "4" },
        "3": { "name": "limit", "properties": { "runs": 2 }, "children": ["5", "6"] },
        "4": { "name": "near" },
        "5": { "name": "attack" },
        "6": { "name": "patrol", "properties": { "disabled": true } }"#,
    );
    assert_eq!(
        text.to_text(&names()).expect("it is valid"),
        "random_selector {\n    1 => #[disabled] !near,\n    2 => limit(2) { attack, #[disabled] patrol }\n}\n"
    );
}
