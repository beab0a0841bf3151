//! A warehouse of 10,000 robots on one tree: asynchronous actions with tokio, and robots that sleep.
//!
//! `cargo run --release --example delivery` runs it in the terminal. `-- --headless --seed 1` prints a trace.

#[cfg(test)]
mod explored;
mod leaves;
mod motor;
mod robot;
mod simulation;
#[cfg(test)]
mod tests;
mod trace;
mod tree;
mod view;
mod warehouse;

use std::process::ExitCode;

use bt_core::prelude::*;
use bt_examples::options::Options;

use robot::Robot;
use simulation::Simulation;

fn main() -> ExitCode {
    bt_examples::run(6000, trace, |options| view::Dashboard::new(simulation(options)))
}

fn simulation(options: Options) -> Simulation<impl Node<Robot>> {
    Simulation::new(tree::robot(), options.agents, options.seed).watched(options)
}

/// Runs the simulation. Returns the tree and a line per simulated minute.
fn trace(options: Options) -> Vec<String> {
    let mut simulation = simulation(options);
    let mut lines = simulation.drawing();
    lines.extend(simulation.trace(options.ticks));
    lines
}
