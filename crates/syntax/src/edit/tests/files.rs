//! Operations in files of the Behavior3 editor.

use super::super::*;
use super::problems::check;

const FILE: &str = r#"{ "title": "guard", "root": "1", "nodes": {
    "1": { "id": "1", "name": "random_selector", "title": "random", "properties": { "weights": [3, 1, 2] }, "children": ["2", "3", "4"] },
    "2": { "id": "2", "name": "Attack", "description": "hits\nhard", "custom": 5 },
    "3": { "id": "3", "name": "Wait", "title": "Wait <milliseconds>ms", "properties": { "milliseconds": 500 } },
    "4": { "id": "4", "name": "walk to", "properties": { "x": 1.50 } }
} }
"#;

fn read(text: &str) -> Document {
    Document::read(Notation::JSON, text).expect("a file")
}

fn id(document: &Document, head: &str) -> u32 {
    let nodes = document.trees.iter().flat_map(Tree::nodes);
    let mut found = nodes.filter(|node| node.head.starts_with(head));
    found.next().unwrap_or_else(|| panic!("no {head}: {:?}", document.trees[0].nodes())).id
}

fn apply(document: &mut Document, operation: Operation) -> String {
    document.apply(&operation).unwrap_or_else(|error| panic!("{operation:?}: {error}"));
    document.write().expect("it can be written")
}

/// The lines that differ.
fn changed(before: &str, after: &str) -> Vec<String> {
    difference(before, after).lines().filter(|line| line.starts_with(['+', '-'])).map(str::to_owned).collect()
}

#[test]
fn weights_follow_their_children() {
    let mut document = read(FILE);
    let (attack, wait) = (id(&document, "Attack"), id(&document, "Wait"));
    let text = apply(&mut document, Operation::Move { nodes: vec![attack], at: At::After(wait) });
    assert!(text.contains(r#""weights": [1, 3, 2]"#) && text.contains(r#""children": ["3", "2", "4"]"#), "{text}");
    let text = apply(&mut document, Operation::Delete { nodes: vec![wait] });
    assert!(text.contains(r#""weights": [3, 2]"#) && !text.contains("milliseconds"), "{text}");
    let text =
        apply(&mut document, Operation::Insert { text: "// why\nwait(secs(2))".to_owned(), at: At::Before(attack) });
    assert!(text.contains(r#""weights": [1, 3, 2]"#) && text.contains(r#""description": "why""#), "{text}");
    let names = bt_behavior3::NodeNames::default().open();
    assert_eq!(check(&read(&text), &text, &names), []);
}

#[test]
fn an_operation_changes_only_its_fields() {
    let mut document = read(FILE);
    let attack = id(&document, "Attack");
    let text = apply(&mut document, Operation::Disable { nodes: vec![attack] });
    assert_eq!(changed(FILE, &text).len(), 2, "{text}");
    assert!(text.contains(r#""disabled": true"#) && text.contains(r#""custom": 5"#), "{text}");
    assert_eq!(apply(&mut document, Operation::Enable { nodes: vec![attack] }), FILE);
    let walk = id(&document, "\"walk to\"");
    let set =
        Operation::Argument { node: walk, index: Some(0), name: Some("x".to_owned()), value: Some("2".to_owned()) };
    let text = apply(&mut document, set);
    assert_eq!(changed(FILE, &text).len(), 2, "{text}");
    assert!(text.contains(r#""name": "walk to", "properties": { "x": 2 }"#), "{text}");
    let text = apply(&mut document, Operation::Note { node: attack, text: "a\n\nb".to_owned() });
    assert!(text.contains(r#""description": "a\n\nb""#), "{text}");
    let text = apply(&mut document, Operation::Label { node: walk, label: Some("home".to_owned()) });
    assert!(text.contains(r#""title": "home""#), "{text}");
}

#[test]
fn nodes_go_from_files_to_texts_and_back() {
    let file = read(FILE);
    let copied = file.copy(&[id(&file, "Attack"), id(&file, "Wait")]).expect("nodes");
    assert_eq!(copied, "// hits\n// hard\nAttack,\nWait(milliseconds = 500),");
    let mut text = Document::read(Notation::TEXT, "selector { a }\n").expect("a text");
    let at = At::After(id(&text, "a"));
    assert_eq!(
        apply(&mut text, Operation::Insert { text: copied.clone(), at }),
        "selector {\n    a,\n    // hits\n    // hard\n    Attack,\n    Wait(milliseconds = 500),\n}\n"
    );
    let mut file = read(FILE);
    let at = At::After(id(&file, "Attack"));
    let text = apply(&mut file, Operation::Insert { text: copied, at });
    assert!(text.matches(r#""description": "hits\nhard""#).count() == 2, "{text}");
}

#[test]
fn a_subtree_becomes_a_tree_of_the_project_and_back() {
    let mut file = read(FILE);
    let walk = id(&file, "Attack");
    file.apply(&Operation::Wrap { nodes: vec![walk], head: "retry(3)".to_owned() }).expect("it is possible");
    let retry = id(&file, "retry");
    let text = apply(&mut file, Operation::Extract { node: retry, name: "fight".to_owned() });
    let names = bt_behavior3::NodeNames::default().open();
    assert_eq!(check(&read(&text), &text, &names), [], "{text}");
    assert_eq!(file.trees.len(), 2);
    let used = file.trees[0].nodes()[1].id;
    let text = apply(&mut file, Operation::Inline { node: used });
    assert_eq!(check(&read(&text), &text, &names), [], "{text}");
    let tree = file.trees[1].id;
    apply(&mut file, Operation::Remove { tree });
}

#[test]
fn nodes_that_read_a_property_of_their_tree_stay_in_it() {
    let text = FILE
        .replace("\"root\": \"1\",", "\"root\": \"1\", \"properties\": { \"far\": 3 },")
        .replace("1.50", "\"{far}\"");
    let mut file = read(&text);
    let walk = id(&file, "\"walk to\"");
    let error = file.apply(&Operation::Extract { node: walk, name: "part".to_owned() }).expect_err("it reads it");
    assert_eq!(error, "the nodes read `far`, a property of their tree");
}

#[test]
fn words_have_the_names_of_the_file() {
    let text = FILE.replace("random_selector", "Priority").replace("\"weights\": [3, 1, 2]", "");
    let mut file = read(&text);
    let attack = id(&file, "Attack");
    let text = apply(&mut file, Operation::Wrap { nodes: vec![attack], head: "sequence".to_owned() });
    assert!(text.contains(r#""name": "Sequence""#) && !text.contains("custom_nodes"), "{text}");
    let text = apply(
        &mut file,
        Operation::Insert {
            text: "repeat(2) { wait(secs(2)) }, cooldown(secs(1)) { !x }".to_owned(),
            at: At::After(attack),
        },
    );
    for part in [
        r#""name": "Repeater""#,
        r#""maxLoop": 2"#,
        r#""milliseconds": 2000"#,
        r#""name": "cooldown""#,
        r#""name": "Inverter""#,
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let mut own = read(&FILE.replace("\"Wait\"", "\"wait\""));
    let attack = id(&own, "Attack");
    let text = apply(&mut own, Operation::Wrap { nodes: vec![attack], head: "sequence".to_owned() });
    assert!(text.contains(r#""name": "sequence""#), "{text}");
}

#[test]
fn the_selected_tree_of_a_project_stays() {
    let tree = |id: &str| format!(r#"{{"id":"{id}","root":"1","nodes":{{"1":{{"name":"Failer"}}}}}}"#);
    let mut document = read(&format!(r#"{{"selectedTree":"a","trees":[{},{}]}}"#, tree("b"), tree("a")));
    let id = |document: &Document, name: &str| document.trees.iter().find(|tree| tree.name == name).expect(name).id;
    let removed = document.apply(&Operation::Remove { tree: id(&document, "a") });
    assert_eq!(removed, Err("the file names the tree as the selected one, which programs load".to_owned()));
    document.apply(&Operation::Remove { tree: id(&document, "b") }).expect("it is another one");
}
