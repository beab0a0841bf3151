//! Each statement of an answer of `Description::why` is checked against the recorded events, for random trees.

use bt_conformance::engine::build;
use bt_conformance::spec::Spec;
use bt_core::describe::{Description, Kind};
use bt_core::observe::{Event, EventKind, Recorder, Recording, TickRecord, Why, WhyLink, WhyPart};
use bt_core::prelude::*;
use bt_dynamic::Registry;
use bt_tests::world::{World, act, check as holds, entered, left, told};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use crate::edited::{Edit, Edited, edits};
use crate::loaded::{Number, load, load_edited, reachable};
use crate::{Doing, random};

/// Ticks a tree and records it.
pub(crate) fn record<N: Node<World>>(tree: &N, told: &[Status], doings: &[Doing]) -> Vec<TickRecord> {
    let (mut world, mut memory) = (World::telling(told), tree.memory());
    let mut recording = Recording::new(1 << 20);
    for doing in doings {
        match doing {
            Doing::Tick(pass) => {
                world.now += millis(*pass);
                let now = world.now;
                tree.tick_with(&mut world, &mut memory, &mut recording.for_agent(0, now));
            }
            Doing::Halt => tree.halt_with(&mut world, &mut memory, &mut recording),
        }
    }
    recording.ticks().collect()
}

/// The recorded events that answers are checked against.
struct Facts<'a> {
    tree: &'a Description,
    ticks: &'a [TickRecord],
    /// The node and the tick of the question.
    asked: (NodeId, u64),
}

impl Facts<'_> {
    fn events(&self, tick: u64, node: NodeId) -> impl DoubleEndedIterator<Item = EventKind> {
        let tick = self.ticks.iter().find(|one| one.number == tick).expect("the tick is recorded");
        tick.events.iter().filter(move |event| event.node == node).map(|event| event.what)
    }

    fn any(&self, tick: u64, node: NodeId, holds: impl Fn(EventKind) -> bool) -> bool {
        self.events(tick, node).any(holds)
    }

    /// Returns whether a condition holds for an event of a node between two ticks, without them.
    fn between(&self, from: u64, to: u64, node: NodeId, holds: impl Fn(EventKind) -> bool + Copy) -> bool {
        let ticks = self.ticks.iter().map(|tick| tick.number).filter(|tick| (from + 1..to).contains(tick));
        ticks.into_iter().any(|tick| self.any(tick, node, holds))
    }

    /// Checks a statement. `before` is the statement before it.
    fn check(&self, text: &str, WhyLink { node, tick }: WhyLink, before: Option<WhyLink>) {
        if self.ticks.iter().any(|one| one.number == tick && one.replaced != 0) {
            let is_about = node == self.asked.0 && tick == self.asked.1;
            let of_past = ["it last ", " last ", " was halted", "since tick ", "since before tick "];
            assert!(is_about || of_past.iter().any(|part| text.contains(part)), "a reason in another tree: {text:?}");
        }
        let fault = |what: &str| format!("{what}: {text:?} of {node} at {tick}, asked {:?}", self.asked);
        let described = self.tree.node(node).expect("the node exists");
        let name = described.label.as_ref().unwrap_or(&described.name);
        if let Some((_, number)) = text.rsplit_once(" at tick ") {
            assert_eq!(number.parse(), Ok(tick), "{text}");
        }
        let text = text.split(" at tick ").next().unwrap_or(text);
        // What follows the last name.
        let did = text.rsplit_once('`').map_or(text, |(_, did)| did).trim_start();
        assert!(
            !text.starts_with('`') || did.is_empty() || text.contains(&format!("`{name}")),
            "{}",
            fault("another node")
        );
        let status = |did: &str| match did {
            "succeeded" => Some(Status::Success),
            "failed" => Some(Status::Failure),
            "returned an error" => Some(Status::Error),
            "was running" => Some(Status::Running),
            _ => None,
        };
        let returned =
            |wanted| move |event| matches!(event, EventKind::Visited { status, .. } if status == Some(wanted));
        if let Some(wanted) = status(did) {
            assert!(self.any(tick, node, returned(wanted)), "{}", fault("it did not"));
        } else if let Some(wanted) = did.strip_prefix("it last ").and_then(status) {
            let before = before.expect("the other outcome is before it");
            assert_eq!(before.node, node, "the other outcome is one of the same node");
            assert!(self.any(tick, node, returned(wanted)), "{}", fault("it did not"));
            assert!(!self.between(tick, before.tick, node, returned(wanted)), "{}", fault("not the last"));
        } else if let Some(wanted) =
            did.strip_prefix("last ").and_then(status).or((did == "was last running").then_some(Status::Running))
        {
            let is_other = |event| matches!(event, EventKind::Visited { .. } | EventKind::Halted(_));
            let last = self.events(tick, node).rfind(|event| is_other(*event));
            assert!(last.is_some_and(returned(wanted)), "it did not: {text:?} of {node} at {tick}");
            assert!(!self.between(tick, self.asked.1, node, is_other), "{}", fault("not the last"));
        } else if did == "halted" || did == "was halted" {
            assert!(self.any(tick, node, |event| matches!(event, EventKind::Halted(_))), "{}", fault("it was not"));
        } else if did == "took over" {
            assert!(self.any(tick, node, returned(Status::Running)), "{}", fault("it does not run"));
        } else if text.contains(" was in a state of ") {
            // Its state is not in this tree.
            let visited = |event| matches!(event, EventKind::Visited { .. });
            assert!(
                described.kind == Kind::Machine && self.any(tick, node, visited),
                "{}",
                fault("it was not visited")
            );
        } else if described.kind == Kind::State
            && [" in state ", " entered state "].iter().any(|word| text.contains(word))
            || did == "was entered"
        {
            let machine = described.parent.expect("a state has a machine");
            let index = self.tree.children(machine).position(|state| state.id == node).expect("it is a state of it");
            let is_it = |event| event == EventKind::State(u16::try_from(index).expect("it is small"));
            let has_been = self.any(tick, machine, is_it);
            assert!(has_been || text.contains("was in state"), "{}", fault("it was not entered"));
            let changes = |event| matches!(event, EventKind::State(_));
            let changed = text.contains("has been") && self.between(tick, self.asked.1 + 1, machine, changes);
            assert!(!changed, "{}", fault("it was left"));
        } else if let Some((_, since)) = did.rsplit_once("since tick ") {
            assert_eq!(since.parse(), Ok(tick), "{text}");
            let began = |event| matches!(event, EventKind::Visited { opened: true, .. });
            assert!(self.any(tick, node, began), "{}", fault("no run began"));
            let is_end = |event| match event {
                EventKind::Visited { opened, status } => opened || status != Some(Status::Running),
                EventKind::Halted(_) => true,
                EventKind::State(_) | EventKind::Score(_) => false,
            };
            assert!(!self.between(tick, self.asked.1, node, is_end), "{}", fault("the run has ended"));
        } else if let Some((_, since)) = did.rsplit_once("since before tick ") {
            let number = since.strip_suffix(", the first after the tree was replaced").expect("no tick is missing");
            assert_eq!(number.parse(), Ok(tick), "{text}");
            let replaced = |number| self.ticks.iter().find(|one| one.number == number).map(|one| one.replaced);
            assert_ne!(replaced(tick), replaced(tick - 1), "{}", fault("it was not replaced"));
            let began = |event| matches!(event, EventKind::Visited { opened: true, .. });
            assert!(!self.between(tick - 1, self.asked.1, node, began), "{}", fault("the run began later"));
        } else if let Some((_, score)) = did.rsplit_once(" the score ") {
            let is_score = |event| matches!(event, EventKind::Score(found) if found.to_string() == score);
            assert!(self.any(tick, node, is_score), "{}", fault("no such score"));
        } else if [" ticked ", " started with ", " continued with "].iter().any(|word| text.contains(word)) {
            assert!(text.contains(&format!(" `{name}")), "{}", fault("another node"));
            assert!(
                self.any(tick, node, |event| matches!(event, EventKind::Visited { .. })),
                "{}",
                fault("not visited")
            );
        } else if text.starts_with("the tree was ") {
            assert!(
                self.events(tick, NodeId::ROOT).all(|event| matches!(event, EventKind::Halted(_))),
                "{}",
                fault("it was ticked")
            );
        } else {
            panic!("{}", fault("an unknown statement"));
        }
    }
}

/// Checks each statement of an answer.
fn check(tree: &Description, ticks: &[TickRecord], asked: (NodeId, u64), why: &Why) {
    let facts = Facts { tree, ticks, asked };
    let (node, tick) = asked;
    let own = |event: &EventKind| matches!(event, EventKind::Visited { .. } | EventKind::Halted(_));
    let last = facts.events(tick, node).rfind(own);
    let text = why.to_string();
    let is = match last {
        None => "not visited: ",
        Some(EventKind::Halted(_)) => "halted ",
        Some(EventKind::Visited { status: Some(Status::Success), .. }) => "succeeded ",
        Some(EventKind::Visited { status: Some(Status::Failure), .. }) => "failed ",
        Some(EventKind::Visited { status: Some(Status::Error), .. }) => "returned an error ",
        _ => "running since ",
    };
    assert!(text.starts_with(is), "{text}: {last:?}");
    let mut before: Option<WhyLink> = None;
    for part in why.parts() {
        if let Some(link) = part.link {
            facts.check(&part.text, link, before);
            before = Some(link);
        } else if part.text.contains("it has not succeeded before") {
            let link = before.expect("a statement about the node is before it");
            let succeeded = |event| matches!(event, EventKind::Visited { status: Some(Status::Success), .. });
            assert!(
                !ticks
                    .iter()
                    .filter(|one| one.number < link.tick)
                    .any(|one| facts.any(one.number, link.node, succeeded))
            );
        }
        if part.text.contains(" has not been visited before") {
            let is_before = ticks.iter().filter(|one| one.number < tick);
            assert!(!{ is_before }.any(|one| facts.any(one.number, node, |event| own(&event))), "{text}");
        }
    }
}

/// Checks the answers to all questions.
fn all(tree: &Description, ticks: &[TickRecord]) {
    for tick in ticks {
        for node in tree.nodes() {
            check(tree, ticks, (node.id, tick.number), &tree.why(ticks, tick.number, node.id));
        }
    }
}

proptest! {
    #![proptest_config(crate::cases(256))]

    #[test]
    fn each_statement_is_recorded(spec in random::spec(), told in random::told(), doings in random::doings()) {
        let spec = reachable(&spec);
        let (first, second) = (build(&spec), load(&spec));
        let (ticks, same) = (record(&first, &told, &doings), record(&second, &told, &doings));
        let (tree, of_file) = (first.description(), second.description());
        all(&tree, &ticks);
        for tick in &ticks {
            for node in tree.nodes() {
                let links = |why: Why| why.parts().iter().map(|part| part.link).collect::<Vec<_>>();
                let of_first = links(tree.why(&ticks, tick.number, node.id));
                prop_assert_eq!(links(of_file.why(&same, tick.number, node.id)), of_first);
            }
        }
    }

    #[test]
    fn each_statement_about_a_machine_is_recorded(told in random::told(), doings in random::doings()) {
        let tree = with_machine();
        all(&tree.description(), &record(&tree, &told, &doings));
    }

    #[test]
    fn each_statement_about_an_edited_tree_is_recorded(
        spec in random::spec(),
        told in random::told(),
        rounds in proptest::collection::vec((random::doings(), edits()), 1..4),
    ) {
        let (tree, ticks) = record_edited(&spec, &told, &rounds);
        all(&tree, &ticks);
    }

    /// Nothing is assumed about events that come from elsewhere.
    #[test]
    fn any_events_have_an_answer(
        spec in random::spec(),
        ticks in proptest::collection::vec((0..40_u64, proptest::collection::vec((0..70_u32, "[sfreohSFREO]|@[0-9]|=0\\.5"), 0..20)), 0..12),
    ) {
        let tree = build(&reachable(&spec)).description();
        let record = |(number, events): (u64, Vec<(u32, String)>)| {
            let events = events.iter().map(|(node, what)| format!("{node}{what}")).collect::<Vec<_>>().join(" ");
            let events = Event::from_text(&events).expect("they are events");
            TickRecord { agent: 0, number, now: Duration::ZERO, status: None, events, cut: 0, reasons: Vec::new(), replaced: 0 }
        };
        let ticks: Vec<_> = ticks.into_iter().map(record).collect();
        for tick in [0, 1, 20, 39] {
            for node in 0..70 {
                let why = tree.why(&ticks, tick, NodeId::new(node));
                prop_assert!(!why.parts().is_empty());
            }
        }
    }
}

/// Ticks a tree that is edited between the ticks, and returns its last version, and the ticks with the ids of that.
fn record_edited(spec: &Spec, told: &[Status], rounds: &[(Vec<Doing>, Vec<Edit>)]) -> (Description, Vec<TickRecord>) {
    let leaves = |registry: &mut Registry<World>| {
        registry.add_with("told", |Number { number }| bt_tests::world::told(number));
        registry.add::<act>("Act").add::<holds>("Check");
    };
    let mut next = 0;
    let mut edited = Edited::of(&reachable(spec), &mut next);
    let load = |edited: &Edited| load_edited(&edited.spec(), edited.ids(), leaves);
    let mut tree = load(&edited);
    let (mut world, mut memory, mut recorder) = (World::telling(told), tree.memory(), Recorder::new(1 << 20));
    for (doings, edits) in rounds {
        for doing in doings.iter().take(6) {
            match doing {
                Doing::Tick(pass) => {
                    world.now += millis(*pass);
                    tree.tick_with(&mut world, &mut memory, &mut recorder);
                }
                Doing::Halt => tree.halt_with(&mut world, &mut memory, &mut recorder),
            }
        }
        edited = edited.edited(edits, &mut next);
        let new = load(&edited);
        tree.reload(&new, &mut memory, &mut world);
        recorder.replace(&tree.description(), &new.description(), &tree.matching(&new));
        tree = new;
    }
    tree.tick_with(&mut world, &mut memory, &mut recorder);
    tree.tick_with(&mut world, &mut memory, &mut recorder);
    (tree.description(), recorder.recording(0).expect("it was ticked").ticks().collect())
}

/// Random trees have no machines.
fn with_machine() -> BoxNode<World> {
    boxed(tree! {
        for World: selector {
            sequence { holds(1), told(2) }
            machine "sheep" {
                state graze { told(3), holds(4) -> obey, failure -> fear }
                state obey {
                    enter: entered(5),
                    exit: left(6),
                    mem_sequence { told(7), told(8) }
                    !holds(9) -> graze,
                    success -> success,
                }
                state fear { service(millis(3), entered(10)) { told(11) } success -> graze, holds(12) -> failure }
                any { holds(13) -> fear }
            }
            told(14),
        }
    })
}

/// A tree with its ticks, and questions with their answers, for the tests of the inspector's page, which has the same sentences.
fn answered<N: Node<World>>(tree: &N, told: &[Status], doings: &[Doing], most: usize) -> Value {
    let (description, ticks) = (tree.description(), record(tree, told, doings));
    let questions: Vec<_> =
        ticks.iter().flat_map(|tick| description.nodes().iter().map(move |node| (tick.number, node.id))).collect();
    let step = questions.len().div_ceil(most);
    let answers = questions.into_iter().step_by(step.max(1)).map(|(tick, node)| {
        let part = |part: &WhyPart| match part.link {
            Some(link) => json!([part.text, link.node.index(), link.tick]),
            None => json!(part.text),
        };
        let why = description.why(&ticks, tick, node);
        json!([tick, node.index(), why.parts().iter().map(part).collect::<Vec<_>>()])
    });
    let nodes = description.nodes().iter().map(|node| {
        let params = node.params.iter().map(|param| json!({ "name": param.name, "value": param.value, "unit": param.unit }));
        json!({
            "id": node.id.index(), "parent": node.parent.map(NodeId::index), "role": node.role, "kind": node.kind, "name": node.name, "label": node.label,
            "params": params.collect::<Vec<_>>(),
        })
    });
    let ticks = ticks.iter().map(|tick| {
        json!({ "tick": tick.number, "now": 0, "status": tick.status, "events": Event::to_text(&tick.events), "reasons": tick.reasons })
    });
    json!({ "nodes": nodes.collect::<Vec<_>>(), "ticks": ticks.collect::<Vec<_>>(), "answers": answers.collect::<Vec<_>>() })
}

/// `BOOK=overwrite cargo test -p bt-tests --test conformance why` writes the file.
#[test]
fn the_page_has_the_same_answers() {
    let mut runner = TestRunner::deterministic();
    let mut lines = Vec::new();
    let case = (random::spec(), random::told(), random::doings());
    while lines.len() < 30 {
        let (spec, told, doings) = case.new_tree(&mut runner).expect("no case is rejected").current();
        let tree = build(&reachable(&spec));
        if (4..20).contains(&tree.description().nodes().len()) {
            lines.push(answered(&tree, &told, &doings[..doings.len().min(10)], 20));
        }
    }
    for seed in 0..12 {
        let (_, told, doings) = case.new_tree(&mut runner).expect("no case is rejected").current();
        lines.push(answered(&with_machine(), &told, &doings, 20 + seed));
    }
    let lines: Vec<_> = lines.iter().map(Value::to_string).collect();
    let text = format!("[\n{}\n]\n", lines.join(",\n"));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/inspector/page/tests/why.json");
    if std::env::var("BOOK").is_ok_and(|book| book == "overwrite") {
        std::fs::write(path, &text).expect("the folder is writable");
    }
    assert!(text.len() < 300_000, "{} bytes", text.len());
    let written = std::fs::read_to_string(path).expect("the file exists");
    assert!(written == text, "crates/inspector/page/tests/why.json is out of date: run with BOOK=overwrite");
}
