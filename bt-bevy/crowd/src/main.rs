//! A square full of customers who queue for love potions. All of them run one tree of 92 nodes, after the Ludum Dare game "Love Craft".
//!
//! `cargo run -p crowd` runs it in the terminal. `-- --headless --ticks 600 --seed 1` prints a trace. With the feature `inspector`,
//! `--inspect` shows all customers in the browser.

use std::process::ExitCode;

use crowd::{trace, view};

fn main() -> ExitCode {
    bt_examples::run(600, trace, view::Square::new)
}
