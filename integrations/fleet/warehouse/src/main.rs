//! Robots of a warehouse, on several machines, of which one is killed.
//!
//! `cargo run -p warehouse -- --robots 200 --machines 4` starts a hub and four processes, prints the URL of the page, kills one process and starts another one.

#![forbid(unsafe_code)]

mod check;
mod machine;
mod options;
mod processes;
mod robot;
mod story;

use std::process::ExitCode;

use options::{Options, Role};

fn main() -> ExitCode {
    let run = || match Options::parse(std::env::args().skip(1))? {
        Options { role: Role::Story, story, .. } => story::run(&story),
        Options { role: Role::Machine(name), story } => machine::run(&name, &story),
        Options { role: Role::Check(folder), .. } => check::run(&folder),
    };
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
