//! The command `bt`, which checks, draws and converts Behavior3 files, and formats the trees in Rust sources.

#![forbid(unsafe_code)]

mod check;
mod command;
mod convert;
mod diff;
mod fmt;
mod format;
mod input;
mod new;

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};
use command::{Cli, Command};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match cli.command {
        Command::Check(arguments) => check::run(&arguments),
        Command::Draw(arguments) => convert::draw(&arguments),
        Command::ToRust(arguments) => convert::to_rust(&arguments),
        Command::Diff(arguments) => diff::run(&arguments),
        Command::Fmt(arguments) => fmt::run(&arguments),
        Command::New(arguments) => new::run(&arguments),
        Command::Palette => convert::palette(),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "bt", &mut script);
            Ok(Output::text(String::from_utf8_lossy(&script).into_owned()))
        }
    };
    match result {
        Ok(output) => print(&output),
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// What a command prints to the standard output, and whether it has found nothing wrong.
struct Output {
    text: String,
    is_good: bool,
}

impl Output {
    const fn text(text: String) -> Self {
        Self { text, is_good: true }
    }
}

fn print(output: &Output) -> ExitCode {
    let mut out = std::io::stdout().lock();
    match out.write_all(output.text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => {}
        // The reader has closed the pipe, for example `head`.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
        Err(error) => {
            eprintln!("cannot write the output: {error}");
            return ExitCode::FAILURE;
        }
    }
    if output.is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
