//! How large this repository is, and in how many places one thing is written. What is only counted once grows back with the next feature, so each number is a line in `budget.txt`:
//! raising one is a visible change.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The packages whose size is limited: those that are published or connect to other programs.
const FOLDERS: [&str; 3] = [".", "crates", "integrations"];
/// A limit of lines is a multiple of this, so that a small change needs no new one.
const STEP: usize = 100;
/// A file of more lines is counted.
const LONG: usize = 300;
/// One of each kind, with the names that it has in code: who adds another one has as many files to change.
const SAMPLES: [(&str, [&str; 2]); 5] = [
    ("the decorator by_event", ["by_event", "ByEvent"]),
    ("the composite kept_sequence", ["kept_sequence", "KeptSequence"]),
    ("the lint endless", ["endless", "Endless"]),
    ("the drawing mermaid", ["mermaid", "Mermaid"]),
    ("the notation Notation::JSON", ["Notation::JSON", "Notation::JSON"]),
];

/// A file of sources, except those of tests.
struct Source {
    /// The number of its lines.
    lines: usize,
    /// The lines of code: without tests, comments and empty lines.
    code: Vec<String>,
}

#[test]
fn no_number_of_the_budget_is_exceeded() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut now = format!("top-level entries {}\n", entries(&root).len());
    let mut all = Vec::new();
    for folder in FOLDERS {
        for package in entries(&root.join(folder)) {
            let Ok(manifest) = fs::read_to_string(package.join("Cargo.toml")) else { continue };
            let Some(name) = manifest.lines().find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"')) else {
                continue;
            };
            if name.starts_with("bt-") && name != "bt-tests" {
                let sources = sources(&package.join("src"), &["rs"]);
                size(&mut now, &format!("lines of code in {name}"), &sources);
                all.extend(sources);
            }
        }
    }
    let page = sources(&root.join("crates/inspector/page/src"), &["ts", "tsx"]);
    size(&mut now, "lines of code in the page of bt-inspector", &page);
    for (what, names) in SAMPLES {
        let files = all.iter().filter(|source| names.iter().any(|name| source.count(name) > 0)).count();
        let _ = writeln!(now, "files that name {what} {files}");
    }
    let places: usize = all.iter().map(|source| source.count("Notation::")).sum();
    let _ = writeln!(now, "places that name a notation by Notation:: {places}");
    let forms = include_str!("../../ARCHITECTURE.md").split("## The forms of a node").nth(1).unwrap_or_default();
    let rows = forms.split("\n## ").next().unwrap_or_default().lines().filter(|line| line.starts_with("| ")).count();
    let _ = writeln!(now, "forms of a node {}", rows.saturating_sub(1));
    let long = all.iter().chain(&page).filter(|source| source.lines > LONG).count();
    let _ = writeln!(now, "files of more than {LONG} lines {long}");
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

#[test]
fn only_whole_names_are_counted() {
    let source =
        Source { lines: 1, code: vec!["cooldown(my_cooldown, cooldowns, a.cooldown, Notation::XML)".to_owned()] };
    assert_eq!((source.count("cooldown"), source.count("Notation::XML"), source.count("Notation::")), (2, 1, 1));
}

fn size(text: &mut String, what: &str, sources: &[Source]) {
    let lines: usize = sources.iter().map(|source| source.code.len()).sum();
    let _ = writeln!(text, "{what} {}", lines.next_multiple_of(STEP));
}

impl Source {
    fn new(text: &str) -> Self {
        // The tests in a file are its last module.
        let code = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let code = code.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
        Self { lines: text.lines().count(), code: code.map(str::to_owned).collect() }
    }

    /// How often a name is in the code, not as a part of another name.
    fn count(&self, name: &str) -> usize {
        let is_of_name = |sign: &char| sign.is_alphanumeric() || *sign == '_';
        let is_whole = |line: &str, at: usize| {
            let (before, after) = (line[..at].chars().next_back(), line[at + name.len()..].chars().next());
            !before.is_some_and(|sign| is_of_name(&sign))
                && (name.ends_with(':') || !after.is_some_and(|sign| is_of_name(&sign)))
        };
        self.code.iter().map(|line| line.match_indices(name).filter(|(at, _)| is_whole(line, *at)).count()).sum()
    }
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

/// The sources in a folder, except tests and what is generated.
fn sources(folder: &Path, extensions: &[&str]) -> Vec<Source> {
    let mut found = Vec::new();
    for path in entries(folder) {
        if path.file_stem().is_some_and(|name| name == "tests") {
            continue;
        }
        if path.is_dir() {
            found.extend(sources(&path, extensions));
        } else if path.extension().is_some_and(|extension| extensions.iter().any(|known| *known == extension)) {
            let text = fs::read_to_string(&path).expect("the file can be read");
            if !text.lines().next().is_some_and(|head| head.contains("Generated from")) {
                found.push(Source::new(&text));
            }
        }
    }
    found
}
