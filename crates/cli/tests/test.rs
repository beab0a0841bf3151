//! Tests of `bt test`.

use std::path::{Path, PathBuf};
use std::process::Command;

use bt_core::observe::RecordFile;
use bt_core::prelude::*;

/// Runs `bt test`. Returns the exit code, the output and the error output.
fn bt_test(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_bt")).arg("test").args(arguments).output().expect("the binary is built");
    let text = |bytes| String::from_utf8(bytes).expect("valid UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Records 4 ticks of each of two guards, and returns the path of the file.
fn record(name: &str) -> String {
    struct Guard {
        enemy: bool,
    }
    fn enemy_near(guard: &Guard) -> bool {
        guard.enemy
    }
    let tree = tree! { selector { sequence "fight" { enemy_near, run "attack" } run "patrol" } };
    let mut file = RecordFile::new(Vec::new(), "guard", &tree).expect("a vector takes all");
    for (agent, name) in [(7, "Ann"), (8, "Bob")] {
        file.name(agent, name).expect("a vector takes all");
        let mut memory = tree.memory();
        for (tick, enemy) in (0_u64..).zip([false, false, true, false]) {
            tree.tick_with(&mut Guard { enemy }, &mut memory, &mut file.for_agent(agent, millis(50 * tick)));
        }
    }
    let path = path(name);
    std::fs::write(&path, file.finish().expect("a vector takes all")).expect("the temporary folder is writable");
    path.into_os_string().into_string().expect("valid UTF-8")
}

#[test]
fn ticks_become_a_test() {
    let file = record("ticks.jsonl");
    let expected = r#"#[test]
fn ticks_2_to_3() {
    use bt_core::prelude::*;
    use bt_core::testing::TreeTest;

    let mut test = TreeTest::new(guard(), Default::default());
    test.replace("fight/enemy_near", [Status::Failure, Status::Failure, Status::Success, Status::Failure]);
    test.replace("fight/attack", [Status::Running]);
    test.replace("patrol", [Status::Running]);
    for _tick in 0..=1 {
        test.tick();
    }
    test.log();
    // Tick 2
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["enemy_near: success", "attack: running", "patrol: halted"]);
    // Tick 3
    assert_eq!(test.tick(), Status::Running);
    assert_eq!(test.log(), ["enemy_near: failure", "attack: halted", "patrol: running"]);
}
"#;
    for (agent, range) in [("Ann", "2..4"), ("8", "2..=3")] {
        assert_eq!(
            bt_test(&[&file, "--agent", agent, "--ticks", range]),
            (Some(0), expected.to_owned(), String::new())
        );
    }
    let options = ["--tree", "a()", "--context", "true", "--name", "it_attacks", "--agent", "Ann", "--ticks", "..1"];
    let (code, out, _) = bt_test(&[&[&*file], &options[..]].concat());
    assert_eq!(code, Some(0));
    assert!(out.contains("fn it_attacks()") && out.contains("TreeTest::new(a(), true);"), "{out}");
    let output = path("written.rs");
    let _ = std::fs::remove_file(&output);
    let output = output.to_str().expect("valid UTF-8");
    let arguments = [&*file, "--agent", "Bob", "--ticks", "2..", "--name", "ticks_2_to_3", "-o", output];
    assert_eq!(bt_test(&arguments), (Some(0), String::new(), String::new()));
    assert_eq!(std::fs::read_to_string(output).expect("it was written"), expected);
    let (code, _, errors) = bt_test(&arguments);
    assert!(code == Some(1) && errors.contains("the file exists"), "an existing file stays: {errors}");
}

#[test]
fn what_is_wrong_is_reported() {
    let file = record("errors.jsonl");
    let fault = |arguments: &[&str], code, expected: &str| {
        let found = bt_test(&[&[&*file], arguments].concat());
        assert_eq!((found.0, &*found.1), (Some(code), ""), "{}", found.2);
        assert!(found.2.contains(expected), "{}", found.2);
    };
    fault(&[], 1, "there are several agents: select one with `--agent NAME_OR_NUMBER`: \"Ann\" (7), \"Bob\" (8)");
    fault(
        &["--agent", "Anne"],
        1,
        "unknown agent `Anne`; help: did you mean `Ann`?; the agents are \"Ann\" (7), \"Bob\" (8)",
    );
    fault(&["--agent", "9"], 1, "unknown agent `9`; the agents are");
    fault(
        &["--agent", "7", "--ticks", "4..9"],
        1,
        "no tick from 4 to 8 is recorded; the ticks 0 to 3 of the agent are",
    );
    fault(&["--agent", "7", "--name", "a b"], 1, "`a b` is not the name of a function");
    fault(&["--agent", "7", "--name", "match"], 1, "`match` is not the name of a function");
    fault(&["--ticks", "9..4"], 2, "`9..4` has no ticks: the end is not one of them");
    fault(&["--ticks", "9..=4"], 2, "`9..=4` has no ticks: it ends before it begins");
    fault(&["--ticks", "a..4"], 2, "expected the number of a tick, found `a`");
    fault(&["--ticks", ""], 2, "expected a range such as `600..812`");
    assert!(bt_test(&["/nowhere"]).2.starts_with("/nowhere: No such file"));
    // A line is lost: the ticks around it are not consecutive.
    let text = std::fs::read_to_string(&file).expect("it was written");
    let gap = path("gap.jsonl");
    std::fs::write(&gap, text.replacen(r#"{"agent":7,"tick":1,"#, "", 1)).expect("the temporary folder is writable");
    let (code, _, errors) = bt_test(&[gap.to_str().expect("valid UTF-8"), "--agent", "7"]);
    assert!(
        code == Some(1) && errors.contains("tick 1 is not recorded; help: select only ticks before or after that"),
        "{errors}"
    );
}

#[test]
fn a_test_repeats_ticks_of_one_tree() {
    fn walk(_: &mut ()) -> Status {
        Status::Running
    }
    let (old, new) = (tree! { for (): walk }, tree! { for (): retry(3) { walk } });
    let mut file = RecordFile::new(Vec::new(), "guard", &old).expect("a vector takes all");
    let mut memory = old.memory();
    for tick in 0..2 {
        old.tick_with(&mut (), &mut memory, &mut file.for_agent(7, secs(tick)));
    }
    file.replace(&new, &bt_core::describe::Matching::new([Some(NodeId::new(1))])).expect("a vector takes all");
    let mut memory = new.memory();
    for tick in 2..4 {
        new.tick_with(&mut (), &mut memory, &mut file.for_agent(7, secs(tick)));
    }
    let path = path("versions.jsonl");
    let text = String::from_utf8(file.finish().expect("a vector takes all")).expect("JSON is UTF-8");
    std::fs::write(&path, &text).expect("the temporary folder is writable");
    let path = path.to_str().expect("valid UTF-8");
    let (code, _, error) = bt_test(&[path, "--ticks", "1..3"]);
    assert_eq!(code, Some(1));
    assert!(error.contains("the tree was replaced before tick 2: a test repeats ticks of one tree"), "{error}");
    let (code, old, _) = bt_test(&[path, "--ticks", "0..2"]);
    assert!(code == Some(0) && old.contains("test.replace(\"walk\""), "{old}");
    let (code, new, _) = bt_test(&[path, "--ticks", "2..4"]);
    assert!(code == Some(0) && new.contains("for tick in 2..=3"), "{new}");
    // What ran went on in the new tree.
    std::fs::write(path, text.replace("0r 1r", "0R 1R")).expect("the temporary folder is writable");
    let (code, _, error) = bt_test(&[path, "--ticks", "3..4"]);
    assert_eq!(code, Some(1));
    assert!(
        error.contains("the run that tick 3 belongs to began before tick 2, the first after the tree was replaced"),
        "{error}"
    );
}
