//! A village of 10,000 agents on one tree: a daily routine, a shared board, randomness, a wolf, and newcomers that reuse slots.
//!
//! `cargo run --release --example villagers` runs it in the terminal. `-- --headless --ticks 600 --seed 1 --agents 10000` prints a trace.

mod leaves;
mod save;
mod simulation;
#[cfg(test)]
mod tests;
mod tree;
mod view;
mod village;

use std::process::ExitCode;

use bt_core::prelude::*;
use bt_examples::options::Options;

use simulation::{Cores, Simulation};
use village::Life;

fn main() -> ExitCode {
    bt_examples::run(600, trace, |options| view::Dashboard::new(simulation(options), cores(options)))
}

fn simulation(options: Options) -> Simulation<impl for<'v> Node<Life<'v>> + Save + Sync> {
    Simulation::new(tree::villager(), options.agents, options.seed).watched(options)
}

fn cores(options: Options) -> Cores {
    if options.one_core { Cores::One } else { Cores::All }
}

/// Runs the simulation. Returns the tree and a line per hour.
fn trace(options: Options) -> Vec<String> {
    let mut simulation = simulation(options);
    let mut lines = simulation.drawing();
    lines.extend(simulation.trace(options.ticks, cores(options)));
    lines
}
