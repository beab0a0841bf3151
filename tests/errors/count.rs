//! Wrong trees under a compiler that words errors differently: every case gives as many errors as are expected of it.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A program that compiles and runs, or one that does not compile.
struct Case {
    name: String,
    path: PathBuf,
    /// How many errors it gives. Some compilers tell an error only once where others tell it at each node.
    errors: RangeInclusive<usize>,
}

/// Builds all cases in one go, compares the numbers of their errors and runs those that have none. Returns how many cases there are.
///
/// # Panics
///
/// Panics if a case does not give the errors that are expected of it.
pub(crate) fn compare(ui: &Path) -> usize {
    let cases = cases(ui);
    let found = build(&cases);
    let wrong: Vec<_> = cases
        .iter()
        .filter_map(|case| {
            let errors = found.get(&case.name).map_or(&[][..], Vec::as_slice);
            (!case.errors.contains(&errors.len()))
                .then(|| format!("{}: expected {:?} errors, found {errors:#?}", case.path.display(), case.errors))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for case in cases.iter().filter(|case| case.errors.contains(&0)) {
        let ended = Command::new(project().join("target/debug").join(&case.name)).status().expect("the case was built");
        assert!(ended.success(), "{} fails: {ended}", case.path.display());
    }
    cases.len()
}

fn cases(ui: &Path) -> Vec<Case> {
    let mut cases = Vec::new();
    for folder in super::FOLDERS.iter().chain(&["pass"]) {
        for path in super::files(&ui.join(folder), "rs") {
            let stem = path.file_stem().expect("a file has a name").to_string_lossy();
            let expected = fs::read_to_string(path.with_extension("stderr")).unwrap_or_default();
            let errors: Vec<_> = expected.lines().filter(|line| line.starts_with("error")).collect();
            let errors = errors.iter().collect::<HashSet<_>>().len()..=errors.len();
            assert_eq!(errors.contains(&0), *folder == "pass", "{}: {errors:?} errors expected", path.display());
            cases.push(Case { name: format!("{folder}_{stem}"), path, errors });
        }
    }
    cases
}

/// The package that holds the cases as programs.
fn project() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("ui")
}

/// The errors of each case.
fn build(cases: &[Case]) -> HashMap<String, Vec<String>> {
    let (root, project) = (Path::new(env!("CARGO_MANIFEST_DIR")), project());
    let mut manifest = format!(
        "[package]\nname = \"ui\"\nversion = \"0.0.0\"\nedition = \"2024\"\nautobins = false\n[workspace]\n\
         [dependencies]\nbt-core = {{ path = {:?}, features = [\"async\", \"random\", \"text\"] }}\nbt-explore = {{ path = {:?} }}\n",
        root.join("../../bt-core").to_string_lossy(),
        root.join("../../crates/explore").to_string_lossy()
    );
    for case in cases {
        let _ = write!(manifest, "[[bin]]\nname = {:?}\npath = {:?}\n", case.name, case.path.to_string_lossy());
    }
    fs::create_dir_all(&project).expect("the folder can be made");
    fs::write(project.join("Cargo.toml"), manifest).expect("the manifest can be written");
    fs::copy(root.join("../../Cargo.lock"), project.join("Cargo.lock")).expect("the versions can be copied");
    let built = Command::new(env!("CARGO"))
        .args(["build", "--offline", "--bins", "--keep-going", "--quiet", "--message-format=json"])
        .current_dir(&project)
        .env("CARGO_TARGET_DIR", project.join("target"))
        .env("CARGO_INCREMENTAL", "0")
        .env_remove("RUSTFLAGS")
        .output()
        .expect("cargo runs");
    let messages = String::from_utf8_lossy(&built.stdout);
    let mut errors: HashMap<String, Vec<String>> = HashMap::new();
    let mut built_all = false;
    for message in messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        built_all |= message["reason"] == "build-finished";
        let text = message["message"]["message"].as_str().unwrap_or_default();
        if message["message"]["level"] == "error" && !text.starts_with("aborting due to") {
            let name = message["target"]["name"].as_str().unwrap_or_default();
            errors.entry(name.to_owned()).or_default().push(text.to_owned());
        }
    }
    let said = String::from_utf8_lossy(&built.stderr);
    assert!(built_all && cases.iter().any(|case| errors.contains_key(&case.name)), "nothing was built: {said}");
    errors
}
