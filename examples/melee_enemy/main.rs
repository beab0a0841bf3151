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

use bt_examples::options::Options;
use bt_examples::terminal;

use story::Story;

fn main() -> ExitCode {
    let options = match Options::from_command_line(2000) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::FAILURE;
        }
    };
    let mut story = Story::new(tree::melee_enemy(), options.seed);
    if options.headless {
        for line in story.drawing() {
            println!("{line}");
        }
        for line in story.trace(options.ticks) {
            println!("{line}");
        }
        return ExitCode::SUCCESS;
    }
    match terminal::play(&mut view::Game::new(story)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("the terminal: {error}");
            ExitCode::FAILURE
        }
    }
}
