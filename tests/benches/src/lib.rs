//! Benchmarks of bt-core: against hand-written code and other crates; scaling; the cost of observers and of compiling.
//!
//! Without arguments, prints all tables. An argument selects a table: those are the rows of [`TABLES`].
//! `guard` compares instruction counts with the stored counts; `guard --keep` stores new counts.

#![recursion_limit = "512"]

use std::process::ExitCode;

mod agent;
mod by_hand;
pub mod cases;
mod choices;
mod clock;
mod compile;
mod compile_loaded;
mod count;
mod custom;
mod editing;
pub mod engines;
mod exploring;
mod generated;
mod guard;
pub mod herd;
pub mod loaded;
pub mod loading;
mod machines;
mod melee;
pub mod million;
mod mixed;
pub mod nested;
mod nodes;
mod observers;
mod parallels;
pub mod peers;
mod plot;
mod random;
mod rewind;
mod run;
mod scale;
pub mod shapes;
mod sleeping;
pub mod small;
mod timers;

/// Runs the command that the arguments of the program name.
pub fn run_command() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments.as_slice() {
        [] => TABLES.iter().try_for_each(|(name, title, _)| {
            println!("## {title}\n");
            show(name)
        }),
        ["run", what, ticks] => {
            run::run(what, ticks.parse().unwrap_or(0));
            Ok(())
        }
        ["guard"] => guard::guard(false).map(|counts| print!("{counts}")),
        ["guard", "--keep"] => guard::guard(true).map(|counts| print!("{counts}")),
        [name] => show(name),
        _ => Err(usage()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// A table: its name, its title, and the function that measures it.
type Table = (&'static str, &'static str, fn() -> Result<String, String>);

const TABLES: [Table; 16] = [
    ("by-hand", "Trees and hand-written code", || Ok(by_hand::table())),
    ("peers", "Other libraries on the same work", peers::table),
    ("scale", "Many agents on one tree", scale_and_plot),
    ("million", "A million enemies", || Ok(million::table())),
    ("herd", "A herd and a loop", || Ok(herd::table())),
    ("sleeping", "Agents that sleep", || Ok(sleeping::table())),
    ("shapes", "Broad and deep trees", || Ok(shapes::table())),
    ("nodes", "A node of each kind", || Ok(nodes::table())),
    ("engines", "Written, compiled and loaded trees", || Ok(engines::table())),
    ("loaded", "Loaded trees of each family", || loaded::table().ok_or_else(|| guard::NO_VALGRIND.to_owned())),
    ("loading", "Loading and reloading", || Ok(loading::table())),
    ("observers", "Observers", || Ok(observers::table())),
    ("exploring", "Exploring all runs", || Ok(exploring::table())),
    ("compile", "Compiling", || compile::table().map_err(|error| error.to_string())),
    ("nested", "The code of nested words", || nested::table().map_err(|error| error.to_string())),
    ("compile-loaded", "What a program compiles for loaded trees", || {
        compile_loaded::table().map_err(|error| error.to_string())
    }),
];

/// Returns the table, and writes its plot to `scale.svg`.
fn scale_and_plot() -> Result<String, String> {
    let measured = scale::measure();
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scale.svg");
    std::fs::write(path, plot::svg(&measured)).map_err(|error| error.to_string())?;
    Ok(scale::table(&measured))
}

fn usage() -> String {
    let tables: Vec<_> = TABLES.iter().map(|(name, ..)| *name).collect();
    format!("usage: bt-benches [{} | guard [--keep]]", tables.join(" | "))
}

fn show(name: &str) -> Result<(), String> {
    let table = TABLES.iter().find(|table| table.0 == name);
    let (_, _, table) = table.ok_or_else(|| format!("unknown table `{name}`\n{}", usage()))?;
    println!("{}", table()?);
    Ok(())
}
