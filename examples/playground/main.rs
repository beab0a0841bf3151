//! Any tree of a source, with leaves whose results you choose: to see what a tree does before its leaves are written.
//!
//! `cargo run --example playground -- --tree FILE` runs the largest tree in a Rust file in the terminal. In the browser, the guide runs its trees with it.

mod source;
mod stage;
#[cfg(test)]
mod tests;
mod view;

use std::process::ExitCode;

use bt_core::prelude::*;
use bt_dynamic::LoadedTree;
use bt_examples::options::Options;

use stage::{Stage, TICK};

/// The tree without an option.
const TREE: &str = include_str!("guard.rs");

fn main() -> ExitCode {
    bt_examples::run(10, trace, |options| view::Game::new(loaded(options), options))
}

/// Returns the tree and its leaves, or why there is none.
fn loaded(options: Options) -> Result<(LoadedTree<Stage>, Stage), String> {
    source::load(&match options.tree {
        None => TREE.to_owned(),
        // In a browser, the option is the source.
        Some(source) if cfg!(target_family = "wasm") => source.to_owned(),
        Some(path) => std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?,
    })
}

/// Runs the tree, whose leaves succeed. Returns the tree and a line per tick.
fn trace(options: Options) -> Vec<String> {
    let (tree, mut stage) = match loaded(options) {
        Ok(loaded) => loaded,
        Err(error) => return vec![error],
    };
    let mut lines = tree.description().lines();
    let mut memory = tree.memory();
    for tick in 0..options.ticks {
        stage.now = TICK * tick;
        lines.push(format!("{:>6.2} s  {:?}", stage.now.as_secs_f32(), tree.tick(&mut stage, &mut memory)));
    }
    lines
}
