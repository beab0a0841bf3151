//! The compile errors of invalid trees: one case per message. `UI=overwrite cargo test -p bt-errors --test ui` writes the expected errors.

use std::collections::HashSet;
use std::env;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread;

mod messages;

/// The compiler of the expected output; other versions differ. `.ci/run` reads this line.
const COMPILER: &str = "1.95.0";

/// The folders of the cases that do not compile.
const FOLDERS: [&str; 6] = ["tree", "attributes", "types", "never", "file", "mistakes"];

#[test]
fn wrong_trees_get_helpful_errors() {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let version = Command::new(&rustc).arg("--version").output().expect("rustc runs");
    let version = String::from_utf8_lossy(&version.stdout).trim().to_owned();
    let compares = version.split(' ').nth(1) == Some(COMPILER);
    let library = library();
    let cases: Vec<_> = FOLDERS.iter().flat_map(|folder| files(&ui().join(folder), "rs")).collect();
    let wrong = each(&cases, |case| {
        let (compiled, found) = compile(&rustc, &library, case);
        let path = case.with_extension("stderr");
        if compares && env::var("UI").is_ok_and(|what| what == "overwrite") {
            fs::write(&path, &found).expect("the expected errors can be written");
        }
        let expected = fs::read_to_string(&path).unwrap_or_default();
        let is_right = if compares { found == expected } else { counts(&expected).contains(&errors(&found).len()) };
        (compiled.is_some() || !is_right)
            .then(|| format!("{}\n\nEXPECTED:\n{expected}\nFOUND:\n{found}\n", case.display()))
    });
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    if !compares {
        // Bypass the capture of the test harness, which hides the output of a passing test.
        let _ = writeln!(
            std::io::stderr(),
            "\nNOT COMPARED: the messages of {} cases, which need rustc {COMPILER}; this is {version}. Only the errors were counted.",
            cases.len()
        );
        let is_ci = env::var_os("CI").is_some_and(|ci| !ci.is_empty());
        assert!(!is_ci, "CI compares the messages, so it needs rustc {COMPILER}");
    }
}

#[test]
fn correct_trees_compile_and_run() {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let library = library();
    let wrong = each(&files(&ui().join("pass"), "rs"), |case| match compile(&rustc, &library, case) {
        (None, errors) => Some(format!("{}: {errors}", case.display())),
        (Some(program), _) => {
            let ended = Command::new(program).status().expect("it was built");
            (!ended.success()).then(|| format!("{}: {ended}", case.display()))
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Builds `bt-core` with the features of the cases in the target folder of this test. Returns the path of the library.
fn library() -> PathBuf {
    let test = env::current_exe().expect("the test runs");
    let target = test.ancestors().nth(3).expect("it is in target/debug/deps");
    let built = Command::new(env!("CARGO"))
        .args(["build", "--offline", "--quiet", "--lib", "--message-format=json", "--target-dir"])
        .arg(target)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let messages = String::from_utf8_lossy(&built.stdout);
    let mut messages = messages.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let library = messages.find(|message| message["target"]["name"] == "bt_core" && message["filenames"].is_array());
    let path = library.and_then(|library| library["filenames"][0].as_str().map(PathBuf::from));
    path.unwrap_or_else(|| panic!("bt-core is not built: {}", String::from_utf8_lossy(&built.stderr)))
}

/// Compiles a case. Returns the program, if there is one, and the messages. Without cargo, which takes longer for a case than the compiler.
fn compile(rustc: &str, library: &Path, case: &Path) -> (Option<PathBuf>, String) {
    // There the compiler finds the sources of the library, which it quotes.
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("this is in tests/errors");
    let case = case.strip_prefix(workspace).expect("it is in the workspace");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(case).with_extension("program");
    fs::create_dir_all(program.parent().expect("it is in a folder")).expect("the folder can be made");
    let compiled = Command::new(rustc)
        // The messages are those that users see with cargo, but with whole types: shortened ones come with a file.
        .args(["--edition=2024", "--crate-name=main", "--error-format=json", "--verbose"])
        .env("CARGO_CRATE_NAME", "main")
        .arg(format!("--extern=bt_core={}", library.display()))
        .arg(format!("-Ldependency={}", library.parent().expect("it is in a folder").display()))
        .arg("-o")
        .arg(&program)
        .arg(case)
        .current_dir(workspace)
        .output()
        .expect("rustc runs");
    let found = messages::normal(&String::from_utf8_lossy(&compiled.stderr));
    (compiled.status.success().then_some(program), found)
}

/// Calls this with all cases, some at a time. Returns what is wrong.
fn each(cases: &[PathBuf], check: impl Fn(&Path) -> Option<String> + Sync) -> Vec<String> {
    let left = Mutex::new(cases.iter());
    let next = || left.lock().expect("nobody panics here").next();
    let work = || std::iter::from_fn(next).filter_map(|case| check(case)).collect::<Vec<_>>();
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker ends")).collect()
    })
}

/// Returns the first line of each error.
fn errors(messages: &str) -> Vec<&str> {
    messages.lines().filter(|line| line.starts_with("error")).collect()
}

/// Returns how many errors another compiler gives: some report an error only once where others report it at each node.
fn counts(expected: &str) -> std::ops::RangeInclusive<usize> {
    let all = errors(expected);
    all.iter().collect::<HashSet<_>>().len()..=all.len()
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
