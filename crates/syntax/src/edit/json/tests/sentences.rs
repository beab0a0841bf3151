//! A test for each sentence.

use std::sync::Arc;

use super::super::super::node::{List, Node, Tree};
use super::{change, change_one, children, new, read, said, write};
use crate::edit::{Document, Notation, Operation};

/// As people write it: a node in each line.
const LINES: &str = r#"{
  "title": "guard", "root": "1",
  "nodes": {
    "1": { "name": "Priority", "children": ["2", "4"] },
    "2": { "name": "Sequence", "title": "fight", "children": ["3"], "x": 0.50 },
    "3": { "name": "near", "properties": { "meters": 1e1, "who": "{enemy}" } },
    "4": { "name": "Wait", "properties": { "milliseconds": 500 } }
  }
}
"#;

/// As the editor writes it.
const EDITOR: &str = "{\r\n\t\"data\": {\r\n\t\t\"scope\": \"project\",\r\n\t\t\"selectedTree\": \"a\",\r\n\t\t\"trees\": [\r\n\t\t\t{\r\n\t\t\t\t\"scope\": \"tree\",\r\n\t\t\t\t\"id\": \"a\",\r\n\t\t\t\t\"title\": \"guard\",\r\n\t\t\t\t\"description\": \"\",\r\n\t\t\t\t\"root\": \"8b514f0a-913e-4eaf-817b-03e85b98efa0\",\r\n\t\t\t\t\"properties\": {},\r\n\t\t\t\t\"nodes\": {\r\n\t\t\t\t\t\"8b514f0a-913e-4eaf-817b-03e85b98efa0\": {\r\n\t\t\t\t\t\t\"id\": \"8b514f0a-913e-4eaf-817b-03e85b98efa0\",\r\n\t\t\t\t\t\t\"name\": \"MemSequence\",\r\n\t\t\t\t\t\t\"category\": \"composite\",\r\n\t\t\t\t\t\t\"title\": \"MemSequence\",\r\n\t\t\t\t\t\t\"description\": \"\",\r\n\t\t\t\t\t\t\"properties\": {},\r\n\t\t\t\t\t\t\"display\": {\r\n\t\t\t\t\t\t\t\"x\": 0,\r\n\t\t\t\t\t\t\t\"y\": 0\r\n\t\t\t\t\t\t},\r\n\t\t\t\t\t\t\"children\": [\r\n\t\t\t\t\t\t\t\"8b514f0a-913e-4eaf-817b-03e85b98efa1\"\r\n\t\t\t\t\t\t]\r\n\t\t\t\t\t},\r\n\t\t\t\t\t\"8b514f0a-913e-4eaf-817b-03e85b98efa1\": {\r\n\t\t\t\t\t\t\"id\": \"8b514f0a-913e-4eaf-817b-03e85b98efa1\",\r\n\t\t\t\t\t\t\"name\": \"Log\",\r\n\t\t\t\t\t\t\"category\": \"action\",\r\n\t\t\t\t\t\t\"title\": \"Log <info>\",\r\n\t\t\t\t\t\t\"description\": \"writes\",\r\n\t\t\t\t\t\t\"properties\": {\r\n\t\t\t\t\t\t\t\"info\": \"caf\\u00e9\"\r\n\t\t\t\t\t\t},\r\n\t\t\t\t\t\t\"display\": {\r\n\t\t\t\t\t\t\t\"x\": 200,\r\n\t\t\t\t\t\t\t\"y\": 10\r\n\t\t\t\t\t\t}\r\n\t\t\t\t\t}\r\n\t\t\t\t},\r\n\t\t\t\t\"display\": {\r\n\t\t\t\t\t\"camera_x\": 1\r\n\t\t\t\t}\r\n\t\t\t}\r\n\t\t],\r\n\t\t\"custom_nodes\": [\r\n\t\t\t{\r\n\t\t\t\t\"scope\": \"node\",\r\n\t\t\t\t\"name\": \"Log\",\r\n\t\t\t\t\"category\": \"action\",\r\n\t\t\t\t\"title\": \"Log <info>\",\r\n\t\t\t\t\"properties\": {\r\n\t\t\t\t\t\"info\": \"\"\r\n\t\t\t\t}\r\n\t\t\t}\r\n\t\t]\r\n\t}\r\n}";

/// Returns the lines of a text that another lacks, and those that only the other has, each with `-` or `+`.
pub(super) fn difference(before: &str, after: &str) -> String {
    let (old, new): (Vec<_>, Vec<_>) = (before.split('\n').collect(), after.split('\n').collect());
    let mut same = vec![vec![0_usize; new.len() + 1]; old.len() + 1];
    for (i, line) in old.iter().enumerate().rev() {
        for (j, other) in new.iter().enumerate().rev() {
            same[i][j] = if line == other { same[i + 1][j + 1] + 1 } else { same[i + 1][j].max(same[i][j + 1]) };
        }
    }
    let (mut i, mut j, mut found) = (0, 0, Vec::new());
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            (i, j) = (i + 1, j + 1);
        } else if j < new.len() && (i == old.len() || same[i][j + 1] > same[i + 1][j]) {
            found.push(format!("+{}", new[j].trim()));
            j += 1;
        } else {
            found.push(format!("-{}", old[i].trim()));
            i += 1;
        }
    }
    found.join("\n")
}

/// Returns the lines that change when the first tree of a file does.
fn edited(text: &str, edit: impl FnOnce(&mut Tree)) -> String {
    let mut document = read(text);
    edit(&mut document.trees[0]);
    let written = write(&document);
    assert_eq!(said(&read(&written)), said(&document), "{written}");
    difference(text, &written)
}

fn remove(tree: &mut Tree, id: &str) {
    let is = |node: &Arc<Node>| node.origin.as_ref().is_some_and(|origin| origin.id == id);
    change(tree, |node| node.lists.iter_mut().for_each(|list| list.children.retain(|child| !is(child))));
    tree.loose.retain(|node| !is(node));
}

#[test]
fn a_document_has_heads_labels_and_notes() {
    let document = read(LINES);
    let tree = &document.trees[0];
    assert_eq!((&*tree.name, tree.title.as_deref()), ("", Some("guard")));
    let heads: Vec<_> = tree.nodes().iter().map(|node| node.head.clone()).collect();
    assert_eq!(heads, ["Priority", "Sequence", "near(meters = 10.0, who = var(enemy))", "Wait(milliseconds = 500)"]);
    assert_eq!(tree.nodes()[1].label.as_deref(), Some("fight"));
    let editor = read(EDITOR);
    let log = editor.trees[0].nodes()[1].clone();
    assert_eq!((&*log.head, &log.label, &*log.above), ("Log(info = \"café\")", &None, &["writes".to_owned()][..]));
    assert_eq!(log.origin.as_ref().map(|origin| origin.fields.len()), Some(7));
}

#[test]
fn without_changes_the_file_is_the_same() {
    for text in [LINES, EDITOR, &format!("\u{feff}{LINES}\n\n"), r#"{"root":null,"nodes":{}}"#, r#"{"trees":[]}"#] {
        assert_eq!(write(&read(text)), text);
    }
}

#[test]
fn a_changed_property_replaces_its_value() {
    assert_eq!(
        edited(LINES, |tree| change_one(tree, "3", |node| node.head = "near(meters = 10.0, who = \"me\")".to_owned())),
        "-\"3\": { \"name\": \"near\", \"properties\": { \"meters\": 1e1, \"who\": \"{enemy}\" } },\n\
         +\"3\": { \"name\": \"near\", \"properties\": { \"meters\": 1e1, \"who\": \"me\" } },"
    );
    assert_eq!(
        edited(EDITOR, |tree| change_one(tree, "8b514f0a-913e-4eaf-817b-03e85b98efa1", |node| {
            node.head = "Log(info = \"café\", level = [1, 2])".to_owned();
        })),
        "-\"info\": \"caf\\u00e9\"\n+\"info\": \"caf\\u00e9\",\n+\"level\": [\n+1,\n+2\n+]"
    );
}

#[test]
fn a_time_of_the_editor_stays_a_number() {
    let wait = |head: &str| {
        let mut document = read(LINES);
        change_one(&mut document.trees[0], "4", |node| node.head = head.to_owned());
        difference(LINES, &write(&document)).lines().nth(1).unwrap_or_default().to_owned()
    };
    assert_eq!(
        wait("Wait(milliseconds = secs(3))"),
        r#"+"4": { "name": "Wait", "properties": { "milliseconds": 3000 } }"#
    );
    assert_eq!(wait("Wait(secs(3))"), r#"+"4": { "name": "Wait", "properties": { "milliseconds": 3000 } }"#);
    assert_eq!(wait("wait(secs(3))"), r#"+"4": { "name": "wait", "properties": { "time": "3s" } }"#);
    assert_eq!(wait("Wait"), r#"+"4": { "name": "Wait", "properties": {} }"#);
}

#[test]
fn a_property_is_added_where_there_are_none() {
    let text = r#"{"root": "1", "nodes": {"1": {"name": "a", "x": 1}}}"#;
    let mut document = read(text);
    change_one(&mut document.trees[0], "1", |node| node.head = "a(b = true)".to_owned());
    assert_eq!(write(&document), r#"{"root": "1", "nodes": {"1": {"name": "a", "properties": {"b": true}, "x": 1}}}"#);
}

#[test]
fn parameters_of_older_files_stay_parameters() {
    let text = r#"{"root":"1","nodes":{"1":{"name":"a","parameters":{"x":1,"y":2},"properties":{"y":2}}}}"#;
    let mut document = read(text);
    assert_eq!(document.trees[0].nodes()[0].head, "a(y = 2, x = 1)");
    change_one(&mut document.trees[0], "1", |node| node.head = "a(y = 3, x = 4)".to_owned());
    assert_eq!(write(&document), text.replace("\"y\":2", "\"y\":3").replace("\"x\":1", "\"x\":4"));
    change_one(&mut document.trees[0], "1", |node| node.head = "a".to_owned());
    assert_eq!(write(&document), text.replace("\"y\":2", "").replace("\"x\":1,", ""));
}

#[test]
fn a_replaced_node_keeps_its_fields() {
    assert_eq!(
        edited(LINES, |tree| change_one(tree, "2", |node| node.head = "mem_sequence".to_owned())),
        "-\"2\": { \"name\": \"Sequence\", \"title\": \"fight\", \"children\": [\"3\"], \"x\": 0.50 },\n\
         +\"2\": { \"name\": \"mem_sequence\", \"title\": \"fight\", \"children\": [\"3\"], \"x\": 0.50 },"
    );
    let difference = edited(EDITOR, |tree| {
        change_one(tree, "8b514f0a-913e-4eaf-817b-03e85b98efa0", |node| node.head = "Inverter".to_owned());
    });
    assert_eq!(
        difference,
        "-\"name\": \"MemSequence\",\n-\"category\": \"composite\",\n-\"title\": \"MemSequence\",\n+\"name\": \"Inverter\",\n\
         +\"category\": \"decorator\",\n+\"title\": \"Inverter\",\n-\"children\": [\n-\"8b514f0a-913e-4eaf-817b-03e85b98efa1\"\n-]\n\
         +\"child\": \"8b514f0a-913e-4eaf-817b-03e85b98efa1\""
    );
}

#[test]
fn a_replaced_node_keeps_the_lints_that_it_allows() {
    let text = LINES.replace("\"milliseconds\": 500", "\"milliseconds\": 500, \"allow\": \"unreachable\"");
    let mut document = read(&text);
    let wait = document.trees[0].nodes().into_iter().find(|node| node.head.starts_with("Wait")).expect("a node").id;
    for (head, allow) in [("patrol", "\"unreachable\""), ("rest(allow = \"idle\")", "\"idle\"")] {
        document.apply(&Operation::Replace { node: wait, head: head.to_owned() }).expect("it can be replaced");
        assert!(write(&document).contains(&format!("\"allow\": {allow}")), "{}", write(&document));
    }
}

#[test]
fn labels_and_notes_are_titles_and_descriptions() {
    assert_eq!(
        edited(LINES, |tree| change_one(tree, "2", |node| {
            node.label = None;
            node.above = vec!["a \"note\"".to_owned(), "in lines".to_owned()];
        })),
        "-\"2\": { \"name\": \"Sequence\", \"title\": \"fight\", \"children\": [\"3\"], \"x\": 0.50 },\n\
         +\"2\": { \"name\": \"Sequence\", \"title\": \"Sequence\", \"description\": \"a \\\"note\\\"\\nin lines\", \"children\": [\"3\"], \"x\": 0.50 },"
    );
    assert_eq!(
        edited(EDITOR, |tree| change_one(tree, "8b514f0a-913e-4eaf-817b-03e85b98efa1", |node| {
            node.label = Some("say".to_owned());
            node.above = Vec::new();
        })),
        "-\"title\": \"Log <info>\",\n-\"description\": \"writes\",\n+\"title\": \"say\",\n+\"description\": \"\","
    );
}

#[test]
fn a_disabled_node_has_the_property() {
    let disabled = edited(LINES, |tree| change_one(tree, "4", |node| node.disabled = true));
    assert_eq!(
        disabled.lines().nth(1),
        Some(r#"+"4": { "name": "Wait", "properties": { "milliseconds": 500, "disabled": true } }"#)
    );
    let text = LINES.replace("500 }", "500, \"disabled\": true }");
    let mut document = read(&text);
    change(&mut document.trees[0], |node| node.disabled = false);
    assert_eq!(write(&document), LINES);
}

#[test]
fn a_removed_node_takes_its_line_with_it() {
    assert_eq!(
        edited(LINES, |tree| remove(tree, "3")),
        "-\"2\": { \"name\": \"Sequence\", \"title\": \"fight\", \"children\": [\"3\"], \"x\": 0.50 },\n\
         -\"3\": { \"name\": \"near\", \"properties\": { \"meters\": 1e1, \"who\": \"{enemy}\" } },\n\
         +\"2\": { \"name\": \"Sequence\", \"title\": \"fight\", \"children\": [], \"x\": 0.50 },"
    );
    let mut document = read(LINES);
    document.trees[0].root = None;
    assert_eq!(write(&document), "{\n  \"title\": \"guard\", \"root\": null,\n  \"nodes\": {}\n}\n");
}

#[test]
fn a_new_node_looks_like_its_neighbors() {
    let mut document = read(LINES);
    let node = new(&mut document, "goto(speed = 1) \"go\"");
    change_one(&mut document.trees[0], "1", |root| children(root).insert(1, node.clone()));
    let written = write(&document);
    assert_eq!(
        difference(LINES, &written),
        "-\"1\": { \"name\": \"Priority\", \"children\": [\"2\", \"4\"] },\n\
         +\"1\": { \"name\": \"Priority\", \"children\": [\"2\", \"5\", \"4\"] },\n\
         +\"5\": { \"name\": \"goto\", \"title\": \"go\", \"properties\": { \"speed\": 1 } },"
    );
    // A file that is saved twice keeps the ids.
    assert_eq!(write(&document), written);
    let minified =
        r#"{"root":"n1","nodes":{"n1":{"id":"n1","name":"Sequence","children":["n2"]},"n2":{"id":"n2","name":"a"}}}"#;
    let mut document = read(minified);
    let node = new(&mut document, "b(x = [1, 2], y = { z: 1 })");
    change_one(&mut document.trees[0], "n1", |root| children(root).push(node.clone()));
    assert_eq!(
        write(&document),
        r#"{"root":"n1","nodes":{"n1":{"id":"n1","name":"Sequence","children":["n2","n3"]},"n2":{"id":"n2","name":"a"},"n3":{"id":"n3","name":"b","properties":{"x":[1,2],"y":{"z":1}}}}}"#
    );
}

#[test]
fn a_new_node_of_the_editor_has_all_its_fields() {
    let mut document = read(EDITOR);
    let node = new(&mut document, "goto(speed = 1)");
    change_one(&mut document.trees[0], "8b514f0a-913e-4eaf-817b-03e85b98efa0", |root| {
        children(root).push(node.clone());
    });
    let written = write(&document);
    assert_eq!(said(&read(&written)), said(&document));
    let difference = difference(EDITOR, &written);
    let id = difference.split('"').nth(3).unwrap_or_default().to_owned();
    assert_eq!(id.len(), 36, "{difference}");
    let expected = "-\"8b514f0a-913e-4eaf-817b-03e85b98efa1\"\n+\"8b514f0a-913e-4eaf-817b-03e85b98efa1\",\n+\"ID\"\n+},\n+\"ID\": {\n+\"id\": \"ID\",\n\
        +\"name\": \"goto\",\n+\"category\": \"action\",\n+\"title\": \"goto <speed>\",\n+\"description\": \"\",\n+\"properties\": {\n+\"speed\": 1\n+},\n\
        +\"display\": {\n+\"x\": 200,\n+\"y\": 70\n+}\n+},\n+{\n+\"scope\": \"node\",\n+\"name\": \"goto\",\n+\"category\": \"action\",\n\
        +\"title\": \"goto <speed>\",\n+\"properties\": {\n+\"speed\": 1\n+}";
    let id = difference.lines().find(|line| line.starts_with("+\"") && line.len() == 39).unwrap_or_default()[2..38]
        .to_owned();
    assert_eq!(difference.replace(&id, "ID"), expected);
    assert!(written.matches('\n').count() == written.matches("\r\n").count(), "{written}");
}

#[test]
fn the_words_that_behavior3_lacks_are_declared() {
    let declared = |heads: &[&str]| {
        let mut document = read(EDITOR);
        for head in heads {
            let node = new(&mut document, head);
            change_one(&mut document.trees[0], "8b514f0a-913e-4eaf-817b-03e85b98efa0", |root| {
                children(root).push(node.clone());
            });
        }
        let written: serde_json::Value = serde_json::from_str(&write(&document)).expect("it is JSON");
        let nodes = written["data"]["custom_nodes"].as_array().expect("a list").clone();
        nodes.iter().skip(1).map(|node| format!("{} {}", node["name"], node["category"])).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(declared(&["Wait(milliseconds = 1)", "Log(info = \"x\")", "d"]), r#""d" "action""#);
    assert_eq!(
        declared(&["selector { b, b }", "cooldown(secs(1)) { b }", "c { b }"]),
        r#""selector" "composite", "b" "action", "cooldown" "decorator", "c" "decorator""#
    );
    // A file without declarations gets none.
    let mut document = read(LINES);
    let node = new(&mut document, "selector");
    change_one(&mut document.trees[0], "1", |root| children(root).push(node.clone()));
    assert!(!write(&document).contains("custom_nodes"));
}

#[test]
fn a_copy_gets_another_id_and_keeps_unknown_fields() {
    let mut document = read(LINES);
    let fight = document.trees[0].nodes()[1].clone();
    let copy = Arc::new(Node { id: 40, lists: Vec::new(), ..Node::clone(&fight) });
    change_one(&mut document.trees[0], "1", |root| children(root).insert(0, copy.clone()));
    let written = write(&document);
    assert_eq!(said(&read(&written)), said(&document));
    let difference = difference(LINES, &written);
    assert!(
        difference
            .contains("+\"39\": { \"name\": \"Sequence\", \"title\": \"fight\", \"children\": [], \"x\": 0.50 },"),
        "{difference}"
    );
    assert!(difference.contains("\"children\": [\"39\", \"2\", \"4\"]"), "{difference}");
}

#[test]
fn moved_nodes_change_only_the_lists() {
    assert_eq!(
        edited(LINES, |tree| change_one(tree, "1", |root| children(root).reverse())),
        "-\"1\": { \"name\": \"Priority\", \"children\": [\"2\", \"4\"] },\n+\"1\": { \"name\": \"Priority\", \"children\": [\"4\", \"2\"] },"
    );
}

#[test]
fn the_order_of_coordinates_follows_that_of_the_children() {
    let text = r#"{"root":"1","nodes":{"1":{"name":"Sequence","display":{"x":0,"y":0},"children":["2","3"]},"2":{"name":"a","display":{"x":200,"y":-50}},"3":{"name":"b","display":{"y":50.5,"x":210,"folded":true}}}}"#;
    let mut document = read(text);
    change_one(&mut document.trees[0], "1", |root| children(root).reverse());
    let expected = text.replace(r#"["2","3"]"#, r#"["3","2"]"#).replace("\"x\":200,\"y\":-50", "\"x\":210,\"y\":111");
    let written = write(&document);
    assert!(written == expected || written.contains("\"y\":-110"), "{written}");
    // Coordinates that had another order stay.
    let text = text.replace("-50", "90");
    let mut document = read(&text);
    change_one(&mut document.trees[0], "1", |root| children(root).reverse());
    assert_eq!(write(&document), text.replace(r#"["2","3"]"#, r#"["3","2"]"#));
}

#[test]
fn a_wrapped_root_is_the_new_root() {
    let mut document = read(LINES);
    let root = document.trees[0].root.clone().expect("a root");
    let mut around = Node::clone(&new(&mut document, "cooldown(secs(1))"));
    around.lists = vec![List { children: vec![root], ..List::default() }];
    document.trees[0].root = Some(Arc::new(around));
    assert_eq!(
        difference(LINES, &write(&document)),
        "-\"title\": \"guard\", \"root\": \"1\",\n+\"title\": \"guard\", \"root\": \"5\",\n\
         +\"5\": { \"name\": \"cooldown\", \"properties\": { \"time\": \"1s\" }, \"child\": \"1\" },"
    );
}

#[test]
fn nodes_that_the_root_does_not_reach_are_loose() {
    let text =
        r#"{"root":"1","nodes":{"3":{"name":"c"},"1":{"name":"a"},"2":{"name":"b","child":"3"},"4":{"name":"d"}}}"#;
    let mut document = read(text);
    let tree = &mut document.trees[0];
    assert_eq!(tree.loose.iter().map(|node| &*node.head).collect::<Vec<_>>(), ["b", "d"]);
    tree.root.clone_from(&Some(tree.loose.remove(1)));
    assert_eq!(
        write(&document),
        text.replace("\"root\":\"1\"", "\"root\":\"4\"").replace("\"1\":{\"name\":\"a\"},", "")
    );
    let no_root = read(r#"{"root":"9","nodes":{"3":{"name":"c"}}}"#);
    assert!(no_root.trees[0].root.is_none() && no_root.trees[0].loose.len() == 1);
    assert_eq!(write(&no_root), r#"{"root":"9","nodes":{"3":{"name":"c"}}}"#);
}

#[test]
fn a_child_that_is_missing_stays_until_the_list_changes() {
    let text = r#"{"root":"1","nodes":{"1":{"name":"a","children":["7","2"]},"2":{"name":"b"}}}"#;
    let mut document = read(text);
    change_one(&mut document.trees[0], "1", |node| node.label = Some("x".to_owned()));
    assert_eq!(write(&document), text.replace("\"a\"", "\"a\",\"title\":\"x\""));
    let node = new(&mut document, "c");
    change_one(&mut document.trees[0], "1", |root| children(root).push(node.clone()));
    assert!(write(&document).contains(r#""children":["2","3"]"#));
}

#[test]
fn what_cannot_be_a_tree_is_broken_and_stays() {
    let tree = |nodes: &str| {
        format!(
            r#"{{"trees": [{{"id": "a", "root": "1", "nodes": {nodes}}}, {{"id": "b", "root": null, "nodes": {{}}}}]}}"#
        )
    };
    let deep: Vec<_> =
        (1..2000).map(|id| format!(r#""{id}": {{"name": "Inverter", "child": "{}"}}"#, id + 1)).collect();
    for (nodes, reason) in [
        (r#"{"1": {"name": "a", "child": "1"}}"#, "the root is a child"),
        (
            r#"{"1": {"name": "a"}, "2": {"name": "b", "child": "3"}, "3": {"name": "c", "child": "2"}}"#,
            "the node contains itself",
        ),
        (
            r#"{"1": {"name": "a", "children": ["2", "2"]}, "2": {"name": "b"}}"#,
            "expected one parent, found `1` and `1`; help: duplicate the node",
        ),
        (r#"{"1": {"name": "a"}, "1": {"name": "b"}}"#, "duplicate node id"),
        (r#"{"1": {"nam": "a"}}"#, "node 1: missing field `name`"),
        (&format!("{{{}}}", deep.join(",")), "tree too deep: the limit is 200 levels"),
    ] {
        let text = tree(nodes);
        let mut document = read(&text);
        let broken = document.trees[0].broken.as_ref().map(|broken| broken.reason.clone());
        assert_eq!(broken.as_deref(), Some(reason));
        assert_eq!(write(&document), text);
        let node = new(&mut document, "c");
        document.trees[1].root = Some(node);
        let written = write(&document);
        assert!(written.contains(nodes) && written.contains("\"name\": \"c\""), "{written}");
    }
    for text in ["", "[]", "{}", "{\"nodes\": 1}", r#"{"root": "1", "nodes": {"1": {}}}"#, r#"{"trees": 1}"#, "nodes"] {
        let error = Document::read(Notation::JSON, text).expect_err(text);
        assert!(error.place.is_some() && error.reason.starts_with("not a Behavior3 tree or project: "), "{error}");
    }
}

#[test]
fn an_invalid_argument_is_an_error_of_its_node() {
    let mut document = read(LINES);
    change_one(&mut document.trees[0], "3", |node| node.head = "near(10)".to_owned());
    let error = document.write().expect_err("no name");
    assert_eq!(error, "`near(10)`: an argument of `near` needs a name; help: write `name = value`");
}

#[test]
fn what_a_file_has_no_place_for_is_an_error() {
    let mut document = read(LINES);
    change_one(&mut document.trees[0], "3", |node| node.before = "3".to_owned());
    let error = document.write().expect_err("a weight");
    assert!(error.ends_with(": a file of the editor cannot contain `3`; help: write a property"), "{error}");
}
