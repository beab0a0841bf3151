//! The examples, compiled to WebAssembly.

use std::path::Path;
use std::process::Command;

use wasm_bindgen_cli_support::Bindgen;

use crate::stories::STORIES;
use crate::{Error, succeed};

const TARGET: &str = "wasm32-unknown-unknown";
/// The profile in the manifest of the workspace.
const PROFILE: &str = "site";

/// Compiles the examples, and writes each one with its script into a folder of its own.
pub(crate) fn build(root: &Path, target: &Path, folder: &Path) -> Result<(), Error> {
    let cargo = || {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(root).args(["build", "--target", TARGET, "--profile", PROFILE, "--features", "inspect"]);
        cargo.arg("--target-dir").arg(target);
        cargo
    };
    for story in STORIES.iter().filter(|story| story.is_program) {
        succeed(cargo().args(["-p", story.package]))?;
    }
    let mut examples = cargo();
    for story in STORIES.iter().filter(|story| !story.is_program) {
        examples.args(["-p", story.package, "--example", story.name]);
    }
    succeed(&mut examples)?;
    let built = target.join(TARGET).join(PROFILE);
    for story in STORIES {
        let from = if story.is_program { built.clone() } else { built.join("examples") };
        let mut bindgen = Bindgen::new();
        bindgen.input_path(from.join(story.name).with_extension("wasm")).out_name("example").typescript(false);
        bindgen.remove_name_section(true).remove_producers_section(true).web(true)?;
        bindgen.generate(folder.join(story.name))?;
    }
    Ok(())
}
