//! Operations whose text is deeper than a stack.

use std::thread;

use super::super::{At, Document, Notation, Operation};

/// The stack of a thread of a server.
const STACK: usize = 2 << 20;

#[test]
fn a_deep_text_is_an_error_or_needs_no_stack() {
    let test = thread::Builder::new().stack_size(STACK).spawn(|| {
        let document = Document::read(Notation::TEXT, "selector { attack, patrol }").expect("a text");
        let node = document.trees[0].nodes()[2].id;
        for (open, close) in [
            ("(", ")"),
            ("{", "}"),
            ("invert {", "}"),
            ("!", ""),
            ("-", ""),
            ("a::<", ">"),
            ("|a| ", ""),
            ("if a ", ""),
        ] {
            for depth in [100, 1000, 10_000] {
                let text = format!("{}a{}", open.repeat(depth), close.repeat(depth));
                for operation in [
                    Operation::Insert { text: text.clone(), at: At::After(node) },
                    Operation::Wrap { nodes: vec![node], head: text.clone() },
                    Operation::Replace { node, head: text.clone() },
                    Operation::Annotate { node, before: text.clone() },
                    Operation::Argument { node, index: Some(0), name: None, value: Some(text.clone()) },
                ] {
                    use_all(document.clone(), &operation);
                }
            }
        }
    });
    test.expect("a thread").join().expect("no panic");
}

/// Applies an operation, and does with the document what a server does.
fn use_all(mut document: Document, operation: &Operation) {
    let Ok(nodes) = document.apply(operation) else { return };
    let Ok(text) = document.write() else { return };
    super::problems::check(&document, &text, &bt_behavior3::NodeNames::default());
    document.view(&text, &[]);
    document.copy(&nodes).expect("the nodes are there");
    document.reread(&text).expect("it was written");
}
