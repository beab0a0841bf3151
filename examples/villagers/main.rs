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

use bt_core::prelude::*;
use bt_examples::options::Options;

use story::{Cores, Story};
use village::Life;

fn main() -> ExitCode {
    bt_examples::tell(600, trace, |options| view::Dashboard::new(story(options), cores(options)))
}

fn story(options: Options) -> Story<impl for<'v> Node<Life<'v>> + Save + Sync> {
    Story::new(tree::villager(), options.agents, options.seed).watched(options)
}

fn cores(options: Options) -> Cores {
    if options.one_core { Cores::One } else { Cores::All }
}

/// The tree, and where the village is at each hour.
fn trace(options: Options) -> Vec<String> {
    let mut story = story(options);
    let mut lines = story.drawing();
    lines.extend(story.trace(options.ticks, cores(options)));
    lines
}
