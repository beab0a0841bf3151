//! Trees of a project that are added, renamed and removed.

use std::sync::Arc;

use super::super::super::node::{List, Node, Tree};
use super::super::super::operation::{At, Operation};
use super::sentences::difference;
use super::{change_one, children, new, read, said, write};
use crate::edit::Document;

const PROJECT: &str = r#"{
  "scope": "project", "selectedTree": "a",
  "trees": [
    { "version": "0.3.0", "scope": "tree", "id": "a", "title": "A", "description": "x", "root": "1", "properties": { "p": 1 },
      "nodes": {
        "1": { "id": "1", "name": "Sequence", "display": { "x": 0, "y": 0 }, "children": ["2"] },
        "2": { "id": "2", "name": "b", "title": "B", "display": { "x": 0, "y": 100 } }
      }, "display": { "camera_x": 3 } },
    { "id": "b", "title": "B", "root": null, "nodes": {} }
  ]
}
"#;

fn create(document: &mut Document, name: &str, root: Option<Arc<Node>>) {
    document.next += 1;
    let around = super::super::super::node::Around::default();
    let tree = Tree {
        id: document.next - 1,
        name: name.to_owned(),
        title: None,
        root,
        loose: Vec::new(),
        broken: None,
        around,
    };
    document.trees.push(tree);
}

#[test]
fn a_new_tree_is_like_the_others() {
    let mut document = read(PROJECT);
    let root = new(&mut document, "selector { near(x = 1), Wait(milliseconds = 2) }");
    create(&mut document, "c", Some(root));
    document.trees.swap(1, 2);
    let written = write(&document);
    document.trees[1].title = Some("c".to_owned());
    assert_eq!(said(&read(&written)), said(&document));
    let added = "    { \"version\": \"0.3.0\", \"scope\": \"tree\", \"id\": \"c\", \"title\": \"c\", \"description\": \"\", \"root\": \"1\", \"properties\": {}, \"nodes\": {\n\
        \x20       \"1\": { \"id\": \"1\", \"name\": \"selector\", \"display\": { \"x\": 0, \"y\": 0 }, \"children\": [\"2\", \"3\"] },";
    assert!(written.contains(added), "{written}");
    let lines: Vec<_> = PROJECT.lines().collect();
    assert!(lines.iter().all(|line| written.contains(line)), "{written}");
}

#[test]
fn an_extracted_tree_keeps_the_ids_of_its_nodes() {
    let mut document = read(PROJECT);
    let moved = document.trees[0].nodes()[1].clone();
    let used = new(&mut document, "c");
    change_one(&mut document.trees[0], "1", |root| *children(root) = vec![used.clone()]);
    create(&mut document, "c", Some(moved));
    let written = write(&document);
    document.trees[2].title = Some("c".to_owned());
    assert_eq!(said(&read(&written)), said(&document));
    let expected = "-\"1\": { \"id\": \"1\", \"name\": \"Sequence\", \"display\": { \"x\": 0, \"y\": 0 }, \"children\": [\"2\"] },\n\
        -\"2\": { \"id\": \"2\", \"name\": \"b\", \"title\": \"B\", \"display\": { \"x\": 0, \"y\": 100 } }\n\
        +\"1\": { \"id\": \"1\", \"name\": \"Sequence\", \"display\": { \"x\": 0, \"y\": 0 }, \"children\": [\"3\"] },\n";
    let difference = difference(PROJECT, &written);
    assert!(difference.starts_with(expected), "{difference}");
    assert!(
        difference.contains(
            "\n+\"2\": { \"id\": \"2\", \"name\": \"b\", \"title\": \"B\", \"display\": { \"x\": 0, \"y\": 100 } }"
        ),
        "{difference}"
    );
}

#[test]
fn a_renamed_tree_is_selected_still() {
    let mut document = read(PROJECT);
    document.trees[0].name = "z".to_owned();
    document.trees[1].title = Some("\"Y\"".to_owned());
    let expected =
        PROJECT.replace("\"selectedTree\": \"a\"", "\"selectedTree\": \"z\"").replace("\"id\": \"a\"", "\"id\": \"z\"");
    assert_eq!(write(&document), expected.replace("\"title\": \"B\", \"root\"", "\"title\": \"\\\"Y\\\"\", \"root\""));
}

#[test]
fn a_removed_tree_takes_its_text_with_it() {
    let mut document = read(PROJECT);
    document.trees.remove(1);
    assert_eq!(
        write(&document),
        PROJECT.replace(",\n    { \"id\": \"b\", \"title\": \"B\", \"root\": null, \"nodes\": {} }", "")
    );
    document.trees.clear();
    assert_eq!(write(&document), "{\n  \"scope\": \"project\", \"selectedTree\": \"a\",\n  \"trees\": []\n}\n");
}

#[test]
fn an_empty_tree_gets_nodes_like_those_of_others() {
    let mut document = read(PROJECT);
    let root = new(&mut document, "a");
    document.trees[1].root = Some(root);
    let written = write(&document);
    assert_eq!(said(&read(&written)), said(&document));
    let expected = "-{ \"id\": \"b\", \"title\": \"B\", \"root\": null, \"nodes\": {} }\n+{ \"id\": \"b\", \"title\": \"B\", \"root\": \"1\", \"nodes\": {\n\
        +\"1\": { \"id\": \"1\", \"name\": \"a\", \"display\": { \"x\": 0, \"y\": 0 } }\n+} }";
    assert_eq!(difference(PROJECT, &written), expected);
}

#[test]
fn a_second_tree_makes_a_project_of_a_file() {
    let text = "\u{feff}{\n    \"id\": \"a\",\n    \"root\": \"1\",\n    \"nodes\": {\n        \"1\": { \"name\": \"b\" }\n    }\n}\n";
    let mut document = read(text);
    let root = new(&mut document, "Inverter { c }");
    create(&mut document, "b", Some(root));
    let written = write(&document);
    assert_eq!(
        written,
        "\u{feff}{\n    \"selectedTree\": \"a\",\n    \"trees\": [\n        {\n            \"id\": \"b\",\n            \"title\": \"b\",\n            \"root\": \"1\",\n            \"nodes\": {\n                \"1\": { \"name\": \"Inverter\", \"child\": \"2\" },\n                \"2\": { \"name\": \"c\" }\n            }\n        },\n        {\n            \"id\": \"a\",\n            \"root\": \"1\",\n            \"nodes\": {\n                \"1\": { \"name\": \"b\" }\n            }\n        }\n    ]\n}\n"
    );
    document.trees.clear();
    assert!(document.write().is_err());
    let mut document = read(r#"{"data":{"root":"1","nodes":{"1":{"name":"b"}}},"name":"x"}"#);
    create(&mut document, "b", None);
    assert_eq!(
        write(&document),
        r#"{"data":{"trees":[{"id":"b","title":"b","root":null,"nodes":{}},{"root":"1","nodes":{"1":{"name":"b"}}}]},"name":"x"}"#
    );
}

#[test]
fn a_tree_is_written_before_those_that_use_it() {
    let part = |document: &Document| {
        let mut nodes = document.trees.iter().flat_map(Tree::nodes);
        nodes.find(|node| node.label.as_deref() == Some("fight")).expect("the node").id
    };
    let extract = |text: &str| {
        let mut document = read(text);
        let node = part(&document);
        document.apply(&Operation::Extract { node, name: "fights".to_owned() }).expect("it can be extracted");
        let written = write(&document);
        assert_eq!(write(&read(&written)), written);
        serde_json::from_str::<serde_json::Value>(&written).expect("it is JSON")
    };
    let tree = r#""scope": "tree", "title": "guard", "root": "1", "display": {}, "nodes": {
        "1": { "id": "1", "name": "Priority", "display": { "x": 0, "y": 0 }, "children": ["2", "3"] },
        "2": { "id": "2", "name": "attack", "title": "fight", "display": { "x": 200, "y": 0 } },
        "3": { "id": "3", "name": "b", "display": { "x": 200, "y": 60 } }
    }"#;
    // A file with one tree becomes a project, in which that is the selected one; what it declares is known to all trees.
    let alone = extract(&format!(r#"{{ {tree}, "custom_nodes": [{{ "name": "attack", "category": "action" }}] }}"#));
    let ids: Vec<_> = alone["trees"].as_array().expect("trees").iter().map(|tree| tree["id"].clone()).collect();
    assert_eq!(ids, ["tree-5", "main"]);
    assert_eq!((&alone["selectedTree"], &alone["scope"]), (&"main".into(), &"project".into()));
    assert_eq!(alone["custom_nodes"][0]["name"], "attack");
    assert!(alone["trees"].as_array().expect("trees").iter().all(|tree| tree.get("custom_nodes").is_none()));
    let several = extract(&format!(
        r#"{{ "selectedTree": "m", "trees": [{{ "id": "m", {tree} }}, {{ "id": "z", "root": null, "nodes": {{}} }}] }}"#
    ));
    let ids: Vec<_> = several["trees"].as_array().expect("trees").iter().map(|tree| tree["id"].clone()).collect();
    assert_eq!(ids[1..], ["m", "z"]);
    // A new use of a tree that comes later.
    let mut document = read(&format!(
        r#"{{ "trees": [{{ "id": "m", {tree} }}, {{ "id": "z", "root": "9", "nodes": {{ "9": {{ "name": "c" }} }} }}] }}"#
    ));
    let node = part(&document);
    let text = "z".to_owned();
    document.apply(&Operation::Insert { text, at: At::After(node) }).expect("it can be inserted");
    let written = write(&document);
    assert!(written.find(r#""id": "z""#) < written.find(r#""id": "m""#), "{written}");
    assert_eq!(read(&written).trees.len(), 2);
}

#[test]
fn a_file_of_the_editor_declares_its_first_own_node() {
    let text = r#"{ "scope": "project", "trees": [{ "id": "m", "scope": "tree", "root": "1", "display": {}, "nodes": { "1": { "name": "Sequence", "display": { "x": 0, "y": 0 }, "children": [] } } }], "custom_nodes": [] }"#;
    let mut document = read(text);
    let node = new(&mut document, "cooldown(secs(1)) { go(far = true) }");
    change_one(&mut document.trees[0], "1", |root| children(root).push(node.clone()));
    let written: serde_json::Value = serde_json::from_str(&write(&document)).expect("it is JSON");
    let declared = written["custom_nodes"].as_array().expect("a list");
    let names: Vec<_> = declared.iter().map(|node| format!("{} {}", node["name"], node["category"])).collect();
    assert_eq!(names, [r#""cooldown" "decorator""#, r#""go" "action""#]);
}

#[test]
fn a_file_without_trees_gets_one() {
    let mut document = read("{\n  \"trees\": []\n}");
    let mut root = Node::clone(&new(&mut document, "selector"));
    let child = new(&mut document, "a");
    root.lists = vec![List { children: vec![child], ..List::default() }];
    create(&mut document, "b", Some(Arc::new(root)));
    let written = write(&document);
    document.trees[0].title = Some("b".to_owned());
    assert_eq!(said(&read(&written)), said(&document));
    let begin = "{\n  \"trees\": [\n    {\n      \"id\": \"b\",\n      \"title\": \"b\",\n      \"root\": \"n1\",\n      \"nodes\": {\n        \"n1\": {\n          \"id\": \"n1\",\n";
    assert!(written.starts_with(begin), "{written}");
}
