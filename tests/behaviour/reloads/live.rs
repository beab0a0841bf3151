//! A node whose tree is replaced while agents run.

use bt_core::Status::{Error, Failure, Running, Success};
use bt_core::prelude::*;
use bt_core::{Shift, Wake};
use bt_dynamic::{LiveTree, LoadedTree, NoProperties, Registry};

use crate::support::Replace;

#[derive(Default)]
struct Npc {
    now: Duration,
    hit: bool,
    work: u32,
    /// How many leaves are open.
    open: u32,
}

/// A leaf that counts itself while it runs.
struct Guarded;

#[leaf]
impl Leaf<Npc> for Guarded {
    type Open = ();

    fn open(&self, npc: &mut Npc) {
        npc.open += 1;
    }

    fn tick(&self, (): &mut (), _: &mut Npc) -> Status {
        Running
    }

    fn close(&self, (): &mut (), npc: &mut Npc, _: End) {
        npc.open -= 1;
    }
}

impl Clock for Npc {
    fn now(&self) -> Duration {
        self.now
    }
}

#[condition(event)]
fn is_hit(npc: &Npc) -> bool {
    npc.hit
}

fn load(nodes: &str) -> LoadedTree<Npc> {
    let mut registry = Registry::<Npc>::new().with_clock();
    registry
        .add_with("Guarded", |_: NoProperties| Guarded)
        .add::<is_hit>("IsHit")
        .add_leaf("Work", |npc: &mut Npc| npc.work += 1)
        .add_leaf("Toil", |npc: &mut Npc| {
            npc.work += 1;
            Running
        });
    registry.load(&format!(r#"{{ "root": "1", "nodes": {{ {nodes} }} }}"#)).expect("the file is valid")
}

#[test]
fn before_the_first_tree_it_runs_and_sleeps() {
    let live = LiveTree::<Npc>::new();
    let tree = tree! { for Npc: sequence { succeed, live.clone() } };
    assert!(live.tree().is_none());
    assert_eq!(tree.count(), 3);
    let names: Vec<_> = tree.description().nodes().iter().map(|node| node.name.clone()).collect();
    assert_eq!(names, ["sequence", "succeed", "not loaded"]);
    let (mut npc, mut memory) = (Npc::default(), tree.memory());
    assert_eq!(tree.tick(&mut npc, &mut memory), Running);
    assert_eq!(tree.due(Running, &memory, &mut npc), Wake::Event);
    tree.halt(&mut npc, &mut memory);
    assert!(!memory.is_running());
    assert_eq!(format!("{live:?}"), "LiveTree(None)");
}

#[test]
fn it_counts_shows_shifts_and_wakes_as_its_tree() {
    let live = LiveTree::<Npc>::new();
    live.replace(load(
        r#""1": { "name": "MemSequence", "children": ["2", "3"] }, "2": { "name": "Work" },
           "3": { "name": "Wait", "properties": { "milliseconds": 10000 } }"#,
    ));
    let tree = tree! { for Npc: sequence { live.clone(), succeed } };
    assert_eq!((tree.count(), live.tree().map(|tree| tree.count())), (5, Some(3)));
    let names: Vec<_> = tree.description().nodes().iter().map(|node| node.name.clone()).collect();
    assert_eq!(names, ["sequence", "mem_sequence", "Work", "wait", "succeed"]);
    let (mut npc, mut memory) = (Npc { now: secs(100), ..Npc::default() }, tree.memory());
    assert_eq!((tree.tick(&mut npc, &mut memory), npc.work), (Running, 1));
    assert_eq!(tree.due(Running, &memory, &mut npc), Wake::At(secs(110)));
    tree.shift(&mut memory, Shift::new(secs(108), secs(0)));
    npc.now = secs(1);
    assert_eq!(tree.tick(&mut npc, &mut memory), Running);
    npc.now = secs(2);
    assert_eq!(tree.tick(&mut npc, &mut memory), Success);
    assert_ne!(format!("{live:?}"), "LiveTree(None)");
}

#[test]
fn an_agent_migrates_through_several_trees() {
    let live = LiveTree::<Npc>::new();
    let file = |more: &str, children: &str| {
        load(&format!(
            r#""1": {{ "name": "MemSequence", "children": [{children}] }}, "2": {{ "name": "Work" }},
               "3": {{ "name": "Wait", "properties": {{ "milliseconds": 10000 }} }} {more}"#
        ))
    };
    live.replace(file("", r#""2", "3""#));
    let (mut npc, mut memory) = (Npc::default(), live.memory());
    assert_eq!((live.tick(&mut npc, &mut memory), npc.work), (Running, 1));
    // Two changes before the next tick, and another agent that starts with the last tree.
    live.replace(file(r#", "4": { "name": "Work" }"#, r#""2", "3", "4""#));
    live.replace(file(r#", "4": { "name": "Work" }, "5": { "name": "Work" }"#, r#""2", "3", "4", "5""#));
    let (mut other, mut others) = (Npc::default(), live.memory());
    live.tick(&mut other, &mut others);
    npc.now = secs(9);
    assert_eq!((live.tick(&mut npc, &mut memory), npc.work), (Running, 1), "the wait goes on");
    npc.now = secs(10);
    assert_eq!((live.tick(&mut npc, &mut memory), npc.work), (Success, 3));
    assert!(live.error(&memory).is_none());
}

#[test]
fn what_it_would_do_is_foreseen() {
    let live = LiveTree::<Npc>::new();
    live.replace(load(r#""1": { "name": "IsHit" }"#));
    let tree = tree! { for Npc: selector { live.clone(), run } };
    let (mut npc, mut memory) = (Npc::default(), tree.memory());
    assert_eq!(tree.tick(&mut npc, &mut memory), Running);
    assert_eq!(tree.due(Running, &memory, &mut npc), Wake::Event);
    npc.hit = true;
    assert_eq!(tree.due(Running, &memory, &mut npc), Wake::Next);
    assert_eq!(tree.tick(&mut npc, &mut memory), Success);
    live.replace(load(r#""1": { "name": "Failer" }"#));
    assert_eq!(live.tick(&mut npc, &mut live.memory()), Failure);
}

#[test]
fn it_reports_the_error_of_a_tick_and_is_halted_with_its_tree() {
    let live = LiveTree::<Npc>::new();
    let tree = tree! { for Npc: sequence { live.clone() } };
    // A loop with more runs in a tick than a file may have.
    live.replace(load(
        r#""1": { "name": "Repeater", "properties": { "maxLoop": 1000000000 }, "child": "2" }, "2": { "name": "Work" }"#,
    ));
    let (mut npc, mut memory) = (Npc::default(), live.memory());
    assert_eq!(live.tick(&mut npc, &mut memory), Error);
    let error = live.error(&memory).map(ToString::to_string).unwrap_or_default();
    assert!(error.contains("Repeater"), "{error}");

    live.replace(load(r#""1": { "name": "Guarded" }"#));
    let mut memory = tree.memory();
    assert_eq!((tree.tick(&mut npc, &mut memory), npc.open), (Running, 1));
    tree.halt(&mut npc, &mut memory);
    assert_eq!((npc.open, memory.is_running()), (0, false));
}

#[test]
fn the_states_of_its_machines_are_known() {
    let live = LiveTree::<Npc>::new();
    live.replace(load(
        r#""1": { "name": "machine", "children": ["2", "3"] },
           "2": { "name": "state", "properties": { "name": "calm", "transitions": ["IsHit -> angry"] }, "children": ["4"] },
           "3": { "name": "state", "properties": { "name": "angry" }, "children": ["5"] },
           "4": { "name": "Runner" }, "5": { "name": "Runner" }"#,
    ));
    let tree = tree! { for Npc: sequence { succeed, live.clone() } };
    let description = tree.description();
    let machine = description.machine("").or_else(|| description.machine("machine")).expect("there is a machine");
    let (mut npc, mut memory) = (Npc::default(), tree.memory());
    tree.tick(&mut npc, &mut memory);
    assert_eq!(machine.state(&tree, &memory), Some("calm"));
}

#[test]
fn a_status_can_replace_its_own() {
    let live = LiveTree::<Npc>::new();
    let tree = tree! { for Npc: selector { sequence "live" { live.clone() } run } };
    live.replace(load(r#""1": { "name": "Guarded" }"#));
    let mut test = bt_core::testing::TreeTest::new(&tree, Npc::default());
    test.replace("live/Guarded", Failure);
    assert_eq!(test.tick(), Running);
    test.replace("live/Guarded", Running);
    assert_eq!(test.tick(), Running);
    test.replace("live/Guarded", Success);
    assert_eq!(test.tick(), Success);
}

#[test]
fn a_change_migrates_an_agent() {
    let path = std::env::temp_dir().join(format!("bt-live-{}.json", std::process::id()));
    let file = |leaf: &str| format!(r#"{{ "root": "1", "nodes": {{ "1": {{ "name": "{leaf}" }} }} }}"#);
    std::fs::write(&path, file("Guarded")).expect("the folder is writable");
    let mut registry = Registry::<Npc>::new();
    registry.add_with("Guarded", |_: NoProperties| Guarded).add_leaf("Stay", |_: &mut Npc| Running);
    let mut live = bt_dynamic::FileTree::open(&path, registry).expect("the file is valid");
    let (mut npc, mut memory) = (Npc::default(), live.tree().memory());
    live.tree().tick(&mut npc, &mut memory);
    assert_eq!(npc.open, 1);
    std::fs::write(&path, file("Stay")).expect("the folder is writable");
    let change = live.poll().expect("it has changed").expect("the file is valid");
    change.apply(&mut memory, &mut npc);
    assert_eq!(npc.open, 0, "the leaf is closed at once, not in the next tick");
    std::fs::remove_file(&path).expect("it is there");
}

#[test]
fn migrations_to_different_trees_are_not_mixed_up() {
    let chain = |extra: usize| {
        let children: Vec<_> = (0..=extra).map(|child| format!("\"{}\"", child + 2)).collect();
        let leaves: Vec<_> = (0..extra).map(|child| format!(r#""{}": {{ "name": "Work" }}"#, child + 3)).collect();
        let wait = r#""2": { "name": "Wait", "properties": { "milliseconds": 1000 } }"#;
        let root = format!(r#""1": {{ "name": "MemSequence", "children": [{}] }}"#, children.join(","));
        load(&[vec![root, wait.to_owned()], leaves].concat().join(","))
    };
    let (old, one, other) = (chain(0), chain(1), chain(5));
    for (new, work) in [(&one, 1), (&other, 5), (&one, 1)] {
        let (mut npc, mut memory) = (Npc::default(), old.memory());
        assert_eq!(old.tick(&mut npc, &mut memory), Running);
        old.reload(new, &mut memory, &mut npc);
        npc.now = secs(1);
        assert_eq!((new.tick(&mut npc, &mut memory), npc.work), (Success, work));
    }
}

#[test]
fn a_test_replaces_its_tree_if_that_is_a_leaf_and_only_its_outcomes_otherwise() {
    let leaf = r#""1": { "name": "Toil" }"#;
    let composite = r#""1": { "name": "Sequence", "children": ["2"] }, "2": { "name": "Toil" }"#;
    for (nodes, work) in [(leaf, 0), (composite, 1)] {
        let live = LiveTree::<Npc>::new();
        live.replace(load(nodes));
        let tree = tree! { for Npc: sequence { live.clone() } };
        let replace = &mut Replace(NodeId::new(1), Running);
        let (mut npc, mut memory) = (Npc::default(), tree.memory());
        assert_eq!(tree.tick_with(&mut npc, &mut memory, replace), Running);
        assert_eq!(npc.work, work);
        tree.halt(&mut npc, &mut memory);
        replace.1 = Failure;
        assert_eq!(tree.tick_with(&mut npc, &mut memory, replace), Failure);
    }
}

#[test]
fn a_recording_goes_on_with_a_tree_that_follows_its_source() {
    use bt_core::observe::{RecordFile, Recorded};

    let mut registry = Registry::<u32>::new();
    registry.add_leaf("Walk", |n: &mut u32| {
        *n += 1;
        Status::Running
    });
    let tree = LiveTree::<u32>::new();
    let load = |text: &str| registry.load_tree(text).expect("the tree is valid");
    tree.replace(load("Walk"));
    let mut file = RecordFile::new(Vec::new(), "walker", &tree).expect("memory can be written");
    let mut memory = tree.memory();
    tree.tick_with(&mut 0, &mut memory, &mut file);
    let change = tree.replace(load("repeat(3) { Walk }")).expect("there was a tree");
    tree.tick_with(&mut 0, &mut memory, &mut file);
    // A program that says it, too, changes nothing.
    file.replace(&tree, &change.matching()).expect("memory can be written");
    tree.tick_with(&mut 0, &mut memory, &mut file);
    let recorded = Recorded::read(&*file.finish().expect("memory can be written")).expect("it is a recording");
    let events: Vec<_> = recorded.ticks.iter().map(|tick| bt_core::observe::Event::to_text(&tick.events)).collect();
    assert_eq!(events[..2], ["0r", "0R 1R"]);
    assert_eq!(recorded.ticks_in(1)[0].events[0].node, NodeId::new(1));
    assert_eq!(recorded.changes.len(), 1);
}

#[test]
fn sleeping_agents_are_ticked_after_an_edit() {
    let mut herd = Herd::new(tree! { for Npc: wait(secs(100)) });
    herd.grow(1);
    let mut ticked = |second| {
        let running = herd.tick_due(secs(second), &mut [Npc { now: secs(second), ..Npc::default() }]).total();
        (running, herd.next_due())
    };
    assert_eq!(ticked(0), (1, Wake::At(secs(100))));
    assert_eq!(ticked(1), (0, Wake::At(secs(100))));
    bt_core::engine::count_edit();
    assert_eq!(ticked(2), (1, Wake::At(secs(100))));
    assert_eq!(ticked(3), (0, Wake::At(secs(100))));
}

#[test]
fn an_editor_replaces_a_tree_and_all_follow() {
    use bt_core::observe::{RecordFile, Recorded};
    use bt_dynamic::bt_behavior3::EditTree;
    use bt_dynamic::{Editable, Registry};

    let mut registry = Registry::<Npc>::new().with_clock();
    registry.add_leaf("walk", |_: &mut Npc| Status::Running).add_leaf("sit", |_: &mut Npc| ());
    let live = LiveTree::new();
    let editable = Editable::new(live.clone(), registry).tree_named("b");
    let text = |leaf: &str| format!("tree a {{ walk }} tree b {{ sequence {{ {leaf}, walk }} }}");
    editable.apply(&text("wait(secs(100))")).expect("it is valid");
    let editable: &(dyn EditTree + Send + Sync) = &editable;

    let mut recording = RecordFile::new(Vec::new(), "walker", &live).expect("memory can be written");
    let (mut herd, mut npcs) = (Herd::new(live.clone()), [Npc::default()]);
    herd.grow(1);
    herd.tick_due(secs(0), &mut npcs);
    let (mut memory, mut npc) = (live.memory(), Npc::default());
    live.tick_with(&mut npc, &mut memory, &mut recording);

    // What is wrong changes nothing.
    let before = live.tree().expect("there is one");
    for text in [text("sti"), text("wait"), "{}".to_owned(), "tree a { walk }".to_owned()] {
        let found = [editable.check(&text), editable.apply(&text)];
        assert!(found.iter().all(|found| found.as_ref().is_err_and(|errors| !errors.is_empty())), "{text}");
    }
    assert!(editable.check(&text("sit")).expect("it is valid").is_empty());
    let warnings = editable.check("tree b { selector { sit, walk } }").expect("it is valid");
    assert!(warnings[0].reason.starts_with("unreachable node"), "{warnings:?}");
    assert!(std::sync::Arc::ptr_eq(&before, &live.tree().expect("there is one")));

    // Agents that sleep follow, and so does the recording.
    editable.apply(&text("sit")).expect("it is valid");
    assert_eq!(herd.tick_due(secs(1), &mut npcs).total(), 1);
    live.tick_with(&mut npc, &mut memory, &mut recording);
    let recorded = Recorded::read(&*recording.finish().expect("memory can be written")).expect("it is a recording");
    assert_eq!(recorded.changes.len(), 1);
    assert!(editable.palette().iter().any(|entry| entry.name == "walk"));
    assert!(editable.names().arity("sit").is_some());
}
