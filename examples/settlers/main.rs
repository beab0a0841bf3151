//! Settlers whose tree is a Behavior3 file. Edit `examples/settlers/settler.b3.json` while the example runs, and their behavior changes.
//!
//! `cargo run --example settlers` runs it in the terminal. `-- --headless --ticks 200 --seed 1` prints a trace, with the tree compiled from the file.
//! `cargo run --example settlers --features inspect -- --edit` prints the address of a page that edits the file.

mod settler;
#[cfg(test)]
mod tests;
mod view;

use std::process::ExitCode;

use bt_core::prelude::*;
use bt_dynamic::FileTree;
use bt_examples::options::Options;

use settler::{Settler, Town, registry};
use view::Game;

/// The path of the tree file.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/settlers/settler.b3.json");

/// Its name and its text, for a browser, which has no files.
const TEXT: (&str, &str) = ("settler.b3.json", include_str!("settler.b3.json"));

fn main() -> ExitCode {
    let file = match FileTree::open(FILE, registry()) {
        Ok(file) => Some(file),
        Err(_) if cfg!(target_family = "wasm") => None,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    bt_examples::run(200, trace, |options| match file {
        Some(file) => Game::new(file, options),
        None => Game::of_text(TEXT, options).expect("a test compares it with the file"),
    })
}

/// Returns the tree compiled from the same file.
fn built_in() -> impl Node<Settler> {
    use settler::{carry_home, chop, eat, hungry, walk_to};
    bt_core::tree_from_json!(
        "settler.b3.json",
        for Settler: Hungry => hungry, Eat => eat, WalkTo => walk_to, Chop => chop, CarryHome => carry_home
    )
}

/// Runs the compiled tree. Returns a line per change.
fn trace(options: Options) -> Vec<String> {
    let tree = built_in();
    let mut lines = tree.description().lines();
    let mut town = Town::new(&tree, options.seed);
    for _ in 0..options.ticks {
        lines.extend(town.tick(|_, settler, memory| _ = tree.tick(settler, memory)));
    }
    if !options.ticks.is_multiple_of(100) {
        lines.push(town.line());
    }
    lines
}
