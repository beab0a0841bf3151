//! What the story promises.

use bt_core::prelude::*;
use bt_dynamic::FileTree;
use bt_examples::options::Options;

use crate::settler::{Town, registry};
use crate::{FILE, built_in, trace};

#[test]
fn the_trace_is_the_same_each_time_and_wood_comes_in() {
    let first = trace(Options::headless(600, 1));
    assert_eq!(first, trace(Options::headless(600, 1)));
    assert_ne!(first, trace(Options::headless(600, 2)));
    let last = first.last().expect("there are lines");
    let logs: u32 = last.split_whitespace().nth(2).and_then(|logs| logs.parse().ok()).expect("it says how many");
    assert!(logs > 20, "{last}");
}

#[test]
fn both_engines_tell_the_same_story() {
    let file = FileTree::open(FILE, registry()).expect("nothing is wrong with it");
    let tree = built_in();
    assert_eq!(file.tree().description().to_string(), tree.description().to_string());
    let (mut one, mut other) = (Town::new(&tree, 3), Town::new(file.tree(), 3));
    for _ in 0..1000 {
        let lines = one.tick(|_, settler, memory| tree.tick(settler, memory));
        assert_eq!(other.tick(|_, settler, memory| file.tree().tick(settler, memory)), lines);
    }
}

#[test]
fn settlers_change_while_they_work() {
    let path = std::env::temp_dir().join(format!("bt-settlers-{}.json", std::process::id()));
    let text = std::fs::read_to_string(FILE).expect("it is there");
    std::fs::write(&path, &text).expect("there is a temporary folder");
    let mut file = FileTree::open(&path, registry()).expect("nothing is wrong with it");
    let mut town = Town::new(file.tree(), 1);
    let run = |town: &mut Town<_>, file: &FileTree<_>| {
        let ticks = (0..300).flat_map(|_| town.tick(|_, settler, memory| file.tree().tick(settler, memory)));
        ticks.collect::<Vec<_>>().join("\n")
    };
    assert!(!run(&mut town, &file).contains("naps"));
    // They have brought home enough, and may rest from now on.
    std::fs::write(
        &path,
        text.replace("\"name\": \"Chop\"", "\"name\": \"Nap\"")
            .replace("\"properties\": {\n        \"wood\": 5\n      }", "\"properties\": {}"),
    )
    .expect("there is a temporary folder");
    let change = file.poll().expect("it has changed").expect("nothing is wrong with it");
    town.each(|settler, memory| change.apply(memory, settler));
    let story = run(&mut town, &file);
    assert!(story.contains("naps") && !story.contains("chops"), "{story}");
    std::fs::remove_file(&path).expect("it is there");
}
