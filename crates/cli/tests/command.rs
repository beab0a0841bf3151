//! Tests of the command `bt`.

use std::process::Command;

/// Runs `bt`. Returns whether it succeeded, its output and its error output.
fn bt(arguments: &[&str]) -> (bool, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_bt")).args(arguments).output().expect("the binary is built");
    let text = |bytes| String::from_utf8(bytes).expect("valid UTF-8");
    (output.status.success(), text(output.stdout), text(output.stderr))
}

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../behavior3/tests/project.b3.json");

#[test]
fn check_reports_errors() {
    let (success, out, _) = bt(&["check", FILE, "--leaf", "attack"]);
    assert!(success && out.ends_with("project.b3.json: OK (2 trees, 13 nodes)\n"), "{out}");
    let (success, _, errors) = bt(&["check", FILE]);
    assert!(!success);
    assert!(
        errors.contains("node n5 (\"attack\"): unknown node `attack`\nhelp: declare your own nodes with "),
        "{errors}"
    );
}

#[test]
fn options_may_precede_the_file() {
    let (success, out, errors) = bt(&["check", "--leaf", "attack", FILE]);
    assert!(success && out.ends_with("OK (2 trees, 13 nodes)\n"), "{out}{errors}");
    for help in [["check", "--help"], ["draw", "-h"]] {
        let (success, out, _) = bt(&help);
        assert!(success && out.contains("Usage: bt ") && out.contains("Exit codes:"), "{out}");
    }
    let (success, _, errors) = bt(&["draw", FILE, FILE]);
    assert!(!success && errors.starts_with("error: unexpected argument '"), "{errors}");
    let (success, _, errors) = bt(&["chek"]);
    assert!(!success && errors.contains("a similar subcommand exists: 'check'"), "{errors}");
}

#[test]
fn draw_supports_all_formats() {
    let (_, out, _) = bt(&["draw", FILE, "--leaf", "attack"]);
    assert_eq!(
        out,
        "\
selector \"guard\"
├─ sequence \"fight\"
│  ├─ near(meters: 10) \"near 10\"
│  └─ attack
└─ patrol
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
    sequence \"fight\" { (near { meters: 10 }) \"near 10\", attack }
    mem_sequence { wait(millis(500)) \"Wait 500ms\", !fail }
}
"
    );
}

#[test]
fn invalid_arguments_are_reported() {
    for (arguments, expected) in [
        (vec![], "Checks, draws and converts files"),
        (vec!["dance", FILE], "error: unrecognized subcommand 'dance'"),
        (vec!["check", "/nowhere"], "/nowhere: No such file"),
        (vec!["check", FILE, "--svg"], "error: unexpected argument '--svg' found"),
        (vec!["draw", FILE, "--tree"], "error: a value is required for '--tree <NAME>'"),
        (vec!["check", FILE, "--tree", "x"], &format!("{FILE}: unknown tree `x`")),
        (
            vec!["check", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")],
            &format!("{}:1:1: not a Behavior3 tree", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")),
        ),
    ] {
        let (success, _, errors) = bt(&arguments);
        assert!(!success && errors.starts_with(expected), "{errors}");
    }
}

/// Writes a temporary file for a test.
fn write_file(name: &str, text: &str) -> std::path::PathBuf {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the temporary folder is writable");
    path
}

#[test]
fn check_covers_all_trees_and_unconnected_nodes() {
    let good = r#"{ "id": "t1", "title": "good", "root": "1", "nodes": { "1": { "name": "Succeeder" } } }"#;
    let bad = r#"{ "id": "t2", "title": "bad", "root": "1", "nodes": { "1": { "name": "Inverter", "child": "2" }, "2": { "name": "Runer" }, "3": { "name": "Wait", "title": "later" } } }"#;
    let path = write_file("project.json", &format!(r#"{{ "trees": [{good}, {bad}] }}"#));
    let path = path.to_str().expect("valid UTF-8");
    let (success, _, errors) = bt(&["check", path]);
    assert!(!success);
    assert_eq!(
        errors,
        format!(
            "{path}: tree \"bad\": node 2 (\"Runer\"): unknown node `Runer`; help: did you mean `Runner`?\n{path}: tree \"bad\": node 3 (\"later\"): not connected to the root\n"
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
    assert_eq!(output.status.code(), Some(2));
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
    assert!(!success && errors.starts_with("error: unexpected argument '--dot'"), "{errors}");
}

#[test]
fn help_is_printed_to_the_output() {
    let (success, out, errors) = bt(&["--help"]);
    assert!(success && out.contains("Usage: bt <COMMAND>") && errors.is_empty(), "{out}{errors}");
}

/// Runs `bt` with this standard input. Returns its exit code and its output.
fn bt_with(arguments: &[&str], input: &str) -> (Option<i32>, String) {
    let output = output_with(arguments, input);
    (output.status.code(), String::from_utf8(output.stdout).expect("valid UTF-8"))
}

/// Runs `bt` with this standard input. Returns whether it succeeded, its output and its error output.
fn bt_with_input(arguments: &[&str], input: &str) -> (bool, String, String) {
    let output = output_with(arguments, input);
    let text = |bytes| String::from_utf8(bytes).expect("valid UTF-8");
    (output.status.success(), text(output.stdout), text(output.stderr))
}

fn output_with(arguments: &[&str], input: &str) -> std::process::Output {
    use std::io::Write as _;
    let mut child = Command::new(env!("CARGO_BIN_EXE_bt"))
        .args(arguments)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the binary is built");
    // Of a command line with a mistake, the program reads no input.
    match child.stdin.take().expect("it has an input").write_all(input.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => panic!("it reads its input: {error}"),
        Ok(()) | Err(_) => {}
    }
    child.wait_with_output().expect("it ends")
}

#[test]
fn a_project_that_selects_no_tree_of_its_own_or_declares_a_node_twice_is_reported() {
    let tree = r#"{ "id": "a", "root": "1", "nodes": { "1": { "name": "Near" } } }"#;
    let near = r#"{ "name": "Near", "category": "condition" }"#;
    let file = format!(r#"{{ "selectedTree": "z", "trees": [{tree}], "custom_nodes": [{near}, {near}] }}"#);
    let (success, _, errors) = bt_with_input(&["check", "-"], &file);
    assert!(!success);
    assert_eq!(
        errors,
        "\
standard input: `selectedTree` is `z`, which is not a tree of the file
standard input: custom node `Near` is declared twice
"
    );
}

#[test]
fn that_further_errors_are_not_reported_is_said() {
    let nodes: Vec<_> = (2..300).map(|id| format!(r#""{id}": {{ "name": "Runer" }}"#)).collect();
    let children: Vec<_> = (2..300).map(|id| format!("\"{id}\"")).collect();
    let file = format!(
        r#"{{ "root": "1", "nodes": {{ "1": {{ "name": "Priority", "children": [{}] }}, {} }} }}"#,
        children.join(","),
        nodes.join(",")
    );
    let (_, _, errors) = bt_with_input(&["check", "-"], &file);
    assert_eq!(errors.lines().count(), 101);
    assert!(errors.ends_with("standard input: no more than 100 errors are reported\n"), "{errors}");
}

#[test]
fn several_files_and_the_standard_input_are_checked() {
    let good = r#"{ "root": "1", "nodes": { "1": { "name": "Succeeder" } } }"#;
    let path = write_file("several.json", good);
    let path = path.to_str().expect("valid UTF-8");
    assert_eq!(
        bt_with(&["check", path, "-"], good),
        (Some(0), format!("{path}: OK (1 node)\nstandard input: OK (1 node)\n"))
    );
    // What is good is listed, whatever else is wrong.
    let (code, out) = bt_with(&["check", path, "-", "/nowhere"], "[]");
    assert_eq!((code, out), (Some(1), format!("{path}: OK (1 node)\n")));
    assert_eq!(bt_with(&["draw", "-"], good), (Some(0), "succeed\n".to_owned()));
}

#[test]
fn results_are_json() {
    let bad =
        r#"{ "id": "t", "title": "bad", "root": "1", "nodes": { "1": { "name": "Atack" }, "2": { "name": "Wait" } } }"#;
    let (code, out) = bt_with(&["check", "--json", "-", "/nowhere"], bad);
    let found: serde_json::Value = serde_json::from_str(&out).expect("it is JSON");
    assert_eq!(code, Some(1));
    assert_eq!(found[0]["trees"][0]["errors"][0]["reason"], "unknown node `Atack`");
    assert_eq!(found[0]["trees"][0]["errors"][1]["id"], "2");
    assert!(found[1]["error"].as_str().is_some_and(|error| error.starts_with("/nowhere: ")), "{found}");
}

#[test]
fn variables_that_nobody_writes_are_reported() {
    let tree = r#"{ "root": "1", "nodes": {
        "1": { "name": "Sequence", "children": ["2", "3", "4"] },
        "2": { "name": "Look", "properties": { "result": "{seen}" } },
        "3": { "name": "Repeater", "properties": { "maxLoop": "{seen}" }, "child": "5" },
        "4": { "name": "Wait", "properties": { "milliseconds": "{pause}" } }, "5": { "name": "Look" } } }"#;
    assert_eq!(bt_with(&["check", "-", "--leaf", "Look"], tree).0, Some(0), "the program may set it");
    assert_eq!(bt_with(&["check", "-", "--leaf", "Look", "--variable", "pause"], tree).0, Some(0));
    let (code, out) = bt_with(&["check", "-", "--leaf", "Look", "--variable", "pose", "--json"], tree);
    let found: serde_json::Value = serde_json::from_str(&out).expect("it is JSON");
    let errors = &found[0]["trees"][0]["errors"];
    assert_eq!((code, errors.as_array().map(Vec::len)), (Some(1), Some(1)), "{found}");
    assert_eq!(errors[0]["id"], "4");
    assert!(
        errors[0]["reason"]
            .as_str()
            .is_some_and(|reason| reason.starts_with("variable `{pause}` is read, but neither")),
        "{found}"
    );
}

#[test]
fn the_parameters_of_a_tree_are_no_variables_that_nobody_writes() {
    let tree =
        "tree main { sequence { pause(time = 2s), wait(var(hp)) } }\ntree pause(time = 1s) { wait(var(time)) }\n";
    assert_eq!(
        bt_with(&["check", "-", "--variable", "hp"], tree),
        (Some(0), "standard input: OK (2 trees, 5 nodes)\n".to_owned())
    );
    assert_eq!(bt_with(&["check", "-", "--variable", "mp"], tree).0, Some(1));
}

/// Files as older versions of the editor, and other programs, write them.
#[test]
fn dialects_of_files_are_checked() {
    let fixture = |name: &str| format!("{}/tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
    let (old, scopes) = (fixture("old_parameters.b3.json"), fixture("project_with_scopes.b3.json"));
    let (success, out, errors) = bt(&["check", &old, &scopes]);
    assert!(success, "{errors}");
    assert!(
        out.contains("old_parameters.b3.json: OK (5 nodes)")
            && out.contains("project_with_scopes.b3.json: OK (2 trees, 6 nodes)"),
        "{out}"
    );
    let (_, out, errors) = bt(&["draw", &old]);
    assert_eq!(
        out,
        "\
selector
├─ sequence
│  ├─ Near(distance: 3)
│  └─ wait(milliseconds: 200)
└─ fail
",
        "{errors}"
    );
}

#[test]
fn versions_of_a_tree_are_compared() {
    let old = r#"{ "root": "1", "nodes": {
        "1": { "name": "Priority", "children": ["2", "3", "4"] },
        "2": { "name": "Wait", "properties": { "milliseconds": 100 } },
        "3": { "name": "Sequence", "children": ["5"] }, "4": { "name": "Failer" }, "5": { "name": "Runner" } } }"#;
    let new = r#"{ "root": "1", "nodes": {
        "1": { "name": "Priority", "children": ["3", "2", "6"] },
        "2": { "name": "Wait", "title": "pause", "properties": { "milliseconds": 200 } },
        "3": { "name": "Sequence", "children": ["7"] }, "5": { "name": "Runner" }, "6": { "name": "Inverter", "child": "5" }, "7": { "name": "Succeeder" } } }"#;
    let (old, new) = (write_file("old.json", old), write_file("new.json", new));
    let (old, new) = (old.to_str().expect("valid UTF-8"), new.to_str().expect("valid UTF-8"));
    let (success, out, errors) = bt(&["diff", old, new]);
    assert!(!success && errors.is_empty());
    assert_eq!(
        out,
        "\
removed: Priority/Failer
reordered: Priority: pause, Sequence -> Sequence, pause
changed: Priority/pause: title: none -> \"pause\", milliseconds: 100 -> 200
moved: Priority/Inverter/Runner: below Priority/Sequence -> below Priority/Inverter
added: Priority/Inverter: after pause
added: Priority/Sequence/Succeeder
"
    );
    assert_eq!(bt(&["diff", old, old]), (true, String::new(), String::new()));
    let (_, out, _) = bt(&["diff", "--json", old, new]);
    let found: serde_json::Value = serde_json::from_str(&out).expect("it is JSON");
    assert_eq!((found[0]["kind"].as_str(), found.as_array().map(Vec::len)), (Some("removed"), Some(6)));
    let broken = write_file("broken.json", r#"{ "root": "1", "nodes": { "1": { "name": "Atack" } } }"#);
    let (success, out, errors) = bt(&["diff", old, broken.to_str().expect("valid UTF-8")]);
    assert!(!success && out.is_empty() && errors.contains("unknown node `Atack`"), "{errors}");
}

#[test]
fn all_trees_of_a_project_are_compared() {
    let project = |time: u32, more: &str| {
        let leaf = format!(r#""2": {{ "name": "Wait", "properties": {{ "milliseconds": {time} }} }}"#);
        let inner = format!(r#"{{ "id": "b", "title": "inner", "root": "2", "nodes": {{ {leaf} }} }}"#);
        let outer = r#"{ "id": "a", "title": "outer", "root": "1", "nodes": { "1": { "name": "b" } } }"#;
        format!(r#"{{ "selectedTree": "a", "trees": [{outer}, {inner}{more}] }}"#)
    };
    let third = r#", { "id": "c", "root": "3", "nodes": { "3": { "name": "Runner" } } }"#;
    let (old, new) = (write_file("before.json", &project(1, third)), write_file("after.json", &project(2, "")));
    let (old, new) = (old.to_str().expect("valid UTF-8"), new.to_str().expect("valid UTF-8"));
    let (success, out, errors) = bt(&["diff", old, new]);
    assert!(!success && errors.is_empty(), "{errors}");
    assert_eq!(out, "removed: tree \"c\"\nchanged: tree \"inner\", Wait: milliseconds: 1 -> 2\n");
    let (_, out, _) = bt(&["diff", "--json", new, old]);
    let found: serde_json::Value = serde_json::from_str(&out).expect("it is JSON");
    assert_eq!(
        [&found[0]["tree"], &found[0]["kind"], &found[1]["tree"], &found[1]["kind"]],
        ["inner", "changed", "c", "added"]
    );
    let (success, out, _) = bt(&["diff", "--tree", "outer", old, new]);
    assert!(success && out.is_empty(), "{out}");
}

#[test]
fn the_tree_that_runs_is_compared() {
    let project = |id: &str| {
        let tree = |id| format!(r#"{{ "id": "{id}", "root": "1", "nodes": {{ "1": {{ "name": "Runner" }} }} }}"#);
        format!(r#"{{ "selectedTree": "{id}", "trees": [{}, {}] }}"#, tree("a"), tree("b"))
    };
    let files = [
        ("main-1.json", project("a"), "main-2.json", project("b")),
        ("main-1.bt", "tree a { x }\ntree b { y }".into(), "main-2.bt", "tree b { y }\ntree a { x }".into()),
    ];
    for (old, before, new, after) in files {
        let (old, new) = (write_file(old, &before), write_file(new, &after));
        let (old, new) = (old.to_str().expect("valid UTF-8"), new.to_str().expect("valid UTF-8"));
        let expected = "main: tree \"b\": was tree \"a\"\n";
        assert_eq!(bt(&["diff", old, new]), (false, expected.to_owned(), String::new()));
        let (_, out, _) = bt(&["diff", "--json", old, new]);
        let found: serde_json::Value = serde_json::from_str(&out).expect("it is JSON");
        assert_eq!(
            (&found[0]["kind"], &found[0]["tree"], found.as_array().map(Vec::len)),
            (&"main".into(), &"b".into(), Some(1))
        );
        assert_eq!(bt(&["diff", "--tree", "a", old, new]), (true, String::new(), String::new()));
        assert_eq!(bt(&["diff", old, old]), (true, String::new(), String::new()));
    }
}

#[test]
fn either_version_can_be_the_standard_input() {
    let text = r#"{ "root": "1", "nodes": { "1": { "name": "Runner" }, "2": { "name": "Failer" } } }"#;
    let file = write_file("input.json", &text.replace("Runner", "Succeeder"));
    let file = file.to_str().expect("valid UTF-8");
    let changed = |from: &str, to: &str| format!("changed: {to}: name: {from} -> {to}\n");
    let (success, out, errors) = bt_with_input(&["diff", "-", file], text);
    assert_eq!((success, out, errors), (false, changed("Runner", "Succeeder"), String::new()));
    let (success, out, errors) = bt_with_input(&["diff", file, "-"], text);
    assert_eq!((success, out, errors), (false, changed("Succeeder", "Runner"), String::new()));
    let (success, _, errors) = bt(&["diff", "-", "-"]);
    assert_eq!((success, &*errors), (false, "only one of the two versions can be the standard input\n"));
    let (success, out, errors) = bt_with_input(&["diff", "--json", file, "-"], "{}");
    let found: serde_json::Value = serde_json::from_str(&out).expect("it is JSON");
    assert!(
        !success && errors.is_empty() && found["errors"].as_array().is_some_and(|errors| errors.len() == 1),
        "{out}"
    );
}

#[test]
fn a_place_of_a_node_says_between_which_it_is() {
    let tree = |children: &str| {
        let nodes = r#""2": { "name": "Runner" }, "3": { "name": "Failer" }"#;
        format!(r#"{{ "root": "1", "nodes": {{ "1": {{ "name": "Priority", "children": [{children}] }}, {nodes} }} }}"#)
    };
    let old = write_file("one.json", &tree(r#""2""#));
    for (children, place) in [(r#""3", "2""#, "below Priority, first"), (r#""2", "3""#, "below Priority, after Runner")]
    {
        let (_, out, _) = bt_with_input(&["diff", old.to_str().expect("valid UTF-8"), "-"], &tree(children));
        assert_eq!(out, format!("moved: Priority/Failer: unconnected -> {place}\n"));
    }
    // Siblings of one name have numbers.
    let same = tree(r#""2", "3""#).replace("Runner", "Failer");
    let (_, out, _) = bt_with_input(&["diff", old.to_str().expect("valid UTF-8"), "-"], &same);
    assert_eq!(
        out,
        "changed: Priority/Failer[1]: name: Runner -> Failer\nmoved: Priority/Failer[2]: unconnected -> below Priority, after Failer[1]\n"
    );
}

#[test]
fn a_file_that_cannot_be_read_does_not_stop_the_formatting_of_others() {
    let folder = std::env::temp_dir().join(format!("bt-fmt-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("src/target")).expect("the temporary folder is writable");
    let source = "fn f() { tree! { selector {a,b} }; }\n";
    let files = ["src/lib.rs", "src/target/mod.rs", "broken.rs"].map(|file| folder.join(file));
    for file in &files {
        std::fs::write(file, source).expect("the folder was created");
    }
    std::fs::write(&files[2], "fn f( {").expect("the folder was created");
    #[cfg(unix)]
    std::os::unix::fs::symlink("../src", folder.join("src/loop")).expect("the folder was created");
    let missing = folder.join("missing.rs");
    let (success, out, errors) =
        bt(&["fmt", missing.to_str().expect("valid UTF-8"), folder.to_str().expect("valid UTF-8")]);
    assert!(!success && out.is_empty() && errors.lines().count() == 2, "{errors}");
    assert!(errors.contains("missing.rs: ") && errors.contains("broken.rs:1:7: `{` is not closed"), "{errors}");
    for file in &files[..2] {
        let formatted = std::fs::read_to_string(file).expect("it was written");
        assert_eq!(formatted, "fn f() { tree! { selector { a, b } }; }\n");
    }
    let (success, _, errors) = bt(&["fmt", "-", files[0].to_str().expect("valid UTF-8")]);
    assert!(!success && errors.starts_with("the standard input"), "{errors}");
    std::fs::write(&files[0], "fn f() { tree! { selector {a /* x */, b} }; }\n").expect("the folder was created");
    let (success, _, errors) = bt(&["fmt", "--check", files[0].to_str().expect("valid UTF-8")]);
    assert!(!success && errors.contains("lib.rs:1: not formatted: "), "{errors}");
    let (success, _, errors) = bt(&["fmt", files[0].to_str().expect("valid UTF-8")]);
    assert!(success && errors.contains("lib.rs:1: note: not formatted: "), "{errors}");
    std::fs::remove_dir_all(folder).expect("it was created");
}

#[test]
fn a_new_project_is_created_once() {
    let folder = std::env::temp_dir().join(format!("bt-new-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder is writable");
    let path = folder.join("my-game");
    let path = path.to_str().expect("valid UTF-8");
    // As in the first chapter: the commands that it prints work before bt-core is published.
    let (success, out, errors) = bt(&["new", path]);
    assert!(success && out.ends_with(&format!("help: cd {path} && cargo run && cargo test\n")), "{out}{errors}");
    let manifest = std::fs::read_to_string(format!("{path}/Cargo.toml")).expect("it was created");
    assert!(manifest.contains("name = \"my-game\"") && manifest.contains("bt-core = { path = \""), "{manifest}");
    let (success, _, errors) = bt(&["new", path]);
    assert!(!success && errors.ends_with(": already exists\n"), "{errors}");
    let (local, core) = (format!("{path}-local"), concat!(env!("CARGO_MANIFEST_DIR"), "/../../bt-core"));
    let (success, _, errors) = bt(&["new", &local, "--local", core]);
    assert!(success, "{errors}");
    let manifest_of = |folder: &str| std::fs::read_to_string(format!("{folder}/Cargo.toml")).expect("it was created");
    assert_eq!(manifest_of(&local).replace("my-game-local", "my-game"), manifest_of(path));
    let (success, _, errors) = bt(&["new", "1game"]);
    assert!(!success && errors.starts_with("1game: expected a name"), "{errors}");
    for taken in ["build", "bt-core"] {
        let (success, _, errors) = bt(&["new", taken]);
        assert!(!success && errors == format!("{taken}: Cargo cannot build a program named `{taken}`\n"), "{errors}");
    }
    assert_eq!(std::fs::read_to_string(format!("{path}/.gitignore")).expect("it was created"), "/target\n");
    // Its sources are formatted, and pass its test.
    let (success, _, errors) = bt(&["fmt", "--check", path]);
    assert!(success, "{errors}");
    let cargo = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO"));
        let output = command
            .args(arguments)
            .args(["--offline", "-q"])
            .current_dir(path)
            .env("CARGO_TARGET_DIR", folder.join("target"))
            .output()
            .expect("cargo runs");
        (
            output.status.success(),
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr),
        )
    };
    let (success, out) = cargo(&["run"]);
    assert!(success && out.contains("enemy: Some(3.0), status: Running, steps: 2"), "{out}");
    let (success, out) = cargo(&["test"]);
    assert!(success && out.contains("1 passed"), "{out}");
    std::fs::remove_dir_all(&folder).expect("it was created");
}

#[test]
fn completions_are_printed() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (success, out, _) = bt(&["completions", shell]);
        assert!(success && out.contains("to-rust"), "{shell}");
    }
}

#[test]
fn colors_are_for_terminals_only() {
    let good = r#"{ "root": "1", "nodes": { "1": { "name": "Succeeder" } } }"#;
    assert!(!bt_with(&["draw", "-"], good).1.contains('\u{1b}'));
    assert!(bt_with(&["draw", "-", "--color", "always"], good).1.starts_with("\u{1b}[32msucceed"));
}

#[test]
fn errors_name_their_tree_once() {
    let good = r#"{ "id": "1", "root": "a", "nodes": { "a": { "name": "Failer" } } }"#;
    let empty = r#"{ "id": "2", "title": "empty", "root": null, "nodes": {} }"#;
    let path = write_file("several_trees.json", &format!(r#"{{ "selectedTree": "9", "trees": [{good}, {empty}] }}"#));
    let (success, out, errors) = bt(&["check", path.to_str().expect("valid UTF-8"), FILE, "--leaf", "attack"]);
    let path = path.display();
    assert_eq!(
        errors,
        format!(
            "{path}: `selectedTree` is `9`, which is not a tree of the file\n{path}: tree \"empty\": missing root\n"
        )
    );
    assert!(!success && out == format!("{FILE}: OK (2 trees, 13 nodes)\n"), "what is good is printed too: {out}");
}

#[test]
fn nobody_has_to_read_the_output() {
    let nodes: Vec<_> = (0..4000).map(|id| format!(r#""{id}": {{ "name": "Failer" }}"#)).collect();
    let path = write_file("loose.json", &format!(r#"{{ "root": "0", "nodes": {{ {} }} }}"#, nodes.join(", ")));
    for command in ["check", "draw"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_bt"))
            .arg(command)
            .arg(&path)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("the binary is built");
        drop((child.stdout.take(), child.stderr.take()));
        let code = child.wait().expect("it ends").code();
        assert_eq!(code, Some(i32::from(command == "check")));
    }
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let path = write_file(
        "control.json",
        r#"{ "root": "1", "nodes": { "1": { "name": "Succeeder", "title": "a\u001b[31m\nb" } } }"#,
    );
    let (success, out, _) = bt(&["draw", path.to_str().expect("valid UTF-8")]);
    assert!(success && out == "succeed \"a\\u{1b}[31m\\nb\"\n", "{out}");
    for form in ["--dot", "--mermaid", "--svg"] {
        let (success, out, _) = bt(&["draw", path.to_str().expect("valid UTF-8"), form]);
        assert!(success && !out.contains('\u{1b}'), "{out}");
    }
}

#[test]
fn properties_of_custom_nodes_are_compared_with_their_declaration() {
    let file = r#"{ "root": "1", "nodes": {
        "1": { "name": "Sequence", "children": ["2", "3", "4"] },
        "2": { "name": "Near", "title": "close", "properties": { "distnace": 3, "of": "door" } },
        "3": { "name": "Say", "properties": { "text": "hello" } },
        "4": { "name": "wait", "properties": { "time": 3 } }
    }, "custom_nodes": [
        { "name": "Near", "properties": { "distance": 1 } }, { "name": "Say" }, { "name": "wait", "properties": { "ms": 1 } }
    ] }"#;
    let (success, _, errors) = bt_with_input(&["check", "-"], file);
    let near = "standard input: node 2 (\"close\"): unknown property";
    assert_eq!(
        errors,
        format!(
            "{near} `distnace`: the declaration of `Near` lacks it; help: did you mean `distance`?\n{near} `of`: the declaration of `Near` lacks it\n"
        )
    );
    assert!(!success);
    assert!(bt_with_input(&["check", "-"], &file.replace("distnace", "distance").replace(", \"of\": \"door\"", "")).0);
}

#[test]
fn how_nodes_are_declared_is_said_once() {
    let file = r#"{ "root": "1", "nodes": {
        "1": { "name": "Priority", "children": ["2", "3", "4"] },
        "2": { "name": "Near" }, "3": { "name": "Attack" }, "4": { "name": "Sequenc", "children": ["5"] }, "5": { "name": "Runner" }
    } }"#;
    let help = "help: declare your own nodes with `--leaf NAME`, `--decorator NAME` or `--composite NAME`, or among the `custom_nodes` of the file\n";
    let (_, _, errors) = bt_with_input(&["check", "-"], file);
    assert_eq!(errors.lines().count(), 4, "{errors}");
    assert!(errors.ends_with(help), "{errors}");
    let (_, _, errors) = bt_with_input(&["to-rust", "-"], file);
    assert_eq!((errors.matches(help).count(), errors.ends_with(help)), (1, true), "{errors}");
    let (_, _, errors) = bt_with_input(&["check", "-", "--leaf", "Near", "--leaf", "Attack"], file);
    assert_eq!(
        errors,
        "standard input: node 4 (\"Sequenc\"): unknown node `Sequenc`; help: did you mean `Sequence`?\n"
    );
}

#[test]
fn a_drawing_needs_no_declarations() {
    let file = r#"{ "root": "1", "nodes": {
        "1": { "name": "match", "children": ["2", "3"], "properties": { "on": "Mood", "cases": ["calm"] } },
        "2": { "name": "Often", "child": "4", "properties": { "times": 3 } }, "4": { "name": "Near" },
        "3": { "name": "service", "child": "5", "properties": { "every": 100, "action": "Look" } },
        "5": { "name": "Any", "children": ["6", "7"] }, "6": { "name": "Runner" }, "7": { "name": "Attack" }
    } }"#;
    let (success, drawing, errors) = bt_with_input(&["draw", "-"], file);
    assert!(success, "{errors}");
    assert_eq!(
        drawing,
        "\
match(cases: [\"calm\"], on: Mood)
├─ Often(times: 3)
│  └─ Near
└─ service(action: Look, every: 100)
   ├─ Any
   │  ├─ run
   │  └─ Attack
   └─ does: Look
"
    );
    let (success, _, errors) = bt_with_input(&["draw", "-"], &file.replace("\"child\": \"4\"", "\"child\": \"9\""));
    assert!(!success && errors.contains("child `9` is not in the file"), "{errors}");
    assert!(!bt_with_input(&["check", "-"], file).0);
}

#[test]
fn a_nested_tree_is_drawn_as_a_subtree() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/behaviour/nested.b3.json");
    let (success, drawing, errors) = bt(&["draw", file]);
    assert!(success, "{errors}");
    assert!(
        drawing.contains("└─ fetch(shelf: {next}, to: the truck) \"the last one\"\n   └─ mem_sequence\n"),
        "{drawing}"
    );
    let (success, rust, errors) = bt(&["to-rust", file, "--leaf", "Detect", "--leaf", "Carry"]);
    assert!(success, "{errors}");
    assert_eq!(rust.matches("(carry { ").count(), 2, "{rust}");
}

#[test]
fn trees_that_contain_each_other_are_counted_before_they_are_checked() {
    let tree = |number: usize| {
        let next = format!("t{}", number + 1);
        format!(
            r#"{{ "id": "t{number}", "root": "1", "nodes": {{
                "1": {{ "name": "Sequence", "children": ["2", "3"] }}, "2": {{ "name": "{next}" }}, "3": {{ "name": "{next}" }}
            }} }}"#
        )
    };
    let last = r#"{ "id": "t41", "root": "1", "nodes": { "1": { "name": "Runner" } } }"#;
    let trees: Vec<_> = (0..41).map(tree).chain([last.to_owned()]).collect();
    let (success, _, errors) = bt_with_input(&["check", "-"], &format!(r#"{{ "trees": [{}] }}"#, trees.join(", ")));
    assert!(!success);
    let start = "standard input: tree \"t0\": too many nodes: expected at most 4096 with all nested trees, found 8796093022205; ";
    assert!(errors.starts_with(start), "{errors}");
    assert_eq!(errors.matches("too many nodes").count(), 31);
}

#[cfg(unix)]
#[test]
fn a_file_without_an_end_is_an_error() {
    for command in ["check", "fmt"] {
        let (success, _, errors) = bt(&[command, "/dev/zero"]);
        let expected = "/dev/zero: the file is too large: the limit is 67108864 bytes\n";
        assert!(!success && errors == expected, "{errors}");
    }
}

#[test]
fn to_rust_keeps_the_brackets_of_the_standard_input() {
    let choice = "selector < if (a) { b } else { c } match x { 1 => b, _ => d } e >\n";
    for text in ["< selector < a, b > >\n", "selector < a, b >\n", "selector { a, b }\n", choice] {
        assert_eq!(bt_with_input(&["to-rust", "-"], text), (true, text.to_owned(), String::new()));
    }
}

#[cfg(unix)]
#[test]
fn nothing_waits_for_a_writer_of_a_named_pipe() {
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("named-pipe");
    let _ = std::fs::remove_file(&path);
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    assert!(made.is_ok_and(|status| status.success()));
    let path = path.to_str().expect("valid UTF-8");
    for command in [
        &["check", path][..],
        &["draw", path],
        &["to-rust", path],
        &["convert", path, "named-pipe.bt"],
        &["diff", path, path],
        &["edit", "--list", path],
        &["edit", "--apply", "delete 1", "--dry-run", path],
        &["edit", "--no-open", "--leaf", "a", path],
        &["fmt", path],
        &["fmt", "--check", path],
        &["test", path],
    ] {
        let (success, _, errors) = bt(command);
        assert!(!success && errors.contains(&format!("{path}: not a regular file\n")), "{command:?}: {errors}");
    }
}

#[cfg(unix)]
#[test]
fn only_files_are_included_and_input_can_be_a_pipe() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("included-pipe");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir(&folder).expect("the temporary folder is writable");
    let made = std::process::Command::new("mkfifo").arg(folder.join("pipe.xml")).status();
    assert!(made.is_ok_and(|status| status.success()));
    let path = folder.join("a.xml");
    let tree = r#"<BehaviorTree ID="a"><AlwaysSuccess/></BehaviorTree>"#;
    let text = format!(r#"<root BTCPP_format="4"><include path="pipe.xml"/>{tree}</root>"#);
    std::fs::write(&path, text).expect("the folder is writable");
    let (shown, to) = (path.to_str().expect("valid UTF-8"), folder.join("b.bt"));
    for command in [&["check", shown][..], &["draw", shown], &["convert", shown, to.to_str().expect("valid UTF-8")]] {
        let (success, _, errors) = bt(command);
        assert!(!success && errors.ends_with("cannot include `pipe.xml`: not a regular file\n"), "{errors}");
    }
    let text = format!(r#"<root BTCPP_format="4">{tree}</root>"#);
    let (success, _, errors) = bt_with_input(&["check", "-"], &text);
    assert!(success, "{errors}");
    let (success, _, errors) = bt_with_input(
        &["check", "/dev/stdin"],
        r#"{ "id": "a", "root": "1", "nodes": { "1": { "name": "Failer" } } }"#,
    );
    assert!(success, "{errors}");
}

#[test]
fn a_mistake_in_a_nested_tree_is_one_error() {
    let file = r#"{ "trees": [
        { "id": "a", "title": "A", "root": "1", "nodes": {
            "1": { "name": "Sequence", "children": ["2", "3", "4", "5"] },
            "2": { "name": "b" }, "3": { "name": "b" }, "4": { "name": "c" }, "5": { "name": "c" }
        } },
        { "id": "b", "title": "B", "root": "1", "nodes": { "1": { "name": "Runer" } } },
        { "id": "c", "title": "C", "nodes": { "1": { "name": "Failer" } } }
    ] }"#;
    let (success, _, errors) = bt_with_input(&["check", "-"], file);
    assert_eq!(
        errors,
        "standard input: tree \"B\": node 1 (\"Runer\"): unknown node `Runer`; help: did you mean `Runner`?\nstandard input: tree \"C\": missing root\n"
    );
    assert!(!success);
    let (_, _, errors) = bt_with_input(&["check", "-", "--tree", "A"], file);
    assert_eq!(errors.lines().count(), 4, "it is the only tree that is checked: {errors}");
    assert!(errors.contains("standard input: tree \"C\": missing root"), "{errors}");
}

#[test]
fn properties_of_a_tree_are_compared() {
    let file = |times: u32| {
        format!(
            r#"{{ "id": "a", "root": "1", "properties": {{ "times": {times} }}, "nodes": {{ "1": {{ "name": "Failer" }} }} }}"#
        )
    };
    let (old, new) = (write_file("ports_old.json", &file(2)), write_file("ports_new.json", &file(99)));
    let (success, out, _) = bt(&["diff", old.to_str().expect("valid UTF-8"), new.to_str().expect("valid UTF-8")]);
    assert!(!success && out == "changed: the tree: times: 2 -> 99\n", "{out}");
}

#[test]
fn a_drawing_is_colored_on_demand() {
    let (_, plain, _) = bt(&["draw", FILE, "--leaf", "attack"]);
    let (success, colored, _) = bt(&["draw", FILE, "--leaf", "attack", "--color", "always"]);
    assert!(success && !plain.contains('\u{1b}'));
    assert!(colored.starts_with("\u{1b}[1mselector") && colored.contains("\u{1b}[32mattack\u{1b}[0m\n"), "{colored}");
    let mut without = colored;
    for code in ["[0m", "[1m", "[32m", "[34m", "[35m", "[36m"] {
        without = without.replace(&format!("\u{1b}{code}"), "");
    }
    assert_eq!(without, plain);
}

#[test]
fn the_folder_of_bt_core_is_what_a_new_project_takes() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let (success, _, errors) = bt(&["new", "/nowhere/game", "--local", folder]);
    assert!(!success && errors.ends_with(": expected the folder of bt-core\n"), "{errors}");
    let (success, _, errors) = bt(&["new", "/nowhere/game", "--local", "/nowhere/core"]);
    assert!(!success && errors.starts_with("--local /nowhere/core: No such file"), "{errors}");
}

#[test]
fn what_can_never_happen_is_a_warning() {
    let both = |arguments: &[&str], input: &str| {
        let output = output_with(arguments, input);
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).expect("valid UTF-8"))
    };
    let file = r#"{ "root": "1", "nodes": {
        "1": { "name": "Sequence", "children": ["2", "3", "5"] },
        "2": { "name": "Failer" },
        "3": { "name": "retry", "properties": { "times": 1 }, "child": "4" },
        "4": { "name": "Look" },
        "5": { "name": "Look", "properties": { "allow": "unreachable, pointless" } }
    } }"#;
    let (code, out) = both(&["check", "-", "--leaf", "Look"], file);
    let unreachable = "standard input: warning: node 3 (\"retry\"): unreachable node; note: the child before it only returns `Failure`, and \
         `sequence` continues only after `Success`; help: move or remove one of them, or set the property `allow` of this node to `unreachable`\n";
    let pointless = "standard input: warning: node 3 (\"retry\"): `retry(1)` never starts its child again; help: write a larger number, or remove \
         the decorator, or set the property `allow` of this node to `pointless`\n";
    assert_eq!(code, Some(0));
    assert!(
        out.contains("standard input: OK (5 nodes)\n") && out.contains(unreachable) && out.contains(pointless),
        "{out}"
    );
    assert_eq!(out.lines().count(), 3, "{out}");
    let (code, out) = both(&["check", "-", "--leaf", "Look", "--deny", "unreachable"], file);
    assert!(code == Some(1) && out.contains(&unreachable.replace("warning: ", "")) && out.contains(pointless), "{out}");
    let (code, out) = both(&["check", "-", "--leaf", "Look", "--deny", "all", "--json"], file);
    assert!(code == Some(1) && out.contains("\"warnings\": []") && out.contains("\"lint\": \"pointless\""), "{out}");
    let (code, out) = both(&["check", "-", "--deny", "lonely"], file);
    assert!(
        code == Some(2) && out.contains("the lints are unreachable, endless, pointless, threshold and all"),
        "{out}"
    );
    let wrong = file.replace("\"times\": 1", "\"times\": 2, \"allow\": \"unreachble\"");
    let (code, out) = both(&["check", "-", "--leaf", "Look"], &wrong);
    let meant = "node 3 (\"retry\"): property `allow`: expected the name of a lint or a list of names, found `\"unreachble\"`; help: did you mean `unreachable`?";
    assert!(code == Some(1) && out.contains(meant), "{out}");
}
