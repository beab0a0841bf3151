//! The command, run as its users do.

use std::process::Command;

/// What a run printed, and whether all was well.
fn bt(arguments: &[&str]) -> (bool, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_bt")).args(arguments).output().expect("it is built");
    let text = |bytes| String::from_utf8(bytes).expect("it is text");
    (output.status.success(), text(output.stdout), text(output.stderr))
}

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../bt-behavior3/tests/project.b3.json");

#[test]
fn a_file_is_checked() {
    let (well, out, _) = bt(&["check", FILE, "--leaf", "attack"]);
    assert!(well && out.ends_with("project.b3.json: nothing is wrong with its 2 trees with 12 nodes\n"), "{out}");
    let (well, _, errors) = bt(&["check", FILE]);
    assert!(!well);
    assert!(errors.ends_with("node n5 (\"attack\"): unknown node `attack`\n"), "{errors}");
}

#[test]
fn a_file_is_drawn() {
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
        let (well, out, _) = bt(&["draw", FILE, "--leaf", "attack", form]);
        assert!(well && out.starts_with(begin), "{form}: {out}");
    }
    let (_, out, _) = bt(&["draw", FILE, "--tree", "patrol"]);
    assert_eq!(out.lines().next(), Some("mem_sequence"));
}

#[test]
fn a_file_becomes_rust() {
    let (_, out, _) = bt(&["to-rust", FILE, "--leaf", "attack"]);
    assert_eq!(
        out,
        "\
selector \"guard\" {
    sequence \"fight\" { (near { metres: 10 }), attack }
    mem_sequence { wait(millis(500)), !fail }
}
"
    );
}

#[test]
fn wrong_arguments_say_what_is_right() {
    for (arguments, expected) in [
        (vec![], "usage: bt check"),
        (vec!["dance", FILE], "unknown command `dance`"),
        (vec!["check", "/nowhere"], "/nowhere: No such file"),
        (vec!["check", FILE, "--svg"], "unknown option `--svg`"),
        (vec!["draw", FILE, "--tree"], "`--tree` needs a name"),
        (vec!["check", FILE, "--tree", "x"], &format!("{FILE}: tree: unknown tree `x`")),
        (
            vec!["check", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")],
            &format!("{}: not a Behavior3 tree", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")),
        ),
    ] {
        let (well, _, errors) = bt(&arguments);
        assert!(!well && errors.starts_with(expected), "{errors}");
    }
}

/// A file of its own for a test.
fn written(name: &str, text: &str) -> std::path::PathBuf {
    let path = std::env::temp_dir().join(format!("bt-cli-{}-{name}", std::process::id()));
    std::fs::write(&path, text).expect("there is a temporary folder");
    path
}

#[test]
fn all_trees_of_a_project_are_checked_and_nodes_that_hang_loose_told() {
    let good = r#"{ "id": "t1", "title": "good", "root": "1", "nodes": { "1": { "name": "Succeeder" } } }"#;
    let bad = r#"{ "id": "t2", "title": "bad", "root": "1", "nodes": { "1": { "name": "Inverter", "child": "2" }, "2": { "name": "Atack" }, "3": { "name": "Wait", "title": "later" } } }"#;
    let path = written("project.json", &format!(r#"{{ "trees": [{good}, {bad}] }}"#));
    let path = path.to_str().expect("it is text");
    let (well, _, errors) = bt(&["check", path]);
    assert!(!well);
    assert_eq!(
        errors,
        format!(
            "{path}: tree \"bad\": node 2 (\"Atack\"): unknown node `Atack`\n{path}: tree \"bad\": node 3 (\"later\"): not connected to the root\n"
        )
    );
    let (well, out, errors) = bt(&["check", path, "--tree", "good"]);
    assert!(well && out.ends_with("nothing is wrong with its 1 nodes\n"), "{errors}");
    let path = written("good.json", &format!(r#"{{ "trees": [{good}, {}] }}"#, good.replace("t1", "t3")));
    let (well, out, errors) = bt(&["check", path.to_str().expect("it is text")]);
    assert!(well && out.ends_with("nothing is wrong with its 2 trees with 2 nodes\n"), "{out}{errors}");
}

#[test]
fn conditions_that_a_file_declares_are_drawn_as_conditions() {
    let path = written(
        "conditions.json",
        r#"{ "root": "1", "nodes": {
            "1": { "name": "Sequence", "children": ["2", "3", "4"] }, "2": { "name": "Near" }, "3": { "name": "Go" }, "4": { "name": "Far", "category": "condition" }
        }, "custom_nodes": [{ "name": "Near", "category": "condition" }, { "name": "Go", "category": "action" }] }"#,
    );
    let path = path.to_str().expect("it is text");
    let drawn = |form: &str| bt(&["draw", path, "--leaf", "Far", form]).1;
    let dot = drawn("--dot");
    let shape = |name: &str| {
        dot.lines().find(|line| line.contains(name)).expect("it is drawn").split("shape=").nth(1).map(str::to_owned)
    };
    assert_eq!(shape("Near"), shape("Far"));
    assert_ne!(shape("Near"), shape("Go"));
    let mermaid = drawn("--mermaid");
    assert!(mermaid.contains("{\"Near\"}") && mermaid.contains("(\"Go\")"), "{mermaid}");
}

#[cfg(unix)]
#[test]
fn a_path_need_not_be_text() {
    use std::os::unix::ffi::OsStrExt;
    let path = std::env::temp_dir().join(std::ffi::OsStr::from_bytes(b"bt-cli-\xff.json"));
    std::fs::write(&path, r#"{ "root": "1", "nodes": { "1": { "name": "Succeeder" } } }"#)
        .expect("there is a temporary folder");
    let output = Command::new(env!("CARGO_BIN_EXE_bt")).arg("check").arg(&path).output().expect("it is built");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new(env!("CARGO_BIN_EXE_bt"))
        .arg(path.file_name().expect("it has one"))
        .arg("x")
        .output()
        .expect("it is built");
    assert!(String::from_utf8_lossy(&output.stderr).contains("is no text"));
    std::fs::remove_file(&path).expect("it is there");
}

#[test]
fn duplicate_tree_ids_are_an_error() {
    let path = std::env::temp_dir().join("bt-cli-ids.json");
    let tree = r#"{ "id": "A", "title": "a", "root": "1", "nodes": { "1": { "name": "Succeeder" } } }"#;
    std::fs::write(&path, format!(r#"{{ "trees": [{tree}, {tree}] }}"#)).expect("there is a temporary folder");
    let (success, _, errors) = bt(&["check", path.to_str().expect("it is text")]);
    assert!(!success && errors.contains("duplicate tree id `A`"), "{errors}");
    std::fs::remove_file(&path).expect("it is there");
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error_and_a_reader_that_has_enough_is_none() {
    let path = std::env::temp_dir().join("bt-cli-full.json");
    std::fs::write(&path, r#"{ "root": "1", "nodes": { "1": { "name": "Succeeder" } } }"#)
        .expect("there is a temporary folder");
    let draw = |out: std::process::Stdio| {
        let command = Command::new(env!("CARGO_BIN_EXE_bt"))
            .arg("draw")
            .arg(&path)
            .stdout(out)
            .stderr(std::process::Stdio::piped())
            .spawn();
        command.and_then(std::process::Child::wait_with_output).expect("it is built")
    };
    let output = draw(std::fs::File::options().write(true).open("/dev/full").expect("Linux has it").into());
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("the output cannot be written"), "{output:?}");
    let (reader, writer) = std::io::pipe().expect("there are pipes");
    drop(reader);
    let output = draw(writer.into());
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    std::fs::remove_file(&path).expect("it is there");
}

#[test]
fn names_that_are_the_same_in_rust_are_an_error() {
    let path = std::env::temp_dir().join("bt-cli-names.json");
    let file = r#"{ "root": "m", "nodes": { "m": { "name": "machine", "children": ["a", "b"] },
        "a": { "name": "state", "properties": { "name": "a b", "enter": "walk to" }, "child": "c" },
        "b": { "name": "state", "properties": { "name": "a_b" }, "child": "d" }, "c": { "name": "walk_to" }, "d": { "name": "Runner" } } }"#;
    std::fs::write(&path, file).expect("there is a temporary folder");
    let path = path.to_str().expect("it is text");
    let (success, _, errors) = bt(&["to-rust", path, "--leaf", "walk to", "--leaf", "walk_to"]);
    assert!(!success);
    for expected in ["`a b` and `a_b` are both `a_b` in Rust", "`walk to` and `walk_to` are both `walk_to` in Rust"] {
        assert!(errors.contains(expected), "{errors}");
    }
    std::fs::remove_file(path).expect("it is there");
}
