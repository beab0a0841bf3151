//! Trees that a page of the hub edits, and sends to other machines, over a network.

mod common;

use std::time::Instant;

use bt_core::prelude::*;
use bt_dynamic::{Editable, LiveTree, Registry};
use bt_fleet::{Change, Config, Fleet, HubConfig, HubConnection};
use bt_inspector::{Document, EditedDocument, Watched};
use common::{TestHub, endpoint, wait_for};
use serde_json::{Value, json};

const COUNT: &str = "sequence { up }\n";

/// A machine with one agent, whose context is a number.
struct Machine {
    fleet: Fleet,
    tree: LiveTree<u32>,
    agent: Watched,
    document: EditedDocument,
    number: u32,
}

impl Machine {
    fn join(name: &str, endpoint: &str, has_jump: bool) -> Self {
        let fleet = Fleet::join(Config::new("rollout", name).connect(endpoint)).expect("it joins");
        let mut registry = Registry::<u32>::new();
        registry.add_leaf("up", |number: &mut u32| *number += 1);
        if has_jump {
            registry.add_leaf("jump", |number: &mut u32| *number += 1000);
        }
        let tree = LiveTree::new();
        let editable = Editable::new(tree.clone(), registry);
        editable.apply(COUNT).expect("it is valid");
        let inspector = fleet.inspector();
        inspector.allow_edit();
        let key = inspector.tree("count", &tree);
        let document =
            inspector.edit(Document::text("count.bt", COUNT).target(editable).of(&key)).expect("it is valid");
        let agent = inspector.agent(key, "Ann");
        Self { fleet, tree, agent, document, number: 0 }
    }

    /// Returns how much one tick adds.
    fn tick(&mut self) -> u32 {
        let before = self.number;
        self.tree.tick_with(&mut self.number, &mut self.tree.memory(), &mut self.agent);
        self.number - before
    }
}

/// A page of the hub.
struct Page {
    connection: HubConnection,
    start: Instant,
    updates: Vec<Value>,
}

impl Page {
    fn update(&mut self) {
        let updates = self.connection.updates(self.start.elapsed());
        self.updates.extend(updates.iter().map(|text| serde_json::from_str::<Value>(text).expect("it is JSON")));
    }

    fn last(&self, name: &str) -> Value {
        self.updates.iter().rev().find_map(|update| update.get(name)).cloned().unwrap_or_default()
    }

    #[track_caller]
    fn wait_for<T>(&mut self, what: &str, mut ready: impl FnMut(&Self) -> Option<T>) -> T {
        wait_for(what, || {
            self.update();
            ready(self)
        })
    }

    fn send(&mut self, request: &Value) {
        self.connection.receive(&request.to_string());
    }

    /// Returns the states of the versions at the machines.
    fn states(&self) -> Vec<String> {
        let machines = self.last("rollout")["machines"].clone();
        let state = |machine: &Value| machine["state"].as_str().unwrap_or_default().to_owned();
        machines.as_array().map_or_else(Vec::new, |machines| machines.iter().map(state).collect())
    }

    #[track_caller]
    fn wait_for_states(&mut self, states: &[&str]) {
        self.wait_for(&format!("{states:?}"), |page| (page.states() == states).then_some(()));
    }
}

#[test]
fn a_tree_is_edited_at_one_machine_and_sent_to_the_others() {
    let endpoint = endpoint();
    let hub = TestHub::with(HubConfig::new("rollout").listen(&endpoint).edit(true));
    assert!(hub.hub.url().contains("?token="));
    let mut machines = Vec::new();
    for (name, has_jump) in [("a", true), ("b", true), ("old", false)] {
        machines.push(Machine::join(name, &endpoint, has_jump));
        hub.wait_for(&Change::Joined(name.to_owned()));
    }
    let mut page = Page { connection: hub.hub.hub().connect(), start: Instant::now(), updates: Vec::new() };
    let key = page.wait_for("three documents", |page| {
        let documents = page.last("documents");
        (documents.as_array().map_or(0, Vec::len) == 3).then(|| documents[0]["key"].clone())
    });
    page.send(&json!({ "open": key }));
    let leaf = page.wait_for("the document", |page| {
        let leaf = page.last("document")["trees"][0]["root"]["lists"][0]["children"][0]["id"].clone();
        leaf.is_number().then_some(leaf)
    });
    page.wait_for_states(&["same", "same", "same"]);

    let insert = json!({ "op": "insert", "text": "jump", "at": { "after": leaf } });
    page.send(&json!({ "change": { "document": key, "operations": [insert] } }));
    page.wait_for_states(&["same", "before", "before"]);
    let ticks = |machines: &mut Vec<Machine>| machines.iter_mut().map(Machine::tick).collect::<Vec<_>>();
    assert_eq!(ticks(&mut machines), [1001, 1, 1]);

    page.send(&json!({ "rollout": { "document": key, "step": "all" } }));
    page.wait_for_states(&["same", "same", "refused"]);
    assert_eq!(ticks(&mut machines), [1001, 1001, 1]);
    let error = page.last("rollout")["machines"][2]["error"].clone();
    assert!(error.as_str().is_some_and(|error| error.contains("unknown node `jump`")), "{error}");

    // The machine gets a newer program. The version arrives without a request, also while no page is open.
    drop(page);
    drop(machines.pop());
    hub.wait_for(&Change::Left("old".to_owned()));
    let mut new = Machine::join("old", &endpoint, true);
    wait_for("the version", || new.document.text().contains("jump").then_some(()));
    assert_eq!(new.tick(), 1001);
    machines.push(new);

    let mut page = Page { connection: hub.hub.hub().connect(), start: Instant::now(), updates: Vec::new() };
    page.wait_for("the documents", |page| (page.last("documents").as_array().map_or(0, Vec::len) == 3).then_some(()));
    page.send(&json!({ "open": key }));
    page.wait_for_states(&["same", "same", "same"]);
    page.send(&json!({ "rollout": { "document": key, "step": "back" } }));
    let texts = |machines: &[Machine]| machines.iter().map(|machine| machine.document.text()).collect::<Vec<_>>();
    page.wait_for("all are back", |_| (texts(&machines) == [COUNT; 3]).then_some(()));
    assert_eq!(ticks(&mut machines), [1, 1, 1]);
    assert!(machines.iter().all(|machine| machine.fleet.inspector().pages() == 2), "the page, and that of the rollout");
    page.send(&json!({ "rollout": { "document": key, "step": "end" } }));
    wait_for("one page", || machines.iter().all(|machine| machine.fleet.inspector().pages() == 1).then_some(()));
}

#[test]
fn a_page_of_a_hub_that_does_not_edit_only_looks() {
    let endpoint = endpoint();
    let hub = TestHub::serve("rollout", &endpoint);
    let machine = Machine::join("a", &endpoint, true);
    let mut page = Page { connection: hub.hub.hub().connect(), start: Instant::now(), updates: Vec::new() };
    let document = page.wait_for("the document", |page| {
        let document = page.last("documents")[0].clone();
        document.is_object().then_some(document)
    });
    assert_eq!(document["edit"], json!(false));
    for request in
        [json!({ "rollout": { "document": document["key"], "step": "all" } }), json!({ "undo": document["key"] })]
    {
        page.updates.clear();
        page.send(&request);
        let refused = page.wait_for("a refusal", |page| page.last("refused")["message"].as_str().map(str::to_owned));
        assert!(refused.contains("start `bt-fleet` with `--edit`"), "{refused}");
    }
    // What the page requests afterwards arrives after what was refused.
    page.send(&json!({ "open": document["key"] }));
    page.wait_for("the text", |page| page.last("document").is_object().then_some(()));
    assert_eq!(machine.document.text(), COUNT);
}
