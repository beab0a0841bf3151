//! The compile errors as Markdown: each case with its code and the output of rustc.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The folders of cases, in the order of the page. The folder `mistakes` is left out: its cases have many errors each.
const PARTS: [(&str, &str, &str); 5] = [
    ("tree", "Syntax", "The macro reports all errors at once, each at its token. `cargo check` reports them too."),
    ("types", "Types", "The compiler reports a mismatched type at its leaf. `cargo check` reports it too."),
    (
        "never",
        "Unreachable and ineffective nodes",
        "Constants find these when code is generated: by `cargo build`, `test` or `run`, one error per `tree!`. \
         See [what can never happen](compile-errors.md#what-can-never-happen).",
    ),
    (
        "file",
        "Files",
        "`tree_from_json!` reports errors in the file with the id and title of the node, `tree_from_file!` with line and column.",
    ),
    ("attributes", "Attributes", "The macros on functions, impl blocks and structs report these."),
];

/// Returns the errors of all cases in these folders.
pub(crate) fn errors(ui: &Path) -> io::Result<String> {
    let mut parts = Vec::new();
    for (folder, title, about) in PARTS {
        let mut part = format!("## {title}\n\n{about}");
        for case in cases(&ui.join(folder))? {
            let errors = fs::read_to_string(case.with_extension("stderr"))?;
            let _ = write!(part, "\n\n{}", section(&fs::read_to_string(&case)?, &errors));
        }
        parts.push(part);
    }
    Ok(parts.join("\n\n"))
}

/// Returns a case, which begins with a comment: its title, and what is to say about it.
fn section(code: &str, errors: &str) -> String {
    let about: Vec<&str> = code.lines().map_while(|line| line.strip_prefix("//")).map(str::trim).collect();
    let code: Vec<&str> = code.lines().skip(about.len()).collect();
    let (title, about) = about.split_first().map_or(("#", String::new()), |(title, about)| (title, about.join("\n")));
    let (code, errors) = (code.join("\n"), errors.trim_end());
    let code = format!("```rust,compile_fail\n{}\n```", code.trim());
    let parts = [format!("##{title}"), about, code, format!("```text\n{errors}\n```")];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}

/// Returns the cases in a folder, by name.
fn cases(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let paths: Result<Vec<_>, _> = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut cases = paths?;
    cases.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    cases.sort();
    Ok(cases)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ui() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/errors/ui")
    }

    #[test]
    fn a_case_has_its_title_its_code_and_its_errors() {
        let case = section("// # A title\n// More.\n\nfn main() {}\n", "error: no\n");
        assert_eq!(case, "### A title\n\nMore.\n\n```rust,compile_fail\nfn main() {}\n```\n\n```text\nerror: no\n```");
    }

    #[test]
    fn every_case_has_a_title_and_is_on_the_page() {
        let page = errors(&ui()).expect("every case has its errors");
        for (folder, ..) in PARTS {
            let cases = cases(&ui().join(folder)).expect("the folder can be read");
            assert!(!cases.is_empty(), "{folder} has no cases");
            for case in cases {
                let code = fs::read_to_string(&case).expect("the case can be read");
                let title = code.lines().next().and_then(|line| line.strip_prefix("// # "));
                let title = title.unwrap_or_else(|| panic!("{} has no title", case.display()));
                assert!(page.contains(&format!("\n### {title}\n")), "{} is not on the page", case.display());
            }
        }
    }
}
