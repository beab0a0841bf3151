//! `match` and `mem_match`.

use bt_core::Status::{Failure, Running, Success};
use bt_core::prelude::*;
use bt_core::tree_from_json;
use bt_dynamic::Registry;
use bt_dynamic::bt_behavior3::{Arity, NodeNames, Project};
use bt_tests::without_layout;
use bt_tests::world::{Event, World, told};

use crate::support::running;

#[derive(Clone, Debug, PartialEq)]
enum Mood {
    Calm,
    Hungry(u32),
    Angry,
}

struct Npc {
    mood: Mood,
    name: String,
    target: Option<String>,
    did: char,
}

impl Npc {
    fn new(mood: Mood) -> Self {
        Self { mood, name: "ann".to_owned(), target: None, did: ' ' }
    }

    fn target(&self) -> Option<&str> {
        self.target.as_deref()
    }
}

#[action]
fn act(npc: &mut Npc, did: char) {
    npc.did = did;
}

fn mood(npc: &Npc) -> Mood {
    npc.mood.clone()
}

fn did<N: Node<Npc>>(tree: &N, npc: &mut Npc) -> char {
    npc.did = ' ';
    tree.tick(npc, &mut tree.memory());
    npc.did
}

#[test]
fn the_first_pattern_that_matches_selects_the_node() {
    let tree = tree! {
        for Npc: match mood {
            Mood::Calm => act('c'),
            Mood::Hungry(n) if n > 3 => act('h'),
            Mood::Hungry(_) | Mood::Angry => act('a'),
        }
    };
    for (mood, expected) in [(Mood::Calm, 'c'), (Mood::Hungry(4), 'h'), (Mood::Hungry(3), 'a'), (Mood::Angry, 'a')] {
        assert_eq!(did(&tree, &mut Npc::new(mood)), expected);
    }
}

#[test]
fn the_function_can_be_a_closure_whose_result_borrows_from_the_context() {
    let tree = tree! {
        for Npc: selector {
            match |npc: &Npc| (&npc.mood, npc.name.as_str()) { (Mood::Angry, "bob") => act('b'), _ => fail }
            match |npc: &Npc| -> Option<&str> { npc.target() } {
                Some("fox") => act('f'),
                Some(_) => act('t'),
                None => fail,
            }
            match Npc::target { None => act('n'), Some(_) => fail }
        }
    };
    let mut npc = Npc::new(Mood::Angry);
    assert_eq!(did(&tree, &mut npc), 'n');
    npc.target = Some("fox".to_owned());
    assert_eq!(did(&tree, &mut npc), 'f');
    npc.target = Some("hen".to_owned());
    assert_eq!(did(&tree, &mut npc), 't');
    npc.name = "bob".to_owned();
    assert_eq!(did(&tree, &mut npc), 'b');
}

#[test]
fn the_function_can_be_a_parameter() {
    fn by<F: Fn(&Npc) -> bool + Copy + Send + Sync + 'static>(test: F) -> impl Node<Npc> {
        tree! { match test { true => act('t'), false => act('f') } }
    }
    let tree = by(|npc: &Npc| npc.mood == Mood::Calm);
    assert_eq!(did(&tree, &mut Npc::new(Mood::Calm)), 't');
    assert_eq!(did(&tree, &mut Npc::new(Mood::Angry)), 'f');
}

#[test]
fn when_another_node_is_selected_the_running_one_is_halted_first() {
    let mut run = running(tree! { match |world: &World| world.now.as_secs() { 0 => told(1), _ => told(2) } });
    assert_eq!(run.tick(&[Running]), Running);
    assert_eq!(run.tick(&[Running]), Running);
    assert!(run.opened().is_empty());
    run.world.now = secs(3);
    assert_eq!(run.tick(&[Running]), Running);
    let seen = run.world.take_seen();
    let at = |event| seen.iter().position(|seen| *seen == event).expect("it was seen");
    assert!(at(Event::Close(1, End::Halted(Cause::Preempted))) < at(Event::Open(2)));
}

#[test]
fn mem_match_evaluates_the_function_once_per_run() {
    let mut run = running(tree! { mem_match |world: &World| world.now.as_secs() { 0 => told(1), _ => told(2) } });
    assert_eq!(run.tick(&[Running]), Running);
    run.world.now = secs(3);
    assert_eq!(run.tick(&[Running]), Running);
    assert_eq!(run.tick(&[Failure]), Failure);
    assert_eq!(run.ticked(), [1]);
    assert_eq!(run.tick(&[Success]), Success);
    assert_eq!(run.ticked(), [2]);
}

#[test]
fn descriptions_show_the_function_and_the_patterns() {
    let tree = tree! {
        for Npc: selector {
            match mood "how it feels" { Mood::Calm => fail, Mood::Hungry(n) if n > 3 => act('h'), _ => fail }
            mem_match |npc: &Npc| npc.name.len() { 3 => act('3'), _ => act('x') }
        }
    };
    assert_eq!(
        tree.description().to_string(),
        "selector\n\
         ├─ match(on: mood, cases: [\"Mood::Calm\", \"Mood::Hungry(n) if n > 3\", \"_\"]) \"how it feels\"\n\
         │  ├─ fail\n\
         │  ├─ act(did: 'h')\n\
         │  └─ fail\n\
         └─ mem_match(on: |npc: &Npc| npc.name.len(), cases: [3, \"_\"])\n   ├─ act(did: '3')\n   └─ act(did: 'x')\n"
    );
}

const FILE: &str = include_str!("selection.b3.json");

fn calm(board: &mut Board) {
    note(board, 'c');
}
fn three(board: &mut Board) {
    note(board, '3');
}
fn other(board: &mut Board) {
    note(board, 'o');
}
fn note(board: &mut Board, sign: char) {
    const LOG: Key<String> = Key::new("log");
    let log = board.get(&LOG).cloned().unwrap_or_default();
    board.set(&LOG, format!("{log}{sign}"));
}
fn length(board: &Board) -> usize {
    board.get(&Key::<String>::new("log")).map_or(0, String::len)
}

fn reads<N: Node<Board>>(tree: &N) {
    let log = |set: &dyn Fn(&mut Board)| {
        let mut board = Board::new();
        set(&mut board);
        assert_eq!(tree.tick(&mut board, &mut tree.memory()), Success);
        board.get(&Key::<String>::new("log")).cloned().unwrap_or_default()
    };
    assert_eq!(log(&|board| board.set(&Key::new("mood"), Mood::Calm)), "co");
    assert_eq!(log(&|board| board.set(&Key::new("mood"), "Calm")), "co");
    assert_eq!(log(&|board| board.set(&Key::new("mood"), 3)), "3o");
    assert_eq!(log(&|board| board.set(&Key::new("mood"), 3.0)), "3o");
    assert_eq!(log(&|board| board.set(&Key::new("mood"), Mood::Hungry(3))), "oo");
    assert_eq!(log(&|_| {}), "oo");
    assert_eq!(log(&|board| board.set(&Key::new("log"), String::from("x"))), "xo3");
}

#[test]
fn files_compare_a_value_or_a_variable_with_text_and_numbers() {
    let mut registry = Registry::<Board>::new().with_board();
    registry.add_leaf("Calm", calm).add_leaf("Three", three).add_leaf("Other", other).add_value("Length", length);
    let loaded = registry.load(FILE).expect("the file is valid");
    reads(&loaded);
    let built_in =
        tree_from_json!("selection.b3.json", for Board: Calm => calm, Three => three, Other => other, Length => length);
    reads(&built_in);
    assert_eq!(loaded.description().lines()[1], "├─ match(on: {mood}, cases: [\"Calm\", 3, \"_\"])");
    let written = registry.load(&loaded.to_behavior3().write()).expect("it was just written");
    assert_eq!(without_layout(&written.description()), without_layout(&loaded.description()));
}

fn stay(board: &mut Board) -> Status {
    note(board, 's');
    Running
}

fn reads_once<N: Node<Board>>(tree: &N) {
    let (mut board, mut memory) = (Board::new(), tree.memory());
    board.set(&Key::new("mood"), "Calm");
    assert_eq!(tree.tick(&mut board, &mut memory), Running);
    board.set(&Key::new("mood"), "Angry");
    assert_eq!(tree.tick(&mut board, &mut memory), Running);
    assert_eq!(tree.tick(&mut board, &mut tree.memory()), Success);
    assert_eq!(board.get(&Key::<String>::new("log")).map(String::as_str), Some("sso"));
}

#[test]
fn a_mem_match_of_a_file_reads_its_variable_once_per_run() {
    const FILE: &str = include_str!("selection_once.b3.json");
    let mut registry = Registry::<Board>::new().with_board();
    registry.add_leaf("Stay", stay).add_leaf("Three", three).add_leaf("Other", other);
    reads_once(&registry.load(FILE).expect("the file is valid"));
    reads_once(&tree_from_json!("selection_once.b3.json", for Board: Stay => stay, Three => three, Other => other));
    let names = NodeNames::new(["Stay", "Three", "Other"].map(|name| (name, Arity::Zero)));
    let checked = Project::read(FILE).expect("it is a file").check(None, &names).expect("the file is valid");
    assert_eq!(
        checked.to_rust(),
        "bt_core::file::mem_match_variable(\"mood\", [\"Calm\".into(), 3.into()]) { stay, three, other }\n"
    );
    reads_once(&tree! {
        for Board: bt_core::file::mem_match_variable("mood", ["Calm".into(), 3.into()]) { stay, three, other }
    });
}

#[test]
fn wrong_cases_in_files_are_errors() {
    let mut registry = Registry::<Board>::new().with_board();
    registry.add_leaf("Calm", calm).add_value("Length", length);
    let error = |on: &str, cases: &str| {
        let file = format!(
            r#"{{ "root": "0", "nodes": {{ "0": {{ "name": "match", "properties": {{ "on": {on}, "cases": {cases} }}, "children": ["1", "2"] }},
                "1": {{ "name": "Calm" }}, "2": {{ "name": "Calm" }} }} }}"#
        );
        registry.load(&file).expect_err("it is wrong").to_string()
    };
    let found = error("\"Length\"", "[1, 2]");
    assert!(
        found.contains("property `cases`: expected a list of 1 texts or numbers, for all children except the last"),
        "{found}"
    );
    let found = error("\"Calm\"", "[1]");
    assert!(found.contains("unknown value `Calm`; note: it is a node"), "{found}");
    let found = error("3", "[1]");
    assert!(
        found.contains("property `on`: expected the name of a registered value, or a variable such as `{mood}`"),
        "{found}"
    );
}

#[test]
fn a_match_whose_patterns_a_file_cannot_have_is_not_loaded_as_another() {
    let value = |n: &u32| *n;
    let mut registry = Registry::<u32>::new();
    registry.add_value("|n: &u32| *n", value);
    let literal = tree! { for u32: match |n: &u32| *n { 3 => succeed, _ => fail } };
    let written = bt_dynamic::to_behavior3(&literal.description(), "").write();
    let loaded = registry.load(&written).expect("a file can have it");
    assert_eq!([3, 4].map(|mut n| loaded.tick(&mut n, &mut loaded.memory())), [Success, Failure]);
    let range = tree! { for u32: match |n: &u32| *n { 1..=3 => succeed, _ => fail } };
    let written = bt_dynamic::to_behavior3(&range.description(), "").write();
    let error = registry.load(&written).expect_err("a file cannot have it").to_string();
    assert!(error.contains("property `cases`: expected a list of 1 texts or numbers"), "{error}");
}

#[test]
fn a_case_is_compared_with_a_float_as_it_is_written() {
    let mut registry = Registry::<f32>::new();
    registry.add_value("hp", |hp: &f32| *hp).add_value("NaN", |_: &f32| 7);
    let tree = registry.load(
        r#"{ "root": "0", "nodes": {
            "0": { "name": "match", "properties": { "on": "hp", "cases": [0.1] }, "children": ["1", "2"] },
            "1": { "name": "utility_selector", "properties": { "scores": ["NaN", 5] }, "children": ["3", "4"] },
            "2": { "name": "Failer" }, "3": { "name": "Succeeder" }, "4": { "name": "Runner" }
        } }"#,
    );
    let tree = tree.expect("a registered name may look like a number");
    assert_eq!([0.1, 0.2].map(|mut hp| tree.tick(&mut hp, &mut tree.memory())), [Success, Failure]);
}
