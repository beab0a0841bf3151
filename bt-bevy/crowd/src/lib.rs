//! A square full of customers who queue for love potions. All of them run one tree of 92 nodes, after the Ludum Dare game "Love Craft".
//!
//! `cargo run -p crowd` runs it in the terminal. `-- --headless --ticks 600 --seed 1` prints a trace. With the feature `inspector`,
//! `--inspect` shows all customers in the browser.

pub mod app;
mod leaves;
pub mod square;
#[cfg(test)]
mod tests;
mod tree;
pub mod view;
mod walking;

use bt_examples::options::Options;

/// Runs the simulation. Returns the tree, and a line for every ten seconds.
pub fn trace(options: Options) -> Vec<String> {
    let mut app = app::app(options);
    let mut lines = tree::drawing();
    for tick in 1..=options.ticks {
        app.update();
        if tick % 100 == 0 {
            lines.push(format!("{:4} s  {}", tick / 10, app::counts(app.world_mut())));
        }
    }
    lines
}
