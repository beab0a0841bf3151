//! Builds the static site: the examples in the browser beside the inspector's page, and the guide.
//!
//! `cargo run --manifest-path guide/site/Cargo.toml` writes it to `target/site/dist`. Any server of static files can serve that folder; its addresses are relative.
//! It needs the target `wasm32-unknown-unknown` of rustup, and mdBook for the guide. With `-- --game`, it also has the game, which rustup builds with a newer
//! Rust in ten minutes.

mod guide;
mod offline;
mod pages;
// The example decides which trees it can run.
#[path = "../../../examples/playground/source.rs"]
mod source;
#[path = "../../../examples/playground/stage.rs"]
#[allow(dead_code, reason = "nothing is ticked here")]
mod stage;
mod stories;
mod wasm;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::stories::{Kind, STORIES};

/// A reason why the site cannot be built.
type Error = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    match run() {
        Ok(folder) => {
            println!("{}", folder.display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the folder of the site.
fn run() -> Result<PathBuf, Error> {
    let with_game = match std::env::args().skip(1).collect::<Vec<_>>().as_slice() {
        [] => false,
        [option] if option == "--game" => true,
        other => return Err(format!("unknown options `{}`\nhelp: the only option is `--game`", other.join(" ")).into()),
    };
    let stories: Vec<_> = STORIES.iter().filter(|story| with_game || story.kind != Kind::Game).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .ok_or("the package has no folder above the one above it")?;
    let target = root.join("target/site");
    let folder = target.join("dist");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    wasm::build(&stories, root, &target, &folder)?;
    pages::write(&stories, &folder)?;
    guide::write(&stories, root, &folder)?;
    offline::write(&folder)?;
    Ok(folder)
}

/// Runs a command that has to succeed.
fn succeed(command: &mut Command) -> Result<(), Error> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|error| format!("cannot run `{name}`: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("`{name}` has failed: {status}").into()) }
}
