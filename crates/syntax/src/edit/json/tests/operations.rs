//! Every operation at every node of a file: what is written is read as the same, and differs only there.

use serde_json::json;

use super::files::differs_only_at;
use super::{read, said, write};
use crate::edit::{Document, Operation};

const PROJECT: &str = r#"{
  "name": "game", "data": {
    "version": "0.3.0", "scope": "project", "selectedTree": "67e3047e-0942-4d55-8443-9f28dc50b660",
    "trees": [
      {
        "version": "0.3.0", "scope": "tree", "id": "67e3047e-0942-4d55-8443-9f28dc50b660", "title": "guard", "description": "",
        "root": "3739a6fd-3205-45df-8f18-ab02f0c4b07e", "properties": {},
        "nodes": {
          "8b514f0a-913e-4eaf-817b-03e85b98efa0": { "id": "8b514f0a-913e-4eaf-817b-03e85b98efa0", "name": "Repeater", "category": "decorator", "title": "Repeat <maxLoop>x", "description": "", "properties": { "maxLoop": 2 }, "display": { "x": -144, "y": -108 }, "child": "af4ac079-941b-49d6-85f2-11758f76bd26" },
          "af4ac079-941b-49d6-85f2-11758f76bd26": { "id": "af4ac079-941b-49d6-85f2-11758f76bd26", "name": "Log", "category": "action", "title": "Log", "description": "writes", "properties": { "info": "one\u00e9" }, "display": { "x": 96, "y": -120 } },
          "c75fd98e-7888-42f2-98e3-43fe327ae18a": { "id": "c75fd98e-7888-42f2-98e3-43fe327ae18a", "name": "e11044d9-5f06-4785-ae99-aaf710bc2469", "category": "tree", "title": "child", "description": "", "properties": {}, "display": { "x": -132, "y": 36 } },
          "3739a6fd-3205-45df-8f18-ab02f0c4b07e": { "id": "3739a6fd-3205-45df-8f18-ab02f0c4b07e", "name": "MemSequence", "category": "composite", "title": "MemSequence", "description": "", "properties": {}, "display": { "x": -348, "y": -24 }, "children": ["8b514f0a-913e-4eaf-817b-03e85b98efa0", "c75fd98e-7888-42f2-98e3-43fe327ae18a", "01d5f8f4-9c1e-4f0e-8f7a-aaf710bc2460"] },
          "01d5f8f4-9c1e-4f0e-8f7a-aaf710bc2460": { "id": "01d5f8f4-9c1e-4f0e-8f7a-aaf710bc2460", "name": "random_selector", "title": "any", "properties": { "weights": [1.0, 2e0] }, "display": { "x": -132, "y": 108 }, "children": ["01d5f8f4-9c1e-4f0e-8f7a-aaf710bc2461", "01d5f8f4-9c1e-4f0e-8f7a-aaf710bc2462"] },
          "01d5f8f4-9c1e-4f0e-8f7a-aaf710bc2461": { "id": "01d5f8f4-9c1e-4f0e-8f7a-aaf710bc2461", "name": "walk to", "properties": { "at": "{door}", "fast": true }, "display": { "x": 108, "y": 100 } },
          "01d5f8f4-9c1e-4f0e-8f7a-aaf710bc2462": { "id": "01d5f8f4-9c1e-4f0e-8f7a-aaf710bc2462", "name": "Wait", "title": "Wait <milliseconds>ms", "properties": { "milliseconds": "500", "disabled": true }, "display": { "x": 108, "y": 160, "folded": false } },
          "01d5f8f4-9c1e-4f0e-8f7a-aaf710bc2463": { "id": "01d5f8f4-9c1e-4f0e-8f7a-aaf710bc2463", "name": "Failer", "display": { "x": 0, "y": 400 } }
        },
        "display": { "camera_x": 1008.5, "camera_y": 504, "camera_z": 1, "x": -504, "y": -24 }
      },
      {
        "version": "0.3.0", "scope": "tree", "id": "e11044d9-5f06-4785-ae99-aaf710bc2469", "title": "child", "description": "",
        "root": "6c7bcb3c-9be8-437b-b56c-6fcec2551c26", "properties": {},
        "nodes": {
          "6c7bcb3c-9be8-437b-b56c-6fcec2551c26": { "id": "6c7bcb3c-9be8-437b-b56c-6fcec2551c26", "name": "Log", "category": "action", "title": "Log", "description": "Log", "properties": { "info": "two" }, "display": { "x": 132, "y": 12 } }
        },
        "display": { "camera_x": 960, "camera_y": 508.5, "camera_z": 1, "x": -96, "y": 12 }
      }
    ],
    "custom_nodes": [
      { "version": "0.3.0", "scope": "node", "name": "Log", "category": "action", "title": "Log", "description": "Log", "properties": { "info": "log..." } }
    ]
  },
  "path": "D:\\game.b3"
}
"#;

/// Returns all operations about a node, and another one.
fn operations(node: u32, other: u32, tree: u32) -> Vec<Operation> {
    let all = json!([
        {"op": "insert", "text": "wait(secs(2))", "at": {"before": node}},
        {"op": "insert", "text": "\"say it\"(text = \"a\\nb\") \"label\", Wait(milliseconds = 5)", "at": {"after": node}},
        {"op": "insert", "text": "sequence { near(at = var(door)), !look }", "at": {"in": node, "list": 0, "index": 0}},
        {"op": "insert", "text": "{\"name\": \"Priority\", \"properties\": {\"x\": 1}}", "at": {"after": node}},
        {"op": "delete", "nodes": [node]},
        {"op": "delete", "nodes": [node, other]},
        {"op": "duplicate", "nodes": [node]},
        {"op": "move", "nodes": [node], "at": {"before": other}},
        {"op": "move", "nodes": [node], "at": {"after": other}},
        {"op": "move", "nodes": [node], "at": {"in": other, "list": 0, "index": 1}},
        {"op": "wrap", "nodes": [node], "head": "cooldown(secs(2))"},
        {"op": "wrap", "nodes": [node], "head": "Inverter"},
        {"op": "wrap", "nodes": [node], "head": "!"},
        {"op": "wrap", "nodes": [node, other], "head": "\"my own\"(x = 1)"},
        {"op": "wrap", "nodes": [node], "head": "match"},
        {"op": "unwrap", "node": node},
        {"op": "replace", "node": node, "head": "mem_sequence"},
        {"op": "replace", "node": node, "head": "Wait(secs(3))"},
        {"op": "replace", "node": node, "head": "\"an other\"(speed = 1.5)"},
        {"op": "argument", "node": node, "index": 0, "name": "milliseconds", "value": "secs(3)"},
        {"op": "argument", "node": node, "index": 0, "name": "info", "value": "\"x\""},
        {"op": "argument", "node": node, "index": 0, "name": "info", "value": null},
        {"op": "argument", "node": node, "index": 0, "name": "maxLoop", "value": "3"},
        {"op": "label", "node": node, "label": "a \"label\""},
        {"op": "label", "node": node, "label": null},
        {"op": "note", "node": node, "text": "one\n\ntwo"},
        {"op": "note", "node": node, "text": ""},
        {"op": "disable", "nodes": [node]},
        {"op": "enable", "nodes": [node]},
        {"op": "extract", "node": node, "name": "part"},
        {"op": "inline", "node": node},
        {"op": "create", "name": "new"},
        {"op": "rename", "tree": tree, "name": "other"},
        {"op": "remove", "tree": tree},
    ]);
    serde_json::from_value(all).expect("operations")
}

fn nodes(document: &Document) -> Vec<u32> {
    document.trees.iter().flat_map(|tree| tree.nodes()).map(|node| node.id).collect()
}

/// Asserts that what an operation makes of a document is written, and read as the same.
fn check(document: &Document, operation: &Operation) -> Option<Document> {
    let mut changed = document.clone();
    changed.apply(operation).ok()?;
    let written = write(&changed);
    assert_eq!(write(&changed), written, "{operation:?}");
    let again = read(&written);
    // Times of the editor are numbers, and what uses a tree has at least the title of the tree.
    let one = |tree: &String| tree.replace("\\\"2s\\\"", "2000").replace("{} \\\"child\\\"", "{}");
    let canonical = |document: &Document| said(document).iter().map(one).collect::<Vec<_>>();
    assert_eq!(canonical(&again), canonical(&changed), "{operation:?}: {written}");
    Some(changed)
}

#[test]
fn every_operation_at_every_node_differs_only_there() {
    let document = read(PROJECT);
    let (nodes, mut count) = (nodes(&document), 0);
    for node in &nodes {
        for other in nodes.iter().filter(|other| *other != node).step_by(4) {
            for operation in operations(*node, *other, document.trees[1].id) {
                let Some(changed) = check(&document, &operation) else { continue };
                count += 1;
                let written = write(&changed);
                let again = read(&written);
                if matches!(
                    operation,
                    Operation::Create { .. }
                        | Operation::Extract { .. }
                        | Operation::Remove { .. }
                        | Operation::Rename { .. }
                ) {
                    continue;
                }
                // Only the entries of the nodes that changed differ.
                let entry = |document: &Document| -> Vec<(String, String)> {
                    let all = document.trees.iter().flat_map(|tree| tree.nodes());
                    all.filter_map(|node| node.origin.clone())
                        .map(|origin| (origin.id.clone(), format!("{:?}", origin.fields)))
                        .collect()
                };
                let (old, new) = (entry(&document), entry(&again));
                let ids = old.iter().chain(&new).filter(|entry| !(old.contains(entry) && new.contains(entry)));
                let ids: Vec<_> = ids.map(|(id, _)| id.clone()).collect();
                differs_only_at(PROJECT, &written, &ids);
                let most = match operation {
                    Operation::Label { .. }
                    | Operation::Note { .. }
                    | Operation::Argument { .. }
                    | Operation::Replace { .. } => 1,
                    Operation::Disable { .. } | Operation::Enable { .. } => 1,
                    Operation::Insert { .. } => 6,
                    Operation::Wrap { .. } => 4,
                    _ => usize::MAX,
                };
                let changed: std::collections::HashSet<_> = ids.iter().collect();
                assert!(changed.len() <= most, "{operation:?}: {changed:?}\n{written}");
            }
        }
    }
    assert!(count > 400, "{count}");
}

#[test]
fn a_tree_that_is_renamed_or_extracted_has_its_title_at_its_uses() {
    let mut document = read(PROJECT);
    let of = |document: &Document, label: &str| {
        let all =
            document.trees.iter().flat_map(|tree| tree.nodes()).filter(|node| node.label.as_deref() == Some(label));
        all.map(|node| node.id).collect::<Vec<_>>()
    };
    let tree = document.trees[1].id;
    document.apply(&Operation::Rename { tree, name: "patrol".to_owned() }).expect("a free name");
    assert_eq!(write(&document), PROJECT.replace("\"title\": \"child\"", "\"title\": \"patrol\""));
    let any = of(&document, "any")[0];
    let used = document.apply(&Operation::Extract { node: any, name: "part".to_owned() }).expect("a free name");
    assert_eq!(of(&document, "part"), used);
    let again = read(&write(&document));
    assert_eq!(said(&again), said(&document));
    document.apply(&Operation::Inline { node: used[0] }).expect("a tree");
    assert_eq!((of(&document, "any").len(), of(&document, "part").len()), (2, 0));
}
