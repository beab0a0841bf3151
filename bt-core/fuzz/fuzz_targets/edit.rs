//! Whatever a file contains: without changes, it is written as it was read. After operations, what is written is read again, or an error says why it cannot be written.
//!
//! The first byte selects the notation, each pair of the next twelve an operation and its node; the file follows.
//!
//! `cargo fuzz run edit -- -max_total_time=600`, in `bt-core`; where there is only the stable compiler, with `RUSTC_BOOTSTRAP=1`.

#![no_main]

use bt_behavior3::NodeNames;
use bt_syntax::edit::{At, Document, Notation, Operation, Tree};
use libfuzzer_sys::fuzz_target;

/// The number of operations.
const OPERATIONS: usize = 6;

fn operation(which: u8, node: u32, other: u32) -> Operation {
    let nodes = vec![node];
    match which % 16 {
        0 => Operation::Insert { text: "// new\nsequence { n(1), wait(secs(1)) }".to_owned(), at: At::After(node) },
        1 => Operation::Insert { text: "n".to_owned(), at: At::In { r#in: node, list: 0, index: 1 } },
        2 => Operation::Delete { nodes },
        3 => Operation::Duplicate { nodes },
        4 => Operation::Move { nodes, at: At::Before(other) },
        5 => Operation::Move { nodes, at: At::In { r#in: other, list: 0, index: 0 } },
        6 => Operation::Wrap { nodes, head: "retry(3)".to_owned() },
        7 => Operation::Wrap { nodes, head: "!".to_owned() },
        8 => Operation::Unwrap { node },
        9 => Operation::Replace { node, head: "mem_selector".to_owned() },
        10 => Operation::Argument { node, index: Some(0), name: Some("x".to_owned()), value: Some("\"*/\"".to_owned()) },
        11 => Operation::Label { node, label: Some("a \\ \"b\"\n".to_owned()) },
        12 => Operation::Note { node, text: "one */ /*\n\ntwo".to_owned() },
        13 => Operation::Disable { nodes },
        14 => Operation::Extract { node, name: "part".to_owned() },
        _ => Operation::Inline { node },
    }
}

fuzz_target!(|input: &[u8]| {
    let Some((head, text)) = input.split_at_checked(1 + 2 * OPERATIONS) else { return };
    let Ok(text) = core::str::from_utf8(text) else { return };
    let notation = [Notation::RUST, Notation::TEXT, Notation::JSON][usize::from(head[0] % 3)];
    let Ok(mut document) = Document::read(notation, text) else { return };
    assert_eq!(document.write().as_deref(), Ok(text));
    for pair in head[1..].chunks(2) {
        let ids: Vec<_> = document.trees.iter().flat_map(Tree::nodes).map(|node| node.id).collect();
        let Some(count) = Some(ids.len()).filter(|count| *count > 0) else { break };
        let at = |byte: u8| ids[usize::from(byte) % count];
        let before = document.write();
        if document.apply(&operation(pair[0], at(pair[1]), at(pair[0].wrapping_mul(7)))).is_err() {
            assert_eq!(document.write(), before);
        }
    }
    let Ok(written) = document.write() else { return };
    let read = document.notation.project(&written, &|_| None);
    document.check(&written, read.as_ref(), &NodeNames::default().open());
    document.view(&written, &[]);
    if document.trees.iter().all(|tree| tree.broken.is_none()) {
        let again = document.reread(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
        assert!(again.trees.iter().all(|tree| tree.broken.is_none()), "{written}");
    }
});
