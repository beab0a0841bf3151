//! Tests of documents that a page of the hub edits, and of versions that it sends to machines.

use std::sync::{Arc, Mutex};

use bt_behavior3::palette::Entry;
use bt_behavior3::{Arity, Diagnostic, EditTree, NodeNames};
use bt_core::prelude::*;
use bt_inspector::{Document, EditedDocument};
use serde_json::{Value, json};

use super::{Fleet, last};
use crate::hub::Machine;
use crate::lock::lock;

const PATROL: &str = "selector { attack, patrol }\n";

/// A program with some leaves, and the text that it runs.
#[derive(Clone)]
struct Runs {
    leaves: &'static [&'static str],
    text: Arc<Mutex<String>>,
}

impl EditTree for Runs {
    fn palette(&self) -> Vec<Entry> {
        Vec::new()
    }

    fn names(&self) -> NodeNames {
        NodeNames::new(self.leaves.iter().map(|name| (*name, Arity::Zero)))
    }

    fn check(&self, _: &str) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        Ok(Vec::new())
    }

    fn apply(&self, text: &str) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        text.clone_into(&mut lock(&self.text));
        Ok(Vec::new())
    }
}

/// A fleet whose machines have the document `patrol.bt`.
struct Edited {
    fleet: Fleet,
    machines: Vec<(Machine, EditedDocument, Runs)>,
}

impl Edited {
    /// Returns a fleet of machines with these names.
    fn of(names: &[&str]) -> Self {
        let fleet = Fleet::new();
        fleet.hub.allow_edit();
        let mut edited = Self { fleet, machines: Vec::new() };
        for name in names {
            edited.join(name, &["attack", "patrol", "rest"]);
        }
        edited.fleet.carry();
        edited
    }

    fn join(&mut self, name: &str, leaves: &'static [&'static str]) {
        let machine = self.fleet.join(name, &["Ann"]);
        let inspector = &self.fleet.programs.last().expect("it has joined").inspector;
        inspector.allow_edit();
        let runs = Runs { leaves, text: Arc::new(Mutex::new(PATROL.to_owned())) };
        let document = Document::text("patrol.bt", PATROL).target(runs.clone());
        self.machines.push((machine, inspector.edit(document).expect("it is valid"), runs));
    }

    fn leave(&mut self, index: usize) {
        let (machine, ..) = self.machines.remove(index);
        self.fleet.leave(machine);
    }

    /// Returns the key of the document of a machine in the page.
    fn key(&self, index: usize) -> usize {
        self.machines[index].0.key(0).expect("it is small")
    }

    /// Changes the document of a machine, as a page does: adds a leaf after the root's first child.
    fn insert(&mut self, index: usize, leaf: &str) {
        let key = self.key(index);
        let opened = self.fleet.send(&json!({ "open": key }));
        let document = last(&opened, "document");
        assert_eq!(document["key"], json!(key), "{opened:?}");
        let first = &document["trees"][0]["root"]["lists"][0]["children"][0]["id"];
        let insert = json!({ "op": "insert", "text": leaf, "at": { "after": first } });
        let changed = self.fleet.send(&json!({ "change": { "document": key, "operations": [insert] } }));
        assert_eq!(last(&changed, "changed")["document"], json!(key), "{changed:?}");
    }

    fn roll_out(&mut self, index: usize, step: &str) -> Vec<Value> {
        let key = self.key(index);
        let mut updates = self.fleet.send(&json!({ "rollout": { "document": key, "step": step } }));
        updates.extend(self.fleet.carry());
        updates
    }

    /// Returns what runs at each machine: whether it has the leaf `rest`.
    fn rests(&self) -> Vec<bool> {
        let texts = self.machines.iter().map(|(_, document, runs)| {
            assert_eq!(document.text(), *lock(&runs.text), "the document runs");
            document.text().contains("rest")
        });
        texts.collect()
    }

    /// Returns the error of the rollout that the page shows.
    fn error(&self) -> String {
        last(&self.fleet.received, "rollout")["stage"]["error"].as_str().unwrap_or_default().to_owned()
    }

    /// Returns what the page shows of the machines.
    fn states(&self) -> Vec<String> {
        let machines = last(&self.fleet.received, "rollout")["machines"].clone();
        let state = |machine: &Value| machine["state"].as_str().expect("a state").to_owned();
        machines.as_array().expect("a list").iter().map(state).collect()
    }
}

fn refused(updates: &[Value]) -> String {
    last(updates, "refused")["message"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_page_edits_the_document_of_one_machine() {
    let mut edited = Edited::of(&["a", "b"]);
    let list = last(&edited.fleet.received, "documents");
    let about: Vec<_> = list.as_array().expect("a list").iter().map(|one| (&one["machine"], &one["edit"])).collect();
    assert_eq!(about, [(&json!(0), &json!(true)), (&json!(1), &json!(true))]);
    edited.insert(1, "rest");
    assert_eq!(edited.rests(), [false, true]);
    assert_eq!(edited.states(), ["before", "same"]);
    // The document of another machine is sent instead.
    let key = edited.key(0);
    let opened = edited.fleet.send(&json!({ "open": key }));
    assert_eq!(last(&opened, "document")["key"], json!(key));
    edited.fleet.send(&json!({ "undo": edited.key(1) }));
    assert_eq!(edited.rests(), [false, false]);
    let closed = edited.fleet.send(&json!({ "open": null }));
    assert_eq!(last(&closed, "document"), Value::Null);
}

#[test]
fn without_the_right_of_the_hub_a_page_only_looks() {
    let mut fleet = Fleet::new();
    let machine = fleet.join("a", &[]);
    let inspector = &fleet.programs[0].inspector;
    inspector.allow_edit();
    inspector.edit(Document::text("patrol.bt", PATROL)).expect("it is valid");
    fleet.carry();
    let list = last(&fleet.received, "documents");
    assert_eq!((&list[0]["edit"], &list[0]["write"]), (&json!(false), &json!(false)));
    let key = machine.key(0).expect("it is small");
    assert_eq!(last(&fleet.send(&json!({ "open": key })), "document")["key"], json!(key));
    for request in [json!({ "undo": key }), json!({ "rollout": { "document": key, "step": "all" } })] {
        assert!(refused(&fleet.send(&request)).contains("the hub does not let pages edit"), "{request}");
    }
    fleet.hub.allow_edit();
    assert_eq!(last(&fleet.carry(), "documents")[0]["edit"], json!(true));
    assert!(refused(&fleet.send(&json!({ "undo": key }))).contains("nothing to undo"));
}

#[test]
fn a_version_goes_to_a_tenth_then_to_all_and_back() {
    let names: Vec<_> = (0..30).map(|number| format!("m{number:02}")).collect();
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let mut edited = Edited::of(&names);
    edited.insert(7, "rest");
    let count = |edited: &Edited| edited.rests().iter().filter(|rests| **rests).count();
    assert_eq!(count(&edited), 1);
    edited.roll_out(7, "tenth");
    assert_eq!(count(&edited), 3);
    edited.roll_out(7, "tenth");
    assert_eq!(count(&edited), 3, "the same ones");
    edited.roll_out(7, "all");
    assert_eq!(count(&edited), 30);
    assert_eq!(edited.states(), ["same"; 30]);
    edited.roll_out(7, "back");
    assert_eq!(count(&edited), 0);
    assert!(refused(&edited.roll_out(7, "back")).contains("no version to go back to"));
    // What was sent back is no version to go back from.
    edited.roll_out(7, "all");
    assert!(refused(&edited.roll_out(7, "back")).contains("no version to go back to"));
    assert_eq!(count(&edited), 0);
}

#[test]
fn who_sends_a_version_learns_that_another_one_has_replaced_it() {
    let mut edited = Edited::of(&["a", "b", "c"]);
    edited.insert(0, "rest");
    edited.insert(1, "attack");
    // Both are requested before the machines answer.
    let (first, second) = (edited.key(0), edited.key(1));
    for key in [first, second] {
        edited.fleet.page.receive(&json!({ "rollout": { "document": key, "step": "all" } }).to_string());
    }
    edited.fleet.carry();
    let replaced = "the version of `b` has replaced that of `a`, which was being sent";
    assert_eq!(edited.error(), replaced);
    // One after the other.
    edited.insert(0, "rest");
    edited.roll_out(0, "all");
    assert_eq!(edited.error(), "the version of `a` has replaced that of `b`, which was being sent");
    // The next version of the same machine replaces nothing that another page has sent.
    edited.insert(0, "rest");
    edited.roll_out(0, "all");
    assert_eq!(edited.error(), "");
}

#[test]
fn a_later_version_replaces_those_that_were_sent_before() {
    let mut edited = Edited::of(&["a", "b", "c", "d"]);
    edited.insert(0, "rest");
    edited.roll_out(0, "tenth");
    assert_eq!(edited.rests(), [true, true, false, false]);
    edited.insert(0, "rest");
    edited.roll_out(0, "all");
    let texts: Vec<_> = edited.machines.iter().map(|(_, document, _)| document.text()).collect();
    assert!(texts.iter().all(|text| *text == texts[0]) && texts[0].matches("rest").count() == 2, "{texts:?}");
    edited.roll_out(0, "back");
    assert_eq!(edited.rests(), [false; 4]);
}

#[test]
fn a_version_of_another_hand_is_left_alone_unless_it_is_meant() {
    let mut edited = Edited::of(&["a", "b", "c"]);
    edited.insert(1, "patrol");
    edited.leave(2);
    edited.insert(0, "rest");
    assert_eq!(edited.states(), ["same", "edited"]);
    edited.roll_out(0, "all");
    assert!(edited.error().contains("versions that were edited there"));
    let mut edited = Edited::of(&["a", "b", "c", "d"]);
    edited.insert(1, "patrol");
    edited.insert(0, "rest");
    assert_eq!(edited.states(), ["same", "edited", "before", "before"]);
    edited.roll_out(0, "all");
    assert_eq!(edited.rests(), [true, false, true, true]);
    let key = edited.key(0);
    edited.fleet.send(&json!({ "rollout": { "document": key, "step": "all", "others": true } }));
    edited.fleet.carry();
    assert_eq!(edited.rests(), [true; 4]);
    // What is edited there afterwards stays.
    edited.fleet.send(&json!({ "undo": edited.key(2) }));
    edited.fleet.carry();
    assert_eq!(edited.rests(), [true, true, false, true]);
    edited.roll_out(0, "all");
    assert_eq!(edited.rests(), [true; 4], "until it is sent again");
}

#[test]
fn a_machine_whose_program_lacks_a_leaf_refuses() {
    let mut edited = Edited::of(&["a", "b"]);
    edited.join("old", &["attack", "patrol"]);
    edited.fleet.carry();
    edited.insert(0, "rest");
    edited.roll_out(0, "all");
    assert_eq!(edited.rests(), [true, true, false]);
    assert_eq!(edited.states(), ["same", "same", "refused"]);
    let machines = last(&edited.fleet.received, "rollout")["machines"].clone();
    assert!(machines[2]["error"].as_str().is_some_and(|error| error.contains("`rest`")), "{machines}");
    // It is not sent again and again, but a machine that comes again gets it.
    assert!(edited.fleet.hub.take(Duration::ZERO).is_empty());
    edited.leave(2);
    edited.join("old", &["attack", "patrol", "rest"]);
    edited.fleet.carry();
    edited.fleet.carry();
    assert_eq!(edited.rests(), [true; 3]);
}

#[test]
fn a_machine_that_comes_later_gets_the_version_also_without_a_page() {
    let mut edited = Edited::of(&["a", "b"]);
    edited.insert(0, "rest");
    edited.roll_out(0, "all");
    edited.fleet.page = edited.fleet.hub.connect();
    edited.join("c", &["attack", "patrol", "rest"]);
    // The page has not shown it yet.
    edited.fleet.carry();
    edited.fleet.carry();
    assert_eq!(edited.rests(), [true; 3]);
    edited.roll_out(0, "end");
    edited.join("d", &["attack", "patrol", "rest"]);
    edited.fleet.carry();
    edited.fleet.carry();
    assert_eq!(edited.rests(), [true, true, true, false]);
    let pages =
        |edited: &Edited| edited.fleet.programs.iter().map(|program| program.connections.len()).collect::<Vec<_>>();
    assert_eq!(pages(&edited), [1; 4], "no page of rollouts is left");
}

#[test]
fn what_is_changed_at_the_same_time_is_not_lost() {
    let mut edited = Edited::of(&["a", "b", "c", "d"]);
    edited.insert(0, "rest");
    let key = edited.key(0);
    edited.fleet.page.receive(&json!({ "rollout": { "document": key, "step": "all" } }).to_string());
    // The machine changes its document before the version arrives.
    let inspector = &edited.fleet.programs[2].inspector;
    let mut page = inspector.connect();
    page.receive("{\"open\":0}");
    let updates = page.updates(secs(0));
    let document =
        updates.iter().find_map(|update| serde_json::from_str::<Value>(update).expect("JSON").get("document").cloned());
    let first = document.expect("it is sent")["trees"][0]["root"]["lists"][0]["children"][0]["id"].clone();
    page.receive(&json!({ "change": { "document": 0, "operations": [{ "op": "insert", "text": "patrol", "at": { "after": first } }] } }).to_string());
    edited.fleet.carry();
    edited.fleet.carry();
    assert_eq!(edited.rests(), [true, true, false, true]);
    assert_eq!(edited.machines[2].1.text().matches("patrol").count(), 2);
}

#[test]
fn a_machine_that_sends_another_text_is_not_believed() {
    let mut edited = Edited::of(&["a", "b", "c", "d", "e"]);
    edited.insert(4, "rest");
    // The first machine has what the last one has, as it claims, and answers with something else.
    let claimed = last(&edited.fleet.received, "documents")[4].clone();
    let hostile = edited.machines[0].0;
    let key = edited.key(4);
    edited.fleet.page.receive(&json!({ "rollout": { "document": key, "step": "all" } }).to_string());
    let documents = json!({ "documents": [{ "key": 0, "name": "patrol.bt", "path": null, "edit": true, "saved": true, "fingerprint": claimed["fingerprint"], "edited": false, "applied": true, "error": null }] });
    for _ in 0..10 {
        edited.fleet.hub.received(hostile, super::super::rollouts::PAGE, &documents.to_string());
        let text = json!({ "text": { "document": 0, "text": "selector { attack }", "applied": true } });
        edited.fleet.hub.received(hostile, super::super::rollouts::PAGE, &text.to_string());
    }
    let requests = edited.fleet.hub.take(Duration::ZERO);
    let to_hostile = requests
        .iter()
        .filter(|outgoing| outgoing.machine == hostile && format!("{outgoing:?}").contains("text\\\":0"));
    assert_eq!(to_hostile.count(), 0, "the version is that of the page's machine: {requests:?}");
}

#[test]
fn invalid_requests_are_refused() {
    let mut edited = Edited::of(&["a", "b"]);
    let key = edited.key(0);
    assert!(refused(&edited.roll_out(0, "back")).contains("no version to go back to"));
    assert_eq!(refused(&edited.roll_out(0, "end")), "");
    edited.fleet.send(&json!({ "open": key }));
    edited.roll_out(0, "all");
    assert!(edited.error().contains("have this version"));
    assert!(edited.fleet.programs.iter().all(|program| program.connections.len() == 1), "nothing is left open");
    let unknown = edited.fleet.send(&json!({ "rollout": { "document": 99, "step": "all" } }));
    assert_eq!(refused(&unknown), "unknown document");
    for request in
        [json!({ "rollout": { "document": key, "step": "half" } }), json!({ "rollout": 3 }), json!({ "undo": "x" })]
    {
        let updates = edited.fleet.send(&request);
        assert!(last(&updates, "error").as_str().is_some_and(|error| error.contains("invalid request")), "{updates:?}");
    }
    let gone = edited.key(1);
    edited.leave(1);
    assert!(refused(&edited.fleet.send(&json!({ "undo": gone }))).contains("the machine `b` is gone"));
}

#[test]
fn a_machine_whose_answer_is_late_is_sent_back_too() {
    let mut edited = Edited::of(&["a", "b", "c"]);
    edited.insert(0, "rest");
    let request = |edited: &mut Edited, step: &str| {
        let key = edited.key(0);
        edited.fleet.page.receive(&json!({ "rollout": { "document": key, "step": step } }).to_string());
    };
    request(&mut edited, "all");
    // Both texts are read, and the version is sent, but no machine has answered when it is sent back.
    for _ in 0..2 {
        edited.fleet.carry_once();
    }
    request(&mut edited, "back");
    assert_eq!(refused(&edited.fleet.carry()), "");
    edited.fleet.carry();
    assert_eq!(edited.rests(), [false; 3]);
}

#[test]
fn what_was_changed_just_before_is_sent() {
    let mut edited = Edited::of(&["a", "b"]);
    edited.insert(0, "rest");
    let key = edited.key(0);
    let undo = json!({ "undo": key });
    let redo = json!({ "redo": key });
    for request in [undo, redo, json!({ "rollout": { "document": key, "step": "all" } })] {
        edited.fleet.page.receive(&request.to_string());
    }
    edited.fleet.carry();
    edited.fleet.carry();
    assert_eq!(edited.rests(), [true; 2]);
}

#[test]
fn a_version_that_its_machine_does_not_run_is_not_sent() {
    let mut edited = Edited::of(&["a", "b"]);
    let key = edited.key(0);
    edited.fleet.send(&json!({ "open": key }));
    edited.fleet.send(&json!({ "auto": { "document": key, "on": false } }));
    let document = last(&edited.fleet.received, "document");
    let first = &document["trees"][0]["root"]["lists"][0]["children"][0]["id"];
    let insert = json!({ "op": "insert", "text": "rest", "at": { "after": first } });
    edited.fleet.send(&json!({ "change": { "document": key, "operations": [insert] } }));
    assert_eq!(edited.states(), ["unapplied", "before"]);
    edited.roll_out(0, "all");
    assert!(edited.error().contains("apply it first"), "{}", edited.error());
    edited.fleet.send(&json!({ "apply": key }));
    edited.roll_out(0, "all");
    assert_eq!((edited.rests(), edited.error()), (vec![true; 2], String::new()));
}

#[test]
fn a_machine_that_is_gone_before_its_version_was_read_is_named() {
    let mut edited = Edited::of(&["a", "b"]);
    edited.insert(0, "rest");
    let key = edited.key(0);
    edited.fleet.page.receive(&json!({ "rollout": { "document": key, "step": "all" } }).to_string());
    edited.leave(0);
    let other = edited.key(0);
    edited.fleet.send(&json!({ "open": other }));
    assert!(edited.error().contains("the machine `a` has gone"), "{}", edited.error());
    assert_eq!(edited.rests(), [false]);
}

#[test]
fn a_machine_that_is_started_again_after_the_end_still_gets_a_later_version() {
    let mut edited = Edited::of(&["a", "b", "c"]);
    edited.insert(0, "rest");
    edited.roll_out(0, "all");
    edited.roll_out(0, "end");
    edited.leave(2);
    edited.join("c", &["attack", "patrol", "rest"]);
    edited.fleet.carry();
    assert_eq!(edited.rests(), [true, true, false]);
    edited.insert(0, "rest");
    edited.roll_out(0, "all");
    assert_eq!(edited.rests(), [true; 3]);
}

#[test]
fn a_program_that_lets_no_page_edit_is_named() {
    let mut edited = Edited::of(&["a", "b"]);
    let machine = edited.fleet.join("only looks", &[]);
    let inspector = &edited.fleet.programs.last().expect("it has joined").inspector;
    let document = inspector.edit(Document::text("patrol.bt", PATROL)).expect("it is valid");
    edited.fleet.carry();
    edited.insert(0, "rest");
    edited.roll_out(0, "all");
    assert_eq!(edited.states(), ["same", "same", "refused"]);
    let error = last(&edited.fleet.received, "rollout")["machines"][2].clone();
    assert_eq!(
        (&error["machine"], &error["error"]),
        (&json!(machine.number()), &json!("its program does not let pages edit"))
    );
    assert_eq!(document.text(), PATROL);
}

#[test]
fn a_version_is_saved_at_machines_also_later() {
    let folder = std::env::temp_dir().join(format!("rollout-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("it can be created");
    let mut edited = Edited::of(&["a"]);
    let mut files = Vec::new();
    for (name, writes) in [("b", true), ("c", true), ("d", false)] {
        let file = folder.join(name).join("patrol.bt");
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("it can be created");
        std::fs::write(&file, PATROL).expect("it can be written");
        edited.fleet.join(name, &[]);
        let inspector = &edited.fleet.programs.last().expect("it has joined").inspector;
        inspector.allow_edit();
        inspector.edit(Document::file(&file)).expect("it is valid");
        if writes {
            inspector.allow_write(&folder).expect("there is one");
        }
        files.push(file);
    }
    edited.fleet.carry();
    let read = |files: &[std::path::PathBuf]| {
        let rests = files.iter().map(|file| std::fs::read_to_string(file).expect("it is there").contains("rest"));
        rests.collect::<Vec<_>>()
    };
    edited.insert(0, "rest");
    edited.roll_out(0, "all");
    assert_eq!(read(&files), [false; 3]);
    let key = edited.key(0);
    edited.fleet.send(&json!({ "rollout": { "document": key, "step": "all", "save": true } }));
    edited.fleet.carry();
    assert_eq!(read(&files), [true, true, false]);
    // The first one is in no file.
    assert_eq!(edited.states(), ["same", "same", "same", "unsaved"]);
    let error = last(&edited.fleet.received, "rollout")["machines"][3]["error"].clone();
    assert!(error.as_str().is_some_and(|error| error.contains("does not let pages write")), "{error}");
    edited.fleet.send(&json!({ "rollout": { "document": key, "step": "back", "save": true } }));
    edited.fleet.carry();
    assert_eq!(read(&files), [false; 3]);
    std::fs::remove_dir_all(folder).expect("it is there");
}

#[test]
fn a_tree_that_was_replaced_often_is_there_in_a_new_page() {
    let mut edited = Edited::of(&["a", "b"]);
    let (old, new) = (tree! { for u32: |n: &mut u32| *n += 1 }, tree! { for u32: sequence { |n: &mut u32| *n += 1 } });
    for program in &mut edited.fleet.programs {
        let key = program.inspector.tree("replaced", &old);
        let mut agent = program.inspector.agent(key.clone(), "Bob");
        let document = Document::text("replaced.bt", PATROL).of(&key);
        program.inspector.edit(document).expect("it is valid");
        for _ in 0..3 {
            program.inspector.replace(&key, &new, &old.description().matching(&new.description()));
            new.tick_with(&mut 0, &mut new.memory(), &mut agent);
            program.inspector.replace(&key, &old, &new.description().matching(&old.description()));
            old.tick_with(&mut 0, &mut old.memory(), &mut agent);
        }
        program.agents.push(agent);
        program.names.push("Bob".to_owned());
    }
    edited.fleet.page = edited.fleet.hub.connect();
    edited.fleet.carry();
    assert_eq!(edited.fleet.listed(json!({ "search": "bob" })), ["Bob", "Bob"]);
    let documents = last(&edited.fleet.received, "documents");
    let replaced: Vec<_> =
        documents.as_array().expect("a list").iter().filter(|one| one["name"] == "replaced.bt").collect();
    assert_eq!(replaced.len(), 2);
    assert_eq!(replaced[0]["trees"], replaced[1]["trees"], "the same tree");
}
