//! The lines that operations change: the others stay as they are, and a tree that is formatted stays formatted.

use proptest::prelude::*;

use super::super::*;
use super::{as_a_whole, hostile, kept, read};

/// Returns a document whose trees are formatted.
fn formatted(notation: Notation, text: &str) -> Document {
    let mut document = read(notation, text);
    document.trees.iter_mut().for_each(|tree| tree.around.read = None);
    read(notation, &document.write().expect("it can be written"))
}

fn documents() -> [Document; 3] {
    [(Notation::RUST, hostile::SOURCE), (Notation::RUST, kept::SOURCE), (Notation::TEXT, kept::TEXT)]
        .map(|(notation, text)| formatted(notation, text))
}

/// Applies an operation, and compares what is written line by line with what is written as a whole. Returns `None` if it is refused.
fn applied(document: &Document, operation: &Operation) -> Option<Document> {
    let mut changed = document.clone();
    changed.apply(operation).ok()?;
    assert_eq!(changed.write(), as_a_whole(&changed), "{operation:?}");
    Some(changed)
}

#[test]
fn only_the_lines_of_changed_nodes_are_written() {
    let text = "selector\n{\n  sequence {   near( 10.0 ) , attack }\n\n  // Goes home.\n  mem_sequence {\n    \
        goto( HOME ), // slowly\n    wait( 2s )\n  }\n  cooldown(1s) { a_node_with_a_long_name, another_one_with_a_long_name }\n}\n";
    let changed = |head: &str, operation: &dyn Fn(u32) -> Operation| {
        let mut document = read(Notation::TEXT, text);
        let node = document.nodes().find(|node| node.head == head).expect("it is there").id;
        document.apply(&operation(node)).expect("it is possible");
        let written = document.write().expect("it can be written");
        difference(text, &written).lines().filter(|line| line.starts_with(['-', '+'])).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(
        changed("goto( HOME )", &|node| Operation::Label { node, label: Some("home".to_owned()) }),
        "-    goto( HOME ), // slowly\n+    goto(HOME) \"home\", // slowly"
    );
    assert_eq!(changed("wait( 2s )", &|node| Operation::Delete { nodes: vec![node] }), "-    wait( 2s )");
    // What fits in a line is one.
    let wrap = |node| Operation::Wrap { nodes: vec![node], head: "retry(2)".to_owned() };
    assert_eq!(
        changed("near( 10.0 )", &wrap),
        "-  sequence {   near( 10.0 ) , attack }\n+  sequence { retry(2) { near(10.0) } attack }"
    );
    // The lines of the children stay.
    let label = |node| Operation::Label { node, label: Some("x".to_owned()) };
    assert_eq!(changed("mem_sequence", &label), "-  mem_sequence {\n+  mem_sequence \"x\" {");
    assert_eq!(changed("selector", &label), "-selector\n-{\n+selector \"x\" {");
    let insert = |node| Operation::Insert { text: "rest".to_owned(), at: At::After(node) };
    assert_eq!(changed("cooldown(1s)", &insert), "+  rest,");
}

#[test]
fn the_head_of_a_tree_is_written_alone() {
    let text = "tree day {\n  go( HOME ) }\n\ntree go { a( 1 ) } // Its note.\n";
    let renamed = |text: &str, from: &str, to: &str| {
        let mut document = read(Notation::TEXT, text);
        let tree = document.trees.iter().find(|tree| tree.name == from).expect("it is there").id;
        document.apply(&Operation::Rename { tree, name: to.to_owned() }).expect("it is possible");
        document.write().expect("it can be written")
    };
    for name in ["night", "d"] {
        assert_eq!(renamed(text, "day", name), text.replace("tree day", &format!("tree {name}")));
    }
    let used = text.replace("tree go", "tree walk").replace("{\n  go( HOME )", "{ walk(HOME)");
    assert_eq!(renamed(text, "go", "walk"), used);
    // What fits in a line only now, or no longer, is formatted.
    let long = format!("a_{}", "long_".repeat(20));
    let in_lines = renamed(text, "go", &long);
    assert!(in_lines.ends_with(&format!("tree {long} {{\n    a(1)\n}} // Its note.\n")));
    assert!(renamed(&in_lines, &long, "go").ends_with("tree go { a(1) } // Its note.\n"));
}

#[test]
fn what_is_formatted_stays_formatted_with_every_operation() {
    for document in documents() {
        let ids = hostile::all(&document);
        for (index, id) in ids.iter().enumerate().step_by(hostile::step()) {
            for operation in hostile::operations(*id, ids[(index * 7 + 3) % ids.len()]) {
                applied(&document, &operation);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn what_is_formatted_stays_formatted(
        which in 0_usize..3,
        steps in proptest::collection::vec((any::<u32>(), any::<u32>(), 0_usize..20), 1..12),
    ) {
        let mut document = documents()[which].clone();
        for (one, other, operation) in steps {
            let ids = hostile::all(&document);
            let at = |number: u32| ids[number as usize % ids.len()];
            let operation = hostile::operations(at(one), at(other)).swap_remove(operation);
            document = applied(&document, &operation).unwrap_or(document);
        }
    }
}

/// Changes around nodes that stay are those of their lines, in one step and in several.
#[test]
fn nodes_between_changes_stay() {
    let text = "selector {\n  // c\n  a,\n  sequence { x,y  , z }\n  b,\n}\n";
    let mut document = read(Notation::TEXT, text);
    let id = |document: &Document, head: &str| document.nodes().find(|node| node.head == head).expect("it is there").id;
    for (head, text) in [("a", "p"), ("b", "q")] {
        let at = At::Before(id(&document, head));
        document.apply(&Operation::Insert { text: text.to_owned(), at }).expect("it is possible");
    }
    let expected = "selector {\n  p,\n  // c\n  a,\n  sequence { x,y  , z }\n  q,\n  b,\n}\n";
    assert_eq!(document.write().as_deref(), Ok(expected));
    // A node that moves over others is written, not the others.
    let (node, at) = (id(&document, "q"), At::Before(id(&document, "p")));
    document.apply(&Operation::Move { nodes: vec![node], at }).expect("it is possible");
    let expected = "selector {\n  q,\n  p,\n  // c\n  a,\n  sequence { x,y  , z }\n  b,\n}\n";
    assert_eq!(document.write().as_deref(), Ok(expected));
}

/// Disabled nodes of a source are comments, which are no reason to write their neighbors, and in which no text of several lines can be.
#[test]
fn nodes_that_are_comments_stay() {
    let text = "fn f() -> N {\n    tree! {\n        selector {\n            a,\n            /* disabled: mem_sequence \"gone\" {\n                \
        lost,\n                lost2,\n            } */\n            say(\"x\n  y\"),\n        }\n    }\n}\n";
    let mut document = read(Notation::RUST, text);
    let id = |head: &str| document.nodes().find(|node| node.head == head).expect("it is there").id;
    let (a, say) = (id("a"), id("say(\"x\n  y\")"));
    document.apply(&Operation::Label { node: a, label: Some("x".to_owned()) }).expect("it is possible");
    assert_eq!(document.write().as_deref(), Ok(&*text.replace(" a,", " a \"x\",")));
    let error = document.apply(&Operation::Disable { nodes: vec![say] }).expect_err("its text has two lines");
    assert!(error.ends_with("cannot be a comment: a text in it has several lines"), "{error}");
}

#[test]
fn tabs_stay() {
    let text = "fn f() -> N { tree! {\n\tselector {\n\t\t// x\n\t\ta,\n\t\tb,\n\t}\n} }\n";
    let mut document = read(Notation::RUST, text);
    let root = document.trees[0].root.as_ref().expect("a root").id;
    document.apply(&Operation::Wrap { nodes: vec![root], head: "repeat".to_owned() }).expect("it is possible");
    let written = document.write().expect("it can be written");
    assert!(written.contains("\n\trepeat {\n\t\tselector {\n\t\t\t// x\n"), "{written}");
}

#[test]
fn a_copy_has_the_comments_of_its_node() {
    let mut document = read(Notation::TEXT, "selector {\n    // alone\n\n    // mine\n    a,\n    b,\n}\n");
    let a = document.nodes().find(|node| node.head == "a").expect("it is there").id;
    document.apply(&Operation::Duplicate { nodes: vec![a] }).expect("it is possible");
    let expected = "selector {\n    // alone\n\n    // mine\n    a,\n    // mine\n    a,\n    b,\n}\n";
    assert_eq!(document.write().as_deref(), Ok(expected));
}
