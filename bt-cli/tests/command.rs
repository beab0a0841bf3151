//! Tests of the command `bt`.

use std::process::Command;

/// Runs `bt`. Returns whether it succeeded, its output and its error output.
fn bt(arguments: &[&str]) -> (bool, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_bt")).args(arguments).output().expect("the binary is built");
    let text = |bytes| String::from_utf8(bytes).expect("valid UTF-8");
    (output.status.success(), text(output.stdout), text(output.stderr))
}

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../bt-behavior3/tests/project.b3.json");

#[test]
fn check_reports_errors() {
    let (success, out, _) = bt(&["check", FILE, "--leaf", "attack"]);
    assert!(success && out.ends_with("project.b3.json: OK (2 trees, 12 nodes)\n"), "{out}");
    let (success, _, errors) = bt(&["check", FILE]);
    assert!(!success);
    assert!(errors.ends_with("node n5 (\"attack\"): unknown node `attack`\n"), "{errors}");
}

#[test]
fn options_may_precede_the_file() {
    let (success, out, errors) = bt(&["check", "--leaf", "attack", FILE]);
    assert!(success && out.ends_with("OK (2 trees, 12 nodes)\n"), "{out}{errors}");
    for help in [["check", "--help"], ["draw", "-h"]] {
        let (success, out, _) = bt(&help);
        assert!(success && out.starts_with("usage: bt check"), "{out}");
    }
    let (success, _, errors) = bt(&["check", FILE, FILE]);
    assert!(!success && errors.starts_with("expected one file, found a second: `"), "{errors}");
    let (success, _, errors) = bt(&["chek"]);
    assert!(!success && errors.starts_with("unknown command `chek`\n"), "{errors}");
}

#[test]
fn draw_supports_all_formats() {
    let (_, out, _) = bt(&["draw", FILE, "--leaf", "attack"]);
    assert_eq!(
        out,
        "\
selector \"guard\"
├─ sequence \"fight\"
│  ├─ near(metres: 10) \"near 10\"
│  └─ attack
└─ mem_sequence
   ├─ wait(milliseconds: 500) \"Wait 500ms\"
   └─ invert
      └─ fail
"
    );
    for (form, begin) in [("--dot", "digraph"), ("--mermaid", "flowchart"), ("--svg", "<svg")] {
        let (success, out, _) = bt(&["draw", FILE, "--leaf", "attack", form]);
        assert!(success && out.starts_with(begin), "{form}: {out}");
    }
    let (_, out, _) = bt(&["draw", FILE, "--tree", "patrol"]);
    assert_eq!(out.lines().next(), Some("mem_sequence"));
}

#[test]
fn to_rust_prints_a_tree() {
    let (_, out, _) = bt(&["to-rust", FILE, "--leaf", "attack"]);
    assert_eq!(
        out,
        "\
selector \"guard\" {
    sequence \"fight\" { (near { metres: 10 }) \"near 10\", attack }
    mem_sequence { wait(millis(500)) \"Wait 500ms\", !fail }
}
"
    );
}

#[test]
fn invalid_arguments_are_reported() {
    for (arguments, expected) in [
        (vec![], "usage: bt check"),
        (vec!["dance", FILE], "unknown command `dance`"),
        (vec!["check", "/nowhere"], "/nowhere: No such file"),
        (vec!["check", FILE, "--svg"], "unknown option `--svg`"),
        (vec!["draw", FILE, "--tree"], "missing name after `--tree`"),
        (vec!["check", FILE, "--tree", "x"], &format!("{FILE}: tree: unknown tree `x`")),
        (
            vec!["check", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")],
            &format!("{}: not a Behavior3 tree", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")),
        ),
    ] {
        let (success, _, errors) = bt(&arguments);
        assert!(!success && errors.starts_with(expected), "{errors}");
    }
}

/// Writes a temporary file for a test.
fn write_file(name: &str, text: &str) -> std::path::PathBuf {
    let path = std::env::temp_dir().join(format!("bt-cli-{}-{name}", std::process::id()));
    std::fs::write(&path, text).expect("the temporary folder is writable");
    path
}

#[test]
fn check_covers_all_trees_and_unconnected_nodes() {
    let good = r#"{ "id": "t1", "title": "good", "root": "1", "nodes": { "1": { "name": "Succeeder" } } }"#;
    let bad = r#"{ "id": "t2", "title": "bad", "root": "1", "nodes": { "1": { "name": "Inverter", "child": "2" }, "2": { "name": "Atack" }, "3": { "name": "Wait", "title": "later" } } }"#;
    let path = write_file("project.json", &format!(r#"{{ "trees": [{good}, {bad}] }}"#));
    let path = path.to_str().expect("valid UTF-8");
    let (success, _, errors) = bt(&["check", path]);
    assert!(!success);
    assert_eq!(
        errors,
        format!(
            "{path}: tree \"bad\": node 2 (\"Atack\"): unknown node `Atack`\n{path}: tree \"bad\": node 3 (\"later\"): not connected to the root\n"
        )
    );
    let (success, out, errors) = bt(&["check", path, "--tree", "good"]);
    assert!(success && out.ends_with("OK (1 node)\n"), "{errors}");
    let path = write_file("good.json", &format!(r#"{{ "trees": [{good}, {}] }}"#, good.replace("t1", "t3")));
    let (success, out, errors) = bt(&["check", path.to_str().expect("valid UTF-8")]);
    assert!(success && out.ends_with("OK (2 trees, 2 nodes)\n"), "{out}{errors}");
}

#[test]
fn declared_conditions_are_drawn_as_conditions() {
    let path = write_file(
        "conditions.json",
        r#"{ "root": "1", "nodes": {
            "1": { "name": "Sequence", "children": ["2", "3", "4"] }, "2": { "name": "Near" }, "3": { "name": "Go" }, "4": { "name": "Far", "category": "condition" }
        }, "custom_nodes": [{ "name": "Near", "category": "condition" }, { "name": "Go", "category": "action" }] }"#,
    );
    let path = path.to_str().expect("valid UTF-8");
    let drawn = |form: &str| bt(&["draw", path, "--leaf", "Far", form]).1;
    let dot = drawn("--dot");
    let shape = |name: &str| {
        dot.lines()
            .find(|line| line.contains(name))
            .expect("the node is drawn")
            .split("shape=")
            .nth(1)
            .map(str::to_owned)
    };
    assert_eq!(shape("Near"), shape("Far"));
    assert_ne!(shape("Near"), shape("Go"));
    let mermaid = drawn("--mermaid");
    assert!(mermaid.contains("{\"Near\"}") && mermaid.contains("(\"Go\")"), "{mermaid}");
}

#[cfg(unix)]
#[test]
fn a_path_may_not_be_valid_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let path = std::env::temp_dir().join(std::ffi::OsStr::from_bytes(b"bt-cli-\xff.json"));
    std::fs::write(&path, r#"{ "root": "1", "nodes": { "1": { "name": "Succeeder" } } }"#)
        .expect("the temporary folder is writable");
    let output = Command::new(env!("CARGO_BIN_EXE_bt")).arg("check").arg(&path).output().expect("the binary is built");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new(env!("CARGO_BIN_EXE_bt"))
        .arg(path.file_name().expect("the path has a file name"))
        .arg("x")
        .output()
        .expect("the binary is built");
    assert!(String::from_utf8_lossy(&output.stderr).contains("is not valid UTF-8"));
    std::fs::remove_file(&path).expect("the file exists");
}

#[test]
fn duplicate_tree_ids_are_an_error() {
    let path = std::env::temp_dir().join("bt-cli-ids.json");
    let tree = r#"{ "id": "A", "title": "a", "root": "1", "nodes": { "1": { "name": "Succeeder" } } }"#;
    std::fs::write(&path, format!(r#"{{ "trees": [{tree}, {tree}] }}"#)).expect("the temporary folder is writable");
    let (success, _, errors) = bt(&["check", path.to_str().expect("valid UTF-8")]);
    assert!(!success && errors.contains("duplicate tree id `A`"), "{errors}");
    std::fs::remove_file(&path).expect("the file exists");
}

#[cfg(target_os = "linux")]
#[test]
fn an_unwritable_output_is_an_error_but_a_closed_pipe_is_not() {
    let path = std::env::temp_dir().join("bt-cli-full.json");
    std::fs::write(&path, r#"{ "root": "1", "nodes": { "1": { "name": "Succeeder" } } }"#)
        .expect("the temporary folder is writable");
    let draw = |out: std::process::Stdio| {
        let command = Command::new(env!("CARGO_BIN_EXE_bt"))
            .arg("draw")
            .arg(&path)
            .stdout(out)
            .stderr(std::process::Stdio::piped())
            .spawn();
        command.and_then(std::process::Child::wait_with_output).expect("the binary is built")
    };
    let output = draw(std::fs::File::options().write(true).open("/dev/full").expect("Linux has /dev/full").into());
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("cannot write the output"), "{output:?}");
    let (reader, writer) = std::io::pipe().expect("pipes are available");
    drop(reader);
    let output = draw(writer.into());
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    std::fs::remove_file(&path).expect("the file exists");
}

#[test]
fn ambiguous_rust_names_are_an_error() {
    let path = std::env::temp_dir().join("bt-cli-names.json");
    let file = r#"{ "root": "m", "nodes": { "m": { "name": "machine", "children": ["a", "b"] },
        "a": { "name": "state", "properties": { "name": "a b", "enter": "walk to" }, "child": "c" },
        "b": { "name": "state", "properties": { "name": "a_b" }, "child": "d" }, "c": { "name": "walk_to" }, "d": { "name": "Runner" } } }"#;
    std::fs::write(&path, file).expect("the temporary folder is writable");
    let path = path.to_str().expect("valid UTF-8");
    let (success, _, errors) = bt(&["to-rust", path, "--leaf", "walk to", "--leaf", "walk_to"]);
    assert!(!success);
    for expected in ["`a b` and `a_b` are both `a_b` in Rust", "`walk to` and `walk_to` are both `walk_to` in Rust"] {
        assert!(errors.contains(expected), "{errors}");
    }
    std::fs::remove_file(path).expect("the file exists");
}

#[test]
fn palette_prints_custom_nodes() {
    let (success, out, _) = bt(&["palette"]);
    let nodes: serde_json::Value = serde_json::from_str(&out).expect("it is JSON");
    let names: Vec<_> = nodes.as_array().expect("a list").iter().map(|node| node["name"].as_str()).collect();
    assert!(success && names.contains(&Some("cooldown")) && !names.contains(&Some("selector")), "{names:?}");
    let (success, _, errors) = bt(&["palette", "--dot"]);
    assert!(!success && errors.starts_with("unknown option `--dot`"), "{errors}");
}

#[test]
fn help_is_printed_to_the_output() {
    let (success, out, errors) = bt(&["--help"]);
    assert!(success && out.starts_with("usage: bt check") && errors.is_empty(), "{out}{errors}");
}
