//! Errors of edits, and that they are fixed.

use super::*;

fn with(tree: &str) -> String {
    format!("fn f() {{\n    tree! {{ {tree} }}\n}}\n")
}

/// A program with `say("a")`, which was edited to `hop`.
fn edited() -> (Program, Agent) {
    let program = Program::new();
    let mut agent = program.start("a.rs", &with("say(\"a\")"));
    program.edit("a.rs", &with("hop"));
    assert_eq!(program.report_of(&mut agent), "a.rs:2:5: followed");
    (program, agent)
}

#[test]
fn all_errors_of_a_tree_are_reported_and_nothing_changes() {
    let (program, mut agent) = edited();
    program.edit("a.rs", &with("selector { cooldwn(secs(5)) { hop }, \"x\" }"));
    let report = program.report();
    let mut lines = report.lines();
    let mut next = || lines.next().unwrap_or_default();
    assert_eq!(next(), "a.rs:2:24: unknown keyword `cooldwn`");
    assert_eq!(next(), "    help: did you mean `cooldown`?");
    assert!(report.contains("a.rs:2:50: "), "{report}");
    assert_eq!(agent.tick(), "hop");
    assert!((agent.warnings)()[0].starts_with("2:24: unknown keyword `cooldwn`"), "descriptions show them");
    // Another text, and then the one that runs.
    program.edit("a.rs", &with("selector { }"));
    assert!(program.report().starts_with("a.rs:2:13: "));
    program.edit("a.rs", &with("hop"));
    assert_eq!(program.report(), "a.rs:2:5: fixed");
    assert!((agent.warnings)().is_empty());
    program.edit("a.rs", &with("say(\"b\")"));
    agent.says("b");
}

#[test]
fn what_only_the_compiler_can_make_waits() {
    let (program, mut agent) = edited();
    program.edit("a.rs", &with("sequence { dance, hop, sing(3) }"));
    assert_eq!(
        program.report(),
        "a.rs:2:24: `dance` is not in this tree of the running program: it waits for the compiler\n\
        a.rs:2:36: `sing(_)` is not in this tree of the running program: it waits for the compiler"
    );
    assert_eq!(agent.tick(), "hop");
    program.edit("a.rs", &with("sequence { hop, succeed }"));
    assert_eq!(program.report_of(&mut agent), "a.rs:2:5: fixed");
    assert_eq!(program.report_of(&mut agent), "a.rs:2:5: followed");
}

#[test]
fn errors_that_building_finds_are_reported_and_new_agents_do_as_others() {
    let (program, mut agent) = edited();
    program.edit("a.rs", &with("sequence { say(5), say(\"c\") }"));
    let report = program.report_of(&mut agent);
    assert!(report.starts_with("a.rs:2:24: ") && report.contains("expected"), "{report}");
    let site = program.compile("b.rs", &with("say(\"a\")"))[0];
    let mut other = program.run(site);
    assert!(program.report().starts_with("edit b.rs"));
    program.edit("b.rs", &with("say(5)"));
    assert!(program.report_of(&mut other).starts_with("b.rs:2:13: "));
    program.edit("b.rs", &with("say(\"a\")"));
    assert_eq!(program.report(), "b.rs:2:5: fixed");
    assert_eq!(self::agent(site).tick(), "a");
    assert_eq!(agent.tick(), "hop");
    program.edit("a.rs", &with("sequence { say(\"d\"), say(\"c\") }"));
    agent.says("d c");
}

#[test]
fn warnings_are_reported_with_the_edit() {
    let (program, mut agent) = edited();
    program.edit("a.rs", &with("selector { succeed, hop }"));
    let report = program.report_of(&mut agent);
    assert!(report.starts_with("a.rs:2:5: followed\na.rs:2:33: warning: unreachable node\n    note: "), "{report}");
}

#[test]
fn a_half_typed_file_changes_nothing_and_is_an_error_if_it_stays_so() {
    let (program, mut agent) = edited();
    program.edit("a.rs", "fn f() {\n    tree! { say(\"b\"\n}\n");
    let report = program.report();
    assert!(report.starts_with("a.rs:3:1: expected `)` for the `(` at 2:16, found `}`"), "{report}");
    assert_eq!(agent.tick(), "hop");
    program.edit("a.rs", &with("hop"));
    assert_eq!(program.report(), "a.rs:3:1: fixed");
    std::fs::write(program.path("a.rs"), b"fn f() { tree! { hop } } // \xff").expect("it can be written");
    assert_eq!(program.report(), "a.rs:1:1: the file is not UTF-8");
}

#[test]
fn an_edit_that_nobody_ticks_is_overtaken() {
    let (program, mut agent) = edited();
    let site = program.compile("b.rs", &with("hop"))[0];
    let mut slow = program.run(site);
    assert!(program.report().starts_with("edit b.rs"));
    for tree in ["say(\"b\")", "dance", "say(\"c\")", "hop", "say(\"d\")"] {
        program.edit("b.rs", &with(tree));
        std::thread::sleep(std::time::Duration::from_millis(100));
        agent.tick();
    }
    slow.says("d");
    while program.report() != "b.rs:2:5: followed" {}
    program.edit("b.rs", &with("say(\"e\")"));
    slow.says("e");
    while program.report() != "b.rs:2:5: followed" {}
}
