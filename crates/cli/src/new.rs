//! The command `bt new`.

use std::fs;
use std::io;
use std::path::Path;

use crate::command::NewArguments;
use crate::output::Output;

const TREE: &str = r#"//! A guard, and the tree that it runs.

use bt_core::prelude::*;

/// The context, which the tree reads and changes.
#[derive(Default)]
pub struct Guard {
    /// The distance of an enemy, if there is one.
    pub enemy: Option<f32>,
    /// The number of steps of the patrol.
    pub steps: u32,
}

#[condition]
fn enemy_within(guard: &Guard, meters: f32) -> bool {
    guard.enemy.is_some_and(|distance| distance < meters)
}

fn attack(_: &mut Guard) -> Status {
    Status::Running
}

fn patrol(guard: &mut Guard) -> Status {
    guard.steps += 1;
    Status::Running
}

/// The tree of all guards.
#[subtree]
pub fn guard() -> impl Node<Guard> {
    tree! { selector { sequence "fight" { enemy_within(10.0), attack } patrol } }
}

#[cfg(test)]
mod tests {
    use bt_core::testing::TreeTest;

    use super::*;

    #[test]
    fn a_guard_stops_its_patrol_to_fight() {
        let mut test = TreeTest::new(guard(), Guard::default());
        test.tick();
        test.ctx.enemy = Some(3.0);
        test.tick();
        assert!(test.is_running("fight/attack"));
        assert_eq!(test.ctx.steps, 1);
    }
}
"#;

const MAIN: &str = r#"//! Ticks a guard and draws its tree.

mod guard;

use bt_core::prelude::*;
use guard::Guard;

fn main() {
    let tree = guard::guard(); // one for all guards
    let mut memory = tree.memory(); // one for each guard
    let mut ann = Guard::default();
    println!("{}", tree.description());
    for enemy in [None, None, Some(3.0)] {
        ann.enemy = enemy;
        let status = tree.tick(&mut ann, &mut memory);
        println!("enemy: {enemy:?}, status: {status:?}, steps: {}", ann.steps);
    }
}
"#;

/// Names that Cargo refuses for a program, and that of the dependency.
const TAKEN: [&str; 5] = ["build", "deps", "examples", "incremental", "bt-core"];

/// The folder of bt-core in the repository that this program was built in; there is none if it was built from an archive, as `cargo install bt-cli` does.
const BESIDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bt-core");

/// Creates a project.
pub(crate) fn run(arguments: &NewArguments) -> Result<Output, String> {
    let path = &arguments.path;
    let message = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '-' || sign == '_');
    if !is_name {
        return Err(message(&"expected a name of letters, digits, `-` and `_`, beginning with a letter"));
    }
    if TAKEN.contains(&name) {
        return Err(message(&format!("Cargo cannot build a program named `{name}`")));
    }
    if path.exists() {
        return Err(message(&"already exists"));
    }
    let bt_core = match &arguments.local {
        Some(folder) => in_folder(folder).map_err(|error| format!("--local {}: {error}", folder.display()))?,
        None => in_folder(Path::new(BESIDE)).unwrap_or_else(|_| format!("{:?}", env!("CARGO_PKG_VERSION"))),
    };
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\nbt-core = {bt_core}\n"
    );
    let files =
        [("Cargo.toml", &*manifest), ("src/main.rs", MAIN), ("src/guard.rs", TREE), (".gitignore", "/target\n")];
    create(path, &files).map_err(|error| message(&error))?;
    Ok(Output::text(format!("created {}\nhelp: cd {} && cargo run && cargo test\n", path.display(), path.display())))
}

/// Returns the dependency on bt-core in a folder.
fn in_folder(folder: &Path) -> Result<String, String> {
    let folder = folder.canonicalize().map_err(|error| error.to_string())?;
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
    if !manifest.lines().any(|line| line == "name = \"bt-core\"") {
        return Err("expected the folder of bt-core".to_owned());
    }
    Ok(format!("{{ path = {:?} }}", folder.display().to_string()))
}

/// Creates a folder with files, as a whole: if that fails, there is none.
fn create(path: &Path, files: &[(&str, &str)]) -> io::Result<()> {
    let beside = path.with_file_name(format!(".bt-{}.tmp", std::process::id()));
    fs::create_dir_all(beside.join("src"))?;
    let written = files.iter().try_for_each(|(file, text)| fs::write(beside.join(file), text));
    let created = written.and_then(|()| fs::rename(&beside, path));
    if created.is_err() {
        // The error to report is the first.
        let _ = fs::remove_dir_all(&beside);
    }
    created
}
