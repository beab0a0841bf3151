//! Shared code of the examples: options, a terminal loop, a panel that shows a tree with its statuses, the parts of
//! the terminal, and access to the inspector.

use std::process::ExitCode;

use options::Options;
use terminal::Play;

#[cfg(feature = "live")]
mod edits;
#[cfg(not(feature = "live"))]
#[path = "no_edits.rs"]
mod edits;
pub mod options;
pub mod panel;
pub mod panes;
pub mod terminal;
pub mod watch;

/// Runs an example: prints a trace if headless, else runs interactively in the terminal.
pub fn run<P: Play>(
    default_ticks: u32,
    headless: impl FnOnce(Options) -> Vec<String>,
    play: impl FnOnce(Options) -> P,
) -> ExitCode {
    let result = match Options::from_command_line(default_ticks) {
        Ok(options) if options.headless => {
            for line in headless(options) {
                println!("{line}");
            }
            Ok(())
        }
        Ok(options) => terminal::play(&mut play(options)).map_err(|error| format!("terminal error: {error}")),
        Err(message) => Err(message),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
