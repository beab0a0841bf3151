//! The flock of "Finite State Machines in Javascript": hundreds of sheep on one state machine, as boids with weights per state.
//!
//! `cargo run --example sheep` runs it in the terminal; the mouse is the dog. `-- --headless --ticks 2400 --seed 1 --agents 300` prints a trace.

#[cfg(test)]
mod explored;
mod flock;
mod leaves;
mod simulation;
#[cfg(test)]
mod tests;
mod tree;
mod view;

use std::process::ExitCode;

use bt_examples::options::Options;

use simulation::Simulation;

/// The maximum number of sheep on the meadow.
const MOST: usize = 600;

fn main() -> ExitCode {
    bt_examples::run(2400, trace, |options| {
        view::Game::new(Simulation::new(tree::sheep(), sheep(options), options.seed).watched(options))
    })
}

/// Returns the number of sheep: 300 if the option is missing or too large.
fn sheep(options: Options) -> usize {
    if options.agents > MOST { 300 } else { options.agents }
}

/// Runs the simulation with a simulated dog. Returns the machine and a line every 2 s.
fn trace(options: Options) -> Vec<String> {
    let mut simulation = Simulation::new(tree::sheep(), sheep(options), options.seed).watched(options);
    let mut lines = simulation.drawing();
    lines.extend(simulation.trace(options.ticks));
    lines
}
