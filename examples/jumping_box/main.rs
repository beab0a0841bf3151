//! The jumping box of "Implementing a Behavior Tree – Part 2": hover over it for half a second, and it jumps away.
//!
//! `cargo run --example jumping_box` runs it in the terminal, with the mouse. `-- --headless --ticks 400 --seed 1` prints a trace.

mod scene;
#[cfg(test)]
mod tests;
mod tree;
mod view;

use std::process::ExitCode;

use bt_core::prelude::*;
use bt_examples::options::Options;
use bt_examples::watch::{Watch, numbered};

use scene::{Scene, TICK};

fn main() -> ExitCode {
    bt_examples::run(400, trace, |options| view::Game::new(tree::jumping_box(), Scene::new(options.seed), options))
}

/// Runs the example with a simulated mouse. Returns a line per change.
fn trace(options: Options) -> Vec<String> {
    let tree = tree::jumping_box();
    let mut memory = tree.memory();
    let mut scene = Scene::new(options.seed);
    let mut watch = Watch::new(options, ("jumping box", &tree), numbered("box", 1), TICK);
    let mut lines = tree.description().lines();
    for _ in 0..options.ticks {
        let (before, status) = {
            let before = scene.clone();
            scene.step();
            scene.move_mouse();
            let now = scene.now();
            let status = tree.tick_with(&mut scene, &mut memory, &mut watch.at(0, now));
            watch.show(0, || scene.values());
            (before, status)
        };
        watch.pace();
        lines.extend(
            scene
                .changes_since(&before)
                .map(|change| format!("{:>6.2} s  {change} ({status:?})", scene.now().as_secs_f32())),
        );
    }
    lines.push(format!("{} jumps in {:.1} s", scene.jumps, scene.now().as_secs_f32()));
    lines
}
