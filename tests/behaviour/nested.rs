//! Nested trees of files are subtrees.

use bt_core::describe::{Description, Kind};
use bt_core::prelude::*;
use bt_core::testing::TreeTest;
use bt_core::{Save, tree_from_json};
use bt_dynamic::bt_behavior3::Project;
use bt_dynamic::{LoadedTree, Registry};

const FILE: &str = include_str!("nested.b3.json");

#[action]
fn detect(_: &mut Board, #[input] shelf: u32, #[output] item: &mut Option<String>) {
    *item = Some(format!("box {shelf}"));
}

/// Carries an item for three ticks.
#[action]
fn carry(board: &mut Board, #[input] item: &str, #[input] to: &str, #[open] ticks: &mut u32) -> Status {
    let done = format!("{item} to {to}");
    board.set(&Key::new("carried"), done);
    *ticks += 1;
    if *ticks == 3 { Status::Success } else { Status::Running }
}

fn load(file: &str) -> LoadedTree<Board> {
    let mut registry = Registry::<Board>::new();
    registry.add::<detect>("Detect").add::<carry>("Carry");
    registry.load(file).unwrap_or_else(|error| panic!("{error}"))
}

fn built_in() -> impl Node<Board> + Save {
    tree_from_json!("nested.b3.json", for Board: Detect => detect, Carry => carry)
}

fn board() -> Board {
    let mut board = Board::new();
    board.set(&Key::new("next"), 8_u32);
    board
}

const DRAWING: &str = "\
mem_sequence
├─ fetch(shelf: 7)
│  └─ mem_sequence
│     ├─ Detect(shelf: 7, item: {2/_item})
│     └─ t-3(item: {2/_item}, to: \"the dock\")
│        └─ Carry(item: {2/_item}, to: \"the dock\")
└─ fetch(shelf: {next}, to: \"the truck\") \"the last one\"
   └─ mem_sequence
      ├─ Detect(shelf: {next}, item: {3/_item})
      └─ t-3(item: {3/_item}, to: \"the truck\")
         └─ Carry(item: {3/_item}, to: \"the truck\")
";

fn check_description(description: &Description) {
    assert_eq!(description.to_string(), DRAWING);
    let carry = description.find_all("Carry").last().expect("it is there");
    assert_eq!(description.path_of(carry.id), "the last one/t-3/Carry(item: {3/_item}, to: \"the truck\")");
    let nested = description.find("the last one").expect("it is there");
    assert_eq!(nested.kind, Kind::Subtree);
    let file = nested.file.as_ref().expect("it is in the file");
    assert_eq!((&*file.id, &*file.name), ("3", "t-2"));
    assert_eq!(file.properties, r#"{"shelf":"{next}","to":"the truck"}"#);
}

#[test]
fn a_nested_tree_is_a_subtree_in_both_engines() {
    check_description(&load(FILE).description());
    check_description(&built_in().description());
}

#[test]
fn both_engines_tick_nested_trees_alike() {
    fn run<N: Node<Board>>(tree: &N) -> Vec<String> {
        let mut test = TreeTest::new(tree, board());
        let mut log = Vec::new();
        for tick in 0..8 {
            log.push(format!("{:?}", test.tick()));
            log.extend(test.log());
            log.push(format!("{} {}", test.is_running("the last one"), test.is_running("fetch")));
            if tick == 4 {
                test.halt();
            }
        }
        log
    }
    let log = run(&built_in());
    assert_eq!(run(&load(FILE)), log);
    assert_eq!(log.iter().filter(|line| *line == "true true").count(), 3, "{log:?}");
}

#[test]
fn a_new_argument_of_a_nested_tree_restarts_only_what_uses_it() {
    let (old, new) = (load(FILE), load(&FILE.replace(r#""shelf": 7"#, r#""shelf": 9"#)));
    let (mut memory, mut board) = (old.memory(), board());
    assert_eq!(old.tick(&mut board, &mut memory), Status::Running);
    old.reload(&new, &mut memory, &mut board);
    let carried: Key<String> = Key::new("carried");
    for _ in 0..2 {
        assert_eq!(board.get(&carried).map(String::as_str), Some("box 7 to the dock"));
        assert_eq!(new.tick(&mut board, &mut memory), Status::Running);
    }
    assert_eq!(board.get(&carried).map(String::as_str), Some("box 8 to the truck"), "three ticks are over");
}

#[test]
fn a_nested_tree_is_written_as_its_nodes() {
    let tree = load(FILE);
    let written = tree.to_behavior3().write();
    let again = load(&written);
    let leaves = |tree: &LoadedTree<Board>| {
        let description = tree.description();
        let leaves = description.nodes().iter().filter(|node| node.kind == Kind::Action);
        leaves.map(bt_core::describe::Described::call).collect::<Vec<_>>()
    };
    assert_eq!(leaves(&again), leaves(&tree));
    assert_eq!(Project::read(&written).expect("it is a file").trees.len(), 1);
}
