//! Compares the public API of the published packages of a workspace with the listings in `public/`.
//!
//! ```text
//! cargo run -p bt-api [-- [--write] [MANIFEST TARGET_DIR]]
//! ```
//!
//! `--write` writes the listings instead. A change of a listing is a change of the public API: it belongs in CHANGELOG.md.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, exit};

use cargo_metadata::{MetadataCommand, Package};
use similar::TextDiff;

mod listing;

/// Set where Cargo runs this program as its rustdoc.
const AS_RUSTDOC: &str = "BT_API_AS_RUSTDOC";

fn main() -> ExitCode {
    if env::var_os(AS_RUSTDOC).is_some() {
        exit(rustdoc().code().unwrap_or(1));
    }
    match compare() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            eprintln!(
                "the public API has changed; if this is intended, run `cargo run -p bt-api -- --write` with the same arguments"
            );
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// JSON is an unstable output of rustdoc. Only rustdoc gets to see the variable: dependencies would be compiled differently.
fn rustdoc() -> std::process::ExitStatus {
    let mut command = Command::new("rustdoc");
    command.env("RUSTC_BOOTSTRAP", "1").args(env::args_os().skip(1));
    command.status().unwrap_or_else(|error| panic!("rustdoc cannot be run: {error}"))
}

/// Returns whether all listings are those of the repository.
fn compare() -> Result<bool, Box<dyn Error>> {
    let mut arguments: Vec<_> = env::args().skip(1).collect();
    let write = arguments.first().is_some_and(|first| first == "--write");
    if write {
        arguments.remove(0);
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (manifest, target) = match arguments.as_slice() {
        [] => (root.join("Cargo.toml"), None),
        [manifest, target] => (PathBuf::from(manifest), Some(PathBuf::from(target))),
        _ => return Err("expected [--write] [MANIFEST TARGET_DIR]".into()),
    };
    let metadata = MetadataCommand::new().manifest_path(&manifest).exec()?;
    let target = target.unwrap_or_else(|| metadata.target_directory.clone().into());
    document(&manifest, &target)?;

    let mut same = true;
    let mut packages = 0;
    for package in metadata.workspace_packages() {
        let Some(library) = library(package) else { continue };
        packages += 1;
        let listing = listing::of(&target.join("doc").join(format!("{library}.json")))?;
        let name = format!("tests/api/public/{}.txt", package.name);
        let kept = root.join(&name);
        if write {
            fs::write(&kept, listing)?;
            continue;
        }
        let before = fs::read_to_string(&kept).map_err(|error| format!("{}: {error}", kept.display()))?;
        if before != listing {
            same = false;
            let difference = TextDiff::from_lines(&before, &listing);
            let now = format!("the public API of {}", package.name);
            print!("{}", difference.unified_diff().context_radius(0).header(&name, &now));
        }
    }
    if packages == 0 {
        return Err(format!("{} has no published library", manifest.display()).into());
    }
    Ok(same)
}

/// The name of the library of a package that is published.
fn library(package: &Package) -> Option<&str> {
    let is_published = package.publish.as_ref().is_none_or(|registries| !registries.is_empty());
    let library = package.targets.iter().find(|target| target.is_lib() || target.is_proc_macro());
    library.filter(|_| is_published).map(|library| library.name.as_str())
}

fn document(manifest: &Path, target: &Path) -> Result<(), Box<dyn Error>> {
    let status = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["doc", "--quiet", "--workspace", "--lib", "--no-deps", "--all-features", "--manifest-path"])
        .arg(manifest)
        .arg("--target-dir")
        .arg(target)
        .env(AS_RUSTDOC, "1")
        .env("RUSTDOC", env::current_exe()?)
        .env("RUSTDOCFLAGS", "-Zunstable-options --output-format json")
        .status()?;
    if status.success() { Ok(()) } else { Err(format!("`cargo doc` of {}: {status}", manifest.display()).into()) }
}
