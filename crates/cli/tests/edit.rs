//! Tests of the command `bt edit`.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Runs `bt edit`. Returns whether it succeeded, its output and its error output.
fn edit(arguments: &[&str]) -> (bool, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_bt")).arg("edit").args(arguments).output();
    let output = output.expect("the binary is built");
    let text = |bytes| String::from_utf8(bytes).expect("valid UTF-8");
    (output.status.success(), text(output.stdout), text(output.stderr))
}

/// Writes a temporary file.
fn file(name: &str, text: &str) -> (PathBuf, String) {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).expect("the temporary folder is writable");
    let shown = path.to_str().expect("valid UTF-8").to_owned();
    (path, shown)
}

fn read(path: &PathBuf) -> String {
    fs::read_to_string(path).expect("it is there")
}

const GUARD: &str = "\
// The guard.
selector {
    sequence \"fight\" { near(10.0), attack } // hard
    patrol,
}
";

#[test]
fn nodes_are_listed_with_numbers() {
    let (_, path) = file("list.bt", GUARD);
    let (success, out, _) = edit(&["--list", &path]);
    assert!(success);
    assert_eq!(out, "1  selector\n2    sequence \"fight\"\n3      near(10.0)\n4      attack\n5    patrol\n");
    let (_, two) = file("list.rs", "fn a() { tree! { x } }\nfn b() { tree! { invert { y } } }\n");
    let (success, out, _) = edit(&["--list", &path, &two]);
    assert!(success && out.starts_with(&format!("{path}:\n1  selector\n")), "{out}");
    assert!(out.ends_with(&format!("{two}:\ntree 1 a\n1  x\ntree 2 b\n2  invert\n3    y\n")), "{out}");
}

#[test]
fn operations_are_applied_in_order() {
    let (path, shown) = file("apply.bt", GUARD);
    let (success, out, errors) = edit(&[
        "--apply",
        "wrap 4 cooldown(secs(2))",
        "--apply",
        "label 6 \"again\"",
        "--apply",
        "delete \"fight\"",
        &shown,
    ]);
    assert!(success, "{errors}");
    assert_eq!(out, format!("{shown}: 3 operations applied\n"), "the new node was deleted, too");
    assert_eq!(read(&path), "// The guard.\nselector {\n    // hard\n    patrol,\n}\n");
    let (success, out, _) = edit(&[&shown, "--apply", "insert before 2 flee, hide"]);
    assert!(success);
    assert_eq!(out, format!("{shown}: 1 operation applied; new nodes: 3, 4\n"));
    let json = r#"{"op":"argument","node":3,"index":0,"value":"secs(3)"}"#;
    let (path, shown) = file(
        "apply.rs",
        "fn a() {\n    // Stays   as it is.\n    let t = tree! { sequence { |n: &mut u32| n.step(), wait(secs(1)) } };\n}\n",
    );
    let (success, _, errors) = edit(&[&shown, "--apply", json]);
    assert!(success, "{errors}");
    assert!(read(&path).contains(
        "    // Stays   as it is.\n    let t = tree! { sequence { |n: &mut u32| n.step(), wait(secs(3)) } };\n"
    ));
}

#[test]
fn words_that_draw_random_numbers_are_inserted_into_a_source() {
    let (path, shown) = file("random.rs", "fn a() {\n    let t = tree! { sequence { b, c } };\n}\n");
    let (success, _, errors) = edit(&[&shown, "--apply", "wrap 2 chance(0.5)"]);
    assert!(success, "{errors}");
    assert!(read(&path).contains("tree! { sequence { chance(0.5) { b } c } };"), "{}", read(&path));
}

#[test]
fn files_of_the_editor_keep_what_is_not_edited() {
    let original = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../behavior3/tests/project.b3.json"));
    let original = original.expect("it is there");
    let (path, shown) = file("apply.b3.json", &original);
    let (_, out, _) = edit(&["--list", &shown]);
    let wait = out.lines().find(|line| line.contains("Wait(")).expect("a node");
    let number = wait.split_whitespace().next().expect("its number");
    let (success, _, errors) = edit(&[&shown, "--leaf", "attack", "--apply", &format!("label {number} \"rest\"")]);
    assert!(success && errors.is_empty(), "{errors}");
    let changed = read(&path);
    let differing = original.lines().zip(changed.lines()).filter(|(old, new)| old != new).count();
    assert!(differing <= 1 && changed.contains("rest"), "{changed}");
}

#[test]
fn an_error_says_what_to_write_and_nothing_is_written() {
    let (path, shown) = file("error.bt", GUARD);
    for (operations, expected) in [
        (vec!["wrp 5 invert"], "expected an operation, found `wrp`; help: did you mean `wrap`?"),
        (vec!["delete 9"], "unknown node 9; note: the nodes are 1 to 5"),
        (vec!["delete 2", "delete 4"], "operation 2: node 4 was removed by an earlier operation"),
        (
            vec!["delete 2", "wrap 5"],
            "operation 2: expected a node to put around them, found the end; help: write `wrap 5 cooldown(secs(2))`",
        ),
        (vec!["insert after 1 a"], "a root has no neighbors; help: put a composite around it"),
        (vec!["insert after 3 )"], "expected nodes, found other text "),
    ] {
        let arguments: Vec<_> = operations.iter().flat_map(|text| ["--apply", text]).chain([&*shown]).collect();
        let (success, out, errors) = edit(&arguments);
        assert!(!success && out.is_empty());
        assert!(errors.starts_with(&format!("{shown}: {expected}")), "{errors}");
        assert_eq!(read(&path), GUARD);
    }
    let (success, _, errors) = edit(&["--apply", "delete 1", &shown, &shown]);
    assert!(!success && errors.starts_with("expected one file with `--apply`, found 2"), "{errors}");
    let (success, _, errors) = edit(&["--apply", "delete 1", "/nowhere/a.bt"]);
    assert!(!success && errors.starts_with("/nowhere/a.bt: "), "{errors}");
    let (success, _, errors) = edit(&["--apply", "delete 1", "/nowhere.rs"]);
    assert!(!success && errors.starts_with("/nowhere.rs: No such file"), "{errors}");
    for arguments in
        [vec![], vec!["--dry-run", "a.bt"], vec!["--list", "--apply", "x", "a.bt"], vec!["--list", "--no-open", "a.bt"]]
    {
        let (success, _, errors) = edit(&arguments);
        assert!(!success && errors.starts_with("error: "), "{errors}");
    }
    let (success, out, _) = edit(&["--help"]);
    assert!(success && out.contains("wrap 5 cooldown(secs(2))\n") && out.contains("Exit codes:"), "{out}");
}

#[test]
fn a_dry_run_prints_the_difference() {
    let (path, shown) = file("dry.bt", GUARD);
    let (success, out, errors) = edit(&["--dry-run", "--apply", "label 5 \"walk\"", &shown]);
    assert!(success, "{errors}");
    let expected = "@@ -1,5 +1,5 @@\n // The guard.\n selector {\n     sequence \"fight\" { near(10.0), attack } // hard\n-    patrol,\n+    patrol \"walk\",\n }\n";
    assert_eq!(out, format!("--- {shown}\n+++ {shown}\n{expected}"));
    assert_eq!(read(&path), GUARD);
    let (success, out, _) = edit(&["--dry-run", "--apply", "label 5", &shown]);
    assert!(success && out.is_empty(), "nothing changes: {out}");
}

#[test]
fn problems_that_the_operations_made_are_reported() {
    let (path, shown) = file("problems.bt", "selector { invert { a, b } patrol }\n");
    let (success, _, errors) = edit(&["--apply", "label 5 \"x\"", &shown]);
    assert!(success && errors.is_empty(), "what was wrong before is no news: {errors}");
    let wrap = ["--apply", "wrap 5 wait(secs(1))", &shown];
    let (success, out, errors) = edit(&wrap);
    assert!(!success && out.is_empty(), "{out}");
    assert!(errors.starts_with(&format!("{shown}: error: node 6 (`wait(secs(1))`): ")), "{errors}");
    assert!(errors.ends_with("nothing is written; help: `--force` writes an invalid tree\n"), "{errors}");
    let (success, _, errors) = edit(&[&wrap[..], &["--force"]].concat());
    assert!(success && errors.contains(": error: node 6 "), "{errors}");
    assert!(read(&path).contains("wait(secs(1)) { patrol \"x\" }"));
    let (_, shown) = file("names.bt", "sequence { near(1), attack }\n");
    let (_, _, errors) = edit(&["--leaf", "near(meters)", "--leaf", "attack", "--apply", "replace 3 atack", &shown]);
    assert!(errors.contains("node 3 (`atack`): unknown node `atack`; help: did you mean `attack`?"), "{errors}");
}

#[test]
fn commands_at_the_same_time_lose_nothing() {
    let leaves: Vec<_> = (2..10).map(|number| format!("leaf{number}")).collect();
    for round in 0..10 {
        let (path, shown) = file("parallel.bt", &format!("selector {{ {} }}\n", leaves.join(", ")));
        let edit = |number: usize| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_bt"));
            command.args(["edit", &shown, "--apply", &format!("label {number} \"x{number}\"")]);
            command.stdout(Stdio::null()).spawn().expect("the binary is built")
        };
        let commands: Vec<_> = (2..10).map(edit).collect();
        let succeed = |mut command: std::process::Child| command.wait().expect("it ends").success();
        assert!(commands.into_iter().all(succeed));
        for number in 2..10 {
            assert!(read(&path).contains(&format!("leaf{number} \"x{number}\"")), "round {round}: {}", read(&path));
        }
    }
}

#[test]
fn a_command_does_not_replace_what_is_saved_at_the_same_time() {
    for round in 0..30 {
        let (path, shown) = file("beside.bt", GUARD);
        let mut command = Command::new(env!("CARGO_BIN_EXE_bt"));
        command.args(["edit", &shown, "--apply", "label 5 \"ours\""]).stdout(Stdio::null());
        let command = command.stderr(Stdio::piped()).spawn().expect("the binary is built");
        // Another program saves at some moment until the command has ended.
        let theirs = GUARD.replace("attack", &format!("attack, theirs_{round}"));
        for _ in 0..round {
            read(&path);
        }
        let new = path.with_extension("new");
        fs::write(&new, theirs).and_then(|()| fs::rename(new, &path)).expect("the temporary folder is writable");
        let output = command.wait_with_output().expect("it ends");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && errors.is_empty(), "{errors}");
        assert!(read(&path).contains(&format!("theirs_{round}")), "{}", read(&path));
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_edited() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pipe.bt");
    let _ = fs::remove_file(&path);
    let made = Command::new("mkfifo").arg(&path).status();
    assert!(made.is_ok_and(|status| status.success()));
    let shown = path.to_str().expect("valid UTF-8");
    let (success, _, errors) = edit(&[shown, "--apply", "delete 1"]);
    assert!(!success && errors == format!("{shown}: not a regular file\n"), "{errors}");
}

#[test]
fn a_new_file_is_created() {
    for name in ["new.bt", "new.json"] {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_file(&path);
        let shown = path.to_str().expect("valid UTF-8");
        let create = if name == "new.bt" { vec![] } else { vec!["--apply", "create guard"] };
        let insert = ["--apply", "insert in tree 1 selector { attack, patrol }", shown];
        let (success, _, errors) = edit(&[&create[..], &insert].concat());
        assert!(success, "{name}: {errors}");
        let (_, out, _) = edit(&["--list", shown]);
        let root = if name == "new.bt" { "selector\n" } else { "Priority\n" };
        assert!(out.contains(root) && out.contains("attack\n"), "{name}: {out}");
    }
}

/// The program that opens pages receives no token: all users of the machine can read its arguments.
#[cfg(target_os = "linux")]
#[test]
fn the_arguments_of_the_browser_contain_no_token() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("browser");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir(&folder).expect("the temporary folder is writable");
    let pipe = folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()));
    let program = folder.join("xdg-open");
    let script = format!("#!/bin/sh\n{{ echo \"$# $1\"; stat -c %a \"$1\"; cat \"$1\"; }} >'{}'\n", pipe.display());
    fs::write(&program, script).expect("the temporary folder is writable");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("it is ours");
    let (_, guard) = file("browser.bt", GUARD);
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    let mut server = Command::new(env!("CARGO_BIN_EXE_bt"))
        .args(["edit", &guard])
        .env("PATH", path)
        .env("XDG_RUNTIME_DIR", &folder)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary is built");
    let mut url = String::new();
    BufReader::new(server.stdout.take().expect("a pipe")).read_line(&mut url).expect("it prints its address");
    let opened = fs::read_to_string(&pipe);
    server.kill().and_then(|()| server.wait()).expect("it is running");
    let opened = opened.expect("the program has written to it");
    let (arguments, page) = opened.split_once('\n').expect("a line of arguments");
    let expected = format!("1 {}/bt-edit-", folder.display());
    assert!(arguments.starts_with(&expected) && arguments.ends_with("/page.html"), "{arguments}");
    assert!(page.starts_with("600\n") && page.contains(&format!("url={}\"", url.trim())), "{page}");
}

#[test]
fn a_page_is_served_for_those_who_have_the_token() {
    let (_, guard) = file("served.bt", GUARD);
    let (_, source) = file("served.rs", "fn a() { tree! { x } }\n");
    let mut server = Command::new(env!("CARGO_BIN_EXE_bt"))
        .args(["edit", "--no-open", &guard, &source])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary is built");
    let mut url = String::new();
    BufReader::new(server.stdout.take().expect("a pipe")).read_line(&mut url).expect("it prints its address");
    let (address, query) = url.trim().trim_start_matches("http://").split_once('/').expect("the URL has a path");
    let get = |path: &str| {
        let mut stream = TcpStream::connect(address).expect("it accepts connections");
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n").expect("the connection is open");
        let mut response = [0; 12];
        stream.read_exact(&mut response).expect("there is a response");
        String::from_utf8_lossy(&response).into_owned()
    };
    let responses = [get("/"), get(&format!("/{query}")), get("/../served.bt")];
    server.kill().and_then(|()| server.wait()).expect("it is running");
    assert!(address.starts_with("127.0.0.1:") && query.starts_with("?token="), "{url}");
    assert_eq!(responses, ["HTTP/1.1 403", "HTTP/1.1 200", "HTTP/1.1 404"]);

    let (success, _, errors) = edit(&["--no-open", "/nowhere.rs"]);
    assert!(!success && errors.starts_with("/nowhere.rs: no such file; note: "), "{errors}");
    let (_, broken) = file("broken.bt", "selector {");
    let (success, _, errors) = edit(&["--no-open", &broken]);
    assert!(!success && errors.starts_with(&format!("{broken}: 1:")), "{errors}");
}

#[test]
fn what_a_file_declares_besides_is_said() {
    let text = r#"{ "root": "1", "nodes": { "1": { "name": "Attack" } }, "custom_nodes": [{ "name": "Attack", "category": "action" }] }"#;
    let (path, shown) = file("declared.json", text);
    let (success, out, _) = edit(&["--apply", "wrap 1 Priority", "--apply", "insert after 1 Atack", &shown]);
    let expected = "2 operations applied; new nodes: 2, 3; declared: `Atack`; help: did you mean `Attack`?\n";
    assert!(success && out.ends_with(expected), "{out}");
    assert!(read(&path).contains(r#""name": "Atack""#));
}

#[test]
fn a_label_in_a_tree_that_cannot_be_read_is_explained() {
    let (_, shown) = file("unread.bt", "sequence { idle \"a\" /* one */, b }\n");
    let (success, _, errors) = edit(&["--apply", "delete \"a\"", &shown]);
    let expected = "no node has the label \"a\"; note: a tree cannot be read: 1:21: a comment in an unexpected place";
    assert!(!success && errors.contains(expected), "{errors}");
}
