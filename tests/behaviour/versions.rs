//! Recordings of a tree that is replaced while agents run.

use bt_core::describe::Matching;
use bt_core::observe::{Event, RecordFile, Recorded, Statistics, Statuses, TickRecord};
use bt_core::prelude::*;

fn walk(_: &mut u32) -> Status {
    Status::Running
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "that is what a condition is")]
fn tired(steps: &u32) -> bool {
    *steps > 3
}

#[subtree]
fn first() -> impl Node<u32> {
    tree! { selector { sequence { tired, run } walk } }
}

/// `first` with `walk` wrapped, a rest instead of the run, and another leaf at the end.
#[subtree]
fn second() -> impl Node<u32> {
    tree! { selector { sequence { tired } retry(5) { walk } run } }
}

fn matching(to: &[Option<u32>]) -> Matching {
    Matching::new(to.iter().map(|id| id.map(NodeId::new)))
}

fn first_to_second() -> Matching {
    // The subtree, the selector, the sequence, `tired`, `run` and `walk`.
    matching(&[Some(0), Some(1), Some(2), Some(3), None, Some(5)])
}

/// Two ticks of the first tree, and two of the second one.
fn written() -> Vec<u8> {
    let (old, new) = (first(), second());
    let mut file = RecordFile::new(Vec::new(), "walker", &old).expect("a vector takes all");
    let (mut memory, mut steps) = (old.memory(), 0);
    for tick in 0..2 {
        old.tick_with(&mut steps, &mut memory, &mut file.for_agent(7, secs(tick)));
    }
    file.replace(&new, &first_to_second()).expect("a vector takes all");
    let mut memory = new.memory();
    for tick in 2..4 {
        new.tick_with(&mut steps, &mut memory, &mut file.for_agent(7, secs(tick)));
    }
    file.finish().expect("a vector takes all")
}

fn events<'a>(ticks: impl IntoIterator<Item = &'a TickRecord>) -> Vec<String> {
    ticks.into_iter().map(|tick| Event::to_text(&tick.events)).collect()
}

#[test]
fn a_recording_of_today_and_one_of_the_first_format_are_read() {
    let old = Recorded::read(&include_bytes!("recorded/version_1.jsonl")[..]).expect("version 1 is supported");
    assert_eq!((old.ticks.len(), old.variables.len(), &*old.dropped, &*old.changes), (61, 1, &[][..], &[][..]));
    assert_eq!(old.names[&0], "Gus");
    assert_eq!(old.ticks[60].reasons, [(NodeId::new(6), "no map".to_owned())]);
    assert_eq!(old.ticks_in(0), old.ticks);

    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/behaviour/recorded/version_2.jsonl");
    if std::env::var_os("RECORDED").is_some_and(|value| value == "overwrite") {
        std::fs::write(path, written()).expect("the file can be written");
    }
    let new = Recorded::read(&*std::fs::read(path).expect("the file exists")).expect("version 2 is supported");
    assert_eq!(new.ticks, Recorded::read(&*written()).expect("it was just written").ticks);
    assert_eq!((&*new.dropped, new.changes.len()), (&[][..], 1));
    assert_eq!((new.fingerprint, new.changes[0].fingerprint), (first().fingerprint(), second().fingerprint()));
    assert_eq!([0, 1, 2, 3].map(|tick| new.version_of(tick)), [0, 0, 1, 1]);
    assert_eq!(new.ticks.iter().map(|tick| tick.number).collect::<Vec<_>>(), [0, 1, 2, 3], "the agent goes on");
}

#[test]
fn each_tick_has_the_ids_of_its_tree_and_all_ticks_can_have_those_of_one() {
    let recorded = Recorded::read(&*written()).expect("it was just written");
    let old = ["0r 1r 2f 3f 5r", "0R 1R 2f 3f 5R"];
    let new = ["0r 1r 2f 3f 4r 5r", "0R 1R 2f 3f 4R 5R"];
    assert_eq!(events(&recorded.ticks), [old, new].concat());
    assert_eq!(events(&recorded.ticks_in(0)), [old, ["0r 1r 2f 3f 5r", "0R 1R 2f 3f 5R"]].concat(), "without `retry`");
    assert_eq!(events(&recorded.ticks_in(1)), [old, new].concat(), "`walk` has the same id by chance");
    assert_eq!(recorded.ticks_in(2), []);

    let mut statistics = Statistics::default();
    recorded.ticks_in(1).iter().for_each(|tick| statistics.count(tick));
    let tree = recorded.description_of(1).expect("there are two");
    let visits = |path: &str| statistics.of(tree.find(path).expect("the node exists").id).visits;
    assert_eq!([visits("walk"), visits("retry"), visits("tired")], [4, 2, 4]);
}

#[test]
fn why_looks_back_over_a_change() {
    let recorded = Recorded::read(&*written()).expect("it was just written");
    let why = |version, node: &str, tick| {
        let (ticks, tree) = (recorded.ticks_in(version), recorded.description_of(version).expect("there are two"));
        tree.why(&ticks, tick, tree.find(node).expect("the node exists").id).to_string()
    };
    assert_eq!(
        why(1, "tired", 3),
        "failed at tick 3; it has not succeeded before in the recorded ticks since the tree was replaced"
    );
    assert_eq!(why(0, "tired", 3), "failed at tick 3; the tree was another one then");
    assert_eq!(why(0, "run", 3), "not visited: the tree was another one at tick 3");
    assert_eq!(why(0, "walk", 1), "running since tick 0, because `tired` failed");
}

#[test]
fn the_state_of_a_machine_is_the_same_state_at_another_place() {
    let old = tree! { for u32: machine { state a { run, tired -> b } state b { run, tired -> a } } };
    let new = tree! { for u32: machine { state b { run, tired -> c } state c { run, tired -> b } } };
    let tick = |events: &str| TickRecord {
        agent: 0,
        number: 0,
        now: secs(0),
        status: None,
        events: Event::from_text(events).expect("valid events"),
        cut: 0,
        reasons: Vec::new(),
        replaced: 0,
    };
    // The machine, and two states of three nodes: `a` was moved behind `b` and is called `c` now.
    let moved = matching(&[0, 4, 5, 6, 1, 2, 3].map(Some));
    let translated = |events: &str| tick(events).translated(&old.description(), &new.description(), &moved);
    assert_eq!(Event::to_text(&translated("0r 0@1 4r 5r").events), "0r 0@0 1r 2r");
    let deleted = matching(&[Some(0), None, None, None, Some(1), Some(2), Some(3)]);
    let translated = tick("0r 0@0 1r 2r").translated(&old.description(), &new.description(), &deleted);
    assert_eq!(Event::to_text(&translated.events), "0r", "a state that is gone is no state of the new tree");
}

#[test]
fn a_change_that_cannot_be_read_ends_the_reading_with_a_reason() {
    let text = String::from_utf8(written()).expect("JSON is UTF-8");
    let lines: Vec<_> = text.lines().collect();
    let change = lines.iter().position(|line| line.contains("matching")).expect("the tree has changed");
    let dropped = |line: &str| {
        let mut lines = lines.clone();
        lines[change] = line;
        let recorded = Recorded::read(lines.join("\n").as_bytes()).expect("it has a header");
        assert_eq!(events(&recorded.ticks), ["0r 1r 2f 3f 5r", "0R 1R 2f 3f 5R"], "{line}");
        let [first, second] = &*recorded.dropped else { panic!("{:?}", recorded.dropped) };
        assert_eq!((first.line, second.line), (change + 1, change + 2), "{line}");
        let unread = "a tick of version 1 of the tree, which was not read: the lines after it were not read";
        assert_eq!(second.reason, unread, "{line}");
        first.reason.clone()
    };
    assert!(dropped("garbage").starts_with("expected value"));
    assert!(!dropped(&lines[change][..99]).is_empty());
    let invalid = "invalid matching: expected the id in the new tree, or null, of each node before";
    assert_eq!(dropped(&lines[change].replace("[0,1,2,3,null,5]", "[0,1,2,3,null]")), invalid, "too short");
    assert_eq!(dropped(&lines[change].replace("[0,1,2,3,null,5]", "[0,1,2,3,null,7]")), invalid, "no node");
    assert_eq!(dropped(&lines[change].replace("[0,1,2,3,null,5]", "[0,1,2,3,3,5]")), invalid, "one node twice");
    assert!(
        dropped(&lines[change].replacen("\"fingerprint\":\"", "\"fingerprint\":\"x", 1))
            .starts_with("invalid fingerprint")
    );
}

#[test]
fn a_recording_is_continued_with_its_last_tree() {
    let path = std::env::temp_dir().join(format!("bt-versions-{}.jsonl", std::process::id()));
    std::fs::write(&path, written()).expect("the temporary folder is writable");
    let error = RecordFile::append(&path, "walker", &first()).err().expect("the tree is another one now");
    assert!(error.to_string().contains("a recording of a tree with another structure"), "{error}");

    let (old, new) = (first(), second());
    let mut file = RecordFile::append(&path, "walker", &new).expect("it is the last tree");
    new.tick_with(&mut 0, &mut new.memory(), &mut file.for_agent(7, secs(4)));
    file.replace(&old, &matching(&[Some(0), Some(1), Some(2), Some(3), None, Some(5), None]))
        .expect("it can be written");
    old.tick_with(&mut 0, &mut old.memory(), &mut file.for_agent(7, secs(5)));
    file.finish().expect("it can be written");
    let read = || Recorded::read(&*std::fs::read(&path).expect("the file exists")).expect("it has a header");
    assert_eq!((&*read().dropped, read().changes.len(), read().ticks.len()), (&[][..], 2, 6));
    assert_eq!(
        events(&read().ticks_in(2))[2..],
        ["0r 1r 2f 3f 5r", "0R 1R 2f 3f 5R", "0r 1r 2f 3f 5r", "0r 1r 2f 3f 5r"]
    );

    let damaged = std::fs::read_to_string(&path).expect("the file exists").replacen("\"matching\"", "\"matxhing\"", 1);
    std::fs::write(&path, damaged).expect("the file can be written");
    let error = RecordFile::append(&path, "walker", &old).err().expect("a version is missing");
    assert!(error.to_string().ends_with("a change of the tree cannot be read"), "{error}");
    std::fs::remove_file(&path).expect("the file exists");
}

#[test]
fn the_last_statuses_stay_with_their_nodes() {
    let (old, new) = (first(), second());
    let mut statuses = Statuses::default();
    old.tick_with(&mut 0, &mut old.memory(), &mut statuses);
    statuses.replace(&matching(&[Some(0), Some(1), Some(2), Some(3), None, Some(4)]));
    assert!(statuses.is_running(NodeId::new(4)) && statuses.is_fresh(NodeId::new(4)));
    assert_eq!(statuses.last(NodeId::new(5)), None);
    new.tick_with(&mut 0, &mut new.memory(), &mut statuses);
    assert!(statuses.is_running(NodeId::new(5)));
}
