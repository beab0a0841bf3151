//! Programs whose sources are edited while they run, as a user sees them.

mod editor;
mod page;
mod program_run;

use program_run::Program;

#[test]
fn a_running_tree_follows_its_file() {
    let mut program = Program::start();
    program.says("inline", "a bob 2");
    program.reports("[live] edit tests/live/program/");
    program.edit("main.rs", "sequence { say(\"a\"), captured,", "sequence { captured, say(\"b\"), say(\"a\"),");
    program.says("inline", "bob b a 2");
    program.reports("program/main.rs:82:18: followed in ");
    program.edit("main.rs", "world.say(1 + 1)", "world.say(1 + 20)");
    program.says("inline", "bob b a 21");
    program.edit(
        "main.rs",
        "sequence { captured, say(\"b\")",
        "selector \"all\" { repeat(2) { invert { captured } }, say(\"b\")",
    );
    program.says("inline", "bob bob");
    // As it was compiled.
    program.edit(
        "main.rs",
        "selector \"all\" { repeat(2) { invert { captured } }, say(\"b\"), say(\"a\"),",
        "sequence { say(\"a\"), captured,",
    );
    program.edit("main.rs", "world.say(1 + 20)", "world.say(1 + 1)");
    program.says("inline", "a bob 2");
}

#[test]
fn an_editor_applies_a_text_without_writing_it() {
    let mut program = Program::start();
    program.says("inline", "a bob 2");
    program.apply("main.rs", "sequence { say(\"a\"), captured,", "sequence { captured, say(\"b\"), dance,");
    let errors = program.said("editor").to_owned();
    assert!(errors.contains("`dance` is not in this tree of the running program"), "{errors}");
    program.apply("main.rs", "sequence { say(\"a\"), captured,", "sequence { captured, say(\"b\"), say(\"a\"),");
    assert!(program.said("editor").contains("say(\"a\")"), "{}", program.said("editor"));
    program.says("inline", "bob b a 2");
    // Until the file changes.
    program.edit("main.rs", "world.say(1 + 1)", "world.say(1 + 20)");
    program.says("inline", "a bob 21");
}

#[test]
fn trees_in_trees_follow_each_on_its_own() {
    let mut program = Program::start();
    program.says("guard", "north left right stop");
    program.says("other", "north left right stop");
    program.edit(
        "trees.rs",
        "say(\"left\"), say(\"right\")",
        "say(\"right\"), say(\"right\"), say(place), say(\"left\")",
    );
    program.says("guard", "north right right north left stop");
    program.says("other", "north right right north left stop");
    program.edit("trees.rs", "later(from), patrol(\"north\"),", "patrol(\"south\"), later(from),");
    program.says("guard", "south right right south left stop");
    // What only the compiler can make.
    program.edit("trees.rs", "say(\"stop\")", "say(\"halt\"), dance");
    program.reports("`dance` is not in this tree of the running program: it waits for the compiler");
    program.edit("trees.rs", "say(\"halt\"), dance", "say(\"halt\")");
    program.reports("fixed");
    program.says("other", "south right right south left halt");
}

#[test]
fn a_wait_takes_any_time() {
    let mut program = Program::start();
    program.edit("trees.rs", "wait(secs(3600))", "wait(secs(1800.5))");
    program.reports("followed");
    program.edit("trees.rs", "wait(secs(1800.5))", "wait(millis(100))");
    program.reports("followed");
    program.says("waiting", "awake");
}

#[test]
fn what_runs_goes_on() {
    let mut program = Program::start();
    let mut last = program.counts("count");
    for (from, to) in [
        ("for World: selector {", "for World: selector \"new\" { fail, "),
        ("(Count)", "repeat { (Count) }"),
        ("sequence { later(1000.0), say(\"late\") }", ""),
        ("repeat { (Count) }", "parallel { (Count), mem_sequence { wait(secs(1)), fail } }"),
    ] {
        program.edit("trees.rs", from, to);
        program.reports("followed");
        let count = program.counts("count");
        assert!(count > last, "{from} -> {to}: {last}, {count}");
        last = count;
    }
    // A tree that is created after an edit is the edited one, without what the others have done.
    program.edit(
        "trees.rs",
        "parallel { (Count), mem_sequence { wait(secs(1)), fail } }",
        "sequence { say(\"x\"), (Count) }",
    );
    program.says("new", "x 1");
    program.says("late", "dawn");
    program.edit("trees.rs", "dawn", "dusk");
    program.says("late", "dusk");
}

#[test]
fn a_tree_that_runs_late_follows_an_earlier_edit() {
    let mut program = Program::start_with(|name, text| match name {
        "trees.rs" => text.replace("\"left\"", "\"up\"").replace("\"dawn\"", "\"noon\""),
        "main.rs" => format!("// A line that the compiler has not seen.\n{text}").replace("1 + 1", "1 + 2"),
        _ => text,
    });
    program.says("guard", "north up right stop");
    program.says("inline", "a bob 3");
    program.says("late", "noon");
    program.edit("main.rs", "1 + 2", "1 + 3");
    program.says("inline", "a bob 4");
}

#[test]
fn all_words_follow() {
    let mut program = Program::start();
    program.says("matching", "two");
    program.edit("kinds.rs", "world.shield.held + 2 {", "world.shield.held + 5 {");
    program.says("matching", "more");
    program.edit("kinds.rs", "3..=9 => say(\"more\")", "3..=9 => sequence { say(\"many\"), hop }");
    program.says("matching", "many hop");

    program.says("utility", "constant");
    program.edit("kinds.rs", "2 => say(\"constant\")", "0.5 => say(\"constant\")");
    program.says("utility", "computed");
    program.edit("kinds.rs", "f64::from(world.shield.held) + 1.0 =>", "f64::from(world.shield.held) + 0.25 =>");
    program.says("utility", "constant");

    program.says("own", "hum ho");
    program.edit("kinds.rs", "cry(\"ho\") { say(\"hum\") }", "cry(\"hey\") { cry(\"ho\") { say(\"di\") } }");
    program.says("own", "di ho hey");

    let before = program.counts("machine");
    program.edit("kinds.rs", "later(1000.0) -> night }", "later(1.0) -> night }");
    program.says("machine", "dark");
    assert!(before > 0);
    program.edit(
        "kinds.rs",
        "state night { say(\"dark\"), exit: hop }",
        "state night { say(\"dark\"), enter: say(\"dawn\"), success -> day } ",
    );
    program.counts("machine");

    program.counts("service");
    program.edit(
        "kinds.rs",
        "service(millis(100), say(\"look\")) { (Count) }",
        "service(millis(10), say(\"see\")) { (Count) }",
    );
    program.reports("followed");
    let last = program.counts("service");
    assert!(last > 1, "{last}");

    program.says("boxed", "box");
    program.edit("kinds.rs", "invert { say(\"box\") }", "sequence { !say(\"box\"), say(\"no\") }");
    program.reports("followed");
    program.edit("kinds.rs", "sequence { !say(\"box\"), say(\"no\") }", "selector { !say(\"box\"), say(\"no\") }");
    program.says("boxed", "box no");
}

#[test]
fn generic_and_borrowing_trees_follow() {
    let mut program = Program::start();
    program.says("generic u8", "0 generic");
    program.says("generic i64", "0 generic");
    program.edit(
        "kinds.rs",
        "world.say(T::default()), say(\"generic\")",
        "world.say(T::default()), say(\"any\"), say(\"type\")",
    );
    program.says("generic u8", "0 any type");
    program.says("generic i64", "0 any type");
    program.says("borrowed", "lent words");
    program.edit(
        "kinds.rs",
        "put(\"lent\"), |ctx: &mut Ctx<'_>| ctx.words.push(\"words\".to_owned())",
        "|ctx: &mut Ctx<'_>| ctx.words.push(\"two\".to_owned()), put(\"given\"), put(\"back\")",
    );
    program.says("borrowed", "two given back");
}

#[test]
fn what_cannot_follow_stays_and_says_so() {
    let mut program = Program::start();
    program.reports("the tree stays as compiled: it is in a `macro_rules!`");
    program.says("in macro", "macro");
    program.edit("kinds.rs", "say($word)", "sequence { say($word), say($word) }");
    program.says("island", "some words 7");
    // The rest of a tree with islands follows.
    program.edit(
        "kinds.rs",
        "|world: &mut World| world.say(world.shield.held)",
        "say(\"new\"), |world: &mut World| world.say(world.shield.held + 1)",
    );
    program.reports("is not in this tree of the running program");
    program.edit(
        "kinds.rs",
        "say(\"new\"), |world: &mut World| world.say(world.shield.held + 1)",
        "|world: &mut World| world.say(world.shield.held), |world: &mut World| world.say(world.shield.held)",
    );
    program.says("island", "some words 7 7");
    program.edit("kinds.rs", "{ hold(7) }", "{ hold(8) }");
    program.reports("is compiled as a whole: its change waits for the compiler");
    assert_eq!(program.said("island"), "some words 7 7");
    assert_eq!(program.said("in macro"), "macro");
}

#[test]
fn a_tree_in_an_expression_is_no_part_of_the_tree_around_it() {
    let mut program = Program::start();
    program.says("nested", "out in hop");
    program.edit("kinds.rs", "say(\"in\")", "sequence { say(\"hop\"), say(\"inside\") }");
    program.says("nested", "out hop inside hop");
    program.edit("kinds.rs", "say(\"out\"),\n", "say(\"outside\"),\n");
    program.says("nested", "outside hop inside hop");
    program.edit("kinds.rs", "let tree", "let other");
    program.reports("is not in this tree of the running program: it waits for the compiler");
    program.edit("kinds.rs", "say(\"inside\")", "say(\"within\")");
    program.says("nested", "outside hop within hop");
    program.edit("kinds.rs", "let other", "let tree");
    program.reports("fixed");
    program.does_not_report("waits");
}

#[test]
fn errors_change_nothing_until_they_are_fixed() {
    let mut program = Program::start();
    program.says("guard", "north left right stop");
    program.edit("trees.rs", "sequence { later", "sequnce { later");
    program.reports("trees.rs:9:13: unknown keyword `sequnce`");
    program.reports("    help: did you mean `sequence`?");
    program.edit("trees.rs", "patrol(\"north\"),", "patrol(\"north\" ,");
    program.reports("expected `)` for the `(` at ");
    assert_eq!(program.said("guard"), "north left right stop");
    // Trees of other files are not concerned.
    program.edit("main.rs", "1 + 1", "1 + 4");
    program.says("inline", "a bob 5");
    program.edit("trees.rs", "patrol(\"north\" ,", "patrol(\"north\"),");
    program.reports("fixed");
    program.edit("trees.rs", "sequnce", "sequence");
    program.reports("fixed");
    program.edit("trees.rs", "\"stop\"", "5");
    program.reports("`5` is an integer, expected a string");
    assert_eq!(program.said("guard"), "north left right stop");
    program.edit("trees.rs", "say(5)", "say(\"end\")");
    program.says("guard", "north left right end");
    program.does_not_report("error");
}

#[test]
fn trees_are_told_apart_when_they_move() {
    let mut program = Program::start();
    program.says("equal", "hop");
    program.edit(
        "main.rs",
        "Agent::new(\"same\", tree! { for World: hop })",
        "Agent::new(\"same\", tree! { for World: sequence { hop, hop } })",
    );
    program.says("same", "hop hop");
    assert_eq!(program.said("equal"), "hop");
    // One function is moved before the other, and both are edited.
    let text = program.text("trees.rs");
    let (start, rest) = text.split_at(text.find("#[subtree]\npub(crate) fn guard").expect("it is there"));
    let (guard, rest) = rest.split_at(rest.find("#[subtree]\nfn patrol").expect("it is there"));
    let (patrol, rest) = rest.split_at(rest.find("pub(crate) fn counting").expect("it is there"));
    let patrol = patrol.replace("left", "down");
    let guard = guard.replace("stop", "end");
    program.write("trees.rs", &format!("{start}{patrol}{rest}\n{guard}"));
    program.says("guard", "north down right end");
    // A tree without its text goes on.
    program.write("trees.rs", &format!("{start}{patrol}{rest}"));
    program.reports("the tree is not in the file anymore: it continues as it was");
    assert_eq!(program.said("guard"), "north down right end");
    program.write("trees.rs", &format!("{start}{patrol}{guard}{rest}").replace("\"end\"", "\"back\""));
    program.says("guard", "north down right back");
}
