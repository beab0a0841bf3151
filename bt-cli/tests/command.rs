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
    assert!(well && out.ends_with("project.b3.json: nothing is wrong with its 8 nodes\n"), "{out}");
    let (well, _, errors) = bt(&["check", FILE]);
    assert!(!well);
    assert!(errors.ends_with("node n5 (\"attack\"): no node is called `attack`\n"), "{errors}");
}

#[test]
fn a_file_is_drawn() {
    let (_, out, _) = bt(&["draw", FILE, "--leaf", "attack"]);
    assert_eq!(
        out,
        "\
selector \"guard\"
├─ sequence \"fight\"
│  ├─ near(metres: 10)
│  └─ attack
└─ mem_sequence
   ├─ wait(milliseconds: 500) \"Wait <milliseconds>ms\"
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
    sequence \"fight\" { near(10), attack }
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
        (vec!["check", FILE, "--tree", "x"], &format!("{FILE}: the tree: there is no tree `x`")),
        (
            vec!["check", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")],
            &format!("{}: this is no tree", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")),
        ),
    ] {
        let (well, _, errors) = bt(&arguments);
        assert!(!well && errors.starts_with(expected), "{errors}");
    }
}
