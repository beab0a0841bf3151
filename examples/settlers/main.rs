//! Settlers whose tree is a Behavior3 file. Edit `examples/settlers/settler.b3.json` while the example runs, and their behavior changes.
//!
//! `cargo run --example settlers` runs until it is stopped. `-- --headless --ticks 200 --seed 1` prints a trace, with the tree compiled from the file.

mod settler;
#[cfg(test)]
mod tests;

use std::process::ExitCode;

use bt_core::prelude::*;
use bt_dynamic::FileTree;
use bt_examples::options::Options;
use bt_examples::watch::Watch;

use settler::{Settler, TICK, Town, registry};

/// The path of the tree file.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/settlers/settler.b3.json");

fn main() -> ExitCode {
    let result = Options::from_command_line(200).and_then(|options| {
        if !options.headless {
            return live(options).map_err(|error| error.to_string());
        }
        for line in trace(options) {
            println!("{line}");
        }
        Ok(())
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the tree compiled from the same file.
fn built_in() -> impl Node<Settler> {
    use settler::{carry_home, chop, eat, hungry, walk_to};
    bt_core::tree_from_json!(
        "settler.b3.json",
        for Settler: Hungry => hungry, Eat => eat, WalkTo => walk_to, Chop => chop, CarryHome => carry_home
    )
}

/// Runs the compiled tree. Returns a line per change.
fn trace(options: Options) -> Vec<String> {
    let tree = built_in();
    let mut lines = tree.description().lines();
    let mut town = Town::new(&tree, options.seed);
    for _ in 0..options.ticks {
        lines.extend(town.tick(|_, settler, memory| tree.tick(settler, memory)));
    }
    if !options.ticks.is_multiple_of(100) {
        lines.push(town.line());
    }
    lines
}

/// Runs the tree of the file, and reloads it when it changes.
fn live(options: Options) -> Result<(), bt_dynamic::FileError> {
    let mut file = FileTree::open(FILE, registry())?;
    println!("{}", file.tree().description());
    println!("edit {FILE} to change the tree");
    let mut town = Town::new(file.tree(), options.seed);
    let mut watch = Watch::new(options, ("settler", file.tree()), "settler", town.len(), TICK);
    loop {
        match file.poll() {
            Some(Ok(change)) => {
                println!("-- file reloaded:\n{}", change.new.description());
                town.each(|settler, memory| change.apply(memory, settler));
                watch.replace(("settler", file.tree()), "settler", town.len());
            }
            Some(Err(error)) => println!("-- reload failed, keeping the old tree: {error}"),
            None => {}
        }
        let lines = town.tick(|index, settler, memory| {
            let now = settler.now();
            let status = file.tree().tick_with(settler, memory, &mut watch.at(index, now));
            watch.show(index, || &*settler);
            status
        });
        for line in lines {
            println!("{line}");
        }
        std::thread::sleep(TICK);
    }
}
