//! Tests of pages that edit documents.

use std::sync::Arc;

use serde_json::{Value, json};

use super::super::page::Page;
use super::{TIME, request};
use crate::editing::{Document, DocumentKey};
use crate::fingerprint::fingerprint;
use crate::state::Shared;

const GUARD: &str = "selector { attack, patrol }\n";

/// Returns a program whose document 0 is [`GUARD`].
fn program() -> Arc<Shared> {
    let shared = Arc::new(Shared::default());
    shared.documents.open(Document::text("guard.bt", GUARD)).expect("it is valid");
    shared
}

fn page(shared: &Arc<Shared>, has_token: bool) -> Page {
    Page::new(Arc::clone(shared), has_token)
}

/// Returns the content of the last update of a kind.
fn last<'u>(updates: &'u [Value], kind: &str) -> Option<&'u Value> {
    updates.iter().rev().find_map(|update| update.get(kind))
}

fn refused(updates: &[Value]) -> &str {
    last(updates, "refused").and_then(|refused| refused["message"].as_str()).unwrap_or_default()
}

/// Returns the ids of the root and its children.
fn ids(document: &Value) -> Vec<u64> {
    let root = &document["trees"][0]["root"];
    let children = root["lists"][0]["children"].as_array().expect("children");
    [root].into_iter().chain(children).map(|node| node["id"].as_u64().expect("an id")).collect()
}

#[test]
fn a_document_becomes_the_version_of_another_machine() {
    let shared = program();
    shared.documents.allow_edit();
    let mut page = page(&shared, true);
    let text = |updates: &[Value]| last(updates, "text").expect("it is sent")["text"].clone();
    assert_eq!(text(&request(&mut page, "{\"text\":0}")), json!(GUARD));
    let adopt = |page: &mut Page, from: &str, text: &str, save: bool| {
        let adopt = json!({ "adopt": { "document": 0, "from": fingerprint(from), "text": text, "save": save } });
        let updates = request(page, &adopt.to_string());
        let answer = last(&updates, "adopted").expect("it is answered").clone();
        assert_eq!((&answer["document"], &answer["sent"]), (&json!(0), &json!(fingerprint(text))));
        answer["error"].as_str().unwrap_or("").to_owned()
    };
    let other = "selector { attack }\n";
    for (from, new, save, error) in [
        (other, other, false, "it was changed there at the same time"),
        (GUARD, "selector {", false, "is not closed"),
        (GUARD, other, false, ""),
        (GUARD, other, false, ""),
        (GUARD, GUARD, false, "it was changed there at the same time"),
        (other, "selector { attack, idle }", true, "this document is in no file"),
    ] {
        let found = adopt(&mut page, from, new, save);
        assert!(if error.is_empty() { found.is_empty() } else { found.contains(error) }, "{from} to {new}: {found}");
    }
    let document = last(&request(&mut page, "{\"open\":0}"), "document").expect("it is sent").clone();
    assert_eq!(document["undo"], json!("version of other machines"));
    assert_eq!(text(&request(&mut page, "{\"text\":0}")), json!("selector { attack, idle }"));
    let mut stranger = Page::new(Arc::clone(&shared), false);
    let adopt = json!({ "adopt": { "document": 0, "from": "", "text": GUARD, "save": false } });
    assert!(refused(&request(&mut stranger, &adopt.to_string())).contains("without the token"));
}

#[test]
fn a_page_opens_a_document_and_changes_it() {
    let shared = program();
    shared.documents.allow_edit();
    let mut page = page(&shared, true);
    let updates = request(&mut page, "{\"open\":0}");
    let fingerprint = fingerprint(GUARD);
    let about = json!([{ "key": 0, "name": "guard.bt", "path": null, "notation": "text", "tree": null, "trees": [], "edit": true, "write": false, "runs": false,
        "fingerprint": fingerprint, "saved": true, "edited": false, "applied": true, "error": null }]);
    assert_eq!(last(&updates, "documents"), Some(&about));
    let position = |kind: &str| updates.iter().position(|update| update.get(kind).is_some());
    assert!(position("palette") < position("document"), "{updates:?}");
    let document = last(&updates, "document").expect("it is sent");
    for (field, value) in
        [("version", json!(0)), ("undo", json!(null)), ("saved", json!(true)), ("conflict", json!(null))]
    {
        assert_eq!(document[field], value, "{field}");
    }
    let nodes = ids(document);
    assert!(last(&request(&mut page, "{\"list\":{}}"), "document").is_none(), "nothing new");

    let wrap = json!({ "op": "wrap", "nodes": [nodes[1]], "head": "cooldown(secs(2))" });
    let tried = request(&mut page, &json!({ "try": { "document": 0, "id": 7, "operation": wrap } }).to_string());
    assert_eq!(last(&tried, "tried"), Some(&json!({ "id": 7, "error": null, "problems": [] })));
    assert!(last(&tried, "document").is_none());
    let updates = request(&mut page, &json!({ "change": { "document": 0, "operations": [wrap] } }).to_string());
    let position = |kind: &str| updates.iter().position(|update| update.get(kind).is_some()).expect("it is sent");
    assert!(position("document") < position("changed"), "the page knows the nodes to select");
    let document = last(&updates, "document").expect("it is sent");
    let wrapped = &document["trees"][0]["root"]["lists"][0]["children"][0];
    assert_eq!((&wrapped["head"], &document["undo"]), (&json!("cooldown(secs(2))"), &json!("wrap attack")));
    assert_eq!(last(&updates, "changed"), Some(&json!({ "document": 0, "select": [wrapped["id"]] })));

    let copied = request(&mut page, &json!({ "copy": { "document": 0, "id": 3, "nodes": [nodes[1]] } }).to_string());
    assert_eq!(last(&copied, "copied"), Some(&json!({ "id": 3, "text": "attack" })));
    let tree = &document["trees"][0]["id"];
    let source = json!({ "source": { "document": 0, "id": 4, "tree": tree, "as": "rust" } });
    let source = request(&mut page, &source.to_string());
    let text = "selector {\n    cooldown(secs(2)) { attack }\n    patrol\n}\n";
    assert_eq!(last(&source, "source"), Some(&json!({ "id": 4, "text": text, "error": null })));
    for (message, undo, redo) in
        [("{\"undo\":0}", json!(null), json!("wrap attack")), ("{\"redo\":0}", json!("wrap attack"), json!(null))]
    {
        let updates = request(&mut page, message);
        let document = last(&updates, "document").expect("it is sent");
        assert_eq!((&document["undo"], &document["redo"]), (&undo, &redo));
    }
    assert_eq!(refused(&request(&mut page, "{\"redo\":0}")), "there is nothing to redo");
    assert_eq!(refused(&request(&mut page, "{\"save\":0}")), "this document is in no file");
    assert_eq!(refused(&request(&mut page, "{\"apply\":0}")), "no program follows this document");
    request(&mut page, "{\"open\":null}");
    assert!(last(&request(&mut page, "{\"undo\":0}"), "document").is_none(), "it is not shown any longer");
}

#[test]
fn pages_see_the_changes_of_each_other() {
    let shared = program();
    shared.documents.allow_edit();
    let mut pages = [page(&shared, true), page(&shared, true), page(&shared, false)];
    let mut nodes = Vec::new();
    for page in &mut pages {
        nodes = ids(last(&request(page, "{\"open\":0}"), "document").expect("it is sent"));
    }
    let label = |node: u64, label: &str| {
        json!({ "change": { "document": 0, "operations": [{ "op": "label", "node": node, "label": label }] } })
            .to_string()
    };
    request(&mut pages[0], &label(nodes[1], "first"));
    let seen = request(&mut pages[1], &label(nodes[2], "second"));
    let document = last(&seen, "document").expect("it is sent");
    let labels = |document: &Value| {
        let children = document["trees"][0]["root"]["lists"][0]["children"].as_array().expect("children").clone();
        children.iter().map(|child| child["label"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(labels(document), [json!("first"), json!("second")]);
    let mut updates = Vec::new();
    pages[2].push_updates(TIME, &mut updates);
    assert!(updates.iter().any(|update| update.contains("\"second\"")), "a page that only looks sees them, too");
    // A slow page receives the last version once.
    for round in 0..50 {
        request(&mut pages[0], &label(nodes[1], &format!("round {round}")));
    }
    let mut updates = Vec::new();
    pages[1].push_updates(TIME, &mut updates);
    let documents: Vec<_> = updates.iter().filter(|update| update.contains("{\"document\"")).collect();
    assert!(documents.len() == 1 && documents[0].contains("round 49"), "{documents:?}");
    // Undo is that of the document, not of the page.
    request(&mut pages[1], "{\"undo\":0}");
    let seen = request(&mut pages[0], "{\"undo\":0}");
    assert_eq!(labels(last(&seen, "document").expect("it is sent"))[0], "round 47");
    // A page that is loaded again can go on.
    pages[0] = page(&shared, true);
    let seen = request(&mut pages[0], "{\"open\":0}");
    assert_eq!(last(&seen, "document").expect("it is sent")["redo"], "label attack");
}

#[test]
fn a_page_edits_only_with_the_token_and_if_the_program_allows_it() {
    let shared = program();
    let mut with = page(&shared, true);
    let mut without = page(&shared, false);
    let nodes = ids(last(&request(&mut with, "{\"open\":0}"), "document").expect("everyone may look"));
    let change = json!({ "change": { "document": 0, "operations": [{ "op": "delete", "nodes": [nodes[1]] }] } });
    let delete = json!({ "op": "delete", "nodes": [nodes[1]] });
    let requests = [
        change,
        json!({ "undo": 0 }),
        json!({ "redo": 0 }),
        json!({ "try": { "document": 0, "id": 1, "operation": delete } }),
        json!({ "auto": { "document": 0, "on": false } }),
        json!({ "apply": 0 }),
        json!({ "save": 0 }),
        json!({ "resolve": { "document": 0, "keep": "mine" } }),
    ];
    for page in [&mut with, &mut without] {
        for message in &requests {
            let updates = request(page, &message.to_string());
            assert_eq!(refused(&updates), "the program does not let pages edit; help: call `allow_edit`", "{message}");
        }
    }
    shared.documents.allow_edit();
    for message in &requests {
        let updates = request(&mut without, &message.to_string());
        let expected = "this page was opened without the token; help: open the full address that the program printed";
        assert_eq!(refused(&updates), expected, "{message}");
    }
    let copy = json!({ "copy": { "document": 0, "id": 1, "nodes": [nodes[1]] } });
    assert!(last(&request(&mut without, &copy.to_string()), "copied").is_some(), "looking is allowed");
    let updates = request(&mut with, "{\"open\":0}");
    assert_eq!(last(&updates, "documents").expect("the rights have changed")[0]["edit"], true);
    assert_eq!(refused(&request(&mut with, &requests[0].to_string())), "");
    assert_ne!(shared.documents.get(DocumentKey(0)).expect("it is open").text(), GUARD);
}

#[test]
fn a_page_writes_only_files_of_folders_that_the_program_names() {
    let folder = std::env::temp_dir().join(format!("bt-inspector-page-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder is writable");
    let path = folder.join("guard.bt");
    std::fs::write(&path, GUARD).expect("the folder is writable");
    let shared = Arc::new(Shared::default());
    shared.documents.open(Document::file(&path)).expect("it is valid");
    shared.documents.allow_edit();
    let mut page = page(&shared, true);
    let updates = request(&mut page, "{\"open\":0}");
    let nodes = ids(last(&updates, "document").expect("it is sent"));
    let change = json!({ "change": { "document": 0, "operations": [{ "op": "delete", "nodes": [nodes[1]] }] } });
    let updates = request(&mut page, &change.to_string());
    assert_eq!(last(&updates, "document").expect("it is sent")["saved"], false);
    let reason = "the program does not let pages write this file; help: call `allow_write` with its folder";
    assert_eq!(refused(&request(&mut page, "{\"save\":0}")), reason);
    assert_eq!(std::fs::read_to_string(&path).expect("it is there"), GUARD);
    shared.documents.allow_write(&folder).expect("it is a folder");
    let updates = request(&mut page, "{\"save\":0}");
    assert_eq!(last(&updates, "document").expect("it is sent")["saved"], true);
    assert_eq!(last(&updates, "documents").expect("the rights have changed")[0]["write"], true);
    assert_eq!(std::fs::read_to_string(&path).expect("it is there"), "selector { patrol }\n");
    // Changed elsewhere, while nobody saves.
    std::fs::write(&path, "selector { patrol, sleep }\n").expect("the folder is writable");
    shared.documents.poll();
    let mut updates = Vec::new();
    page.push_updates(TIME, &mut updates);
    assert!(updates.iter().any(|update| update.contains("change of the file")), "{updates:?}");
    std::fs::remove_dir_all(&folder).expect("it is there");
}

#[test]
fn hostile_requests_are_errors() {
    let shared = program();
    shared.documents.allow_edit();
    let mut page = page(&shared, true);
    request(&mut page, "{\"open\":0}");
    let error = |updates: &[Value]| last(updates, "error").and_then(Value::as_str).unwrap_or_default().to_owned();
    for message in [
        "{\"open\":\"../../etc/passwd\"}",
        "{\"open\":-1}",
        "{\"open\":0,\"undo\":0}",
        "{\"save\":{\"path\":\"/etc/passwd\"}}",
        "{\"save\":[0,\"/etc/passwd\"]}",
        "{\"change\":{\"document\":0}}",
        "{\"change\":{\"document\":0,\"operations\":[{\"op\":\"write\",\"path\":\"/etc/passwd\"}]}}",
        "{\"change\":{\"document\":0,\"operations\":[{\"op\":\"delete\",\"nodes\":[4294967296]}]}}",
        "{\"change\":{\"document\":0,\"operations\":[],\"path\":\"x\"}}",
        "{\"source\":{\"document\":0,\"id\":1,\"tree\":1,\"as\":\"../x\"}}",
        "{\"resolve\":{\"document\":0,\"keep\":\"base\"}}",
        "{\"undo\":\u{0}}",
        "{\"undo\"",
        "{\"undo\":[[[[[[[[[[[[[[[[0]]]]]]]]]]]]]]]]}",
    ] {
        assert!(error(&request(&mut page, message)).starts_with("invalid request: "), "{message}");
    }
    let deep = format!("{{\"undo\":{}", "[".repeat(100_000));
    assert!(error(&request(&mut page, &deep)).starts_with("invalid request: "));
    for message in [json!({ "undo": 1 }), json!({ "open": 99 }), json!({ "save": u64::MAX >> 1 })] {
        assert!(refused(&request(&mut page, &message.to_string())).starts_with("unknown document "), "{message}");
    }
    let many = json!({ "change": { "document": 0, "operations": vec![json!({ "op": "create", "name": "x" }); 2000] } });
    assert_eq!(refused(&request(&mut page, &many.to_string())), "too many operations: found 2000, the limit is 1000");
    let nodes: Vec<u32> = (0..100_000).collect();
    let many = json!({ "copy": { "document": 0, "id": 1, "nodes": nodes } });
    assert_eq!(refused(&request(&mut page, &many.to_string())), "too many nodes: found 100000, the limit is 10000");
    // Other requests stay as small as before.
    let long = json!({ "list": { "search": "x".repeat(20_000) } }).to_string();
    assert!(error(&request(&mut page, &long)).ends_with(" bytes, the limit is 16384"));
    assert_eq!(shared.documents.get(DocumentKey(0)).expect("it is open").text(), GUARD);
}
