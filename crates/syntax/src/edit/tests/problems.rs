//! What is wrong is at its node.

use bt_behavior3::{Arity, NodeNames};

use super::super::*;

/// The problems of a document that nothing else is known of.
pub(super) fn check(document: &Document, text: &str, names: &NodeNames) -> Vec<Problem> {
    document.check(text, document.notation.project(text, &|_| None).as_ref(), names)
}

/// The problems, each with the head of its node and the argument.
fn problems(notation: Notation, text: &str, names: &NodeNames) -> Vec<String> {
    let document = Document::read(notation, text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let shown = |problem: Problem| {
        let node = problem.node.and_then(|id| document.node(id).ok()).map_or("-", |node| &*node.head);
        let argument = problem.argument.map_or_else(String::new, |argument| format!("[{argument}]"));
        let warning = if problem.is_warning { "warning: " } else { "" };
        format!("{node}{argument}: {warning}{}", problem.message)
    };
    check(&document, text, names).into_iter().map(shown).collect()
}

#[test]
fn problems_of_a_text_are_at_nodes_and_arguments() {
    let names = NodeNames::new([("near", Arity::Zero), ("attack", Arity::Zero)]);
    assert_eq!(problems(Notation::TEXT, "selector { near, attack }", &names), [""; 0]);
    let expected = "timeout(secs(1), 2): `timeout` expects 1 argument, found 2; help: write `timeout(secs(5)) { … }`";
    assert_eq!(problems(Notation::TEXT, "timeout(secs(1), 2) { attack }", &names), [expected]);
    let text = "selector {\n  // é\n  !ner,\n  wait(\"soon\"),\n  retry(0) { attack }\n}";
    let found = problems(Notation::TEXT, text, &names);
    assert_eq!(found[0], "ner: unknown node `ner`; help: did you mean `near`?");
    assert!(found[1].starts_with("wait(\"soon\")[0]: unknown value `soon`;"), "{found:?}");
    let text = "selector { near, succeed, attack, repeat(1) { near } }";
    let found = problems(Notation::TEXT, text, &names);
    assert!(!found.is_empty() && found.iter().all(|problem| problem.contains(": warning: ")), "{found:?}");
}

#[test]
fn problems_of_a_file_of_the_editor_are_at_nodes() {
    let text =
        r#"{ "root": "1", "nodes": { "1": { "name": "sequence", "children": ["2"] }, "2": { "name": "Walk" } } }"#;
    let mut document = Document::read(Notation::JSON, text).unwrap();
    let walk = document.trees[0].root.as_ref().unwrap().lists[0].children[0].id;
    let new =
        document.apply(&Operation::Insert { text: "retry(0) { Dance }".to_owned(), at: At::Before(walk) }).unwrap();
    let text = document.write().unwrap();
    let names = NodeNames::new([("Walk".to_owned(), bt_behavior3::Arity::Zero)]);
    let problems = check(&document, &text, &names);
    let dance = document.node(new[0]).unwrap().lists[0].children[0].id;
    let at = |node| problems.iter().find(|problem| problem.node == Some(node)).map(|problem| problem.message.as_str());
    assert!(at(dance).is_some_and(|message| message.contains("unknown node")), "{problems:?}");
    assert!(problems.iter().all(|problem| problem.node.is_some()), "{problems:?}");
    // What a program says about it.
    let project = bt_behavior3::Project::read(&text).unwrap();
    let errors = project.check(None, &names).unwrap_err();
    let located = document.located(&text, &errors);
    assert!(!located.is_empty() && located.iter().all(|problem| problem.node.is_some()), "{located:?}");
}

#[test]
fn errors_of_a_program_are_at_nodes() {
    let text = "fn a() {\n    tree! {\n        for Guard: selector {\n            b,\n            dance(1),\n        }\n    }\n}\n";
    let document = Document::read(Notation::RUST, text).unwrap();
    let dance = document.trees[0].root.as_ref().unwrap().lists[0].children[1].id;
    let place = bt_behavior3::Place { line: 5, column: 13 };
    let located = document.located(text, &[Diagnostic::at(place, "it waits for the compiler".to_owned())]);
    assert_eq!(located[0].node, Some(dance));
    assert_eq!(located[0].message, "it waits for the compiler");
}

#[test]
fn problems_of_a_source_are_at_nodes() {
    let text = "fn a() {\n    tree! {\n        for Guard: selector {\n            retry { a }\n            succeed,\n            b,\n        }\n    }\n}\n";
    let expected = "retry: `retry` expects 1 argument, found 0; help: write `retry(3) { … }`";
    assert_eq!(problems(Notation::RUST, text, &NodeNames::default()), [expected]);
    let text = text.replace("retry {", "repeat(1) {");
    let expected = "repeat(1)[0]: warning: `repeat(1)` never starts its child again; help: write a larger number, or `force_success` instead, or write `#[allow(pointless)]` before this node";
    assert_eq!(problems(Notation::RUST, &text, &NodeNames::default()), [expected]);
}

#[test]
fn a_tree_that_is_used_twice_has_each_problem_once() {
    let text =
        "tree a { m }\n\ntree b { m }\n\ntree m { machine { state a { run } state b { run } state c { run } } }\n";
    let found = problems(Notation::TEXT, text, &NodeNames::new([("x", Arity::Zero)]));
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn places_of_nodes_are_those_of_their_heads() {
    let text = "fn é() {\n    tree! {\n        // é\n        for Guard: selector {\n            2 => #[allow(x)] retry { a }\n            !b,\n        }\n    }\n}\n";
    let document = Document::read(Notation::RUST, text).expect("a source");
    let at = |node: &Node| node.at.map(|(start, head)| (&text[start..start + 3], &text[head..=head]));
    let places: Vec<_> = document.trees[0].nodes().iter().map(|node| at(node)).collect();
    assert_eq!(
        places,
        [Some(("sel", "s")), Some(("2 =", "r")), Some(("a }", "a")), Some(("!b,", "!")), Some(("b,\n", "b"))]
    );
}
