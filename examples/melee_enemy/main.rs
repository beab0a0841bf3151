//! The melee enemy of "Behavior Trees #2": several students share one tree; come too near, and they get suspicious, then angry.
//!
//! `cargo run --example melee_enemy` plays it in the terminal. `-- --headless --ticks 2000 --seed 1` prints a trace.

mod leaves;
mod player;
mod story;
#[cfg(test)]
mod tests;
mod tree;
mod view;
mod world;

use std::process::ExitCode;

use bt_core::prelude::*;
use bt_examples::options::Options;

use story::Story;
use world::Enemy;

fn main() -> ExitCode {
    bt_examples::tell(2000, trace, |options| view::Game::new(story(options)))
}

fn story(options: Options) -> Story<impl for<'w> Node<Enemy<'w>>> {
    Story::new(tree::melee_enemy(), options.seed).watched(options)
}

/// The tree, and what happens while the player plays by itself.
fn trace(options: Options) -> Vec<String> {
    let mut story = story(options);
    let mut lines = story.drawing();
    lines.extend(story.trace(options.ticks));
    lines
}
