//! What the compiler says of wrong trees: one case per message.

/// The expected texts are those of this compiler; others word them differently.
const COMPILER: &str = "rustc 1.95.0";

#[test]
fn wrong_trees_get_helpful_errors() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let version = std::process::Command::new(rustc).arg("--version").output().expect("rustc runs");
    let version = String::from_utf8_lossy(&version.stdout);
    if !version.starts_with(COMPILER) {
        eprintln!("skipped: the expected errors are those of {COMPILER}, this is {version}");
        return;
    }
    let cases = trybuild::TestCases::new();
    cases.pass("ui/pass/*.rs");
    for folder in ["tree", "attributes", "types", "never", "file"] {
        cases.compile_fail(format!("ui/{folder}/*.rs"));
    }
}
