//! What the stories share: their options, a loop in the terminal, a panel that shows a tree with its last statuses, and
//! a page in the browser that does.

use std::process::ExitCode;

use options::Options;
use terminal::Play;

pub mod options;
pub mod panel;
pub mod terminal;
pub mod watch;

/// Tells a story: in lines if it is headless, else played in the terminal.
pub fn tell<P: Play>(
    default_ticks: u32,
    headless: impl FnOnce(Options) -> Vec<String>,
    play: impl FnOnce(Options) -> P,
) -> ExitCode {
    let told = match Options::from_command_line(default_ticks) {
        Ok(options) if options.headless => {
            for line in headless(options) {
                println!("{line}");
            }
            Ok(())
        }
        Ok(options) => terminal::play(&mut play(options)).map_err(|error| format!("the terminal: {error}")),
        Err(message) => Err(message),
    };
    match told {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
