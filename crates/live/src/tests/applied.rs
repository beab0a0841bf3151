//! Texts that trees follow in place of their file.

use super::*;

const BEFORE: &str = "fn f() {\n\ttree! {\n\t\tsequence { say(\"a\"), hop }\n\t}\n}\n";

/// The file with another tree.
fn with(tree: &str) -> String {
    BEFORE.replace("sequence { say(\"a\"), hop }", tree)
}

#[test]
fn a_text_is_checked_without_a_change() {
    let program = Program::new();
    let mut agent = program.start("a.rs", BEFORE);
    agent.says("a hop");
    let check = |tree: &str| program.text("a.rs", &with(tree), false);
    assert_eq!(check("sequence { hop, say(\"b\") }"), Ok(vec![]));
    let errors = check("sequence { say(\"b\"), dance }").expect_err("only the compiler can make `dance`");
    assert_eq!(errors, ["3:24: `dance` is not in this tree of the running program: it waits for the compiler"]);
    let errors = check("sequnce { hop }").expect_err("there is no such word");
    assert!(errors[0].starts_with("3:3: unknown keyword `sequnce`; help: did you mean `sequence`?"), "{errors:?}");
    let warnings = check("selector { succeed, hop }").expect("it is valid");
    assert!(warnings[0].starts_with("3:23: unreachable node"), "{warnings:?}");
    assert!(program.text("a.rs", "fn f() { tree! {", false).is_err());
    assert!(program.text("b.rs", BEFORE, false).expect_err("no such file")[0].ends_with("b.rs is not watched"));
    agent.says("a hop");
    assert!(program.reports.try_recv().is_err(), "nothing happened");
}

#[test]
fn an_applied_text_lasts_until_the_file_changes() {
    for program in [Program::new(), Program::polled()] {
        let mut agent = program.start("a.rs", BEFORE);
        agent.says("a hop");
        let apply = |tree: &str| program.text("a.rs", &with(tree), true);
        assert_eq!(apply("sequence { hop, say(\"b\") }"), Ok(vec![]));
        agent.says("hop b");
        assert_eq!(program.report(), "a.rs:2:2: followed");
        // It is read again for a while after it was written, and as long as the thread runs, for changes without a sign.
        let end = Instant::now() + Duration::from_millis(2500);
        while Instant::now() < end {
            assert_eq!(agent.tick(), "hop b");
            thread::sleep(Duration::from_millis(20));
        }
        // An invalid text changes nothing.
        assert!(apply("sequence { dance }").is_err());
        assert_eq!(agent.tick(), "hop b");
        assert_eq!(fs::read_to_string(program.path("a.rs")).expect("it is there"), BEFORE);
        // Saved as applied, and then changed.
        program.edit("a.rs", &with("sequence { hop, say(\"b\") }"));
        thread::sleep(Duration::from_millis(300));
        assert_eq!(agent.tick(), "hop b");
        program.edit("a.rs", &with("sequence { say(\"c\") }"));
        agent.says("c");
        assert_eq!(program.report(), "a.rs:2:2: followed");
        // Back to what was compiled, in memory alone.
        assert_eq!(apply("sequence { say(\"a\"), hop }"), Ok(vec![]));
        agent.says("a hop");
    }
}

#[test]
fn a_text_applied_right_after_a_save_is_not_replaced_by_the_file() {
    let program = Program::new();
    let mut agent = program.start("a.rs", BEFORE);
    agent.says("a hop");
    for round in 0..10 {
        // The file changes, and before the thread has looked at it, an editor goes on.
        let (saved, applied) = (with(&format!("sequence {{ say(\"saved {round}\") }}")), format!("on {round}"));
        program.edit("a.rs", &saved);
        assert_eq!(program.text("a.rs", &with(&format!("sequence {{ say(\"{applied}\") }}")), true), Ok(vec![]));
        agent.says(&applied);
        let end = Instant::now() + Duration::from_millis(150);
        while Instant::now() < end {
            assert_eq!(agent.tick(), applied);
            thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn an_applied_text_stays_when_another_tree_of_the_file_is_evaluated() {
    let program = Program::new();
    let text = "fn f() { tree! { sequence { say(\"a\"), hop } } }\nfn g() { tree! { sequence { hop, hop } } }\n";
    let sites = program.compile("a.rs", text);
    let mut first = program.run(sites[0]);
    assert!(program.report().starts_with("edit a.rs:"));
    first.says("a hop");
    let applied = text.replace("sequence { say(\"a\"), hop }", "sequence { say(\"b\"), hop }");
    let applied = applied.replace("hop, hop }", "hop, hop, hop }");
    assert_eq!(program.text("a.rs", &applied, true), Ok(vec![]));
    first.says("b hop");
    let mut second = program.run(sites[1]);
    second.says("hop hop hop");
    first.says("b hop");
    assert_eq!(fs::read_to_string(program.path("a.rs")).expect("it is there"), text);
}

#[test]
fn watched_files_have_their_trees() {
    let program = Program::new();
    let mut agent = program.start("a.rs", BEFORE);
    agent.says("a hop");
    let (reply, answer) = channel();
    program.thread.send(Message::Sources(reply)).expect("the thread lives");
    let files = answer.recv_timeout(LONG).expect("an answer");
    let [file] = &*files else { panic!("one file") };
    assert_eq!(file.path, program.path("a.rs"));
    assert_eq!(file.trees.iter().map(|(_, place)| place.line).collect::<Vec<_>>(), [2]);
    let offered: Vec<_> = file.trees[0].0.offered().into_iter().map(|(name, text, _)| (name, text)).collect();
    assert_eq!(offered, [("say", "say(\"a\")".to_owned()), ("hop", "hop".to_owned())]);
}
