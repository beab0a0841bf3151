//! The command `bt`, which checks, draws, converts and edits Behavior3 files, formats and edits the trees in Rust sources, and writes
//! tests from recordings.

#![forbid(unsafe_code)]

mod apply;
mod browser;
mod check;
mod command;
mod convert;
mod diff;
mod edit;
mod fmt;
mod input;
mod new;
mod opened;
mod output;
mod test;

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};
use command::{Cli, Command};
use output::Output;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match cli.command {
        Command::Check(arguments) => check::run(&arguments),
        Command::Draw(arguments) => convert::draw(&arguments),
        Command::ToRust(arguments) => convert::to_rust(&arguments),
        Command::Convert(arguments) => convert::convert(&arguments),
        Command::Diff(arguments) => diff::run(&arguments),
        Command::Edit(arguments) => edit::run(&arguments),
        Command::Fmt(arguments) => fmt::run(&arguments),
        Command::Test(arguments) => test::run(&arguments),
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
        Err(message) => print(&Output { text: String::new(), errors: vec![message], is_good: false }),
    }
}

fn print(output: &Output) -> ExitCode {
    let failed = write(&mut std::io::stdout(), &output.text).err();
    let failed = failed.map(|error| format!("cannot write the output: {error}"));
    let errors: String = output.errors.iter().chain(&failed).flat_map(|error| [error, "\n"]).collect();
    // There is no other place to report that this fails.
    let _ = write(&mut std::io::stderr(), &errors);
    if output.is_good && failed.is_none() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn write(to: &mut impl Write, text: &str) -> std::io::Result<()> {
    match to.write_all(text.as_bytes()).and_then(|()| to.flush()) {
        // The reader has closed the pipe, for example `head`.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}
