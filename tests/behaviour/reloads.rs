//! Loaded trees that are exchanged or saved while agents run: what is the same goes on as it was, what is not is halted, and no leaf is ticked that was not opened.

use bt_core::Status::{Failure, Running, Success};
use bt_core::prelude::*;
use bt_core::rand_core::SeedableRng;
use bt_dynamic::{DynTree, FileTree, NoProperties, Registry};
use rand_pcg::Pcg32;
use serde_json::{Value, json};

struct Npc {
    log: Vec<String>,
    random: Pcg32,
}

impl Npc {
    fn new() -> Self {
        Self { log: Vec::new(), random: Pcg32::seed_from_u64(1) }
    }

    fn take(&mut self) -> String {
        std::mem::take(&mut self.log).join(" ")
    }
}

impl Random for Npc {
    type Rng = Pcg32;

    fn rng(&mut self) -> &mut Pcg32 {
        &mut self.random
    }
}

/// A leaf that counts its ticks while it is running, and ends after so many.
struct Steps {
    name: char,
    steps: u32,
}

/// What it remembers: of a type that is more than a number.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
struct Walked {
    done: u32,
    way: Vec<(i16, f32)>,
    by: Option<Foot>,
}

#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
enum Foot {
    Left,
    Right { lame: bool },
}

#[leaf]
impl Leaf<Npc> for Steps {
    type Open = Walked;

    fn open(&self, npc: &mut Npc) -> Walked {
        npc.log.push(format!("{}(", self.name));
        Walked { done: 0, way: Vec::new(), by: Some(Foot::Left) }
    }

    fn tick(&self, walked: &mut Walked, npc: &mut Npc) -> Status {
        walked.done += 1;
        walked.way.push((-1, 0.1));
        assert_eq!(walked.way.len(), walked.done as usize);
        walked.by = Some(Foot::Right { lame: true });
        npc.log.push(format!("{}{}", self.name, walked.done));
        if walked.done < self.steps { Running } else { Success }
    }

    fn close(&self, walked: &mut Walked, npc: &mut Npc, _: End) {
        npc.log.push(format!("{}{})", self.name, walked.done));
    }
}

#[derive(serde::Deserialize)]
struct ValueOrKey {
    name: char,
    steps: u32,
}

/// A decorator that writes down when it is closed, and ends its child after so many ticks.
struct Closing {
    after: u32,
}

#[decorator]
impl Decorator<Npc> for Closing {
    type Open = u32;

    fn resume(&self, ticks: &mut u32, (): &mut (), _: &mut Npc) -> Gate<Never> {
        *ticks += 1;
        if *ticks < self.after { Gate::Go } else { Gate::End(Outcome::Failure) }
    }

    fn close(&self, ticks: &mut u32, (): &mut (), npc: &mut Npc, end: End) {
        npc.log.push(format!("closing{ticks}:{end:?}"));
    }
}

fn closing<N>(after: u32, child: N) -> Decorated<Closing, N> {
    decorate(Closing { after }, child)
}

#[derive(serde::Deserialize)]
struct After {
    after: u32,
}

fn registry() -> Registry<Npc> {
    let mut registry = Registry::new().with_random();
    registry.add_with("steps", |ValueOrKey { name, steps }| Steps { name, steps });
    registry.add_decorator("closing", |After { after }| Closing { after });
    registry.add_with("pair", |_: NoProperties| {
        tree! { for Npc: mem_sequence { (Steps { name: 'x', steps: 1 }), (Steps { name: 'y', steps: 9 }) } }
    });
    registry
}

fn steps(name: &str) -> Value {
    json!({ "name": "steps", "properties": { "name": name, "steps": 9 } })
}

/// A file of a root and leaves `a` to `d`.
fn file(root: &Value) -> Value {
    json!({ "root": "root", "nodes": { "root": root, "a": steps("a"), "b": steps("b"), "c": steps("c"), "d": steps("d") } })
}

fn load(file: &Value) -> DynTree<Npc> {
    registry().load(&file.to_string()).unwrap_or_else(|error| panic!("{error}"))
}

fn reloaded(old: &DynTree<Npc>, ticks: usize, new: &DynTree<Npc>) -> (String, String) {
    let (mut npc, mut memory) = (Npc::new(), old.memory());
    for _ in 0..ticks {
        old.tick(&mut npc, &mut memory);
    }
    npc.take();
    old.reload(new, &mut memory, &mut npc);
    let halted = npc.take();
    new.tick(&mut npc, &mut memory);
    (halted, npc.take())
}

#[test]
fn a_leaf_that_stays_keeps_its_state_wherever_it_goes() {
    let old = load(&file(&json!({ "name": "parallel", "children": ["a", "b"] })));
    let new = load(&file(&json!({ "name": "parallel", "children": ["c", "b", "a"] })));
    assert_eq!(reloaded(&old, 2, &new), (String::new(), "c( c1 b3 a3".to_owned()));
}

#[test]
fn a_leaf_under_another_parent_is_another_leaf() {
    let [one, two] = ["p", "q"].map(|parent| {
        let mut file = file(&json!({ "name": "parallel", "children": [parent, "b"] }));
        file["nodes"][parent] = json!({ "name": "Inverter", "child": "a" });
        file
    });
    assert_eq!(reloaded(&load(&one), 2, &load(&two)), ("a2)".to_owned(), "a( a1 b3".to_owned()));
    // Both parents stay, and exchange their children.
    let [one, two] = [("a", "b"), ("b", "a")].map(|(first, second)| {
        let mut file = file(&json!({ "name": "parallel", "children": ["p", "q"] }));
        file["nodes"]["p"] = json!({ "name": "MemSequence", "children": [first] });
        file["nodes"]["q"] = json!({ "name": "MemSequence", "children": [second] });
        file
    });
    assert_eq!(reloaded(&load(&one), 2, &load(&two)), ("a2) b2)".to_owned(), "b( b1 a( a1".to_owned()));
}

#[test]
fn composites_that_remember_children_by_their_places_begin_again_when_these_change() {
    for root in ["random_sequence", "random_selector", "mem_parallel"] {
        let old = load(&file(&json!({ "name": root, "children": ["a", "b", "c"] })));
        let same = load(&file(&json!({ "name": root, "title": "other", "children": ["a", "b", "c"] })));
        let other = load(&file(&json!({ "name": root, "children": ["b", "a", "c"] })));
        let (halted, goes_on) = reloaded(&old, 2, &same);
        assert!(halted.is_empty() && !goes_on.contains('('), "{root}: {halted}, {goes_on}");
        let (halted, begins) = reloaded(&old, 2, &other);
        assert!(halted.contains("2)") && begins.contains('('), "{root}: {halted}, {begins}");
    }
}

#[test]
fn an_agent_that_was_forgotten_goes_over_with_its_next_tick() {
    let path = std::env::temp_dir().join(format!("bt-forgotten-{}.json", std::process::id()));
    let write = |children: &[&str]| {
        let text = file(&json!({ "name": "parallel", "children": children })).to_string();
        std::fs::write(&path, text).expect("there is a temporary folder");
    };
    write(&["a"]);
    let mut file = FileTree::open(&path, registry()).expect("nothing is wrong with it");
    let (mut npc, mut memory) = (Npc::new(), file.tree().memory());
    let above = |file: &FileTree<Npc>| tree! { for Npc: sequence { file.shared() } };
    let mut outer = above(&file).memory();
    file.tree().tick(&mut npc, &mut memory);
    above(&file).tick(&mut npc, &mut outer);
    npc.take();
    // Two changes, of which the agents are not told.
    write(&["a", "b"]);
    assert!(file.poll().expect("it has changed").is_ok());
    write(&["b", "c", "d"]);
    let last = file.poll().expect("it has changed").expect("nothing is wrong");
    file.tree().tick(&mut npc, &mut memory);
    assert_eq!(npc.take(), "a1) b( b1 c( c1 d( d1", "what is gone is closed, by the tree that it was of");
    let mut events = bt_tests::world::Events::default();
    above(&file).tick_with(&mut npc, &mut outer, &mut events);
    assert_eq!(npc.take(), "a1) b( b1 c( c1 d( d1", "also where it stands in another tree");
    // Told late, it does not go over twice.
    last.apply(&mut memory, &mut npc);
    file.tree().tick(&mut npc, &mut memory);
    assert_eq!(npc.take(), "b2 c2 d2");
    std::fs::remove_file(&path).expect("it is there");
}

#[test]
fn a_memory_of_another_tree_begins_anew() {
    let one = load(&file(&json!({ "name": "parallel", "children": ["a", "b"] })));
    let other = load(&file(&json!({ "name": "parallel", "children": ["c", "d"] })));
    let (mut npc, mut memory) = (Npc::new(), one.memory());
    one.tick(&mut npc, &mut memory);
    one.tick(&mut npc, &mut memory);
    npc.take();
    let mut events = bt_tests::world::Events::default();
    other.tick_with(&mut npc, &mut memory, &mut events);
    assert_eq!(npc.take(), "c( c1 d( d1", "nothing of one is taken for something of the other");
    let halted = events.0.iter().filter(|event| matches!(event, bt_tests::world::Event::Close(0, End::Halted)));
    assert_eq!(halted.count(), 1, "the observer sees that the run was broken off");
    one.halt(&mut npc, &mut memory);
    assert_eq!(npc.take(), "", "and nothing is closed that was never opened");
}

/// What comes back of a memory through JSON, and through formats of bytes.
fn saved_in_all_ways<N: Save>(tree: &N, memory: &Memory<N>) -> Vec<Memory<N>> {
    let json = serde_json::to_string(&tree.saved(memory)).expect("it can be written");
    let value = serde_json::to_value(tree.saved(memory)).expect("it can be written");
    let bytes = postcard::to_allocvec(&tree.saved(memory)).expect("it can be written");
    let pack = rmp_serde::to_vec(&tree.saved(memory)).expect("it can be written");
    let named = rmp_serde::to_vec_named(&tree.saved(memory)).expect("it can be written");
    let ron = ron::to_string(&tree.saved(memory)).expect("it can be written");
    vec![
        tree.load(&mut serde_json::Deserializer::from_str(&json)).expect("json"),
        tree.load(value).expect("json value"),
        tree.load(&mut postcard::Deserializer::from_bytes(&bytes)).expect("postcard"),
        tree.load(&mut rmp_serde::Deserializer::from_read_ref(&pack)).expect("message pack"),
        tree.load(&mut rmp_serde::Deserializer::from_read_ref(&named)).expect("message pack with names"),
        tree.load(&mut ron::Deserializer::from_str(&ron).expect("it is RON")).expect("ron"),
    ]
}

#[test]
fn a_saved_leaf_goes_on_with_its_state_whatever_the_format() {
    let mut file = file(&json!({ "name": "parallel", "children": ["a", "c", "p", "m"] }));
    file["nodes"]["c"] = json!({ "name": "closing", "properties": { "after": 9 }, "child": "b" });
    file["nodes"]["p"] = json!({ "name": "pair" });
    file["nodes"]["m"] = json!({ "name": "Limiter", "properties": { "maxLoop": 2 }, "child": "d" });
    let tree = load(&file);
    let (mut npc, mut memory) = (Npc::new(), tree.memory());
    tree.tick(&mut npc, &mut memory);
    tree.tick(&mut npc, &mut memory);
    npc.take();
    for memory in saved_in_all_ways(&tree, &memory) {
        let again = saved_in_all_ways(&tree, &memory);
        for mut memory in again.into_iter().chain([memory]) {
            assert!(memory.is_running());
            tree.tick(&mut npc, &mut memory);
            assert_eq!(npc.take(), "a3 b3 y3 d3");
            tree.halt(&mut npc, &mut memory);
            assert_eq!(npc.take(), "a3) b3) closing2:Halted y3) d3)");
        }
    }
}

#[test]
fn a_state_that_could_not_be_read_again_is_not_written() {
    #[derive(Clone, Default, serde::Serialize, serde::Deserialize)]
    struct Angle(f32);
    #[action]
    fn turn(_: &mut Npc, #[open] angle: &mut Angle) -> Status {
        angle.0 = f32::NAN;
        Running
    }
    let mut registry = registry();
    registry.add::<turn>("turn");
    let tree = registry.load(r#"{ "root": "1", "nodes": { "1": { "name": "turn" } } }"#).expect("nothing is wrong");
    let (mut npc, mut memory) = (Npc::new(), tree.memory());
    tree.tick(&mut npc, &mut memory);
    let error = serde_json::to_string(&tree.saved(&memory)).unwrap_err().to_string();
    assert!(error.starts_with("the state of a leaf cannot be deserialized again: "), "{error}");
}

#[test]
fn a_decorator_of_ones_own_is_closed_after_its_child_and_once() {
    let written = tree! { for Npc: closing(3) { (Steps { name: 'a', steps: 9 }) } };
    let mut loaded = file(&json!({ "name": "closing", "properties": { "after": 3 }, "child": "a" }));
    loaded["nodes"]["a"]["properties"]["steps"] = json!(9);
    let loaded = load(&loaded);
    let (mut one, mut other) = (Npc::new(), Npc::new());
    let (mut first, mut second) = (written.memory(), loaded.memory());
    let mut both = |halt: bool| {
        if halt {
            written.halt(&mut one, &mut first);
            loaded.halt(&mut other, &mut second);
        } else {
            assert_eq!(written.tick(&mut one, &mut first), loaded.tick(&mut other, &mut second));
        }
        let seen = one.take();
        assert_eq!(other.take(), seen);
        seen
    };
    assert_eq!([both(false), both(false), both(false)], ["a( a1", "a2", "a3"]);
    assert_eq!(both(false), "a3) closing3:Failure", "it ends in `resume`");
    assert_eq!(both(false), "a( a1");
    assert_eq!(both(true), "a1) closing0:Halted");
}

#[test]
fn numbers_that_no_run_gives_are_no_panic_and_no_endless_run() {
    let ends = json!({ "success": 7, "failure": 7 });
    let mut all =
        file(&json!({ "name": "mem_parallel", "properties": ends, "children": ["r", "t", "m", "a", "x", "l", "o"] }));
    all["nodes"]["r"] = json!({ "name": "Repeater", "properties": { "maxLoop": 3 }, "child": "s" });
    all["nodes"]["t"] = json!({ "name": "RepeatUntilSuccess", "properties": { "maxLoop": 3 }, "child": "f" });
    all["nodes"]["m"] = json!({ "name": "mem_parallel", "children": ["s2", "f2"] });
    all["nodes"]["x"] = json!({ "name": "random_selector", "children": ["f3", "b"] });
    all["nodes"]["l"] = json!({ "name": "Limiter", "properties": { "maxLoop": 3 }, "child": "s4" });
    all["nodes"]["o"] = json!({ "name": "run_once", "child": "s5" });
    for name in ["s", "s2", "s4", "s5"] {
        all["nodes"][name] = json!({ "name": "Succeeder" });
    }
    for name in ["f", "f2", "f3"] {
        all["nodes"][name] = json!({ "name": "Failer" });
    }
    let tree = load(&all);
    let (mut npc, mut memory) = (Npc::new(), tree.memory());
    assert_eq!(tree.tick(&mut npc, &mut memory), Failure, "success is out of reach");
    all["nodes"]["root"]["properties"]["success"] = json!(4);
    let tree = load(&all);
    assert_eq!(tree.tick(&mut npc, &mut memory), Running);
    let save = serde_json::to_value(tree.saved(&memory)).expect("it is data");
    let words = save["memory"][1]["words"].as_array().expect("they are a list").len();
    assert!(words > 5);
    for word in 0..words {
        for bits in [0, 1, 3, u64::MAX, u64::MAX / 3, 1 << 63] {
            let mut save = save.clone();
            save["memory"][1]["words"][word] = json!(bits);
            let mut memory = tree.load(save).expect("it is of this tree");
            let ends = (0..20).any(|_| tree.tick(&mut npc, &mut memory) != Running);
            assert!(ends, "word {word} is {bits}");
            tree.halt(&mut npc, &mut memory);
        }
    }
    for words in [json!([]), json!([3]), json!([3, u64::MAX])] {
        let mut save = save.clone();
        save["memory"][1]["words"] = words;
        let mut memory = tree.load(save).expect("it is of this tree");
        npc.take();
        tree.tick(&mut npc, &mut memory);
        assert!(npc.take().contains("a("), "it begins anew");
    }
}

#[test]
fn a_parallel_all_of_whose_children_have_ended_has_ended() {
    let tree = load(&file(&json!({ "name": "mem_parallel", "children": ["a", "b"] })));
    let mut memory = tree.memory();
    tree.tick(&mut Npc::new(), &mut memory);
    let saved = serde_json::to_value(tree.saved(&memory)).expect("it is data");
    for (bits, expected) in [(0b0101, Success), (0b1010, Failure), (0b1001, Failure), (0b1111, Failure)] {
        let mut save = saved.clone();
        save["memory"][1]["words"] = json!([1, bits]);
        let mut memory = tree.load(save).expect("it is of this tree");
        assert_eq!(tree.tick(&mut Npc::new(), &mut memory), expected, "{bits:b}");
    }
}

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
fn duplicate_and_built_in_names_are_errors() {
    let load = |registry: &Registry<Npc>| {
        let file = r#"{ "title": "t", "root": "1", "nodes": { "1": { "name": "Succeeder" } } }"#;
        registry.load(file).err().map(|error| error.to_string())
    };
    let mut registry = registry();
    assert_eq!(load(&registry), None);
    registry.add_leaf("steps", succeed);
    assert_eq!(load(&registry).as_deref(), Some("tree \"t\": `steps` is registered twice"));
    let mut registry = Registry::<Npc>::new();
    registry.add_leaf("Sequence", succeed);
    let error = load(&registry).expect("it hides a word");
    assert!(error.contains("`Sequence` is a built-in name"), "{error}");
}

#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
struct Place {
    x: f32,
    by: Option<u8>,
}

#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
enum Pace {
    Slow,
}

#[action]
fn travel(_: &mut Npc, to: Place, pace: Pace, after: Duration, name: &String, list: &Vec<Option<u32>>) -> Status {
    Status::from(
        (to, pace) == (Place { x: 0.1, by: Some(3) }, Pace::Slow)
            && after == millis(1500)
            && name == "3"
            && *list == [None, Some(u32::MAX)],
    )
}

#[action]
fn optional(npc: &mut Npc, at: Option<u32>, #[param(default = Some(3))] or: Option<u32>) {
    npc.log.extend([at, or].map(|value| format!("{value:?}")));
}

#[test]
fn null_is_a_value_of_an_option_and_a_missing_property_elsewhere() {
    let tree = tree! { for Npc: optional(None, None) };
    let mut registry = registry();
    registry.add::<optional>("optional").add::<travel>("travel");
    let loaded = registry
        .load(&bt_dynamic::to_behavior3(&tree.description(), "t").write())
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(loaded.description().to_string(), tree.description().to_string());
    let mut npc = Npc::new();
    assert_eq!(loaded.tick(&mut npc, &mut loaded.memory()), Success);
    assert_eq!(npc.take(), "None None");
    let error = registry
        .load(r#"{ "root": "1", "nodes": { "1": { "name": "travel", "properties": { "to": null, "pace": "slow", "after": null, "name": "x", "list": [] } } } }"#)
        .expect_err("they are needed");
    let text = error.to_string();
    assert!(text.contains("missing property `to`") && text.contains("missing property `after`"), "{text}");
}

#[derive(Clone, Copy, serde::Deserialize)]
struct Turns {
    nth: u32,
}

#[test]
fn properties_that_the_editor_has_made_text_of_are_read() {
    let mut registry = registry();
    registry.add_with("turn", |Turns { nth }| move |npc: &mut Npc| npc.log.push(nth.to_string()));
    let tree = registry.load(r#"{ "root": "1", "nodes": { "1": { "name": "turn", "properties": { "nth": "2" } } } }"#);
    let (tree, mut npc) = (tree.unwrap_or_else(|error| panic!("{error}")), Npc::new());
    assert_eq!(tree.tick(&mut npc, &mut tree.memory()), Success);
    assert_eq!(npc.take(), "2");
    let error = registry.load(r#"{ "root": "1", "nodes": { "1": { "name": "turn", "properties": { "nth": "x" } } } }"#);
    assert!(error.expect_err("it is no number").to_string().contains("expected u32"));
}

#[derive(Clone, Copy, PartialEq, Debug, serde::Deserialize, serde::Serialize)]
struct Spot {
    x: i32,
}

#[test]
fn a_struct_in_text_is_no_variable() {
    #[action]
    fn go(board: &mut Board, #[input] to: Spot) {
        board.set(&Key::new("went"), to.x);
    }
    let mut registry = Registry::<Board>::new();
    registry.add::<go>("go");
    let tree =
        registry.load(r#"{ "root": "1", "nodes": { "1": { "name": "go", "properties": { "to": "{\"x\":1}" } } } }"#);
    let (tree, mut board) = (tree.unwrap_or_else(|error| panic!("{error}")), Board::new());
    assert_eq!(tree.tick(&mut board, &mut tree.memory()), Success);
    assert_eq!(board.get(&Key::<i32>::new("went")), Some(&1));
}

#[test]
fn a_written_tree_keeps_structs_enums_and_times_in_a_file() {
    let tree = tree! {
        for Npc: travel(Place { x: 0.1, by: Some(3) }, Pace::Slow, millis(1500), "3".to_owned(), vec![None, Some(u32::MAX)])
    };
    let file = bt_dynamic::to_behavior3(&tree.description(), "travel").write();
    for expected in [r#""x": 0.1"#, r#""by": 3"#, r#""slow""#, r#""nanos": 500000000"#, r#""3""#, "4294967295"] {
        assert!(file.contains(expected), "{expected}: {file}");
    }
    let mut registry = registry();
    registry.add::<travel>("travel");
    let loaded = registry.load(&file).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(loaded.description().to_string(), tree.description().to_string());
    assert_eq!(loaded.tick(&mut Npc::new(), &mut loaded.memory()), Success);
}

#[test]
fn a_file_that_was_loaded_is_written_with_all_that_it_said() {
    #[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
    struct Vec3 {
        x: f32,
        y: f32,
        z: f32,
    }
    fn step_aside(_: &mut Npc) {}
    #[action]
    fn fly(_: &mut Npc, to: Vec3, by: Option<u8>) -> Status {
        Status::from(to.x + to.y + to.z > 0.0 && by.is_some())
    }
    let mut registry = registry();
    registry.add::<fly>("FlyTo").add_leaf("closure", |npc: &mut Npc| npc.log.clear()).add_leaf("Walk", step_aside);
    let file = json!({
        "version": "0.3.0", "scope": "tree", "id": "7a", "title": "bird", "description": "a bird", "root": "r-1",
        "display": { "camera_x": 1, "camera_y": 2, "camera_z": 3 },
        "properties": { "author": "me" },
        "nodes": {
            "r-1": { "id": "r-1", "name": "MemSequence", "title": "MemSequence", "description": "all", "display": { "x": -12, "y": 5 }, "children": ["a", "b", "c", "d", "e"] },
            "a": { "id": "a", "name": "FlyTo", "title": "Fly <by>", "properties": { "to": { "x": 1.5, "y": 0, "z": -2 }, "by": 3 }, "mood": "high" },
            "b": { "id": "b", "name": "closure" },
            "c": { "id": "c", "name": "RepeatUntilFailure", "properties": { "maxLoop": 3 }, "child": "f" },
            "d": { "id": "d", "name": "pair" },
            "e": { "id": "e", "name": "machine", "properties": { "any": ["Walk -> two"] }, "children": ["s1", "s2"] },
            "s1": { "id": "s1", "name": "state", "properties": { "name": "one", "transitions": ["!closure -> two"] }, "child": "g" },
            "s2": { "id": "s2", "name": "state", "properties": { "name": "two" }, "child": "h" },
            "f": { "id": "f", "name": "Walk" }, "g": { "id": "g", "name": "Runner" }, "h": { "id": "h", "name": "Runner" }
        },
        "custom_nodes": [{ "name": "FlyTo", "category": "action", "title": "Fly <by>", "properties": { "by": 1 } }]
    });
    let tree = registry.load(&file.to_string()).unwrap_or_else(|error| panic!("{error}"));
    let lines = tree.description().lines().join("\n");
    for drawn in ["FlyTo(", "\"Fly 3\"", "├─ closure", "\"pair\"", "Walk"] {
        assert!(lines.contains(drawn), "{drawn}: {lines}");
    }
    let written: Value = serde_json::from_str(&tree.to_behavior3().write()).expect("it is JSON");
    for (key, value) in file.as_object().expect("it is an object") {
        if key == "nodes" {
            let nodes = written["nodes"].as_object().expect("they are an object");
            assert_eq!(nodes.len(), value.as_object().expect("they are an object").len(), "{nodes:?}");
            for (id, node) in value.as_object().expect("they are an object") {
                for (key, value) in node.as_object().expect("it is an object") {
                    assert_eq!(&nodes[id][key], value, "{id}: {key}");
                }
            }
        } else if key == "custom_nodes" {
            assert!(written[key].as_array().expect("it is a list").contains(&value[0]));
        } else {
            assert_eq!(&written[key], value, "{key}");
        }
    }
    let again = registry.load(&written.to_string()).expect("nothing is wrong with it");
    assert_eq!(again.description(), tree.description());
    let twice: Value = serde_json::from_str(&again.to_behavior3().write()).expect("it is JSON");
    assert_eq!(twice, written);
}

#[test]
fn the_file_of_the_readme_survives_both_engines() {
    struct Guard;
    #[condition]
    fn enemy_within(_: &Guard, metres: f32) -> bool {
        metres > 100.0
    }
    fn attack(_: &mut Guard) -> Status {
        Running
    }
    fn patrol(_: &mut Guard) -> Status {
        Running
    }
    const FILE: &str = include_str!("../../bt-core/src/file/guard.b3.json");
    let mut registry = Registry::<Guard>::new();
    registry.add::<enemy_within>("EnemyWithin").add_leaf("Attack", attack).add_leaf("patrol", patrol);
    let loaded = registry.load(FILE).expect("nothing is wrong with it");
    let built = bt_core::tree_from_json!("../../bt-core/src/file/guard.b3.json", for Guard: EnemyWithin => enemy_within, Attack => attack, patrol);
    let drawn = loaded.description().to_string();
    assert_eq!(built.description().to_string(), drawn);
    for description in [loaded.description(), built.description()] {
        let again =
            registry.load(&bt_dynamic::to_behavior3(&description, "guard").write()).expect("nothing is wrong with it");
        assert_eq!(again.description().to_string(), drawn);
    }
}

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
    let mut memory = file.tree().load(&mut serde_json::Deserializer::from_str(&save)).expect("it was just saved");
    file.tree().tick(&mut ctx, &mut memory);
    assert_eq!(ctx.log.join(" "), "a( a a) b( b");
    // Another program knows nothing of the tree before: it begins anew.
    let mut ctx = Pairs::default();
    let again = pairs().load(&paired("Sequence", &["b"])).expect("nothing is wrong with it");
    let mut memory = again.load(&mut serde_json::Deserializer::from_str(&save)).expect("it has that fingerprint");
    again.tick(&mut ctx, &mut memory);
    assert_eq!(ctx.log.join(" "), "b( b");
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
        let wait = statuses.last(NodeId::new(3)).expect("it was visited").last;
        assert_eq!(wait, bt_core::observe::Last::Returned(expected), "{now}");
    }
    std::fs::remove_file(&path).expect("it is there");
}

#[test]
fn trees_of_other_closures_have_other_fingerprints() {
    let mut registry = Registry::<u32>::new();
    registry.add_leaf("Walk", |n: &mut u32| *n += 1).add_leaf("Fight", |n: &mut u32| *n += 2);
    let load = |name: &str| {
        let file =
            json!({ "root": "1", "nodes": { "1": { "name": "Sequence", "children": ["2"] }, "2": { "name": name } } });
        registry.load(&file.to_string()).expect("nothing is wrong with it")
    };
    assert_ne!(load("Walk").fingerprint(), load("Fight").fingerprint());
    assert_eq!(load("Walk").fingerprint(), load("Walk").fingerprint());
}

#[test]
fn a_written_file_declares_the_leaves_that_properties_name() {
    let mut registry = Registry::<bool>::new();
    registry.add_leaf("On", |on: &bool| *on).add_leaf("Beep", |_: &mut bool| ());
    let file = r#"{ "root": "1", "nodes": {
        "1": { "name": "machine", "children": ["2", "3"] },
        "2": { "name": "state", "properties": { "name": "off", "transitions": ["On -> on"], "enter": "Beep" }, "children": ["4"] },
        "3": { "name": "state", "properties": { "name": "on", "transitions": ["!On -> off"] }, "children": ["5"] },
        "4": { "name": "Runner" }, "5": { "name": "Runner" }
    } }"#;
    let tree = registry.load(file).expect("the file is valid");
    for written in [tree.to_behavior3(), bt_dynamic::to_behavior3(&tree.description(), "lamp")] {
        let declared: Vec<_> = written.declared().map(|node| node.name.as_str()).collect();
        assert!(["On", "Beep"].iter().all(|name| declared.contains(name)), "{declared:?}");
    }
}
