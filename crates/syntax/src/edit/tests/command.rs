//! Operations as short texts.

use super::super::{At, Document, EXAMPLES, Notation, Numbers, Operation, command, list};

const GUARD: &str = "\
tree guard {
    selector {
        sequence \"fight\" { near(10.0), attack \"hit\" }
        if seen { hunt } else { wait(secs(1)), rest }
        random_selector { 2 => left, 1 => right }
    }
}
tree hunt { cooldown(secs(2)) { follow } }
tree idle {}
";

/// Applies commands in order, with the numbers that the nodes had at first.
fn applied(text: &str, commands: &[&str]) -> Result<String, String> {
    let mut document = Document::read(Notation::TEXT, text).expect("a text");
    let mut numbers = Numbers::of(&document);
    for text in commands {
        let operation = command(text, &document, &numbers)?;
        document.apply(&operation)?;
        numbers.add(&document);
    }
    document.write()
}

fn error(text: &str) -> String {
    applied(GUARD, &[text]).expect_err("it is invalid")
}

#[test]
fn nodes_are_listed_with_their_numbers() {
    let mut document = Document::read(Notation::TEXT, GUARD).expect("a text");
    let mut numbers = Numbers::of(&document);
    let expected = "\
tree 1 guard
 1  selector
 2    sequence \"fight\"
 3      near(10.0)
 4      attack \"hit\"
 5    if seen
 6      hunt
      else
 7      wait(secs(1))
 8      rest
 9    random_selector
10      2 => left
11      1 => right
tree 2 hunt
12  cooldown(secs(2))
13    follow
tree 3 idle
";
    assert_eq!(list(&document, &numbers), expected);
    document.apply(&command("delete 2", &document, &numbers).expect("a command")).expect("it is there");
    document.apply(&command("wrap 13 !", &document, &numbers).expect("a command")).expect("it is there");
    assert_eq!(numbers.add(&document), 14..=14, "new nodes get the next numbers");
    let listed = list(&document, &numbers);
    assert!(listed.contains("\n 1  selector\n 5    if seen\n"), "{listed}");
    assert!(listed.contains("\n12  cooldown(secs(2))\n14    !\n13      follow\n"), "{listed}");
}

#[test]
fn each_operation_has_a_text() {
    let changed = |commands: &[&str]| applied(GUARD, commands).expect("valid commands");
    for (text, expected) in [
        ("insert after 3 wait(secs(1))", "near(10.0), wait(secs(1)), attack \"hit\""),
        ("insert in 2 flee", "attack \"hit\", flee"),
        ("insert in 5 list 1 index 1 flee", "else { wait(secs(1)), flee, rest }"),
        ("insert in 5 list 1 flee", "else { wait(secs(1)), rest, flee }"),
        ("insert in tree idle sleep", "tree idle { sleep }"),
        ("insert in tree 3 sleep", "tree idle { sleep }"),
        ("insert before \"hit\" a, b(1)", "near(10.0), a, b(1), attack \"hit\""),
        ("delete 7 8", "if seen { hunt }"),
        ("duplicate \"hit\"", "attack \"hit\", attack \"hit 2\""),
        ("move 4 before 3", "attack \"hit\", near(10.0)"),
        ("wrap 3,4 repeat(3)", "repeat(3)"),
        ("wrap \"fight\" invert", "invert"),
        ("unwrap 12", "tree hunt { follow }"),
        ("replace 2 mem_sequence", "mem_sequence \"fight\""),
        ("argument 7 0 secs(3)", "wait(secs(3))"),
        ("annotate 10 3", "3 => left"),
        ("label 3 \"near \\u2192 far\"", "near(10.0) \"near → far\""),
        ("label 2", "sequence {"),
        ("note 3 \"Only at night.\"", "// Only at night."),
        ("disable 4", "#[disabled]"),
        ("create sleep", "tree sleep {"),
        ("rename hunt chase", "tree chase {"),
        ("rename 2 \"chase\"", "if seen { chase }"),
        ("remove idle", ""),
        ("  delete   7 ,8 ", "if seen { hunt }"),
        (r#"{"op":"label","node":3,"label":"x"}"#, "near(10.0) \"x\""),
        (r#"{"op":"insert","text":"flee","at":{"after":3}}"#, "near(10.0), flee"),
        (r#"{"op":"insert","text":"flee","at":{"in":2,"list":0,"index":0}}"#, "{ flee, near(10.0)"),
        (r#"{"op":"insert","text":"sleep","at":{"tree":3}}"#, "tree idle { sleep }"),
    ] {
        let changed = changed(&[text]);
        assert!(changed.contains(expected) && changed != GUARD, "{text}: {changed}");
    }
    assert!(!changed(&["remove idle"]).contains("idle"));
    assert!(changed(&["extract 2 fight"]).contains("tree fight {"));
    assert!(!changed(&["inline 6"]).contains("{ hunt }"));
    let text = changed(&["disable 4", "enable 4"]);
    assert!(!text.contains("disabled"), "{text}");
    for (name, example) in EXAMPLES {
        assert!(example.starts_with(&format!("{name} ")), "{example}");
    }
}

#[test]
fn an_argument_with_a_name_replaces_no_other() {
    let set = |text: &str, operation: &str| applied(text, &[operation]);
    for (text, operation, expected) in [
        ("sequence { go(place = \"hall\", speed = 2), b }", "argument 2 speed 7", "go(place = \"hall\", speed = 7)"),
        ("sequence { go(place = \"hall\"), b }", "argument 2 speed 7", "go(place = \"hall\", speed = 7)"),
        ("sequence { go, b }", "argument 2 speed 7", "go(speed = 7)"),
        ("sequence { wait(secs(1)), b }", "argument 2 time secs(7)", "wait(secs(7))"),
        ("service(secs(1), look) { a }", "argument 1 action see", "service(secs(1), see) { a }"),
        ("repeat { a }", "argument 1 times 3", "repeat(3) { a }"),
        ("parallel(success = one) { a, b }", "argument 1 failure 2", "parallel(success = one, failure = 2) { a, b }"),
        ("parallel { a, b }", "argument 1 failure 2", "parallel(failure = 2) { a, b }"),
        (
            "utility_selector { 1 => a, 2 => b }",
            "argument 1 keep 0.1",
            "utility_selector(keep = 0.1) { 1 => a, 2 => b }",
        ),
        ("if a { b }", "argument 1 condition c", "if c { b }"),
    ] {
        let changed = set(text, operation);
        assert!(changed.as_ref().is_ok_and(|changed| changed.contains(expected)), "{operation}: {changed:?}");
    }
    for (text, operation) in [
        ("sequence { go(\"hall\", 2), b }", "argument 2 speed 7"),
        ("sequence { go(\"hall\"), b }", "argument 2 speed 7"),
        ("sequence { wait(secs(1)), b }", "argument 2 tine secs(7)"),
    ] {
        let changed = set(text, operation);
        assert!(changed.as_ref().is_err_and(|error| error.ends_with("as in `argument 5 0 secs(3)`")), "{changed:?}");
    }
    let source = "fn a() -> impl Node<u32> {\n    tree! {\n        parallel { go(\"hall\", 2), b }\n    }\n}\n";
    for (operation, expected) in [
        ("argument 1 failure 2", Some("parallel(failure = 2) {")),
        ("argument 2 speed 7", None),
        ("argument 2 1 7", Some("go(\"hall\", 7)")),
    ] {
        let mut document = Document::read(Notation::RUST, source).expect("a source");
        let of = command(operation, &document, &Numbers::of(&document)).expect("a command");
        let applied = document.apply(&of).ok().and_then(|_| document.write().ok());
        assert_eq!(
            applied.as_ref().map(|text| expected.is_some_and(|part| text.contains(part))),
            expected.map(|_| true),
            "{applied:?}"
        );
    }
}

#[test]
fn numbers_last_from_one_operation_to_the_next() {
    let text = applied(GUARD, &["delete 3", "wrap 4 retry(2)", "label 14 \"again\"", "move 14 before 7"]);
    assert!(text.as_ref().is_ok_and(|text| text.contains("else { retry(2) \"again\" { attack \"hit\" }")), "{text:?}");
    let gone = applied(GUARD, &["delete 3", "label 3 \"x\""]);
    assert_eq!(gone, Err("node 3 was removed by an earlier operation".to_owned()));
    let gone = applied(GUARD, &["remove idle", "rename 3 x"]);
    assert_eq!(gone, Err("tree 3 was removed by an earlier operation".to_owned()));
}

#[test]
fn a_place_is_read_as_in_json() {
    let document = Document::read(Notation::TEXT, "selector { a, b }").expect("a text");
    let numbers = Numbers::of(&document);
    let insert = |text: &str| command(text, &document, &numbers);
    let ids: Vec<_> = document.trees[0].nodes().iter().map(|node| node.id).collect();
    let at = |at| Ok(Operation::Insert { text: "c".to_owned(), at });
    assert_eq!(insert("insert before 2 c"), at(At::Before(ids[1])));
    assert_eq!(insert("insert in 1 c"), at(At::In { r#in: ids[0], list: 0, index: 2 }));
    assert_eq!(insert("insert in 1 index 0 c"), at(At::In { r#in: ids[0], list: 0, index: 0 }));
    assert_eq!(insert("insert in tree 1 c"), at(At::Tree { tree: document.trees[0].id }));
}

#[test]
fn errors_say_what_was_found_and_what_to_write() {
    for (text, expected) in [
        ("", "expected an operation, found nothing; note: the operations are insert, delete, "),
        ("wrp 5 invert", "expected an operation, found `wrp`; help: did you mean `wrap`?"),
        ("undo", "expected an operation, found `undo`; note: the operations are "),
        ("delete", "expected a node, by number or by label in quotes, found the end; help: write `delete 4 5`"),
        ("delete x", "expected a node, by number or by label in quotes, found `x`; help: write `delete 4 5`"),
        ("delete 4x", "expected a node, by number or by label in quotes, found `4x`; "),
        ("delete 4 x", "expected the end, found `x`; help: write `delete 4 5`"),
        ("delete 4,", "expected a node, by number or by label in quotes, found the end; "),
        ("delete 0", "unknown node 0; note: the nodes are 1 to 13"),
        ("delete 14", "unknown node 14; note: the nodes are 1 to 13"),
        ("delete 99999999999999999999", "the number `99999999999999999999` is too large"),
        ("delete -1", "expected a node, by number or by label in quotes, found `-1`; "),
        ("delete \"figth\"", "no node has the label \"figth\"; help: did you mean \"fight\"?"),
        ("delete \"x", "`\"x` is not a text in quotes: "),
        ("insert 4 x", "expected a place: `before 2`, `after 2`, `in 2` or `in tree fight`, found `4 x`; "),
        ("insert after 4", "expected a node, found the end; help: write `insert after 3 wait(secs(1))`"),
        ("insert in 2 index x", "expected an index, from 0, found `x`; "),
        ("insert in tree ilde x", "unknown tree `ilde`; help: did you mean `idle`?"),
        ("insert in tree 4 x", "unknown tree 4; note: the trees are 1 to 3"),
        ("argument 7", "expected the index of an argument, from 0, or its name, found the end; "),
        ("label 3 x", "expected a text in quotes, found `x`; help: write `label 3 \"fight\"`"),
        ("create", "expected a name, found the end; help: write `create fight`"),
        ("{\"op\":\"dance\"}", "not an operation: unknown variant `dance`, expected one of `insert`, "),
        ("{\"op\":\"delete\",\"nodes\":[99]}", "unknown node 99; "),
        ("{\"op\":\"delete\",\"nodes\":[4],\"x\":1}", "not an operation: "),
        ("{", "not an operation: EOF"),
    ] {
        let found = error(text);
        assert!(found.starts_with(expected), "{text}: {found}");
    }
    let long = error(&format!("delete {}", "ä".repeat(1000)));
    assert!(long.len() < 300 && long.contains("ä…`"), "{long}");
    assert_eq!(applied("", &["insert in tree x a"]), Err("unknown tree `x`".to_owned()));
    let empty = |text: &str, help| {
        let expected = format!("the document has no nodes; help: write `{help} NODE`");
        assert_eq!(applied(text, &["delete 1"]), Err(expected));
        assert!(applied(text, &[&format!("{help} a")]).is_ok(), "{text}");
    };
    empty("", "insert in tree 1");
    empty("tree day {\n}\n", "insert in tree 1");
    let file = Document::read(Notation::XML, "<root BTCPP_format=\"4\"></root>").expect("a file");
    let error = command("delete 1", &file, &Numbers::of(&file)).expect_err("there is none");
    assert_eq!(error, "the document has no nodes; help: write `create NAME NODE`");
    let twice = applied("selector { a \"x\", b \"x\" }", &["delete \"x\""]);
    let expected = "several nodes have the label \"x\"; help: write one of the numbers 2, 3";
    assert_eq!(twice, Err(expected.to_owned()));
}

#[test]
fn any_text_is_an_operation_or_an_error() {
    let document = Document::read(Notation::TEXT, GUARD).expect("a text");
    let numbers = Numbers::of(&document);
    let words =
        ["wrap", "delete", "insert", "in", "tree", "5", "\"", "\"fight\"", "{", "\u{0}", ",", "ä", "before", "index"];
    for first in words {
        for second in words {
            for third in words {
                for text in [format!("{first} {second} {third}"), format!("{first}{second}{third}")] {
                    let _ = command(&text, &document, &numbers);
                }
            }
        }
    }
}

#[test]
fn a_child_with_a_value_before_it_is_disabled_and_enabled() {
    for (text, off) in [
        ("utility_selector { 1 => a, 2 => b }\n", "{ 1 => #[disabled] a, "),
        ("random_selector { 1 => #[allow(pointless)] a, 3 => b }\n", "{ 1 => #[disabled] #[allow(pointless)] a, "),
        ("match mood { \"Calm\" => a, _ => b }\n", "{ \"Calm\" => #[disabled] a, "),
    ] {
        let disabled = applied(text, &["disable 2"]).expect("it is disabled");
        assert!(disabled.contains(off), "{disabled}");
        assert!(crate::file::read(&disabled, |_| None).is_ok(), "{disabled}");
        assert_eq!(applied(&disabled, &["enable 2"]).as_deref(), Ok(text));
    }
}

#[test]
fn replacing_takes_a_label_and_refuses_what_would_be_lost() {
    let changed = applied(GUARD, &["replace 3 far \"away\""]);
    assert!(changed.as_ref().is_ok_and(|text| text.contains("far \"away\", attack")), "{changed:?}");
    let changed = applied(GUARD, &["replace 4 hit"]);
    assert!(changed.as_ref().is_ok_and(|text| text.contains("hit \"hit\"")), "{changed:?}");
    for head in ["#[allow(pointless)] x", "#[disabled] x", "3 => x", "x // note", "/* note */ x"] {
        let error = error(&format!("replace 3 {head}"));
        assert!(error.starts_with("expected a name with its arguments, found `"), "{error}");
    }
}

#[test]
fn a_node_that_uses_a_variable_stays_in_its_function() {
    let source = "fn a() -> impl Node<u32> {\n    tree! { sequence { x } }\n}\n\nfn c(n: u32, m: u32) -> impl Node<u32> {\n    tree! { sequence { go(n), y } }\n}\n\nfn d(n: u32) -> impl Node<u32> {\n    tree! { sequence { z } }\n}\n";
    let moved = |operation: &str| {
        let mut document = Document::read(Notation::RUST, source).expect("a source");
        document.apply(&command(operation, &document, &Numbers::of(&document)).expect("a command"))
    };
    assert_eq!(moved("move 4 in 1"), Err("the nodes use `n`, a variable of `c`".to_owned()));
    for operation in ["move 5 in 1", "move 4 after 5", "move 4 in 6"] {
        assert!(moved(operation).is_ok(), "{operation}");
    }
}

#[test]
fn a_node_moves_with_the_bang_before_it_and_to_its_own_place_nothing_moves() {
    let text = "sequence { !tired, attack, idle }\n";
    let moved = |command: &str| applied(text, &[command]);
    assert_eq!(moved("move 3 after 4").as_deref(), Ok("sequence { attack, !tired, idle }\n"));
    assert_eq!(moved("move 3 4 after 5").as_deref(), Ok("sequence { idle, !tired, attack }\n"));
    for same in ["move 3 before 3", "move 3 after 3", "move 3 before 4", "move 3 4 before 5", "move 5 in 1"] {
        assert_eq!(moved(same).as_deref(), Ok(text), "{same}");
    }
    let text = "sequence \"r\" {\n    idle \"a\",\n\n    // lonely\n\n    idle \"b\", // b\n    idle \"c\",\n}\n";
    for same in ["move \"b\" before \"b\"", "move \"b\" after \"a\"", "move \"b\" in \"r\" index 1"] {
        assert_eq!(applied(text, &[same]).as_deref(), Ok(text), "{same}");
    }
}

#[test]
fn a_tree_with_a_comment_in_a_head_is_not_written() {
    for text in [
        "sequence {\n    if near(1) /* keep me */ \"x\" { idle }\n    b,\n}\n",
        "random_selector {\n    1 => /* two */ idle \"a\",\n    2 => b,\n}\n",
        "tree x /* k */ { idle \"a\" }\n",
        "tree /* k */ x { idle \"a\" }\n",
        "tree x(a = 1) // k\n{ idle \"a\" }\n",
    ] {
        let document = Document::read(Notation::TEXT, text).expect("a text");
        let broken = document.trees[0].broken.as_ref().map(|error| error.reason.as_str());
        assert!(broken.is_some_and(|reason| reason.starts_with("a comment in an unexpected place")), "{text}");
        assert_eq!(document.write().as_deref(), Ok(text));
    }
}
