//! A village of ten thousand on one tree: a day's routine, a shared board, chance, a wolf, newcomers in the places of those who left.
//!
//! `cargo run --release --example villagers` shows it in the terminal. `-- --headless --ticks 600 --seed 1 --agents 10000` prints a trace.

mod leaves;
mod save;
mod story;
#[cfg(test)]
mod tests;
mod tree;
mod view;
mod village;

use std::process::ExitCode;

use bt_examples::options::Options;
use bt_examples::terminal;

use story::{Cores, Story};

fn main() -> ExitCode {
    let options = match Options::from_command_line(600) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::FAILURE;
        }
    };
    let cores = if options.one_core { Cores::One } else { Cores::All };
    let mut story = Story::new(tree::villager(), options.agents, options.seed);
    if options.headless {
        for line in story.drawing().into_iter().chain(story.trace(options.ticks, cores)) {
            println!("{line}");
        }
        return ExitCode::SUCCESS;
    }
    match terminal::play(&mut view::Dashboard::new(story, cores)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("the terminal: {error}");
            ExitCode::FAILURE
        }
    }
}
