//! Files that change, are invalid, or would take too long.

use bt_core::Status::Success;
use bt_core::prelude::*;
use bt_dynamic::{FileTree, Registry};
use serde_json::{Value, json};

use super::{Npc, file, registry};

#[test]
fn a_file_cannot_freeze_a_tick() {
    #[derive(Default)]
    struct Taker(Vec<String>, u32);
    impl OnError<bt_dynamic::RunError> for Taker {
        fn on_error(&mut self, at: NodeId, error: bt_dynamic::RunError) {
            self.0.push(format!("{at}: {error}"));
        }
    }
    let mut registry = Registry::<Taker>::new().with_errors();
    registry.add_leaf("Count", |taker: &mut Taker| taker.1 += 1);
    let repeat = |name: &str, times: u64| json!({ "name": name, "title": "very often", "properties": { "maxLoop": times }, "child": "2" });
    for (outer, inner) in [
        (repeat("Repeater", u64::from(u32::MAX)), json!({ "name": "Count" })),
        (repeat("RepeatUntilSuccess", u64::from(u32::MAX)), json!({ "name": "Failer" })),
        // Each of them alone would do.
        (repeat("Repeater", 60_000), json!({ "name": "Repeater", "properties": { "maxLoop": 60_000 }, "child": "3" })),
    ] {
        let file = json!({ "root": "0", "nodes": { "0": { "name": "Sequence", "children": ["1"] }, "1": outer, "2": inner, "3": { "name": "Succeeder" } } });
        let tree = registry.load(&file.to_string()).unwrap_or_else(|error| panic!("{error}"));
        let (mut taker, mut memory) = (Taker::default(), tree.memory());
        assert_eq!(tree.tick(&mut taker, &mut memory), Status::Error);
        assert!(!memory.is_running());
        assert!(taker.1 <= 100_001, "{}", taker.1);
        let error = tree.error(&memory).expect("there is one").clone();
        assert!(["1", "2"].contains(&error.node.as_str()), "{error}");
        assert_eq!(taker.0.len(), 1);
        assert!(taker.0[0].ends_with("too many child restarts in one tick: the limit is 100000"), "{:?}", taker.0);
    }
    let sensible = json!({ "root": "1", "nodes": { "1": repeat("Repeater", 100_000), "2": { "name": "Succeeder" } } });
    let tree = registry.load(&sensible.to_string()).expect("nothing is wrong with it");
    let mut memory = tree.memory();
    assert_eq!(tree.tick(&mut Taker::default(), &mut memory), Success);
    assert!(tree.error(&memory).is_none());
}

#[test]
fn a_file_of_another_length_has_changed_whatever_its_time() {
    let path = std::env::temp_dir().join(format!("bt-length-{}.json", std::process::id()));
    let text = file(&json!({ "name": "Priority", "children": ["a"] })).to_string();
    std::fs::write(&path, &text).expect("there is a temporary folder");
    let modified = std::fs::metadata(&path).and_then(|about| about.modified()).expect("it has a time");
    let mut file = FileTree::open(&path, registry()).expect("nothing is wrong with it");
    std::fs::write(&path, text.replace("\"a\"]", "\"a\",\"b\"]")).expect("it can be written");
    let opened = std::fs::File::options().write(true).open(&path).expect("it is there");
    opened.set_modified(modified).expect("it can be set");
    assert!(file.poll().is_some_and(|change| change.is_ok()));
    // The same of one of the same length.
    std::fs::write(&path, text.replace("\"a\"]", "\"c\",\"b\"]")).expect("it can be written");
    let opened = std::fs::File::options().write(true).open(&path).expect("it is there");
    opened.set_modified(modified).expect("it can be set");
    assert!(file.poll().is_some_and(|change| change.is_ok()));
    assert!(file.poll().is_none());
    std::fs::remove_file(&path).expect("it is there");
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_an_error_and_nothing_waits_for_it() {
    let path = std::env::temp_dir().join(format!("bt-pipe-{}", std::process::id()));
    let made = std::process::Command::new("mkfifo").arg(&path).status().expect("there is such a command");
    assert!(made.success());
    let error = FileTree::open(&path, registry()).err().expect("it is not a file").to_string();
    assert!(error.ends_with("not a regular file"), "{error}");
    std::fs::remove_file(&path).expect("it is there");
    let text = format!("\u{feff}{}", file(&json!({ "name": "Priority", "children": ["a"] })));
    std::fs::write(&path, text).expect("it can be written");
    assert!(FileTree::open(&path, registry()).is_ok(), "a mark of the encoding does no harm");
    std::fs::remove_file(&path).expect("it is there");
}

#[test]
fn a_herd_runs_on_a_file_that_is_edited() {
    let path = std::env::temp_dir().join(format!("bt-herd-{}.json", std::process::id()));
    let write = |root: &Value| std::fs::write(&path, file(root).to_string()).expect("there is a temporary folder");
    write(&json!({ "name": "MemSequence", "children": ["a", "b"] }));
    let mut file = FileTree::open(&path, registry()).expect("nothing is wrong with it");
    let mut herd = Herd::new(file.live());
    let mut npcs = [Npc::new(), Npc::new()];
    let [first, _] = [herd.add(), herd.add()];
    herd.tick_all(&mut npcs);
    // One agent is told of the change, and the other finds it in its next tick.
    write(&json!({ "name": "MemSequence", "children": ["c", "a", "b"] }));
    let change = file.poll().expect("it has changed").unwrap_or_else(|error| panic!("{error}"));
    let (_, memory) = herd.get_mut(first).expect("it is there");
    assert_eq!(change.apply(memory, &mut npcs[0]), bt_dynamic::Migrated::default());
    herd.tick_all(&mut npcs);
    let [told, other] = npcs.map(|mut npc| npc.take());
    assert_eq!(told, "a( a1 a2", "the walk goes on");
    assert_eq!(other, told);
    std::fs::remove_file(&path).expect("it is there");
}
