//! How large this repository is. What is only counted once grows back with the next feature, so each number is a line in `budget.txt`: raising one is a visible change.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The packages whose size is limited: those that are published or connect to other programs.
const FOLDERS: [&str; 3] = [".", "crates", "integrations"];
/// A limit is a multiple of this, so that a small change needs no new one.
const STEP: usize = 100;

#[test]
fn no_number_of_the_budget_is_exceeded() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut now = format!("top-level entries {}\n", entries(&root).len());
    for folder in FOLDERS {
        for package in entries(&root.join(folder)) {
            let Ok(manifest) = fs::read_to_string(package.join("Cargo.toml")) else { continue };
            let Some(name) = manifest.lines().find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"')) else {
                continue;
            };
            if name.starts_with("bt-") && name != "bt-tests" {
                line(&mut now, name, code(&package.join("src"), &["rs"]));
            }
        }
    }
    line(&mut now, "page of bt-inspector", code(&root.join("crates/inspector/page/src"), &["ts", "tsx"]));
    let path = root.join("tests/integration/budget.txt");
    if std::env::var("BUDGET").is_ok_and(|value| value == "overwrite") {
        fs::write(&path, &now).expect("the budget can be written");
    }
    let budget = fs::read_to_string(&path).expect("the budget can be read");
    assert!(
        now == budget,
        "the size has changed; write tests/integration/budget.txt with BUDGET=overwrite, and say in the commit why a number rises\n{now}"
    );
}

fn line(text: &mut String, name: &str, lines: usize) {
    let _ = writeln!(text, "{name} {}", lines.next_multiple_of(STEP));
}

/// What a listing of a folder shows, except what git ignores.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let ignored = include_str!("../../.gitignore").lines().map(|line| line.trim_end_matches('/')).collect::<Vec<_>>();
    let mut entries: Vec<_> = fs::read_dir(folder)
        .expect("the folder can be read")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| {
            let name = path.file_name().expect("a name").to_string_lossy();
            !name.starts_with('.') && !ignored.contains(&&*name)
        })
        .collect();
    entries.sort();
    entries
}

/// The number of lines of code in a folder: without tests, comments and empty lines.
fn code(folder: &Path, extensions: &[&str]) -> usize {
    let mut lines = 0;
    for path in entries(folder) {
        if path.file_stem().is_some_and(|name| name == "tests") {
            continue;
        }
        if path.is_dir() {
            lines += code(&path, extensions);
        } else if path.extension().is_some_and(|extension| extensions.iter().any(|known| *known == extension)) {
            let text = fs::read_to_string(&path).expect("the file can be read");
            // The tests in a file are its last module.
            let code = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            lines += code.lines().filter(|line| !line.trim().is_empty() && !line.trim().starts_with("//")).count();
        }
    }
    lines
}
