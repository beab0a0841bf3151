//! Leaves whose states are not part of saves.

use bt_core::Wake;
use bt_core::leaf::{Unsaved, unsaved};
use bt_core::prelude::*;
use bt_core::{Rewind, SaveMemory, Shift};
use bt_dynamic::{LiveTree, LoadedTree, NoProperties, Registry};

#[derive(Clone, Default)]
struct Npc {
    now: Duration,
    arrived: bool,
    log: Vec<&'static str>,
}

impl Clock for Npc {
    fn now(&self) -> Duration {
        self.now
    }
}

/// A state without serde's traits.
#[derive(Clone, Debug, Default)]
struct Way(Duration);

/// Waits ten seconds, or until it has arrived.
#[derive(Clone)]
struct Fetch;

#[leaf]
impl Leaf<Npc> for Fetch {
    type Open = Way;

    fn shift(&self, way: &mut Way, by: Shift) {
        way.0 = by.time(way.0);
    }

    fn wake(&self, way: &Way) -> Wake {
        Wake::At(way.0)
    }

    fn open(&self, npc: &mut Npc) -> Way {
        npc.log.push("open");
        Way(npc.now + secs(10))
    }

    fn tick(&self, way: &mut Way, npc: &mut Npc) -> Status {
        if npc.arrived || npc.now >= way.0 { Status::Success } else { Status::Running }
    }

    fn close(&self, _: &mut Way, npc: &mut Npc, _: End) {
        npc.log.push("close");
    }
}

#[action]
fn carry(npc: &mut Npc, #[open] way: &mut Way, until: u32) -> Status {
    way.0 += secs(1);
    if npc.arrived || way.0 == Duration::from_secs(until.into()) { Status::Success } else { Status::Running }
}

/// Keeps its state across runs.
#[action]
fn remember(_: &mut Npc, #[kept] way: &mut Way) {
    way.0 += secs(1);
}

fn registry() -> Registry<Npc> {
    let mut registry = Registry::<Npc>::new().with_clock();
    registry.add_leaf("Fetch", unsaved(Fetch));
    registry.add_with("Bring", |_: NoProperties| unsaved(Fetch));
    registry.add::<Unsaved<carry>>("Carry").add::<Unsaved<remember>>("Remember");
    registry.add_leaf("Idle", |_: &mut Npc| Status::Running);
    registry
}

fn load(root: &str) -> LoadedTree<Npc> {
    registry().load(&file(root)).expect("nothing is wrong")
}

fn file(root: &str) -> String {
    format!(
        r#"{{ "root": "1", "nodes": {{ "1": {root}, "2": {{ "name": "Fetch" }}, "3": {{ "name": "Idle" }}, "4": {{ "name": "Remember" }},
            "5": {{ "name": "Carry", "properties": {{ "until": 2 }} }}, "6": {{ "name": "Bring" }} }} }}"#
    )
}

fn save<N: Save>(tree: &N, memory: &Memory<N>) -> Result<String, String> {
    serde_json::to_string(&tree.saved(memory)).map_err(|error| error.to_string())
}

fn read<N: Save>(tree: &N, memory: &mut Memory<N>, save: &str) -> Result<(), String> {
    tree.load(memory, &mut serde_json::Deserializer::from_str(save)).map_err(|error| error.to_string())
}

#[test]
fn saving_while_such_a_leaf_has_state_names_it_as_registered() {
    for (child, name) in [("2", "Fetch"), ("4", "Remember"), ("5", "Carry"), ("6", "Bring")] {
        let tree = load(&format!(r#"{{ "name": "MemSequence", "children": ["{child}", "3"] }}"#));
        let (mut npc, mut memory) = (Npc::default(), tree.memory());
        assert!(save(&tree, &memory).is_ok(), "there is no state yet");
        tree.tick(&mut npc, &mut memory);
        let error = format!("the state of leaf `{name}` cannot be saved: the leaf is registered as `unsaved`");
        assert_eq!(save(&tree, &memory), Err(error.clone()));

        let mut herd = Herd::new(&tree);
        herd.add();
        herd.tick_all(&mut [Npc::default()]);
        assert_eq!(serde_json::to_string(&herd.saved()).unwrap_err().to_string(), error);
    }
}

#[test]
fn the_action_of_a_service_is_named_too() {
    let tree = load(r#"{ "name": "service", "properties": { "every": 1, "action": "Remember" }, "child": "3" }"#);
    let mut memory = tree.memory();
    tree.tick(&mut Npc::default(), &mut memory);
    let error = save(&tree, &memory).unwrap_err();
    assert!(error.starts_with("the state of leaf `Remember` cannot be saved"), "{error}");
}

#[test]
fn a_tree_in_which_it_has_ended_is_saved() {
    let tree = load(r#"{ "name": "MemSequence", "children": ["2", "3"] }"#);
    let (mut npc, mut memory) = (Npc { arrived: true, ..Npc::default() }, tree.memory());
    assert_eq!(tree.tick(&mut npc, &mut memory), Status::Running);
    let save = save(&tree, &memory).expect("only `Idle` runs");

    let mut memory = tree.memory();
    read(&tree, &mut memory, &save).expect("it is a save");
    tree.tick(&mut npc, &mut memory);
    assert_eq!(npc.log, ["open", "close"], "it goes on after the leaf");
}

#[test]
fn a_save_from_before_the_leaf_was_unsaved_is_refused_if_it_has_state() {
    #[derive(Clone, serde::Serialize, serde::Deserialize)]
    struct Way(Duration);
    #[derive(Clone)]
    struct Fetch;
    #[leaf]
    impl Leaf<Npc> for Fetch {
        type Open = Way;
        fn open(&self, npc: &mut Npc) -> Way {
            Way(npc.now)
        }
        fn tick(&self, _: &mut Way, npc: &mut Npc) -> Status {
            if npc.arrived { Status::Success } else { Status::Running }
        }
    }
    let tree = |is_saved| {
        let mut registry = Registry::<Npc>::new();
        registry.add_leaf("Idle", |_: &mut Npc| Status::Running);
        if is_saved {
            registry.add_leaf("Fetch", Fetch);
        } else {
            registry.add_leaf("Fetch", unsaved(Fetch));
        }
        let file = r#"{ "root": "1", "nodes": {
            "1": { "name": "MemSequence", "children": ["2", "3"] }, "2": { "name": "Fetch" }, "3": { "name": "Idle" }
        } }"#;
        registry.load(file).expect("nothing is wrong")
    };
    let (before, now) = (tree(true), tree(false));
    let (mut npc, mut memory) = (Npc::default(), before.memory());
    before.tick(&mut npc, &mut memory);
    let running = save(&before, &memory).expect("it is plain data");
    let error = read(&now, &mut now.memory(), &running).unwrap_err();
    assert_eq!(error, "the state of leaf `Fetch` cannot be loaded: the leaf is registered as `unsaved`");

    let mut herd = Herd::new(&before);
    herd.add();
    herd.tick_all(&mut [Npc::default()]);
    let saved = serde_json::to_string(&herd.saved()).expect("it is plain data");
    let loaded = Herd::new(&now).load(&mut serde_json::Deserializer::from_str(&saved));
    assert_eq!(loaded.unwrap_err().to_string(), error);

    npc.arrived = true;
    before.tick(&mut npc, &mut memory);
    let idle = save(&before, &memory).expect("it is plain data");
    assert_eq!(read(&now, &mut now.memory(), &idle), Ok(()), "the leaf has no state in it");
}

#[test]
fn everything_else_is_as_for_any_leaf() {
    let tree = load(r#"{ "name": "Sequence", "children": ["2", "3"] }"#);
    assert_eq!(tree.description().to_string(), "sequence\n├─ Fetch\n└─ Idle\n");
    let (mut npc, mut memory) = (Npc::default(), tree.memory());
    let status = tree.tick(&mut npc, &mut memory);
    assert_eq!(tree.due(status, &memory, &mut npc), Wake::At(secs(10)), "it sleeps");

    let mut past = Rewind::new(1 << 20);
    past.store(1, npc.now, || (npc.clone(), memory.clone()));
    let (_, mut copy) = past.rewind_to(1).expect("it is stored").state.clone();
    npc.now = secs(10);
    assert_eq!(tree.tick(&mut npc, &mut copy), Status::Running);
    assert_eq!(npc.log, ["open", "close"], "what was stored went on with the state");

    tree.shift(&mut memory, Shift::new(secs(0), secs(100)));
    npc.now = secs(105);
    let status = tree.tick(&mut npc, &mut memory);
    assert_eq!(tree.due(status, &memory, &mut npc), Wake::At(secs(110)), "its time is converted");
    tree.halt(&mut npc, &mut memory);
    assert_eq!(npc.log, ["open", "close", "close"]);
}

#[test]
fn it_goes_on_when_the_tree_is_replaced() {
    let live = LiveTree::new();
    live.replace(load(r#"{ "name": "Sequence", "children": ["2", "3"] }"#));
    let (mut npc, mut memory) = (Npc::default(), live.memory());
    live.tick(&mut npc, &mut memory);
    live.replace(load(r#"{ "name": "Sequence", "children": ["2"] }"#));
    live.tick(&mut npc, &mut memory);
    assert_eq!(npc.log, ["open"]);
    assert!(save(&live, &memory).unwrap_err().starts_with("the state of leaf `Fetch` cannot be saved"));
}

#[test]
fn a_static_tree_with_such_a_leaf_can_be_saved_while_that_is_idle() {
    fn tree() -> impl Node<Npc> + Save + Send + Sync + 'static {
        tree! { mem_sequence { unsaved(Fetch), run } }
    }
    let (tree, mut npc) = (tree(), Npc::default());
    let mut memory = tree.memory();
    tree.tick(&mut npc, &mut memory);
    let error = save(&tree, &memory).unwrap_err();
    assert!(error.ends_with("::Way` cannot be saved: its leaf is `unsaved`"), "{error}");
    npc.arrived = true;
    tree.tick(&mut npc, &mut memory);
    let save = save(&tree, &memory).expect("only `run` runs");
    read(&tree, &mut memory, &save).expect("it is a save");

    let mut boxed = Brain::<Npc, SaveMemory>::saving(&std::sync::Arc::new(tree));
    boxed.tick(&mut Npc::default());
    assert!(serde_json::to_string(&boxed.saved()).is_err());
}

#[test]
fn a_function_or_a_condition_can_be_unsaved_although_it_has_no_state() {
    let mut registry = Registry::<Npc>::new();
    registry.add_leaf("Yes", unsaved(|npc: &Npc| !npc.arrived)).add_leaf("Run", unsaved(|_: &mut Npc| Status::Running));
    let file = r#"{ "root": "1", "nodes": {
        "1": { "name": "Sequence", "children": ["2", "3"] }, "2": { "name": "Yes" }, "3": { "name": "Run" }
    } }"#;
    let tree = registry.load(file).expect("nothing is wrong");
    let (mut npc, mut memory) = (Npc::default(), tree.memory());
    assert_eq!(tree.tick(&mut npc, &mut memory), Status::Running);
    let save = save(&tree, &memory).expect("nothing would be lost");
    let mut memory = tree.memory();
    read(&tree, &mut memory, &save).expect("it is a save");
    assert_eq!(tree.tick(&mut npc, &mut memory), Status::Running);
}
