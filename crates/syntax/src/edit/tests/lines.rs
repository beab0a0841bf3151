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
    let insert = |node| Operation::Insert { text: "rest".to_owned(), at: At::After(node) };
    assert_eq!(changed("cooldown(1s)", &insert), "+  rest,");
}

#[test]
fn what_is_formatted_stays_formatted_with_every_operation() {
    for document in documents() {
        let ids = hostile::all(&document);
        for (index, id) in ids.iter().enumerate() {
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
