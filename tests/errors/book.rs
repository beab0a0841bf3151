//! The page of errors in `bt-core/ERRORS.md` is generated from the ui cases. `BOOK=overwrite cargo test -p bt-errors --test book` rewrites it.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders of cases, in the order of the page.
const PARTS: [(&str, &str, &str); 5] = [
    ("tree", "Syntax", "The macro reports all errors at once, each at its token. `cargo check` reports them too."),
    ("types", "Types", "The compiler reports a mismatched type at its leaf. `cargo check` reports it too."),
    (
        "never",
        "Unreachable and ineffective nodes",
        "Constants find these when code is generated: by `cargo build`, `test` or `run`, one error per `tree!`. See [`check`](crate::check).",
    ),
    (
        "file",
        "Files",
        "`tree_from_json!` reports errors in the file with the id and title of the node, `tree_from_file!` with line and column.",
    ),
    ("attributes", "Attributes", "The macros on functions, impl blocks and structs report these."),
];

#[test]
fn the_page_of_errors_is_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = page(&root.join("ui"));
    let path = root.join("../../bt-core/ERRORS.md");
    if std::env::var("BOOK").is_ok_and(|what| what == "overwrite") {
        fs::write(&path, &page).expect("the page can be written");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "bt-core/ERRORS.md is out of date: run with BOOK=overwrite");
}

#[test]
fn every_case_has_a_title_and_errors() {
    for (folder, ..) in PARTS {
        for case in cases(&Path::new(env!("CARGO_MANIFEST_DIR")).join("ui").join(folder)) {
            let code = fs::read_to_string(&case).expect("the case can be read");
            assert!(code.starts_with("// # "), "{} has no title", case.display());
            assert!(case.with_extension("stderr").exists(), "{} has no expected errors", case.display());
        }
    }
}

fn page(ui: &Path) -> String {
    let mut page = String::from(
        "# Compile errors\n\nEach error with the code that causes it. This page is generated from the test cases in `tests/errors/ui` and shows the output of rustc.\n",
    );
    for (folder, title, about) in PARTS {
        let _ = write!(page, "\n## {title}\n\n{about}\n");
        for case in cases(&ui.join(folder)) {
            let code = fs::read_to_string(&case).expect("the case can be read");
            let errors = fs::read_to_string(case.with_extension("stderr")).expect("its errors can be read");
            let about: Vec<&str> = code.lines().map_while(|line| line.strip_prefix("//")).map(str::trim).collect();
            let code: Vec<&str> = code.lines().skip(about.len()).collect();
            let (title, about) = about.split_first().expect("a case begins with its title");
            let _ = write!(page, "\n##{title}\n\n");
            if !about.is_empty() {
                let _ = write!(page, "{}\n\n", about.join("\n"));
            }
            let _ = write!(
                page,
                "```rust,ignore\n{}\n```\n\n```text\n{}\n```\n",
                code.join("\n").trim(),
                errors.trim_end()
            );
        }
    }
    page
}

/// Returns the cases in a folder, by name.
fn cases(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder can be read").map(|entry| entry.expect("an entry").path());
    let mut cases: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect();
    cases.sort();
    cases
}
