//! The examples, compiled to WebAssembly.

use std::path::Path;
use std::process::Command;

use wasm_bindgen_cli_support::Bindgen;

use crate::stories::{Kind, Story};
use crate::{Error, succeed};

const TARGET: &str = "wasm32-unknown-unknown";
/// The profile in the manifest of the workspace.
const PROFILE: &str = "site";

/// The package of the game.
const GAME: &str = "integrations/bevy/love-craft-window";

/// Compiles the stories, and writes each one with its script into a folder of its own.
pub(crate) fn build(stories: &[&Story], root: &Path, target: &Path, folder: &Path) -> Result<(), Error> {
    let cargo = || {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(root).args(["build", "--target", TARGET, "--profile", PROFILE, "--features", "inspect"]);
        cargo.arg("--target-dir").arg(target);
        cargo
    };
    let of = |kind| stories.iter().filter(move |story| story.kind == kind);
    for story in of(Kind::Program) {
        succeed(cargo().args(["-p", story.name]))?;
    }
    let mut examples = cargo();
    examples.args(["-p", "bt-examples"]);
    for story in of(Kind::Example) {
        examples.args(["--example", story.name]);
    }
    succeed(&mut examples)?;
    let game_target = root.join("target/window");
    if of(Kind::Game).next().is_some() {
        build_game(&root.join(GAME), &game_target)?;
    }
    let built = |target: &Path| target.join(TARGET).join(PROFILE);
    for story in stories {
        let program = match story.kind {
            Kind::Program => built(target).join(story.name),
            Kind::Example => built(target).join("examples").join(story.name),
            Kind::Game => built(&game_target).join("love-craft-window"),
        };
        let mut bindgen = Bindgen::new();
        bindgen.input_path(program.with_extension("wasm")).out_name("example").typescript(false);
        bindgen.remove_name_section(true).remove_producers_section(true).web(true)?;
        bindgen.generate(folder.join(story.name))?;
    }
    Ok(())
}

/// Compiles the game with the toolchain that its folder names.
fn build_game(folder: &Path, target: &Path) -> Result<(), Error> {
    let mut cargo = Command::new("cargo");
    // Those of the toolchain that runs this program.
    for variable in ["RUSTUP_TOOLCHAIN", "RUSTC", "RUSTDOC", "CARGO"] {
        cargo.env_remove(variable);
    }
    cargo.current_dir(folder).args(["build", "--locked", "--target", TARGET, "--profile", PROFILE]);
    succeed(cargo.args(["--features", "inspector", "--target-dir"]).arg(target))
}
