//! Which tree of an edited file is which of the program.

use super::*;

/// Runs all trees of a file.
fn start(program: &Program, text: &str) -> Vec<Agent> {
    let agents = program.compile("a.rs", text).into_iter().map(|site| program.run(site)).collect();
    assert!(program.report().starts_with("edit a.rs:"));
    agents
}

fn say(agents: &mut [Agent], expected: &[&str]) {
    assert_eq!(agents.len(), expected.len());
    for (agent, expected) in agents.iter_mut().zip(expected) {
        agent.says(expected);
    }
}

#[test]
fn functions_are_moved() {
    let program = Program::new();
    let mut agents = start(&program, "fn f() { tree! { say(\"f\") } }\nfn g() { tree! { say(\"g\") } }\n");
    program.edit("a.rs", "// A\n// B\nfn g() { tree! { say(\"g2\") } }\nfn f() { tree! { say(\"f2\") } }\n");
    say(&mut agents, &["f2", "g2"]);
    program.edit("a.rs", "mod m { fn g() { tree! { say(\"g3\") } } } fn f() { tree! { say(\"f3\") } }\n");
    say(&mut agents, &["f3", "g3"]);
}

#[test]
fn trees_of_equal_text_are_told_apart() {
    let program = Program::new();
    let text = "fn f() { tree! { hop } }\nfn g() { tree! { hop } tree! { hop } }\n";
    let mut agents = start(&program, text);
    program.edit("a.rs", &text.replacen("hop", "say(\"f\")", 1));
    say(&mut agents, &["f", "hop", "hop"]);
    program.edit(
        "a.rs",
        &text.replace("} }\n}", "").replace("tree! { hop } }", "tree! { say(\"2\") } }").replacen(
            "say(\"2\")",
            "say(\"f\")",
            1,
        ),
    );
    say(&mut agents, &["f", "hop", "2"]);
}

#[test]
fn a_deleted_tree_goes_on_and_comes_back() {
    let program = Program::new();
    let text = "fn f() { tree! { say(\"f\") } }\nfn g() { tree! { say(\"g\") } }\n";
    let mut agents = start(&program, text);
    program.edit("a.rs", "fn f() { tree! { say(\"f2\") } }\n");
    say(&mut agents, &["f2", "g"]);
    let mut reports = [program.report(), program.report()];
    reports.sort();
    assert_eq!(
        reports,
        ["a.rs:1:10: followed", "a.rs:2:10: the tree is not in the file anymore: it continues as it was"]
    );
    // Another tree in its place is not it.
    program.edit("a.rs", "fn f() { tree! { say(\"f3\") } }\nfn g() { tree! { hop } }\n");
    say(&mut agents, &["f3", "g"]);
    assert_eq!(program.report(), "a.rs:1:10: followed");
    program.edit("a.rs", "fn f() { tree! { say(\"f3\") } }\nfn g() { tree! { say(\"g\") } }\n");
    assert_eq!(program.report(), "a.rs:2:10: fixed");
    program.edit("a.rs", "fn f() { tree! { say(\"f3\") } }\nfn g() { tree! { say(\"g4\") } }\n");
    say(&mut agents, &["f3", "g4"]);
}

#[test]
fn a_tree_that_is_cut_and_pasted_is_the_same() {
    let program = Program::new();
    let mut agents = start(&program, "fn f() { tree! { sequence { hop, say(\"f\") } } }\n");
    program.edit("a.rs", "fn f() {}\n");
    assert!(program.report().contains("not in the file anymore"));
    program.edit("a.rs", "mod m {\n  fn other() { tree! { sequence { hop, say(\"x\") } } }\n}\n");
    say(&mut agents, &["hop x"]);
}

#[test]
fn a_file_that_was_edited_before_the_program_started_is_followed() {
    let program = Program::new();
    let text = "fn f() { tree! { say(\"a\") } }\nfn g() {\n    tree! { sequence { hop, hop, say(\"b\") } }\n}\nfn h() { tree! { hop } }\n";
    let sites = program.compile("a.rs", text);
    program.edit(
        "a.rs",
        "fn f() { tree! { say(\"A\") } }\n\n\nfn g() {\n    tree! { sequence { hop, hop, say(\"B\") } }\n}\nfn h() { tree! { hop } }\n",
    );
    let mut agents: Vec<_> = sites.into_iter().map(|site| program.run(site)).collect();
    say(&mut agents, &["A", "hop hop B", "hop"]);
}

#[test]
fn a_tree_that_runs_late_follows_earlier_edits() {
    let program = Program::new();
    let text = "fn f() { tree! { hop } }\nfn g() { tree! { say(\"b\") } }\n";
    let sites = program.compile("a.rs", text);
    let mut first = program.run(sites[0]);
    assert!(program.report().starts_with("edit a.rs:1:10,"));
    program.edit(
        "a.rs",
        "fn new() { tree! { say(\"b\") } }\nfn f() { tree! { say(\"f\") } }\nfn g() { tree! { say(\"c\") } }\n",
    );
    first.says("f");
    program.run(sites[1]).says("c");
    // Also one whose tree is gone.
    let sites = program.compile("b.rs", text);
    let mut first = program.run(sites[0]);
    while !program.report().starts_with("edit b.rs:1:10,") {}
    program.edit("b.rs", "fn f() { tree! { say(\"f\") } }\n");
    first.says("f");
    let mut second = program.run(sites[1]);
    while !program.report().starts_with("b.rs:2:10: the tree is not in the file") {}
    assert_eq!(second.tick(), "b");
}

#[test]
fn trees_of_macros_stay_as_compiled() {
    let program = Program::new();
    let text = "macro_rules! m { () => { tree! { hop } } }\nfn f() { m!() }\nfn g() { tree! { hop } }\n";
    let file = program.path("a.rs").display().to_string().leak();
    let g = program.compile("a.rs", text)[1];
    let f = &*Box::leak(Box::new(Site::new(file, 2, None, "hop", (1, 34))));
    let mut agents = [program.run(f), program.run(g)];
    let mut reports = [program.report(), program.report()];
    reports.sort();
    assert!(reports[0].starts_with("a.rs:2:1: the tree stays as compiled") && reports[1].starts_with("edit a.rs:3:10"));
    program.edit("a.rs", &text.replace("hop", "say(\"x\")"));
    say(&mut agents, &["hop", "x"]);
}

#[test]
fn many_trees_in_a_file() {
    let program = Program::new();
    let tree = |word: &str, number: usize| format!("fn f{number}() {{ tree! {{ say(\"{word}{number}\") }} }}\n");
    let text = |word: &str| (0..200).map(|number| tree(word, number)).collect::<Vec<_>>().concat();
    let mut agents = start(&program, &text("a"));
    program.edit("a.rs", &text("b"));
    for (number, agent) in agents.iter_mut().enumerate() {
        agent.says(&format!("b{number}"));
    }
}
