//! Loaded trees: beside the real behavior3js, what we do not copy of it, and what can be wrong with names and properties.

use std::collections::BTreeMap;

use bt_core::board::{compare, is_set, set};
use bt_core::observe::{Statistics, Statuses};
use bt_core::prelude::*;
use bt_dynamic::{LoadError, LoadedTree, NoProperties, Registry};
use serde_json::{Value, json};

/// A world of leaves that are told what to give.
#[derive(Default)]
struct World {
    told: Vec<Status>,
    next: usize,
    seen: Vec<u32>,
    now: Duration,
    board: Board,
}

impl Clock for World {
    fn now(&self) -> Duration {
        self.now
    }
}

impl HasBoard for World {
    fn board(&self) -> &Board {
        &self.board
    }
    fn board_mut(&mut self) -> &mut Board {
        &mut self.board
    }
}

#[action]
fn told(world: &mut World, number: u32) -> Status {
    world.seen.push(number);
    let status = world.told[world.next % world.told.len()];
    world.next += 1;
    status
}

fn registry() -> Registry<World> {
    let mut registry = Registry::new().with_clock();
    registry.add::<told>("told");
    registry
}

/// A file of nodes: a name, properties, and children.
fn file(root: &Value) -> String {
    fn add(node: &Value, nodes: &mut BTreeMap<String, Value>) -> String {
        let id = format!("n{}", nodes.len());
        nodes.insert(id.clone(), Value::Null);
        let parts = node.as_array().expect("a node is a list");
        let children: Vec<_> = parts[2..].iter().map(|child| add(child, nodes)).collect();
        nodes.insert(id.clone(), json!({ "name": parts[0], "properties": parts[1], "children": children }));
        id
    }
    let mut nodes = BTreeMap::new();
    let root = add(root, &mut nodes);
    json!({ "title": "tree", "root": root, "nodes": nodes }).to_string()
}

/// What each tick gave, and which leaves it visited.
fn run(tree: &LoadedTree<World>, told: &[Status], ticks: usize) -> Vec<(Status, Vec<u32>)> {
    let mut world = World { told: told.to_vec(), ..World::default() };
    let mut memory = tree.memory();
    let tick = |_| {
        world.seen.clear();
        (tree.tick(&mut world, &mut memory), world.seen.clone())
    };
    (0..ticks).map(tick).collect()
}

fn load(root: &Value) -> LoadedTree<World> {
    registry().load(&file(root)).expect("nothing is wrong with it")
}

const S: Status = Status::Success;
const F: Status = Status::Failure;
const R: Status = Status::Running;

#[test]
fn random_trees_do_what_the_real_behavior3js_did() {
    #[derive(serde::Deserialize)]
    struct Case {
        root: Value,
        /// The first letters of results.
        told: String,
        /// Each tick as the first letter of its result, and the leaves that it visited.
        ticks: Vec<String>,
    }
    let cases: Vec<Case> = serde_json::from_str(include_str!("../behavior3js/fixtures.json")).expect("they are cases");
    assert!(cases.len() >= 500);
    for Case { root, told, ticks } in cases {
        let tree = load(&root);
        let status = |letter| match letter {
            'S' => S,
            'F' => F,
            'R' => R,
            'E' => Status::Error,
            other => panic!("{other}"),
        };
        let told: Vec<_> = told.chars().map(status).collect();
        let tick = |(status, seen): (Status, Vec<u32>)| {
            let letter = format!("{status:?}")[..1].to_owned();
            [letter].into_iter().chain(seen.iter().map(u32::to_string)).collect::<Vec<_>>().join(" ")
        };
        let found: Vec<_> = run(&tree, &told, ticks.len()).into_iter().map(tick).collect();
        assert_eq!(found, ticks, "{}", tree.description());
    }
}

#[test]
fn a_node_that_is_no_longer_open_is_closed() {
    let tree = load(&json!(["Priority", {},
        ["Sequence", {}, ["told", { "number": 0 }], ["Runner", {}]],
        ["MemSequence", {}, ["told", { "number": 1 }], ["Runner", {}]]
    ]));
    assert_eq!(run(&tree, &[F, S, S, F, S], 3)[2], (R, vec![0, 1]));
}

#[test]
fn a_repeater_succeeds_after_its_runs() {
    let tree = load(&json!(["Repeater", { "maxLoop": 2 }, ["told", { "number": 0 }]]));
    assert_eq!(run(&tree, &[S, F], 1), [(S, vec![0, 0])]);
}

#[test]
fn a_limiter_counts_in_the_whole_life() {
    let tree = load(&json!(["Limiter", { "maxLoop": 1 }, ["told", { "number": 0 }]]));
    assert_eq!(run(&tree, &[S], 3), [(S, vec![0]), (F, vec![]), (F, vec![])]);
}

#[test]
fn past_its_max_time_a_child_is_not_ticked() {
    let tree = load(&json!(["MaxTime", { "maxTime": 100 }, ["told", { "number": 0 }]]));
    let (mut world, mut memory) = (World { told: vec![R], ..World::default() }, tree.memory());
    assert_eq!(tree.tick(&mut world, &mut memory), R);
    world.now = millis(101);
    assert_eq!(tree.tick(&mut world, &mut memory), F);
    assert_eq!(world.seen, [0]);
}

#[test]
fn repeat_until_failure_succeeds_in_the_end() {
    let tree = load(&json!(["RepeatUntilFailure", { "maxLoop": 3 }, ["told", { "number": 0 }]]));
    assert_eq!(run(&tree, &[S, F], 1), [(S, vec![0, 0])]);
    assert_eq!(run(&tree, &[S], 1), [(S, vec![0, 0, 0])]);
}

#[test]
fn a_loop_without_a_bound_cannot_hang() {
    for name in ["Repeater", "RepeatUntilFailure"] {
        let tree = load(&json!([name, { "maxLoop": -1 }, ["told", { "number": 0 }]]));
        assert_eq!(run(&tree, &[S], 2), [(R, vec![0]), (R, vec![0])]);
    }
}

#[test]
fn what_is_written_has_its_children_in_order() {
    let tree = load(&json!(["Sequence", {}, ["Succeeder", {}], ["Failer", {}]]));
    let again =
        registry().load(&bt_dynamic::to_behavior3(&tree.description(), "tree").write()).expect("it was just written");
    assert_eq!(again.description().to_string(), "sequence\n├─ succeed\n└─ fail\n");
}

fn errors(root: &Value) -> String {
    match registry().load(&file(root)) {
        Err(error @ LoadError::Invalid(_)) => format!("{error}\n"),
        Err(LoadError::Read(error)) => panic!("{error}"),
        Ok(_) => String::new(),
    }
}

#[test]
fn missing_children_are_an_error() {
    assert_eq!(errors(&json!(["Inverter", {}])), "node n0 (\"Inverter\"): expected 1 child, found 0\n");
    assert_eq!(errors(&json!(["Sequence", {}])), "node n0 (\"Sequence\"): expected at least 1 child, found 0\n");
}

#[test]
fn wrong_parameters_of_leaves_are_told_with_the_node() {
    assert_eq!(errors(&json!(["told", {}])), "node n0 (\"told\"): missing property `number`\n");
    assert_eq!(
        errors(&json!(["told", { "number": -3 }])),
        "node n0 (\"told\"): property `number`: invalid value: integer `-3`, expected u32\n"
    );
    assert_eq!(
        errors(&json!(["told", { "number": 3, "color": "red" }])),
        "node n0 (\"told\"): unknown property `color`; note: the properties are `number`\n"
    );
    assert_eq!(errors(&json!(["told", { "number": "3" }])), "", "the editor writes numbers as text");
    let both = errors(&json!(["Sequence", {}, ["told", {}], ["told", { "number": [] }]]));
    assert_eq!(both.lines().count(), 2, "{both}");
}

#[test]
fn what_the_context_cannot_do_is_told() {
    let mut registry = Registry::<World>::new();
    registry.add::<told>("told");
    let error = registry.load(&file(&json!(["Wait", { "milliseconds": 5 }]))).expect_err("there is no clock");
    assert_eq!(
        error.to_string(),
        "node n0 (\"Wait\"): missing clock; help: use `Registry::with_clock` and implement `Clock` for the context"
    );
    let error = registry.load(&file(&json!(["random_selector", {}, ["Runner", {}]]))).expect_err("there is no chance");
    assert!(error.to_string().starts_with("node n0 (\"random_selector\"): missing random number generator; help: "));
}

#[condition]
fn near(_: &World, kinds: &'static [u8], #[param(default = 5)] radius: u32) -> bool {
    kinds.len() > radius as usize
}

#[test]
fn a_parameter_that_no_file_can_give_is_told() {
    let mut registry = registry();
    registry.add::<near>("near");
    let error = registry.load(&file(&json!(["near", { "kinds": [] }]))).expect_err("it is borrowed");
    let reason =
        "parameter `kinds` has type `&'static[u8]`, which a file cannot set; help: register the leaf with `add_with`";
    assert_eq!(error.to_string(), format!("node n0 (\"near\"): {reason}"));
    registry.add_with("near nine", |_: NoProperties| near(&[1; 9], 5));
    let tree = registry.load(&file(&json!(["near nine", {}]))).expect("now it can");
    assert_eq!(run(&tree, &[], 1)[0].0, S);
}

#[condition]
fn is_called(_: &World, name: &String) -> bool {
    name == "Ann"
}

#[condition]
fn is_named(_: &World, name: &str) -> bool {
    name == "Ann"
}

#[test]
fn text_is_a_parameter_that_the_tree_owns() {
    let mut registry = registry();
    registry.add::<is_called>("called").add::<is_named>("named");
    let tree = registry.load(&file(&json!(["called", { "name": "Ann" }]))).expect("it is text");
    assert_eq!(run(&tree, &[], 1)[0].0, S);
    let error = registry.load(&file(&json!(["named", { "name": "Ann" }]))).expect_err("it is borrowed");
    let reason = "parameter `name` has type `&'static str`, which a file cannot set; help: use a parameter of type `&String`, which the loaded tree owns";
    assert_eq!(error.to_string(), format!("node n0 (\"named\"): {reason}"));
    // The two forms that `bt to-rust` must fit.
    #[expect(clippy::useless_conversion, reason = "the form fits a `String` too")]
    let written =
        tree! { for World: sequence { (is_called { name: "Ann".into() }), (is_named { name: "Ann".into() }) } };
    assert_eq!(written.tick(&mut World::default(), &mut written.memory()), S);
}

#[action]
fn eat(world: &mut World, #[input] bite: u32) {
    world.seen.push(bite);
}

#[test]
fn a_property_may_name_a_variable() {
    let mut registry = registry();
    registry.add::<eat>("Eat");
    let tree = registry.load(&file(&json!(["Sequence", {}, ["Eat", { "bite": 2 }], ["Eat", { "bite": "{size}" }]])));
    let tree = tree.expect("nothing is wrong with it");
    let (mut world, mut memory) = (World::default(), tree.memory());
    assert_eq!(tree.tick(&mut world, &mut memory), Status::Error, "it is not set");
    world.board.set(&Key::<u32>::new("size"), 7);
    assert_eq!(tree.tick(&mut world, &mut memory), S);
    assert_eq!(world.seen, [2, 2, 7]);
    assert_eq!(tree.description().lines()[2], "└─ Eat(bite: {size})");
}

#[test]
fn ready_leaves_of_the_blackboard_are_added_with_their_keys() {
    const TARGET: Key<u32> = Key::new("target");
    let mut registry = registry();
    registry.add_leaf("HasTarget", is_set(TARGET)).add_with("Aim", |Number { number }| set(TARGET, number));
    registry.add_leaf("Near", compare(TARGET, |target| *target < 5));
    let tree = registry.load(&file(&json!(["Sequence", {},
        ["Inverter", {}, ["HasTarget", {}]], ["Aim", { "number": 3 }], ["HasTarget", {}], ["Near", {}]
    ])));
    let tree = tree.expect("nothing is wrong with it");
    let (mut world, mut memory) = (World::default(), tree.memory());
    assert_eq!([tree.tick(&mut world, &mut memory), tree.tick(&mut world, &mut memory)], [S, F]);
}

#[test]
fn a_loaded_tree_stands_in_a_static_one_and_has_static_ones_in_it() {
    let mut registry = registry();
    registry.add_with("Patrol", |_: NoProperties| tree! { for World: mem_sequence { told(1), told(2) } });
    let loaded = registry.load(&file(&json!(["Priority", {}, ["Patrol", {}], ["told", { "number": 3 }]])));
    let loaded = loaded.expect("nothing is wrong with it");
    assert_eq!(loaded.file_id(NodeId::new(2)), Some("n1"));
    assert_eq!(loaded.file_id(NodeId::new(4)), Some("n2"));
    assert_eq!(loaded.file_id(NodeId::new(5)), None);
    let tree = tree! { for World: sequence { told(0), loaded } };
    let mut world = World { told: vec![S, S, R, S, F, S], ..World::default() };
    let (mut memory, mut statuses) = (tree.memory(), Statuses::default());
    assert_eq!(tree.tick_with(&mut world, &mut memory, &mut statuses), R);
    assert!(statuses.is_running(NodeId::new(5)), "{}", tree.description().draw().with(&statuses));
    assert_eq!(tree.tick_with(&mut world, &mut memory, &mut statuses), S);
    assert_eq!(world.seen, [0, 1, 2, 0, 2, 3], "the patrol went on where it was");
    let saved = serde_json::to_string(&tree.saved(&memory)).expect("it is data");
    assert!(tree.load(&mut tree.memory(), &mut serde_json::Deserializer::from_str(&saved)).is_ok());
}

#[test]
fn what_an_agent_remembers_is_a_few_words() {
    let tree = load(&json!(["Priority", {},
        ["Sequence", {}, ["told", { "number": 0 }], ["told", { "number": 1 }], ["told", { "number": 2 }]],
        ["Sequence", {}, ["told", { "number": 3 }], ["told", { "number": 4 }]],
        ["told", { "number": 5 }]
    ]));
    let mut memory = tree.memory();
    tree.tick(&mut World { told: vec![R], ..World::default() }, &mut memory);
    let saved = serde_json::to_value(tree.saved(&memory)).expect("it is data");
    assert_eq!(saved["memory"][1]["words"], json!([3]), "which leaf runs");
    assert_eq!(saved["memory"][1]["slots"], json!([]));
}

/// A leaf whose beginning and end are noted.
struct Watched(u32);

#[leaf]
impl Leaf<World> for Watched {
    fn open(&self, world: &mut World) {
        world.seen.push(self.0);
    }
    fn tick(&self, (): &mut (), _: &mut World) -> Status {
        R
    }
    fn close(&self, (): &mut (), world: &mut World, end: End) {
        world.seen.push(if matches!(end, End::Halted(_)) { 1000 + self.0 } else { 2000 });
    }
}

#[derive(serde::Deserialize)]
struct Number {
    number: u32,
}

fn watched() -> Registry<World> {
    let mut registry = registry();
    registry.add_with("Watched", |Number { number }| Watched(number));
    registry
}

/// A parallel of two, one of them under a limit, by ids.
const TWO: &str = r#"{ "root": "p", "nodes": {
    "p": { "name": "parallel", "children": ["l", "b"] },
    "l": { "name": "Limiter", "properties": { "maxLoop": 2 }, "child": "a" },
    "a": { "name": "Watched", "properties": { "number": 1 } },
    "b": { "name": "Watched", "properties": { "number": 2 } }
} }"#;

#[test]
fn what_is_the_same_goes_on_running_and_the_rest_is_halted() {
    let run = |change: &str, to: &str| {
        let (old, new) = (watched().load(TWO), watched().load(&TWO.replace(change, to)));
        let (old, new) = (old.expect("nothing is wrong"), new.expect("nothing is wrong"));
        let (mut world, mut memory) = (World::default(), old.memory());
        old.tick(&mut world, &mut memory);
        assert_eq!(world.seen, [1, 2]);
        world.seen.clear();
        old.reload(&new, &mut memory, &mut world);
        let halted = std::mem::take(&mut world.seen);
        new.tick(&mut world, &mut memory);
        (halted, world.seen)
    };
    assert_eq!(run("xyz", "xyz"), (vec![], vec![]), "nothing has changed");
    assert_eq!(run("\"number\": 2", "\"number\": 3"), (vec![1002, 3], vec![]), "a leaf that is another");
    assert_eq!(run("[\"l\", \"b\"]", "[\"b\", \"l\"]"), (vec![], vec![]), "the order");
    assert_eq!(run("\"maxLoop\": 2", "\"maxLoop\": 3"), (vec![], vec![]), "the number of a decorator");
    assert_eq!(run("\"parallel\"", "\"mem_parallel\""), (vec![], vec![]), "the word of the root");
    assert_eq!(run("\"p\"", "\"q\""), (vec![], vec![]), "the id of the root");
    assert_eq!(run("\"a\"", "\"c\""), (vec![1001], vec![1]), "the id of a leaf");
    assert_eq!(run("[\"l\", \"b\"]", "[\"l\"]"), (vec![1002], vec![]), "a child less");
}

#[test]
fn what_is_kept_across_runs_is_kept() {
    let text = TWO
        .replace("\"parallel\"", "\"Priority\"")
        .replace("\"Watched\", \"properties\": { \"number\": 1 }", "\"Failer\"");
    let old = watched().load(&text).expect("nothing is wrong");
    let new = watched().load(&text.replace("\"number\": 2", "\"number\": 3")).expect("nothing is wrong");
    let (mut world, mut memory) = (World::default(), old.memory());
    let mut statistics = Statistics::default();
    for tree in [&old, &old, &new, &new] {
        old.reload(tree, &mut memory, &mut world);
        tree.tick_with(&mut world, &mut memory, &mut statistics);
        if std::ptr::eq(tree, &raw const new) {
            break;
        }
    }
    assert_eq!(statistics.of(NodeId::new(2)).visits, 2, "two runs in the life of the agent, also with the new tree");
    assert_eq!(world.seen, [2, 1002, 3]);
}

#[test]
fn a_file_is_watched_and_a_broken_one_keeps_the_old_tree() {
    use bt_dynamic::FileTree;
    let path = std::env::temp_dir().join(format!("bt-watched-{}.json", std::process::id()));
    let write = |text: &str| std::fs::write(&path, text).expect("there is a temporary folder");
    write(TWO);
    let mut file = FileTree::open(&path, watched()).expect("nothing is wrong");
    let (mut world, mut memory) = (World::default(), file.tree().memory());
    file.tree().tick(&mut world, &mut memory);
    assert!(file.poll().is_none(), "nothing has changed");
    write(&TWO.replace("Watched", "Wathced"));
    let error = failure(&mut file);
    assert!(error.contains("unknown node `Wathced`; help: did you mean `Watched`?"), "{error}");
    assert!(file.poll().is_none(), "it is told once");
    file.tree().tick(&mut world, &mut memory);
    assert_eq!(world.seen, [1, 2], "the old tree goes on");
    write(&TWO.replace("\"number\": 2", "\"number\": 33"));
    let change = file.poll().expect("it has changed").expect("nothing is wrong");
    change.apply(&mut memory, &mut world);
    file.tree().tick(&mut world, &mut memory);
    assert_eq!(world.seen, [1, 2, 1002, 33]);
    std::fs::remove_file(&path).expect("it is there");
    assert!(file.poll().is_none(), "an editor may replace it");
    write(&TWO.replace("\"number\": 2", "\"number\": 33"));
    std::thread::sleep(millis(300));
    assert!(file.poll().is_none(), "it is the same as before");
    std::fs::remove_file(&path).expect("it is there");
    let error = failure(&mut file);
    assert!(error.starts_with(path.to_str().expect("it is text")) && error.contains("No such file"), "{error}");
    assert!(file.poll().is_none(), "it is told once");
    write(&TWO.replace("\"number\": 2", "\"number\": 33"));
    assert!(file.poll().is_some_and(|change| change.is_ok()), "the error is over");
    std::fs::remove_file(&path).expect("it is there");
    assert!(
        FileTree::open("/nowhere.json", watched())
            .err()
            .expect("it is not there")
            .to_string()
            .starts_with("/nowhere.json: ")
    );
}

/// Returns the error of a file, which has to settle first.
fn failure(file: &mut bt_dynamic::FileTree<World>) -> String {
    let began = std::time::Instant::now();
    loop {
        match file.poll() {
            Some(change) => {
                assert!(began.elapsed() >= millis(200), "an editor may still be writing");
                return change.err().expect("it is wrong").to_string();
            }
            None => std::thread::sleep(millis(10)),
        }
    }
}

#[test]
fn a_file_that_is_written_in_pieces_changes_once() {
    let path = std::env::temp_dir().join(format!("bt-pieces-{}.json", std::process::id()));
    std::fs::write(&path, TWO).expect("there is a temporary folder");
    let mut file = bt_dynamic::FileTree::open(&path, watched()).expect("nothing is wrong");
    let new = TWO.replace("\"number\": 2", "\"number\": 33");
    let (mut changes, mut written) = (0, String::new());
    std::fs::write(&path, "").expect("it can be written");
    for piece in new.as_bytes().chunks(new.len() / 7) {
        assert!(file.poll().is_none(), "{written}");
        written += core::str::from_utf8(piece).expect("it is ASCII");
        std::fs::write(&path, &written).expect("it can be written");
    }
    for _ in 0..30 {
        changes += usize::from(file.poll().is_some_and(|change| change.expect("nothing is wrong").new.count() == 4));
        std::thread::sleep(millis(10));
    }
    assert_eq!(changes, 1);
    std::fs::remove_file(&path).expect("it is there");
}

#[test]
fn what_the_fuzzer_has_found_is_a_tree_or_a_fault() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../bt-core/fuzz/corpus/load");
    let mut registry = registry();
    registry.add::<near>("near").add::<eat>("attack").add_leaf("near2", |_: &World| true);
    let (mut trees, mut errors) = (0, 0);
    for entry in std::fs::read_dir(folder).expect("it is there") {
        let bytes = std::fs::read(entry.expect("it can be listed").path()).expect("it can be read");
        let Ok(text) = String::from_utf8(bytes) else {
            errors += 1;
            continue;
        };
        match registry.load(&text) {
            Ok(tree) => {
                trees += 1;
                assert!(!tree.description().nodes().is_empty());
            }
            Err(error) => {
                errors += 1;
                assert!(!error.to_string().is_empty());
            }
        }
    }
    assert!(trees + errors > 80);
}

#[condition]
fn herded(world: &World) -> bool {
    world.now.as_millis() & 1 != 0
}

#[condition]
fn predator(world: &World) -> bool {
    world.now.as_millis() & 6 == 6
}

fn sheep() -> Registry<World> {
    let mut registry = registry();
    registry.add::<herded>("Herded").add::<predator>("Predator");
    registry
}

const SHEEP: &str = include_str!("sheep.b3.json");

#[test]
fn a_machine_in_a_file_is_the_one_that_is_written() {
    use bt_tests::world::Events;
    let written = tree! {
        for World: machine "sheep" {
            state idle { told(1), herded -> obey }
            state obey { told(2), !herded -> stopping }
            state stopping { told(3), success -> idle, failure -> failure }
            state fear { told(4), !predator -> success }
            any { predator -> fear }
        }
    };
    let built = bt_core::tree_from_json!("sheep.b3.json", for World: told, Herded => herded, Predator => predator);
    let loaded = sheep().load(SHEEP).expect("nothing is wrong with it");
    assert_eq!(built.description().to_string(), written.description().to_string());
    let drawn = loaded.description().to_string().replace("Herded", "herded").replace("Predator", "predator");
    assert_eq!(drawn, written.description().to_string());
    let again =
        sheep().load(&bt_dynamic::to_behavior3(&loaded.description(), "sheep").write()).expect("it was just written");
    assert_eq!(again.description().to_string(), loaded.description().to_string());

    let script: Vec<Status> = (0..97_u32).map(|step| [S, R, F, R, R, S, F][(step * step % 7) as usize]).collect();
    let world = || World { told: script.clone(), ..World::default() };
    let (mut one, mut two, mut three) = (world(), world(), world());
    let (mut first, mut second, mut third) = (written.memory(), built.memory(), loaded.memory());
    let mut outcomes = Vec::new();
    for step in 0..3000_u64 {
        for world in [&mut one, &mut two, &mut three] {
            world.now = millis(step.wrapping_mul(0x9E37_79B9) >> 7 & 7);
        }
        let [mut a, mut b, mut c] = [Events::default(), Events::default(), Events::default()];
        let status = written.tick_with(&mut one, &mut first, &mut a);
        assert_eq!(built.tick_with(&mut two, &mut second, &mut b), status);
        assert_eq!(loaded.tick_with(&mut three, &mut third, &mut c), status);
        assert_eq!((&a.0, &a.0), (&b.0, &c.0), "step {step}");
        if !outcomes.contains(&status) {
            outcomes.push(status);
        }
    }
    assert_eq!(one.seen, three.seen);
    let all = [S, F, R].map(|status| outcomes.contains(&status));
    assert_eq!((outcomes.len(), all), (3, [true; 3]), "it has succeeded, failed and run");
}

#[test]
fn a_save_that_was_changed_by_hand_is_no_panic() {
    let tree = sheep().load(SHEEP).expect("nothing is wrong with it");
    let (mut world, mut memory) = (World { told: vec![R], ..World::default() }, tree.memory());
    tree.tick(&mut world, &mut memory);
    let mut saved = serde_json::to_value(tree.saved(&memory)).expect("it is data");
    for word in saved["memory"][1]["words"].as_array_mut().expect("they are a list") {
        *word = json!(u64::MAX);
    }
    let mut memory = tree.memory();
    tree.load(&mut memory, saved).expect("it is of this tree");
    assert_eq!(tree.tick(&mut world, &mut memory), S, "it is in the last state, which leads out where no predator is");
}

#[test]
fn what_is_wrong_with_a_machine_is_told() {
    let wrong = |from: &str, to: &str| sheep().load(&SHEEP.replacen(from, to, 1)).expect_err("it is wrong").to_string();
    for (from, to, expected) in [
        ("-> obey", "-> obay", "node i (\"state\"): unknown state `obay` in a transition; help: did you mean `obey`?"),
        (
            "\"Herded -> obey\"",
            "\"Herdd -> obey\"",
            "node i (\"state\"): expected the name of a leaf in a transition, found `Herdd`; help: did you mean `Herded`?",
        ),
        ("\"obey\"", "\"idle\"", "node o (\"state\"): duplicate state `idle`"),
        (
            "\"Herded -> obey\"",
            "\"Herded\"",
            "node i (\"state\"): property `transitions`: expected a list of strings such as `condition -> state`, found `[\"Herded\"]`",
        ),
        (
            "\"machine\", \"title\": \"sheep\", \"properties\": { \"any\": [\"Predator -> fear\"] }",
            "\"Priority\"",
            "node i (\"state\"): `state` is only allowed inside a `machine`",
        ),
        (
            "\"children\": [\"i\",",
            "\"children\": [\"graze\", \"i\",",
            "node graze (\"told\"): expected one parent, found",
        ),
    ] {
        let error = wrong(from, to);
        assert!(error.lines().any(|line| line.starts_with(expected)), "{error}");
    }
}

#[test]
fn a_label_around_a_loaded_tree_comes_before_its_title() {
    let loaded = bt_dynamic::Registry::<()>::new()
        .load(r#"{ "root": "1", "nodes": { "1": { "name": "Runner", "title": "in the file" } } }"#)
        .expect("nothing is wrong with it");
    let tree = tree! { for (): sequence { (&loaded) "outside", &loaded } };
    let description = tree.description();
    let labels: Vec<_> = description.nodes().iter().map(|node| node.label.as_deref()).collect();
    assert_eq!(labels, [None, Some("outside"), Some("in the file")]);
}
