//! Programs whose trees are edited in a page of the inspector.

use std::time::Duration;

use serde_json::json;

use crate::page::Page;
use crate::program_run::Program;

/// Time for what must not happen.
const WHILE: Duration = Duration::from_millis(1500);

/// Starts a program with these permissions: `edit`, `write`.
fn start(permissions: &[&str]) -> Program {
    start_with(permissions, |_, text| text)
}

fn start_with(permissions: &[&str], edit: impl Fn(&str, String) -> String) -> Program {
    let arguments = |sources: &std::path::Path| {
        let argument = |permission: &&str| match *permission {
            "write" => format!("write={}", sources.display()),
            other => other.to_owned(),
        };
        permissions.iter().map(argument).collect()
    };
    Program::run(env!("CARGO_BIN_EXE_edited_program"), &["edited", "program"], arguments, edit)
}

/// Starts a program, and opens its trees in a page, which looks at the first agent.
fn open(permissions: &[&str]) -> (Program, Page) {
    let mut program = start(permissions);
    program.says("guard 0", "north hop left right");
    let mut page = Page::open(&program.url(), true);
    page.send(&json!({ "select": 0 }));
    page.edit("trees.rs");
    (program, page)
}

/// All agents of the tree do what it says.
fn all_say(program: &mut Program, expected: &str) {
    for agent in ["guard 0", "guard 1", "guard 2"] {
        program.says(agent, expected);
    }
}

#[test]
fn a_change_in_the_page_runs_with_the_next_tick() {
    let (mut program, mut page) = open(&["edit"]);
    let before = program.text("trees.rs");
    let about = page.about("trees.rs");
    assert_eq!(
        (&about["edit"], &about["write"], &about["runs"]),
        (&true.into(), &false.into(), &true.into()),
        "{about}"
    );
    assert_eq!(page.versions("guard"), 1);
    let hop = page.node("hop");
    assert_eq!(
        page.change(&json!({ "op": "move", "nodes": [hop], "at": { "before": page.node("say(\"north\")") } })),
        None
    );
    assert_eq!((&page.document()["applied"], &page.document()["saved"]), (&true.into(), &false.into()));
    all_say(&mut program, "hop north left right");
    // The subtree is in the same file.
    let right = page.node("say(\"right\")");
    assert_eq!(
        page.change(&json!({ "op": "argument", "node": right, "index": 0, "name": null, "value": "\"down\"" })),
        None
    );
    all_say(&mut program, "hop north left down");
    assert_eq!(page.request("undo"), None);
    assert_eq!(page.request("undo"), None);
    all_say(&mut program, "north hop left right");
    assert_eq!(page.request("redo"), None);
    all_say(&mut program, "hop north left right");
    page.until("the page has all versions", |page| page.versions("guard") >= 4 && page.tree("guard")[1] == "hop");
    assert_eq!(program.text("trees.rs"), before, "nothing is written");
    assert_eq!(
        page.request("save").as_deref(),
        Some("the program does not let pages write this file; help: call `allow_write` with its folder")
    );
    assert_eq!(program.text("trees.rs"), before);
}

#[test]
fn what_runs_goes_on_while_it_is_edited() {
    let (mut program, mut page) = open(&["edit"]);
    let mut last = program.counts("count 0");
    let node = page.node("(Count)");
    for operation in [
        json!({ "op": "wrap", "nodes": [node], "head": "repeat" }),
        json!({ "op": "insert", "text": "invert { succeed }", "at": { "in": page.node("selector"), "list": 0, "index": 0 } }),
    ] {
        assert_eq!(page.change(&operation), None);
        program.reports("followed in ");
        let count = program.counts("count 0");
        assert!(count > last, "{operation}: {last}, {count}");
        last = count;
    }
}

#[test]
fn an_invalid_change_shows_its_errors_and_the_tree_before_runs_on() {
    let (mut program, mut page) = open(&["edit", "write"]);
    let north = page.node("say(\"north\")");
    for (text, expected) in [
        ("dance", "it waits for the compiler"),
        ("cooldown(secs(2))", "expected the children of `cooldown` in braces"),
        ("say(5)", "`5` is an integer, expected a string"),
    ] {
        assert_eq!(page.change(&json!({ "op": "insert", "text": text, "at": { "before": north } })), None);
        // Whether a literal has a value, only a tick knows.
        page.until(&format!("{text} is an error"), |page| page.document()["applied"] == false);
        let document = page.document();
        let problems = document["problems"].as_array().expect("a list");
        let found =
            problems.iter().find(|problem| problem["message"].as_str().is_some_and(|text| text.contains(expected)));
        assert_eq!(found.unwrap_or_else(|| panic!("{expected}: {problems:?}"))["node"], page.node(text), "{text}");
        assert_eq!(program.said("guard 0"), "north hop left right");
        assert_eq!(page.request("undo"), None);
        assert_eq!(page.document()["problems"], json!([]));
        assert_eq!(page.document()["applied"], true);
    }
}

#[test]
fn a_save_writes_only_between_the_braces_and_changes_nothing_that_runs() {
    let (mut program, mut page) = open(&["edit", "write"]);
    let before = program.text("trees.rs");
    let hop = page.node("hop");
    assert_eq!(page.change(&json!({ "op": "wrap", "nodes": [hop], "head": "repeat(2)" })), None);
    all_say(&mut program, "north hop hop left right");
    program.reports("followed in ");
    page.until("the page has the version", |page| page.versions("guard") == 2);
    assert_eq!(page.request("save"), None);
    assert_eq!((&page.document()["applied"], &page.document()["saved"]), (&true.into(), &true.into()));
    assert_eq!(program.text("trees.rs"), before.replace("            hop,", "            repeat(2) { hop }"));
    page.wait(WHILE);
    assert_eq!(program.reported("[live]"), 0, "the file says what runs already");
    assert_eq!(page.versions("guard"), 2);
    assert_eq!(page.document()["undo"], "wrap hop");
    // A change right after a save outlasts what the watcher reads.
    assert_eq!(page.request("undo"), None);
    assert_eq!(page.request("save"), None);
    assert_eq!(page.request("redo"), None);
    all_say(&mut program, "north hop hop left right");
    program.reported("");
    page.wait(WHILE);
    assert_eq!(program.said("guard 0"), "north hop hop left right");
    assert_eq!(program.text("trees.rs"), before);
}

#[test]
fn changes_in_the_file_are_merged_and_conflicts_are_shown() {
    let (mut program, mut page) = open(&["edit", "write"]);
    let hop = page.node("hop");
    assert_eq!(page.change(&json!({ "op": "wrap", "nodes": [hop], "head": "repeat(2)" })), None);
    all_say(&mut program, "north hop hop left right");
    program.edit("trees.rs", "say(\"left\")", "say(\"up\")");
    // Both, in the program as in the page.
    all_say(&mut program, "north hop hop up right");
    page.until("it is merged", |page| page.document()["undo"] == "merge with the file");
    assert_eq!(page.document()["applied"], true);
    assert_eq!(page.request("save"), None);
    let text = program.text("trees.rs");
    assert!(text.contains("say(\"up\")") && text.contains("repeat(2) { hop }"), "{text}");
    // The same node in both.
    let up = page.node("say(\"up\")");
    assert_eq!(
        page.change(&json!({ "op": "argument", "node": up, "index": 0, "name": null, "value": "\"mine\"" })),
        None
    );
    all_say(&mut program, "north hop hop mine right");
    program.edit("trees.rs", "say(\"up\")", "say(\"theirs\")");
    page.until("there is a conflict", |page| !page.document()["conflict"].is_null());
    assert!(page.request("save").is_some_and(|reason| reason.contains("changed elsewhere")));
    assert!(program.text("trees.rs").contains("say(\"theirs\")"));
    let key = page.document()["key"].clone();
    assert_eq!(page.ask(&json!({ "resolve": { "document": key, "keep": "theirs" } }), "document"), None);
    all_say(&mut program, "north hop hop theirs right");
}

#[test]
fn trees_that_are_evaluated_late_are_there_from_then_on() {
    let (mut program, mut page) = open(&["edit"]);
    assert!(page.list("main.rs").is_null());
    let before = page.document()["trees"].as_array().expect("a list").len();
    assert_eq!(before, 4, "a tree that was not evaluated can be changed, too");
    let dawn = page.node("say(\"dawn\")");
    assert_eq!(
        page.change(&json!({ "op": "argument", "node": dawn, "index": 0, "name": null, "value": "\"dusk\"" })),
        None
    );
    program.tell("late");
    program.says("late 0", "dusk");
    program.says("other 0", "other");
    let about = page.about("main.rs");
    page.until("its tree is known", |page| page.tree("other").len() == 1);
    assert_eq!((&about["edit"], &about["runs"]), (&true.into(), &true.into()), "{about}");
    page.edit("main.rs");
    let other = page.node("world::say(\"other\")");
    assert_eq!(page.change(&json!({ "op": "wrap", "nodes": [other], "head": "repeat(3)" })), None);
    program.says("other 0", "other other other");
}

#[test]
fn a_page_knows_which_trees_are_written_in_which_file() {
    let (_program, mut page) = open(&["edit"]);
    page.until("the trees are known", |page| page.versions("guard") == 1 && page.versions("count") == 1);
    page.until("those of the file are known", |page| page.list("trees.rs")["trees"] == json!([0, 1]));
}

#[test]
fn a_program_that_does_not_permit_it_is_not_edited() {
    for (permissions, has_token, reason) in [
        (&[][..], true, "the program does not let pages edit"),
        (&["write"], true, "the program does not let pages edit"),
        (&["edit", "write"], false, "this page was opened without the token"),
    ] {
        let mut program = start(permissions);
        program.says("guard 0", "north hop left right");
        let before = program.text("trees.rs");
        let url = program.url();
        assert_eq!(url.contains("token"), permissions.contains(&"edit"));
        let mut page = Page::open(&url, has_token);
        page.edit("trees.rs");
        let about = page.about("trees.rs");
        assert_eq!((&about["edit"], &about["write"]), (&false.into(), &false.into()), "{about}");
        let (key, hop) = (page.document()["key"].clone(), page.node("hop"));
        let delete = json!({ "op": "delete", "nodes": [hop] });
        for request in [
            json!({ "change": { "document": key, "operations": [delete] } }),
            json!({ "try": { "document": key, "id": 1, "operation": delete } }),
            json!({ "undo": key }),
            json!({ "redo": key }),
            json!({ "auto": { "document": key, "on": false } }),
            json!({ "apply": key }),
            json!({ "save": key }),
            json!({ "resolve": { "document": key, "keep": "mine" } }),
        ] {
            let refused = page.ask(&request, "never").expect("it is refused");
            assert!(refused.contains(reason), "{request}: {refused}");
        }
        page.wait(Duration::from_millis(200));
        assert_eq!(program.said("guard 0"), "north hop left right");
        assert_eq!(program.text("trees.rs"), before);
    }
}
