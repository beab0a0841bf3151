//! Whatever bytes somebody takes for a save, a recording or a changed file: an error, or something that goes on. What the fuzzer runs, and the tests with what
//! it has found.

use std::collections::BTreeMap;
use std::fmt::Write;

use bt_core::Save;
use bt_core::observe::Recorded;
use bt_core::observe::{Statistics, Statuses};
use bt_core::prelude::*;
use bt_core::rand_core::SeedableRng;
use bt_dynamic::{LoadedTree, NoProperties, Registry};
use rand_pcg::Pcg32;
use serde_json::value::RawValue;

/// A context whose leaves check that they are opened, ticked and closed in order.
#[derive(Clone)]
pub struct Npc {
    now: Duration,
    random: Pcg32,
    open: BTreeMap<u32, u32>,
    ticks: u64,
    /// Whether nothing is closed that was not opened. (In a save it may have been.)
    strict: bool,
}

impl Npc {
    fn new() -> Self {
        Self { now: secs(1), random: Pcg32::seed_from_u64(1), open: BTreeMap::new(), ticks: 0, strict: false }
    }

    fn told(&mut self) -> Status {
        self.ticks += 1;
        match self.ticks * 7 % 5 {
            0 => Status::Success,
            1 => Status::Failure,
            _ => Status::Running,
        }
    }
}

impl Clock for Npc {
    fn now(&self) -> Duration {
        self.now
    }
}

impl Random for Npc {
    type Rng = Pcg32;

    fn rng(&mut self) -> &mut Pcg32 {
        &mut self.random
    }
}

/// A leaf that knows how many of its kind are open.
struct Counted(u32);

#[leaf]
impl Leaf<Npc> for Counted {
    type Open = u32;

    fn open(&self, npc: &mut Npc) -> u32 {
        *npc.open.entry(self.0).or_default() += 1;
        self.0
    }

    fn tick(&self, number: &mut u32, npc: &mut Npc) -> Status {
        *number = number.saturating_add(1);
        npc.told()
    }

    fn close(&self, _: &mut u32, npc: &mut Npc, _: End) {
        let open = npc.open.entry(self.0).or_default();
        assert!(!npc.strict || *open > 0, "leaf {} is closed, and was not opened", self.0);
        *open = open.saturating_sub(1);
    }
}

#[action]
fn act(npc: &mut Npc) -> Status {
    npc.told()
}

#[condition]
fn late(npc: &Npc) -> bool {
    npc.now.subsec_millis() > 500
}

/// One of each kind of node.
fn written() -> impl Node<Npc> + Save {
    tree! {
        parallel(success = 7, failure = 6) {
            repeat(5) { act() }
            retry(5) { (Counted(1)) }
            mem_parallel(success = 2, failure = 2) { act(), (Counted(2)), mem_sequence { act(), (Counted(3)), act() } }
            limit(3) { act() }
            timeout(secs(1)) { wait(secs(9)) }
            random_selector { act(), (Counted(4)), delay(millis(300)) { act() } }
            selector { cooldown(millis(500)) { act() } run_once { act() } service(millis(400), late()) { act() } }
            machine {
                state a { act(), limit(2) { late() } -> b, success -> c }
                state b { (Counted(5)), !late() -> a, enter: run_once { late() }, exit: late() }
                state c { mem_selector { act(), act() } selector { late(), !late() } -> a }
            }
        }
    }
}

fn registry() -> Registry<Npc> {
    let mut registry = Registry::<Npc>::new().with_clock().with_random();
    for number in 0..5 {
        registry.add_with(&format!("counted{number}"), move |_: NoProperties| Counted(number));
    }
    registry.add::<act>("act").add::<late>("late");
    registry
}

/// The same from a file.
const LOADED: &str = r#"{ "title": "all", "root": "0", "nodes": {
    "0": { "name": "mem_parallel", "properties": { "success": 4, "failure": 4 }, "children": ["1", "2", "3", "4", "5", "6", "7"] },
    "1": { "name": "Repeater", "properties": { "maxLoop": 5 }, "child": "1c" }, "1c": { "name": "act" },
    "2": { "name": "MaxTime", "properties": { "maxTime": 900 }, "child": "2c" }, "2c": { "name": "counted1" },
    "3": { "name": "random_sequence", "children": ["3a", "3b"] }, "3a": { "name": "act" }, "3b": { "name": "counted2" },
    "4": { "name": "cooldown", "properties": { "time": 500 }, "child": "4c" }, "4c": { "name": "Limiter", "properties": { "maxLoop": 3 }, "child": "4d" }, "4d": { "name": "act" },
    "5": { "name": "machine", "children": ["5a", "5b"] },
    "5a": { "name": "state", "properties": { "name": "a", "transitions": ["late -> b"] }, "children": ["5c"] }, "5c": { "name": "counted3" },
    "5b": { "name": "state", "properties": { "name": "b", "transitions": ["!late -> a", "success -> a"] }, "children": ["5d"] }, "5d": { "name": "act" },
    "6": { "name": "service", "properties": { "every": 400, "action": "late" }, "child": "6c" }, "6c": { "name": "run_once", "child": "6d" }, "6d": { "name": "act" },
    "7": { "name": "MemSequence", "children": ["7a", "7b"] }, "7a": { "name": "Wait", "properties": { "milliseconds": 300 } }, "7b": { "name": "counted4" }
} }"#;

/// Ticks a tree with a memory that somebody has made up, halts it, and saves it in between.
fn goes_on<N: Node<Npc> + Save>(tree: &N, memory: &mut Memory<N>) {
    let mut npc = Npc::new();
    let mut statuses = Statuses::default();
    for step in 0..24 {
        npc.now += millis(170);
        tree.tick_with(&mut npc, memory, &mut statuses);
        if step == 11 {
            tree.shift(memory, bt_core::Shift::new(npc.now, secs(3)));
            tree.halt(&mut npc, &mut memory.clone());
            let bytes = postcard::to_allocvec(&tree.saved(memory)).expect("it can be saved");
            tree.load(memory, &mut postcard::Deserializer::from_bytes(&bytes)).expect("it was just saved");
        }
    }
    tree.halt(&mut npc, memory);
    assert!(!memory.is_running());
}

/// A save with this tree's fingerprint, as JSON; nothing if this is no JSON.
fn json(fingerprint: u64, memory: &[u8]) -> Option<String> {
    let memory: &RawValue = serde_json::from_slice(memory).ok()?;
    Some(format!(r#"{{"fingerprint":{fingerprint},"memory":{memory}}}"#))
}

/// The same as bytes.
fn bytes(fingerprint: u64, memory: &[u8]) -> Vec<u8> {
    let mut bytes = postcard::to_allocvec(&fingerprint).expect("it is a number");
    bytes.extend(memory);
    bytes
}

fn memory<N: Node<Npc> + Save>(tree: &N, as_json: bool, text: &[u8]) {
    let fingerprint = tree.fingerprint();
    let mut memory = tree.memory();
    let loaded = if as_json {
        json(fingerprint, text)
            .is_some_and(|save| tree.load(&mut memory, &mut serde_json::Deserializer::from_str(&save)).is_ok())
    } else {
        tree.load(&mut memory, &mut postcard::Deserializer::from_bytes(&bytes(fingerprint, text))).is_ok()
    };
    if loaded {
        goes_on(tree, &mut memory);
    } else {
        assert!(!memory.is_running(), "it stays as it was");
    }
}

fn herd(as_json: bool, text: &[u8]) {
    let mut herd = Herd::new(written());
    herd.grow(2);
    let before: Vec<_> = herd.ids().collect();
    let fingerprint = herd.tree().fingerprint();
    let loaded = if as_json {
        json(fingerprint, text).is_some_and(|save| herd.load(&mut serde_json::Deserializer::from_str(&save)).is_ok())
    } else {
        herd.load(&mut postcard::Deserializer::from_bytes(&bytes(fingerprint, text))).is_ok()
    };
    if !loaded {
        assert!(before.iter().all(|member| herd.has(*member)), "it stays as it was");
        return;
    }
    // (A herd may be as large as the save is long.)
    let mut npcs = vec![Npc::new(); herd.slots()];
    herd.tick_all(&mut npcs);
    let new = herd.add();
    assert!(herd.ids().filter(|member| *member == new).count() == 1);
    assert_eq!(herd.ids().count(), herd.len());
    npcs.resize_with(herd.slots(), Npc::new);
    for member in herd.ids().collect::<Vec<_>>() {
        assert!(herd.remove(member, &mut npcs[member.index()]));
    }
    assert!(herd.is_empty());
}

fn recording(text: &[u8]) {
    match Recorded::read(text) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(recorded) => {
            let mut observers = (Statuses::default(), Statistics::default());
            let version = recorded.changes.len();
            let description = recorded.description_of(version).expect("there is one more than changes");
            recorded.ticks_in(version).iter().for_each(|tick| tick.replay(description, &mut observers));
            let mut out = String::new();
            let drawing = description.draw().with(&observers.0).counting(&observers.1);
            write!(out, "{drawing}").expect("a string takes all");
        }
    }
}

/// Two files: agents go over from one tree to the other while they run, told or not.
fn reload(text: &[u8]) {
    let Some(at) = text.iter().position(|byte| *byte == 0xff) else { return };
    let (one, other) = (&text[..at], &text[at + 1..]);
    let load = |text: &[u8]| -> Option<LoadedTree<Npc>> {
        // An empty one stands for the tree of this file.
        let text = if text.is_empty() { LOADED } else { core::str::from_utf8(text).ok()? };
        let tree = registry().load(text).ok()?;
        (tree.count() < 100).then_some(tree)
    };
    let (Some(one), Some(other)) = (load(one), load(other)) else { return };
    for told in [true, false] {
        let (mut npc, mut memory) = (Npc { strict: told, ..Npc::new() }, one.memory());
        for (tree, next) in [(&one, &other), (&other, &one), (&one, &one)] {
            for _ in 0..5 {
                npc.now += millis(170);
                tree.tick(&mut npc, &mut memory);
            }
            if told {
                tree.reload(next, &mut memory, &mut npc);
            }
        }
        one.halt(&mut npc, &mut memory);
        assert!(!told || npc.open.values().all(|open| *open == 0), "what was opened was closed: {:?}", npc.open);
    }
}

/// Does with some bytes what their first says.
///
/// # Panics
///
/// If there is a fault in the library.
pub fn any(input: &[u8]) {
    let Some((kind, text)) = input.split_first() else { return };
    match kind {
        b'a' => memory(&written(), true, text),
        b'b' => memory(&written(), false, text),
        b'c' => memory(&registry().load(LOADED).expect("nothing is wrong with it"), true, text),
        b'd' => memory(&registry().load(LOADED).expect("nothing is wrong with it"), false, text),
        b'e' => herd(true, text),
        b'f' => herd(false, text),
        b'g' => recording(text),
        b'h' => reload(text),
        _ => {}
    }
}

/// Inputs to begin with, one for each that [`any`] knows, and their names.
///
/// # Panics
///
/// If there is a fault in the library.
pub fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    fn parts<N: Node<Npc> + Save>(tree: &N, ticks: usize) -> (Vec<u8>, Vec<u8>) {
        let (mut npc, mut memory) = (Npc::new(), tree.memory());
        for _ in 0..ticks {
            npc.now += millis(170);
            tree.tick(&mut npc, &mut memory);
        }
        let json = serde_json::to_value(tree.saved(&memory)).expect("it can be saved");
        let bytes = postcard::to_allocvec(&tree.saved(&memory)).expect("it can be saved");
        let fingerprint = postcard::to_allocvec(&tree.fingerprint()).expect("it is a number").len();
        (json["memory"].to_string().into_bytes(), bytes[fingerprint..].to_vec())
    }
    let with = |kind: u8, text: &[u8]| [&[kind], text].concat();
    let (json, bytes) = parts(&written(), 3);
    let (loaded_json, loaded_bytes) = parts(&registry().load(LOADED).expect("nothing is wrong with it"), 3);
    let mut herd = Herd::new(written());
    herd.grow(2);
    herd.tick_all(&mut [Npc::new(), Npc::new()]);
    let herd_json = serde_json::to_value(herd.saved()).expect("it can be saved")["memory"].to_string();
    let herd_bytes = postcard::to_allocvec(&herd.saved()).expect("it can be saved");
    let fingerprint = postcard::to_allocvec(&herd.tree().fingerprint()).expect("it is a number").len();
    let mut file = bt_core::observe::RecordFile::new(Vec::new(), "all", &written()).expect("a vector takes all");
    let (mut npc, tree) = (Npc::new(), written());
    let mut memory = tree.memory();
    for _ in 0..3 {
        npc.now += millis(170);
        tree.tick_with(&mut npc, &mut memory, &mut file);
    }
    let other = LOADED.replace("\"Limiter\"", "\"Repeater\"").replace("counted3", "counted4");
    vec![
        ("written-json", with(b'a', &json)),
        ("written-bytes", with(b'b', &bytes)),
        ("loaded-json", with(b'c', &loaded_json)),
        ("loaded-bytes", with(b'd', &loaded_bytes)),
        ("herd-json", with(b'e', herd_json.as_bytes())),
        ("herd-bytes", with(b'f', &herd_bytes[fingerprint..])),
        ("recording", with(b'g', &file.finish().expect("a vector takes all"))),
        ("reload", [b"h", &b"\xff"[..], other.as_bytes()].concat()),
    ]
}
