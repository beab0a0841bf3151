//! Which nodes of a tree are which nodes of the tree that replaces it.

use bt_core::describe::{Description, Matching};
use bt_core::prelude::*;

#[action]
fn go(_: &mut u8, to: u32) -> Status {
    Status::from(to > 0)
}

fn aim(_: &mut u8) -> Status {
    Status::Running
}

fn fire(_: &mut u8) -> Status {
    Status::Running
}

fn hide(_: &mut u8) -> Status {
    Status::Running
}

/// The numbers of the nodes in the new tree; -1 for those that are gone.
fn matched(old: &Description, new: &Description) -> Vec<i64> {
    let matching = old.matching(new);
    assert_eq!(matching, old.matching(new), "it is always the same");
    let mut back: Vec<_> = new.matching(old).pairs().map(|(new, old)| (old, new)).collect();
    back.sort_unstable();
    assert_eq!(back, matching.pairs().collect::<Vec<_>>(), "it is the same from the new tree to the old one");
    let new = |node: &bt_core::describe::Described| {
        matching.get(node.id).map_or(-1, |id| i64::try_from(id.index()).expect("small"))
    };
    old.nodes().iter().map(new).collect()
}

macro_rules! matched {
    ({ $($old:tt)* } { $($new:tt)* }) => {
        matched(&tree! { for u8: $($old)* }.description(), &tree! { for u8: $($new)* }.description())
    };
}

#[test]
fn all_nodes_of_an_equal_tree_are_the_same() {
    let tree = || tree! { for u8: selector { sequence { aim, aim, go(1) } go(1), sequence { aim, aim, go(1) } } };
    assert!(tree().description().matching(&tree().description()).is_same());
    assert_eq!(Matching::default(), Matching::new([]));
}

#[test]
fn a_subtree_that_has_moved_is_the_same() {
    assert_eq!(
        matched!({ selector { sequence { aim, fire }, hide } } { selector { hide, sequence { aim, fire } } }),
        [0, 2, 3, 4, 1]
    );
    assert_eq!(
        matched!({ selector { sequence { aim, fire }, hide } } { selector { hide, limit(3) { sequence { aim, fire } } } }),
        [0, 3, 4, 5, 1]
    );
    // To another parent.
    assert_eq!(
        matched!({ selector { sequence "a" { aim, fire }, sequence "b" { hide } } } { selector { sequence "a" { fire }, sequence "b" { hide, aim } } }),
        [0, 1, 5, 2, 3, 4]
    );
}

#[test]
fn a_tree_that_is_wrapped_is_the_same_below() {
    assert_eq!(matched!({ sequence { aim, fire } } { repeat { sequence { aim, fire } } }), [1, 2, 3]);
    assert_eq!(matched!({ repeat { sequence { aim, fire } } } { sequence { aim, fire } }), [-1, 0, 1, 2]);
    // Also if something in it has changed.
    assert_eq!(
        matched!({ selector { sequence { aim, go(1) }, hide } } { selector { limit(3) { sequence { aim, go(2) } }, hide } }),
        [0, 2, 3, 4, 5]
    );
}

#[test]
fn parents_are_those_that_share_most() {
    // The first sequence was deleted.
    assert_eq!(
        matched!({ selector { sequence { aim, go(1) } sequence { fire, go(5) } } } { selector { sequence { fire, go(5), go(7) } } }),
        [0, -1, -1, -1, 1, 2, 3]
    );
    // None of what they share is unique.
    assert_eq!(
        matched!(
            { selector { sequence { aim, go(1) } sequence { fire, go(5) } sequence { fire, go(5) } } }
            { selector { sequence { fire, go(5), go(7) } sequence { fire, go(5), go(8) } } }
        ),
        [0, -1, -1, -1, 1, 2, 3, 5, 6, 7]
    );
    // One is elsewhere.
    assert_eq!(
        matched!(
            { selector { sequence { aim, go(1) } limit(2) { sequence { fire, hide, go(5) } } } }
            { selector { sequence { fire, hide, go(6) } } }
        ),
        [0, -1, -1, -1, -1, 1, 2, 3, 4]
    );
    assert_eq!(
        matched!({ selector { sequence { aim, fire }, sequence { hide, go(1) } } } { selector { sequence { hide, fire, go(1) }, sequence { aim } } }),
        [0, 5, 6, 3, 1, 2, 4]
    );
}

#[test]
fn a_node_with_other_numbers_is_the_same() {
    assert_eq!(
        matched!({ sequence { go(1), limit(3) { fire } } } { sequence { go(2), limit(4) { fire } } }),
        [0, 1, 2, 3]
    );
}

#[test]
fn a_node_with_another_name_is_another_one() {
    assert_eq!(matched!({ sequence { aim, fire } } { selector { aim, fire } }), [-1, 1, 2]);
    assert_eq!(matched!({ sequence { aim, fire } } { sequence { aim, hide } }), [0, 1, -1]);
}

#[test]
fn a_label_tells_siblings_apart() {
    assert_eq!(
        matched!({ selector { sequence "a" { go(1) }, sequence "b" { go(1) } } } { selector { sequence "b" { go(2) }, sequence "a" { go(3) } } }),
        [0, 3, 4, 1, 2]
    );
}

#[test]
fn equal_nodes_are_the_same_in_order() {
    assert_eq!(matched!({ sequence { aim, aim, fire } } { sequence { aim, aim, hide } }), [0, 1, 2, -1]);
    assert_eq!(matched!({ sequence { aim, aim, aim } } { sequence { aim, aim } }), [0, 1, 2, -1]);
}

#[test]
fn large_trees_are_compared_in_little_time() {
    use bt_dynamic::Registry;
    let file = |leaves: u32| {
        let nodes: Vec<_> = (0..leaves).map(|leaf| format!(r#""{leaf}": {{ "name": "Succeeder" }}"#)).collect();
        let children: Vec<_> = (0..leaves).map(|leaf| format!("\"{leaf}\"")).collect();
        let root = format!(r#""root": {{ "name": "Sequence", "children": [{}] }}"#, children.join(","));
        let text = format!(r#"{{ "root": "root", "nodes": {{ {root}, {} }} }}"#, nodes.join(","));
        Registry::<()>::new().load(&text).expect("the file is valid").description()
    };
    // One more child of 20,000: nothing may take a time that grows with the square.
    let (old, new) = (file(20_000), file(20_001));
    let ids = old.matching(&new);
    assert_eq!(ids.pairs().count(), 20_001);
    let without = |description: &Description| -> Description {
        let mut nodes = serde_json::to_value(description).expect("it is data");
        nodes.as_array_mut().expect("a list").iter_mut().for_each(|node| node["file"] = serde_json::Value::Null);
        serde_json::from_value(nodes).expect("it is a description")
    };
    assert_eq!(without(&old).matching(&without(&new)), ids);
}

#[test]
fn nodes_of_a_file_are_the_same_by_their_ids_and_names() {
    use bt_dynamic::Registry;
    let load = |nodes: &str| {
        let mut registry = Registry::<u8>::new();
        registry.add_leaf("Aim", aim).add_leaf("Fire", fire);
        let file = format!(r#"{{ "root": "1", "nodes": {{ {nodes} }} }}"#);
        registry.load(&file).expect("the file is valid")
    };
    let old = load(
        r#""1": { "name": "Sequence", "children": ["2", "3", "4"] }, "2": { "name": "Aim" }, "3": { "name": "Aim" }, "4": { "name": "Fire" }"#,
    );
    let new = load(
        r#""1": { "name": "Sequence", "children": ["3", "2", "5"] }, "2": { "name": "Fire" }, "3": { "name": "Aim" }, "5": { "name": "Fire" }"#,
    );
    // The first has another name, and the last another id.
    assert_eq!(matched(&old.description(), &new.description()), [0, -1, 1, -1]);
}
