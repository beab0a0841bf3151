//! The flock of "Finite State Machines in Javascript": hundreds of sheep on one machine, boids whose weights depend on the state.
//!
//! `cargo run --example sheep` plays it in the terminal, the mouse is the dog. `-- --headless --ticks 2400 --seed 1 --agents 300` prints a trace.

mod flock;
mod leaves;
mod story;
#[cfg(test)]
mod tests;
mod tree;
mod view;

use std::process::ExitCode;

use bt_examples::options::Options;

use story::Story;

/// How many sheep fit on the meadow.
const MOST: usize = 600;

fn main() -> ExitCode {
    bt_examples::tell(2400, trace, |options| {
        view::Game::new(Story::new(tree::sheep(), sheep(options), options.seed).watched(options))
    })
}

/// Three hundred unless told otherwise: the village's ten thousand would not fit.
fn sheep(options: Options) -> usize {
    if options.agents > MOST { 300 } else { options.agents }
}

/// The machine, and what the flock does while the dog works by itself.
fn trace(options: Options) -> Vec<String> {
    let mut story = Story::new(tree::sheep(), sheep(options), options.seed).watched(options);
    let mut lines = story.drawing();
    lines.extend(story.trace(options.ticks));
    lines
}
