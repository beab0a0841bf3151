//! Tests of hostile operations.

use bt_syntax::edit::{At, Notation, Operation};

use super::{GUARD, node};
use crate::editing::session::Session;

fn guard() -> Session {
    Session::open(Notation::TEXT, GUARD, true, None).expect("it is valid")
}

/// Returns why a change is refused, after which the document is the same.
fn refusal(operations: Vec<Operation>) -> String {
    let mut session = guard();
    let reason = session.change(operations, 10).expect_err("it is refused");
    assert_eq!((&**session.text(), session.steps()), (GUARD, [None, None]));
    reason
}

fn insert(text: impl Into<String>) -> Operation {
    Operation::Insert { text: text.into(), at: At::After(node(&guard(), "attack")) }
}

#[test]
fn the_number_and_the_size_of_operations_are_limited() {
    assert_eq!(refusal(vec![insert("a"); 1001]), "too many operations: found 1001, the limit is 1000");
    let long = "a, ".repeat(30_000);
    assert_eq!(refusal(vec![insert(long)]), "the text is too long: 90000 bytes, the limit is 65536");
    let nodes = vec![7; 100_000];
    assert_eq!(refusal(vec![Operation::Delete { nodes }]), "too many nodes: found 100000, the limit is 10000");
    let nodes = vec![3, 4, 3];
    assert_eq!(refusal(vec![Operation::Duplicate { nodes }]), "node 3 is named twice");
}

#[test]
fn a_document_cannot_grow_without_end() {
    let mut session = guard();
    let many = session.change(vec![insert("a, ".repeat(9_000))], 10).expect("there is room");
    assert_eq!(many.len(), 9_000);
    let twice = vec![Operation::Duplicate { nodes: many }];
    session.change(twice.clone(), 10).expect("there is room");
    let reason = session.change(twice, 10).expect_err("there is none");
    assert_eq!(reason, "the document would have 27003 nodes, the limit is 20000");
}

#[test]
fn a_tree_cannot_be_too_deep_for_the_stack() {
    let mut session = guard();
    let deep = format!("{}a{}", "invert { ".repeat(190), " }".repeat(190));
    session.change(vec![insert(deep)], 10).expect("it is not too deep");
    let mut around = node(&session, "a");
    let reason = loop {
        let wrap = Operation::Wrap { nodes: vec![around], head: "invert".to_owned() };
        match session.change(vec![wrap], 10) {
            Ok(selected) => around = selected[0],
            Err(reason) => break reason,
        }
    };
    assert_eq!(reason, "tree too deep: the limit is 200 levels");
    let read = session.document().notation.project(session.text(), &|_| None);
    session.document().check(session.text(), read.as_ref(), &bt_behavior3::NodeNames::default());
}

#[test]
fn garbage_is_refused_or_kept_as_it_is() {
    let garbage = [
        "\u{0}",
        "\u{feff}",
        "}",
        "{",
        ")",
        "\"",
        "'",
        "/*",
        "*/",
        "//",
        "\\",
        "r#\"",
        "#[",
        "\n\n",
        "\r",
        "a }",
        "a } b {",
        "a, }",
        "tree x { a }",
        "//x\n}",
        "\u{202e}a",
        "💥",
        "1e999999999",
        "\u{7f}",
    ];
    let mut applied = 0;
    for text in garbage {
        let patrol = node(&guard(), "patrol");
        let text = text.to_owned();
        for operation in [
            insert(text.clone()),
            Operation::Wrap { nodes: vec![patrol], head: text.clone() },
            Operation::Replace { node: patrol, head: text.clone() },
            Operation::Argument { node: patrol, index: Some(0), name: None, value: Some(text.clone()) },
            Operation::Argument { node: patrol, index: Some(0), name: Some(text.clone()), value: Some("1".to_owned()) },
            Operation::Annotate { node: patrol, before: text.clone() },
            Operation::Label { node: patrol, label: Some(text.clone()) },
            Operation::Note { node: patrol, text: text.clone() },
            Operation::Extract { node: patrol, name: text.clone() },
            Operation::Create { name: text.clone(), text: None },
        ] {
            let mut session = guard();
            if session.change(vec![operation.clone()], 10).is_err() {
                continue;
            }
            applied += 1;
            // Whatever it is, it stays in its place: the other nodes are still there.
            let text = session.text().clone();
            let read = bt_syntax::edit::Document::read(Notation::TEXT, &text);
            let read = read.unwrap_or_else(|error| panic!("{operation:?}: {error}: {text}"));
            let count = |document: &bt_syntax::edit::Document| {
                document.trees.iter().map(|tree| tree.nodes().len()).sum::<usize>()
            };
            assert_eq!(count(&read), count(session.document()), "{operation:?}: {text}");
        }
    }
    assert!(applied > 10, "labels and notes can be any text");
}
