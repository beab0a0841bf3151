//! Love Craft in a terminal: `cargo run -p love-craft`. `-- --headless --ticks 600 --seed 1` prints a trace.

use std::process::ExitCode;

use love_craft::view::{Scene, trace};

fn main() -> ExitCode {
    bt_examples::run(600, trace, Scene::new)
}
