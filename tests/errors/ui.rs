//! The compile errors of invalid trees: one case per message. What has to compile is in `pass`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

mod count;

/// The compiler of the expected output; other versions differ. `.ci/run` reads this line.
const COMPILER: &str = "1.95.0";

/// The folders of the cases that do not compile.
const FOLDERS: [&str; 6] = ["tree", "attributes", "types", "never", "file", "mistakes"];

#[test]
fn wrong_trees_get_helpful_errors() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let version = std::process::Command::new(rustc).arg("--version").output().expect("rustc runs");
    let version = String::from_utf8_lossy(&version.stdout);
    if version.split(' ').nth(1) != Some(COMPILER) {
        let cases = count::compare(&ui());
        // Bypass the capture of the test harness, which hides the output of a passing test.
        let _ = writeln!(
            std::io::stderr(),
            "\nNOT COMPARED: the messages of {cases} cases, which need rustc {COMPILER}; this is {}. Only the errors were counted.",
            version.trim_end()
        );
        let is_ci = std::env::var_os("CI").is_some_and(|ci| !ci.is_empty());
        assert!(!is_ci, "CI compares the messages, so it needs rustc {COMPILER}");
        return;
    }
    let cases = trybuild::TestCases::new();
    cases.pass("ui/pass/*.rs");
    for folder in FOLDERS {
        cases.compile_fail(format!("ui/{folder}/*.rs"));
    }
}

/// Quotes from the standard library depend on whether the component rust-src is installed.
#[test]
fn no_expected_error_quotes_the_standard_library() {
    for folder in FOLDERS {
        for path in files(&ui().join(folder), "stderr") {
            let expected = fs::read_to_string(&path).expect("the expected errors can be read");
            assert!(!expected.contains("$RUST"), "{} quotes the standard library", path.display());
        }
    }
}

fn ui() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("ui")
}

/// Returns the files with this extension in a folder. Panics if there are none.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder can be read").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<_> = entries.filter(|path| path.extension().is_some_and(|other| other == extension)).collect();
    files.sort();
    assert!(!files.is_empty(), "{} has no cases", folder.display());
    files
}

/// In the folder `mistakes`, a line `// 2: …` before a mistake is the number of its errors.
#[test]
fn each_mistake_causes_as_many_errors_as_it_says() {
    let mut mistakes = 0;
    for path in files(&ui().join("mistakes"), "rs") {
        let source = fs::read_to_string(&path).expect("the case can be read");
        let expected = fs::read_to_string(path.with_extension("stderr")).expect("the expected errors can be read");
        let mut lines = Vec::new();
        let mut is_error = false;
        for line in expected.lines() {
            is_error |= line.starts_with("error");
            if let Some((_, at)) = line.split_once("--> ").filter(|_| is_error) {
                let line = at.split(':').nth(1).and_then(|line| line.parse::<usize>().ok());
                lines.push(line.expect("a location has a line"));
                is_error = false;
            }
        }
        let mut promised: Vec<(usize, usize, &str)> = Vec::new();
        for (index, line) in source.lines().enumerate() {
            if let Some((count, what)) = line.strip_prefix("// ").and_then(|line| line.split_once(": "))
                && let Ok(count) = count.parse()
            {
                promised.push((index + 1, count, what));
            }
        }
        for (index, (start, count, what)) in promised.iter().enumerate() {
            let end = promised.get(index + 1).map_or(usize::MAX, |next| next.0);
            let found = lines.iter().filter(|line| (*start..end).contains(*line)).count();
            assert_eq!(found, *count, "{}:{start}: {what}", path.display());
            assert!(*count == 1 || what.contains('('), "{}:{start} names no reason for {count} errors", path.display());
            mistakes += 1;
        }
        assert_eq!(lines.len(), promised.iter().map(|promised| promised.1).sum::<usize>(), "{}", path.display());
    }
    assert!(mistakes >= 40, "only {mistakes} mistakes");
}
