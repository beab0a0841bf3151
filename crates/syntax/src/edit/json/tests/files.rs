//! Files of the repository, and hostile ones.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::super::node::Node;
use super::super::read::Outline;
use super::super::span::Object;
use super::{change, children, new, read, said, write};
use crate::edit::{Document, Notation};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns all files below a folder whose name ends with this.
fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if path.is_dir() && !name.starts_with('.') && !["target", "node_modules", "dist"].contains(&&*name) {
            found.extend(files(&path, end));
        } else if name.ends_with(end) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Asserts that of two files only the entries of nodes with these ids differ, the values of `root`, and declarations.
pub(super) fn differs_only_at(before: &str, after: &str, ids: &[String]) {
    let parts = |text: &str| {
        let outline = Outline::of(text).expect("a file of the editor");
        let mut parts: Vec<(usize, usize, String)> = Vec::new();
        parts.extend(
            outline
                .object
                .field("custom_nodes")
                .map(|field| (field.value.start, field.value.end, "declarations".to_owned())),
        );
        for tree in &outline.trees {
            let tree = Object::read(text, tree.clone()).expect("a tree");
            parts.extend(tree.field("root").map(|root| (root.value.start, root.value.end, "root".to_owned())));
            let Some(nodes) = tree.object(text, "nodes") else { continue };
            let mut end = nodes.at.start + 1;
            for field in &nodes.fields {
                if ids.contains(&field.name) {
                    parts.push((end, field.at.end, format!("node {}", field.name)));
                } else {
                    // What is between entries depends on which are there.
                    parts.push((end, field.at.start, "between".to_owned()));
                }
                end = field.at.end;
            }
            if nodes.fields.iter().all(|field| ids.contains(&field.name)) {
                parts.push((end, nodes.at.end - 1, "empty".to_owned()));
            }
        }
        parts.sort();
        let (mut rest, mut end) = (String::new(), 0);
        for (begin, last, _) in parts {
            rest += &text[end..begin];
            end = last;
        }
        rest + &text[end..]
    };
    assert_eq!(parts(before), parts(after));
}

/// Changes ten places, one after the other. Returns the ids of the nodes that change.
fn edit(document: &mut Document) -> Vec<String> {
    let mut ids = Vec::new();
    for place in 0..10 {
        let trees = document.trees.len();
        let tree = place % trees;
        if document.trees[tree].broken.is_some() {
            continue;
        }
        let added =
            new(document, ["Wait(milliseconds = 70)", "near(meters = 3)", "cooldown(secs(2)) { guard }"][place % 3]);
        let tree = &mut document.trees[tree];
        let nodes: Vec<u32> = tree.nodes().iter().map(|node| node.id).collect();
        let Some(id) = nodes.get(place * 7 % nodes.len().max(1)).copied() else { continue };
        change(tree, |node| {
            let has = node.children().any(|child| child.id == id);
            if node.id != id && !(has && place == 7) {
                return;
            }
            ids.extend(node.origin.as_ref().map(|origin| origin.id.clone()));
            match place {
                0 | 5 => node.label = Some(format!("label {place}")),
                1 => node.above = vec!["a note".to_owned()],
                2 | 6 => children(node).push(added.clone()),
                3 => node.disabled = !node.disabled,
                4 => node.head = "goto(place = var(door), at = [1, 2])".to_owned(),
                7 if has => {
                    let removed: Vec<_> = node.children().filter(|child| child.id == id).cloned().collect();
                    children(node).retain(|child| child.id != id);
                    for node in removed {
                        node.visit(&mut |node: &Arc<Node>| {
                            ids.extend(node.origin.as_ref().map(|origin| origin.id.clone()));
                        });
                    }
                }
                8 => children(node).reverse(),
                _ => node.head = "Wait(milliseconds = 1234)".to_owned(),
            }
        });
    }
    ids
}

fn check(name: &str, text: &str) {
    let mut document = read(text);
    assert_eq!(write(&document), text, "{name}");
    let known: Vec<_> =
        document.trees.iter().flat_map(|tree| tree.nodes()).filter_map(|node| node.origin.clone()).collect();
    let mut ids = edit(&mut document);
    let written = write(&document);
    let again = read(&written);
    assert_eq!(said(&again), said(&document), "{name}: {written}");
    // New nodes, and those that follow a new order with their coordinates.
    let nodes = again.trees.iter().flat_map(|tree| tree.nodes()).filter_map(|node| node.origin.clone());
    for origin in nodes {
        let old = known.iter().find(|known| known.id == origin.id);
        let display = |of: &super::super::super::node::Origin| {
            of.fields.iter().find(|(name, _)| name == "display").map(|(_, value)| value.to_string())
        };
        if old.is_none_or(|old| display(old) != display(&origin)) {
            ids.push(origin.id.clone());
        }
    }
    differs_only_at(text, &written, &ids);
}

#[test]
fn the_files_of_the_repository_differ_only_where_they_are_edited() {
    let all = files(&repository(), ".b3.json");
    assert!(all.len() >= 15, "{all:?}");
    for path in all {
        let text = fs::read_to_string(&path).expect("it can be read");
        check(&path.display().to_string(), &text);
        check(&format!("{} with CRLF", path.display()), &text.replace('\n', "\r\n"));
        check(&format!("{} with a mark", path.display()), &format!("\u{feff}{text}"));
        let value: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        check(&format!("{} in one line", path.display()), &value.to_string());
        check(&format!("{} in many lines", path.display()), &format!("{value:#}"));
    }
}

#[test]
fn hostile_files_are_errors_or_stay_as_they_are() {
    let mut all = files(&repository().join("bt-core/fuzz/corpus"), "");
    all.extend(files(&repository().join("tests/errors/ui/file"), ".json"));
    assert!(all.len() > 10, "{all:?}");
    for path in all {
        let bytes = fs::read(&path).expect("it can be read");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Ok(mut document) = Document::read(Notation::JSON, &text) else { continue };
        assert_eq!(write(&document), text, "{}", path.display());
        let _ = edit(&mut document);
        let _ = document.write();
        // Cut anywhere, and with a byte replaced.
        for at in
            (0..text.len()).filter(|at| text.is_char_boundary(*at) && (at % if text.len() < 600 { 5 } else { 61 } == 0))
        {
            let _ = Document::read(Notation::JSON, &text[..at]);
            let mut bytes = text.clone().into_bytes();
            bytes[at] = b"{}[],:\"0\\x"[at % 10];
            let Some(mut document) =
                String::from_utf8(bytes).ok().and_then(|text| Document::read(Notation::JSON, &text).ok())
            else {
                continue;
            };
            assert_eq!(write(&document), *document.source);
            let _ = edit(&mut document);
            let _ = document.write();
        }
    }
}

#[test]
fn large_files_are_read_in_time_that_grows_with_them() {
    let time = |text: &str| {
        let begin = std::time::Instant::now();
        if let Ok(mut document) = Document::read(Notation::JSON, text) {
            let _ = document.write();
            let _ = edit(&mut document);
            let _ = document.write();
        }
        begin.elapsed().as_secs()
    };
    let many = |of: &dyn Fn(usize) -> String| (2..5_000).map(of).collect::<Vec<_>>().join(",");
    let nodes = many(&|id| format!(r#""{id}": {{"name": "a"}}"#));
    let ids = many(&|id| format!(r#""{id}""#));
    for text in [
        format!(r#"{{"root": "1", "nodes": {{"1": {{"name": "Sequence", "children": [{ids}]}}, {nodes}}}}}"#),
        format!(r#"{{"root": "1", "nodes": {{"1": {{"name": "a"}}, {nodes}}}}}"#),
        format!(
            r#"{{"root": "1", "nodes": {{"1": {{"name": "a", "properties": {{{}}}}}}}}}"#,
            many(&|id| format!(r#""p{id}": {id}"#))
        ),
        format!(
            r#"{{"root": "1", "nodes": {{"1": {{"name": "a", "title": "{}", "properties": {{"<": 1}}}}}}}}"#,
            "<".repeat(300_000)
        ),
        format!(
            r#"{{"trees": [{}]}}"#,
            many(&|id| format!(r#"{{"id": "{id}", "root": "1", "nodes": {{"1": {{"name": "a"}}}}}}"#))
        ),
        format!(
            r#"{{"root": "1", "nodes": {{"1": {{"name": "a", "x": {}{}}}}}}}"#,
            "[".repeat(100_000),
            "]".repeat(100_000)
        ),
        format!(r#"{{"root": "1", "nodes": {{"1": {{"name": "{}"}}}}}}"#, "\\u0001".repeat(50_000)),
    ] {
        assert!(time(&text) < 20, "{}", &text[..80]);
    }
}
