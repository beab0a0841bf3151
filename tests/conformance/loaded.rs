//! Thousands of random trees, written as the editor writes them and loaded; their memories saved and loaded between steps.

use std::collections::BTreeMap;
use std::fmt::Write;

use bt_core::Save;
use bt_core::prelude::*;
use bt_dynamic::{DynTree, NoProperties, Registry};
use bt_tests::spec::Spec;
use bt_tests::world::{World, act, check, entered, told};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::{random, same};

#[derive(serde::Deserialize)]
struct Number {
    number: u32,
}

/// A tree as a file, and which actions its services do.
#[derive(Default)]
struct File {
    nodes: BTreeMap<String, Value>,
    actions: Vec<u32>,
}

impl File {
    /// Writes a node and those below it. Returns its id.
    fn node(&mut self, spec: &Spec) -> String {
        let (name, properties) = self.words(spec);
        let id = format!("n{}", self.nodes.len());
        self.nodes.insert(id.clone(), Value::Null);
        let children: Vec<_> = spec.children().into_iter().map(|child| self.node(child)).collect();
        self.nodes
            .insert(id.clone(), json!({ "id": id, "name": name, "properties": properties, "children": children }));
        id
    }

    fn words(&mut self, spec: &Spec) -> (&'static str, Value) {
        let none = json!({});
        match spec {
            Spec::Leaf(number) => ("told", json!({ "number": number })),
            Spec::Action(number) => ("Act", json!({ "number": number })),
            Spec::Condition(number) => ("Check", json!({ "number": number })),
            Spec::Just(Status::Success) => ("Succeeder", none),
            Spec::Just(Status::Failure) => ("Failer", none),
            Spec::Just(Status::Running) => ("Runner", none),
            Spec::Just(Status::Error) => ("Error", none),
            Spec::Selector { remembers: false, .. } => ("Priority", none),
            Spec::Selector { remembers: true, .. } => ("MemPriority", none),
            Spec::Sequence { remembers: false, .. } => ("Sequence", none),
            Spec::Sequence { remembers: true, .. } => ("MemSequence", none),
            Spec::Parallel { remembers, success, failure, .. } => {
                let name = if *remembers { "mem_parallel" } else { "parallel" };
                (name, json!({ "success": success, "failure": failure }))
            }
            Spec::Random { selects, weighted, children } => {
                let name = if *selects { "random_selector" } else { "random_sequence" };
                let weights: Vec<_> = (0..children.len()).map(|child| Spec::weight(true, child)).collect();
                (name, if *weighted { json!({ "weights": weights }) } else { none })
            }
            Spec::Machine { .. } => unreachable!("there are none among random trees"),
            Spec::Invert(_) => ("Inverter", none),
            Spec::ForceSuccess(_) => ("force_success", none),
            Spec::ForceFailure(_) => ("force_failure", none),
            Spec::Repeat(_) => ("Repeater", json!({ "maxLoop": -1 })),
            Spec::RepeatTimes(times, _) => ("Repeater", json!({ "maxLoop": times })),
            Spec::Retry(times, _) => ("RepeatUntilSuccess", json!({ "maxLoop": times })),
            Spec::UntilFailure(_) => ("RepeatUntilFailure", none),
            Spec::UntilSuccess(_) => ("RepeatUntilSuccess", none),
            Spec::WaitUntil(_) => ("wait_until", none),
            Spec::Limit(runs, _) => ("Limiter", json!({ "maxLoop": runs })),
            Spec::RunOnce(_) => ("run_once", none),
            Spec::Timeout(time, _) => ("MaxTime", json!({ "maxTime": time })),
            Spec::Delay(time, _) => ("delay", json!({ "time": time })),
            Spec::Cooldown(time, _) => ("cooldown", json!({ "time": format!("{time}ms") })),
            Spec::Service(time, number, _) => {
                self.actions.push(*number);
                ("service", json!({ "every": time, "action": format!("entered{number}") }))
            }
        }
    }
}

/// The same with thresholds that can be reached. In a file, others are errors.
fn reachable(spec: Spec) -> Spec {
    let all = |children: Vec<Spec>| children.into_iter().map(reachable).collect::<Vec<_>>();
    let one = |child: Box<Spec>| Box::new(reachable(*child));
    match spec {
        Spec::Parallel { remembers, success, failure, children } => {
            let most = children.len();
            Spec::Parallel {
                remembers,
                success: success.min(most),
                failure: failure.min(most),
                children: all(children),
            }
        }
        Spec::Selector { remembers, children } => Spec::Selector { remembers, children: all(children) },
        Spec::Sequence { remembers, children } => Spec::Sequence { remembers, children: all(children) },
        Spec::Random { selects, weighted, children } => Spec::Random { selects, weighted, children: all(children) },
        Spec::Invert(child) => Spec::Invert(one(child)),
        Spec::ForceSuccess(child) => Spec::ForceSuccess(one(child)),
        Spec::ForceFailure(child) => Spec::ForceFailure(one(child)),
        Spec::Repeat(child) => Spec::Repeat(one(child)),
        Spec::RepeatTimes(times, child) => Spec::RepeatTimes(times, one(child)),
        Spec::Retry(times, child) => Spec::Retry(times, one(child)),
        Spec::UntilFailure(child) => Spec::UntilFailure(one(child)),
        Spec::UntilSuccess(child) => Spec::UntilSuccess(one(child)),
        Spec::WaitUntil(child) => Spec::WaitUntil(one(child)),
        Spec::Limit(runs, child) => Spec::Limit(runs, one(child)),
        Spec::RunOnce(child) => Spec::RunOnce(one(child)),
        Spec::Timeout(time, child) => Spec::Timeout(time, one(child)),
        Spec::Delay(time, child) => Spec::Delay(time, one(child)),
        Spec::Cooldown(time, child) => Spec::Cooldown(time, one(child)),
        Spec::Service(time, number, child) => Spec::Service(time, number, one(child)),
        leaf => leaf,
    }
}

fn load(spec: &Spec) -> DynTree<World> {
    let mut file = File::default();
    let root = file.node(spec);
    let mut registry = Registry::<World>::new().with_clock().with_random();
    registry.add_with("told", |Number { number }| told(number));
    registry.add::<act>("Act").add::<check>("Check");
    let mut name = String::new();
    for action in file.actions {
        name.clear();
        let _ = write!(name, "entered{action}");
        registry.add_with(&name, move |_: NoProperties| entered(action));
    }
    let text = json!({ "title": "random", "root": root, "nodes": file.nodes }).to_string();
    let tree = registry.load(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    // What is written of it is the same tree, to the same registry.
    for written in [bt_dynamic::to_behavior3(&tree.description(), "random"), tree.to_behavior3()] {
        let written = written.write();
        let again = registry.load(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
        assert_eq!(again.description(), tree.description());
        assert_eq!(again.fingerprint(), tree.fingerprint());
    }
    tree
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, ..ProptestConfig::default() })]

    #[test]
    fn a_loaded_tree_does_as_the_naive_interpreter_says(
        spec in random::spec(),
        told in random::told(),
        doings in random::doings(),
    ) {
        let spec = reachable(spec);
        let tree = load(&spec);
        same(&spec, &tree, &told, &doings, |memory| {
            let saved = serde_json::to_string(&tree.saved(memory)).expect("it is data");
            tree.load(&mut serde_json::Deserializer::from_str(&saved)).expect("it was just saved")
        });
    }
}
