//! Memories that are not migrated yet, and migrations that panic.

use bt_core::Status::{Running, Success};
use bt_core::observe::Statuses;
use bt_core::prelude::*;
use bt_dynamic::{FileTree, NoProperties, Registry};
use serde_json::json;

/// A leaf that checks that it is opened and closed in order. Panics on a close if `Pairs::panics` is its name, once.
struct Paired {
    name: &'static str,
}

#[derive(Default)]
struct Pairs {
    open: std::collections::BTreeSet<&'static str>,
    panics: Option<&'static str>,
    log: Vec<String>,
}

#[leaf]
impl Leaf<Pairs> for Paired {
    type Open = Duration;

    fn open(&self, pairs: &mut Pairs) -> Duration {
        assert!(pairs.open.insert(self.name), "{} is opened twice", self.name);
        pairs.log.push(format!("{}(", self.name));
        secs(0)
    }

    fn tick(&self, _: &mut Duration, pairs: &mut Pairs) -> Status {
        assert!(pairs.open.contains(self.name), "{} is ticked and was not opened", self.name);
        pairs.log.push(self.name.to_owned());
        Running
    }

    fn close(&self, _: &mut Duration, pairs: &mut Pairs, _: End) {
        assert!(pairs.open.remove(self.name), "{} is closed and was not opened", self.name);
        pairs.log.push(format!("{})", self.name));
        if pairs.panics.take_if(|name| *name == self.name).is_some() {
            std::panic::resume_unwind(Box::new("planned"));
        }
    }
}

fn pairs() -> Registry<Pairs> {
    let mut registry = Registry::<Pairs>::new();
    for name in ["a", "b", "c"] {
        registry.add_with(name, move |_: NoProperties| Paired { name });
    }
    registry
}

fn paired(root: &str, children: &[&str]) -> String {
    json!({ "root": "root", "nodes": {
        "root": { "name": root, "children": children }, "a": { "name": "a" }, "b": { "name": "b" }, "c": { "name": "c" }
    } })
    .to_string()
}

#[test]
fn after_a_panic_in_a_reload_nothing_is_running() {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    for other in [paired("Sequence", &["c"]), paired("parallel", &["a", "c"])] {
        for then_new in [false, true] {
            let (old, new) = (pairs().load(&paired("parallel", &["a", "b"])), pairs().load(&other));
            let (old, new) = (old.expect("nothing is wrong"), new.expect("nothing is wrong"));
            let (mut ctx, mut memory) = (Pairs::default(), old.memory());
            old.tick(&mut ctx, &mut memory);
            ctx.panics = Some("b");
            assert!(catch_unwind(AssertUnwindSafe(|| old.reload(&new, &mut memory, &mut ctx))).is_err());
            assert!(!memory.is_running());
            // What was open is lost.
            ctx.open.clear();
            for _ in 0..2 {
                if then_new {
                    new.tick(&mut ctx, &mut memory)
                } else {
                    old.tick(&mut ctx, &mut memory)
                };
            }
            if then_new {
                new.halt(&mut ctx, &mut memory);
            } else {
                old.halt(&mut ctx, &mut memory);
            }
            assert!(ctx.open.is_empty());
        }
    }
}

#[test]
fn a_memory_that_has_not_gone_over_can_be_saved_and_loaded_and_goes_over_then() {
    let path = std::env::temp_dir().join(format!("bt-saved-{}.json", std::process::id()));
    std::fs::write(&path, paired("Sequence", &["a"])).expect("there is a temporary folder");
    let mut file = FileTree::open(&path, pairs()).expect("nothing is wrong with it");
    let (mut ctx, mut memory) = (Pairs::default(), file.tree().memory());
    file.tree().tick(&mut ctx, &mut memory);
    std::fs::write(&path, paired("Sequence", &["b"])).expect("it can be written");
    assert!(file.poll().expect("it has changed").is_ok());
    let save = serde_json::to_string(&file.tree().saved(&memory)).expect("it is data");
    let mut memory = file.tree().memory();
    file.tree().load(&mut memory, &mut serde_json::Deserializer::from_str(&save)).expect("it was just saved");
    file.tree().tick(&mut ctx, &mut memory);
    assert_eq!(ctx.log.join(" "), "a( a a) b( b");
    // Another program knows nothing of the tree before: it begins anew.
    let mut ctx = Pairs::default();
    let again = pairs().load(&paired("Sequence", &["b"])).expect("nothing is wrong with it");
    let mut memory = again.memory();
    again.load(&mut memory, &mut serde_json::Deserializer::from_str(&save)).expect("it has that fingerprint");
    again.tick(&mut ctx, &mut memory);
    assert_eq!(ctx.log.join(" "), "b( b");
    std::fs::remove_file(&path).expect("it is there");
}

#[test]
fn an_agent_that_is_put_into_a_state_before_it_has_gone_over_goes_over_first() {
    let machine = |states: &[&str]| {
        let mut nodes = json!({ "m": { "name": "machine", "title": "mood", "children": states }, "a": { "name": "a" }, "b": { "name": "b" } });
        for (state, leaf) in states.iter().zip(["a", "b"]) {
            nodes[state] =
                json!({ "name": "state", "properties": { "name": state, "transitions": [] }, "child": leaf });
        }
        json!({ "root": "m", "nodes": nodes }).to_string()
    };
    let path = std::env::temp_dir().join(format!("bt-state-{}.json", std::process::id()));
    std::fs::write(&path, machine(&["one"])).expect("there is a temporary folder");
    let mut file = FileTree::open(&path, pairs()).expect("nothing is wrong with it");
    let (mut ctx, mut memory) = (Pairs::default(), file.tree().memory());
    file.tree().tick(&mut ctx, &mut memory);
    std::fs::write(&path, machine(&["one", "two"])).expect("it can be written");
    assert!(file.poll().expect("it has changed").is_ok());
    let mood = file.tree().machine("mood").expect("there is one");
    assert_eq!(mood.state(&memory), None, "it has not gone over");
    assert_eq!(mood.to("two", &mut ctx, &mut memory), Ok(Running));
    assert_eq!(mood.state(&memory), Some("two"));
    file.tree().tick(&mut ctx, &mut memory);
    assert_eq!(ctx.log.join(" "), "a( a a) b( b");
    std::fs::remove_file(&path).expect("it is there");
}

#[test]
fn times_of_a_memory_that_has_not_gone_over_are_shifted() {
    struct Npc(Duration);
    impl Clock for Npc {
        fn now(&self) -> Duration {
            self.0
        }
    }
    let path = std::env::temp_dir().join(format!("bt-shifted-{}.json", std::process::id()));
    let write = |children: &[&str]| {
        let file = json!({ "root": "root", "nodes": {
            "root": { "name": "parallel", "children": children },
            "w": { "name": "Wait", "properties": { "milliseconds": 10_000 } }, "r": { "name": "delay", "properties": { "time": 60_000 }, "child": "x" }, "x": { "name": "Runner" }
        } });
        std::fs::write(&path, file.to_string()).expect("there is a temporary folder");
    };
    write(&["w"]);
    let mut file = FileTree::open(&path, Registry::<Npc>::new().with_clock()).expect("nothing is wrong with it");
    let (mut npc, mut memory) = (Npc(secs(1000)), file.tree().memory());
    file.tree().tick(&mut npc, &mut memory);
    write(&["r", "w"]);
    assert!(file.poll().expect("it has changed").is_ok());
    file.tree().shift(&mut memory, bt_core::Shift::new(secs(1008), secs(0)));
    let mut statuses = Statuses::default();
    for (now, expected) in [(0, Running), (1, Running), (2, Success)] {
        npc.0 = secs(now);
        file.tree().tick_with(&mut npc, &mut memory, &mut statuses);
        let wait = statuses.last(NodeId::new(3)).expect("it was visited");
        assert_eq!(wait, bt_core::observe::Last::Returned(expected), "{now}");
    }
    std::fs::remove_file(&path).expect("it is there");
}
