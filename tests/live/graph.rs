//! A graph of crates of which some depend on bt-live: the trees of these are live, and the others static, in one build.

use std::path::Path;
use std::process::Command;

/// What the program prints with these arguments of cargo.
fn printed(arguments: &[&str]) -> String {
    let graph = Path::new(env!("CARGO_MANIFEST_DIR")).join("../live_graph/Cargo.toml");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("tests").join("live_graph");
    let mut cargo = Command::new(env!("CARGO"));
    // Its lock file has versions of its own, which a new machine downloads.
    cargo.args(["run", "--quiet", "--locked", "--package", "program", "--manifest-path"]).arg(graph);
    let output = cargo.arg("--target-dir").arg(target).args(arguments).output().expect("cargo can be run");
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{errors}");
    assert!(!errors.contains("warning"), "{errors}");
    text.into_owned()
}

/// The lines that the program prints: a tree and a subtree of each crate.
fn expected(is_live: impl Fn(&str) -> bool) -> String {
    let names = ["program", "plain", "game", "renamed", "bare"];
    let line = |name: &str, kind: &str| {
        let statuses = if kind.is_empty() || kind == " engine" {
            "[Success, Failure, Success]"
        } else {
            "[Failure, Success, Success]"
        };
        // What a macro of another crate contains is in no source of this one.
        let kind_of_tree = if is_live(name) && kind != " generated" { "live" } else { "static" };
        format!("{name}{kind}: {kind_of_tree} {statuses}\n")
    };
    let lines = names.iter().flat_map(|name| {
        let kinds: &[&str] = match *name {
            "program" => &["", " subtree", " engine", " generated"],
            "game" => &["", " subtree", " generated"],
            _ => &["", " subtree"],
        };
        kinds.iter().map(|kind| line(name, kind))
    });
    lines.collect()
}

#[test]
fn trees_are_live_in_crates_that_depend_on_bt_live() {
    assert_eq!(printed(&["--features", "live"]), expected(|name| ["program", "renamed"].contains(&name)));
    // bt-live alone is not enough.
    assert_eq!(printed(&[]), expected(|_| false));
}
