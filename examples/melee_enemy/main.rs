//! The melee enemy of "Behavior Trees #2": several students share one tree. If the player comes near, they get suspicious, then attack.
//!
//! `cargo run -p melee_enemy` runs it in the terminal. `-- --headless --ticks 2000 --seed 1` prints a trace.
//! `cargo run -p melee_enemy --features inspect,live -- --edit` prints the address of a page that edits the tree while the students run it, and saves `tree.rs`.

#[cfg(test)]
mod explored;
mod leaves;
mod player;
mod simulation;
#[cfg(test)]
mod tests;
mod tree;
mod view;
mod world;

use std::process::ExitCode;

use bt_core::prelude::*;
use bt_examples::options::Options;

use simulation::Simulation;
use world::Enemy;

fn main() -> ExitCode {
    bt_examples::run(2000, trace, |options| view::Game::new(simulation(options)))
}

fn simulation(options: Options) -> Simulation<impl for<'w> Node<Enemy<'w>>> {
    Simulation::new(tree::melee_enemy(), options.seed).watched(options)
}

/// Runs the simulation with a simulated player. Returns the tree and a line per event.
fn trace(options: Options) -> Vec<String> {
    let mut simulation = simulation(options);
    let mut lines = simulation.drawing();
    lines.extend(simulation.trace(options.ticks));
    lines
}
