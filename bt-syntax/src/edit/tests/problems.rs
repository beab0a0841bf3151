//! What is wrong is at its node.

use bt_behavior3::{Arity, NodeNames};

use super::super::*;

/// The problems, each with the head of its node and the argument.
fn problems(notation: Notation, text: &str, names: &NodeNames) -> Vec<String> {
    let document = Document::read(notation, text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let shown = |problem: Problem| {
        let node = problem.node.and_then(|id| document.node(id).ok()).map_or("-", |node| &*node.head);
        let argument = problem.argument.map_or_else(String::new, |argument| format!("[{argument}]"));
        let warning = if problem.is_warning { "warning: " } else { "" };
        format!("{node}{argument}: {warning}{}", problem.message)
    };
    document.check(names, &|_| None).into_iter().map(shown).collect()
}

#[test]
fn problems_of_a_text_are_at_nodes_and_arguments() {
    let names = NodeNames::new([("near", Arity::Zero), ("attack", Arity::Zero)]);
    assert_eq!(problems(Notation::Text, "selector { near, attack }", &names), [""; 0]);
    assert_eq!(
        problems(
            Notation::Text,
            "selector {\n  // é\n  !ner,\n  retry(0) { attack }\n  timeout(secs(1), 2) { attack }\n}",
            &names
        ),
        ["near"; 0]
    );
}

#[test]
fn problems_of_a_source_are_at_nodes() {
    let text = "fn a() {\n    tree! {\n        for Guard: selector {\n            retry { a }\n            succeed,\n            b,\n        }\n    }\n}\n";
    assert_eq!(problems(Notation::Rust, text, &NodeNames::default()), [""; 0]);
}

#[test]
fn places_of_nodes_are_those_of_their_heads() {
    let text = "fn é() {\n    tree! {\n        // é\n        for Guard: selector {\n            #[allow(x)] 2 => retry { a }\n            !b,\n        }\n    }\n}\n";
    let document = Document::read(Notation::Rust, text).expect("a source");
    let at = |node: &Node| node.at.map(|(start, head)| (&text[start..start + 3], &text[head..head + 1]));
    let places: Vec<_> = document.trees[0].nodes().iter().map(|node| at(node)).collect();
    assert_eq!(places, [Some(("sel", "s")), Some(("#[a", "r")), Some(("a }", "a")), Some(("!b,", "!")), Some(("b,\n", "b"))]);
}
