//! Tests of the example.

use bt_core::prelude::*;
use bt_dynamic::FileTree;
use bt_examples::options::Options;
use bt_examples::panes::Pane;
use bt_examples::play::{Play, screen};

use crate::settler::{Town, registry};
use crate::view::Game;
use crate::{FILE, TEXT, built_in, trace};

#[test]
fn the_trace_depends_only_on_the_seed_and_wood_is_collected() {
    let first = trace(Options::headless(600, 1));
    assert_eq!(first, trace(Options::headless(600, 1)));
    assert_ne!(first, trace(Options::headless(600, 2)));
    let last = first.last().expect("a summary");
    let logs: u32 = last.split_whitespace().nth(2).and_then(|logs| logs.parse().ok()).expect("the number of logs");
    assert!(logs > 20, "{last}");
}

#[test]
fn the_compiled_and_the_loaded_tree_behave_identically() {
    let file = FileTree::open(FILE, registry()).expect("valid file");
    let tree = built_in();
    assert_eq!(file.tree().description().to_string(), tree.description().to_string());
    let (mut one, mut other) = (Town::new(&tree, 3), Town::new(file.tree(), 3));
    for _ in 0..1000 {
        let lines = one.tick(|_, settler, memory| _ = tree.tick(settler, memory));
        assert_eq!(other.tick(|_, settler, memory| _ = file.tree().tick(settler, memory)), lines);
    }
}

#[test]
fn a_changed_file_changes_the_running_settlers() {
    let path = std::env::temp_dir().join(format!("bt-settlers-{}.json", std::process::id()));
    let text = std::fs::read_to_string(FILE).expect("the file exists");
    std::fs::write(&path, &text).expect("the temporary folder is writable");
    let mut file = FileTree::open(&path, registry()).expect("valid file");
    let tree = file.live();
    let mut town = Town::new(&tree, 1);
    let mut run = || {
        let ticks = (0..300).flat_map(|_| town.tick(|_, settler, memory| _ = tree.tick(settler, memory)));
        ticks.collect::<Vec<_>>().join("\n")
    };
    assert!(!run().contains("naps"));
    // Replace `Chop` by `Nap` while the settlers work.
    std::fs::write(
        &path,
        text.replace("\"name\": \"Chop\"", "\"name\": \"Nap\"")
            .replace("\"properties\": {\n        \"wood\": 5\n      }", "\"properties\": {}"),
    )
    .expect("the temporary folder is writable");
    file.poll().expect("the file has changed").expect("valid file");
    let trace = run();
    assert!(trace.contains("naps") && !trace.contains("chops"), "{trace}");
    std::fs::remove_file(&path).expect("the file exists");
}

#[test]
fn the_view_shows_the_settlers_the_log_and_a_tree() {
    let file = FileTree::open(FILE, registry()).expect("valid file");
    let mut game = Game::new(file, Options::headless(0, 1));
    for _ in 0..40 {
        game.tick();
    }
    let rows = screen(&mut game, Pane::default(), (80, 24));
    for (row, name) in rows[1..5].iter().zip(["A", "B", "C", "D"]) {
        assert!(row.contains('⌂') && row.contains(name) && row.contains('♣'), "{row}");
    }
    let text = rows.join("\n");
    for part in ["logs in store", " log ", "Ada walks", " Ada ", "▶ "] {
        assert!(text.contains(part), "missing {part}:\n{text}");
    }
}

#[test]
fn a_small_terminal_shows_the_tree_or_the_town_and_how_to_quit() {
    let file = FileTree::open(FILE, registry()).expect("valid file");
    let mut game = Game::new(file, Options::headless(0, 1));
    game.tick();
    for (pane, text) in [(Pane::Tree, "work"), (Pane::Scene, "⌂")] {
        let rows = screen(&mut game, pane, (40, 10));
        assert!(rows[9].contains(" q: quit "), "{rows:#?}");
        assert!(rows.concat().contains(text), "{rows:#?}");
    }
    let rows = screen(&mut game, Pane::Tree, (80, 24));
    assert!(rows.concat().contains("work") && rows.concat().contains("⌂"), "{rows:#?}");
}

#[test]
fn the_text_in_the_program_is_that_of_the_file() {
    let file = FileTree::open(FILE, registry()).expect("valid file");
    let mut games =
        [Game::new(file, Options::headless(0, 1)), Game::of_text(TEXT, Options::headless(0, 1)).expect("valid text")];
    let screens = games.each_mut().map(|game| {
        (0..100).for_each(|_| game.tick());
        screen(game, Pane::Scene, (60, 24))
    });
    assert_eq!(screens[0], screens[1]);
}
