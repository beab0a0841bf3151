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
    document.check(text, names, &|_| None).into_iter().map(shown).collect()
}

#[test]
fn problems_of_a_text_are_at_nodes_and_arguments() {
    let names = NodeNames::new([("near", Arity::Zero), ("attack", Arity::Zero)]);
    assert_eq!(problems(Notation::Text, "selector { near, attack }", &names), [""; 0]);
    let expected = "timeout(secs(1), 2): `timeout` expects 1 argument, found 2; help: write `timeout(secs(5))`";
    assert_eq!(problems(Notation::Text, "timeout(secs(1), 2) { attack }", &names), [expected]);
    let text = "selector {\n  // é\n  !ner,\n  wait(\"soon\"),\n  retry(0) { attack }\n}";
    let found = problems(Notation::Text, text, &names);
    assert_eq!(found[0], "ner: unknown node `ner`; help: did you mean `near`?");
    assert!(found[1].starts_with("wait(\"soon\")[0]: unknown value `soon`;"), "{found:?}");
    let text = "selector { near, succeed, attack, repeat(1) { near } }";
    let found = problems(Notation::Text, text, &names);
    assert!(!found.is_empty() && found.iter().all(|problem| problem.contains(": warning: ")), "{found:?}");
}

#[test]
fn problems_of_a_source_are_at_nodes() {
    let text = "fn a() {\n    tree! {\n        for Guard: selector {\n            retry { a }\n            succeed,\n            b,\n        }\n    }\n}\n";
    let expected = "retry: `retry` expects 1 argument, found 0; help: write `retry(3) { … }`";
    assert_eq!(problems(Notation::Rust, text, &NodeNames::default()), [expected]);
    let text = text.replace("retry {", "repeat(1) {");
    let expected = "repeat(1)[0]: warning: `repeat(1)` never starts its child again; help: write a larger number, or `force_success` in place of it, or write `#[allow(pointless)]` before this node";
    assert_eq!(problems(Notation::Rust, &text, &NodeNames::default()), [expected]);
}

#[test]
fn places_of_nodes_are_those_of_their_heads() {
    let text = "fn é() {\n    tree! {\n        // é\n        for Guard: selector {\n            #[allow(x)] 2 => retry { a }\n            !b,\n        }\n    }\n}\n";
    let document = Document::read(Notation::Rust, text).expect("a source");
    let at = |node: &Node| node.at.map(|(start, head)| (&text[start..start + 3], &text[head..=head]));
    let places: Vec<_> = document.trees[0].nodes().iter().map(|node| at(node)).collect();
    assert_eq!(
        places,
        [Some(("sel", "s")), Some(("#[a", "r")), Some(("a }", "a")), Some(("!b,", "!")), Some(("b,\n", "b"))]
    );
}
