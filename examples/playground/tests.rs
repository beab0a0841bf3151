//! Tests of the example.

use bt_core::prelude::*;
use bt_examples::input::{Input, Key};
use bt_examples::options::Options;
use bt_examples::panes::Pane;
use bt_examples::play::{Play, screen};

use crate::source::load;
use crate::view::Game;
use crate::{TREE, trace};

/// Returns the leaves of a source.
fn leaves(source: &str) -> Vec<String> {
    let (_, stage) = load(source).expect("the tree can be loaded");
    stage.leaves.into_iter().map(|leaf| leaf.name).collect()
}

/// Returns a game of the source, and its screen.
fn game(source: &str) -> Game {
    Game::new(load(source), Options::headless(0, 1))
}

#[test]
fn leaves_have_their_texts_with_their_literals() {
    assert_eq!(leaves(TREE), ["sees_enemy", "attack", "walk_to(1)", "walk_to(2)"]);
    let closure = "let tree = tree! { for u32: sequence { |n: &u32| *n > 3, |_: &mut u32| run_to(2.5) } };";
    assert_eq!(leaves(closure), ["|n:&u32|*n>3", "|_:&mut u32|run_to(_)"], "a hole of its own is not filled");
}

#[test]
fn ready_leaves_are_those_of_the_library() {
    let (tree, mut stage) = load("tree! { wait(secs(1)) }").expect("the tree can be loaded");
    let mut memory = tree.memory();
    assert!(stage.leaves.is_empty());
    assert_eq!(tree.tick(&mut stage, &mut memory), Status::Running);
    stage.now = secs(1);
    assert_eq!(tree.tick(&mut stage, &mut memory), Status::Success);
}

#[test]
fn the_conditions_of_a_machine_are_leaves() {
    let machine = "tree! { machine { state idle { stand, called -> walk } state walk { go, !called -> idle } } }";
    match load(machine) {
        Ok((_, stage)) => {
            let names: Vec<_> = stage.leaves.iter().map(|leaf| leaf.name.as_str()).collect();
            assert!(["stand", "called", "go"].iter().all(|name| names.contains(name)), "{names:?}");
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn the_largest_tree_of_a_source_runs() {
    assert_eq!(
        leaves(
            "fn part() -> impl Node<()> { tree! { a } }\nfn whole() -> impl Node<()> { tree! { selector { b, c } } }"
        ),
        ["b", "c"]
    );
}

#[test]
fn what_cannot_be_run_says_why() {
    for (source, reason) in [
        ("", "expected a node, found an empty tree"),
        ("tree! { selecter { a } b }", "1:9: "),
        ("selecter { a } b", "1:1: "),
        ("tree! {", "is not closed"),
        ("tree! { utility_selector { threat => fight, 0.2 => patrol } }", "`score:threat` has to be compiled"),
    ] {
        let error = load(source).map(drop).expect_err("it cannot be run");
        assert!(error.contains(reason), "{source}: {error}");
        let text = screen(&mut game(source), Pane::Scene, (79, 10)).concat();
        assert!(text.contains(reason), "{text}");
    }
}

#[test]
fn the_trace_has_a_line_per_tick() {
    let lines = trace(Options::headless(3, 1));
    assert_eq!(lines.iter().filter(|line| line.ends_with(" s  Success")).count(), 3, "{lines:#?}");
    let missing = trace(Options { tree: Some("no/such/file.rs"), ..Options::headless(3, 1) });
    assert!(missing.len() == 1 && missing[0].starts_with("no/such/file.rs: "), "{missing:?}");
}

#[test]
fn keys_and_clicks_change_what_a_leaf_returns() {
    let mut game = game("tree! { selector { a, b } }");
    game.tick();
    let text = |game: &mut Game| screen(game, Pane::Scene, (79, 10));
    assert!(
        text(&mut game)[1].contains("• ✓ success a") && text(&mut game)[2].contains("  ✓ success b"),
        "{:#?}",
        text(&mut game)
    );
    game.input(Input::Key(Key::Char(' ')));
    game.tick();
    assert!(text(&mut game)[1].contains("• ✗ failure a") && text(&mut game)[2].contains("• ✓ success b"));
    game.input(Input::Key(Key::Down));
    game.input(Input::Key(Key::Down));
    game.input(Input::Key(Key::Char(' ')));
    game.input(Input::Key(Key::Char(' ')));
    game.tick();
    assert!(text(&mut game)[2].contains("• ▶ running b"));
    for pressed in [true, true, false, true] {
        game.input(Input::Pointer { column: 5, row: 1, pressed });
    }
    assert!(text(&mut game)[1].contains("✓ success a"), "two clicks, and a movement while the button is pressed");
    let wide = screen(&mut game, Pane::Scene, (100, 12)).concat();
    assert!(wide.contains(" tree ") && wide.contains("selector"), "{wide}");
}
