//! Tests of open documents, without pages.

use bt_syntax::edit::{At, Operation, Tree};

use super::session::Session;

mod file;
mod limits;
mod loaded;
mod open_document;
mod session;

const GUARD: &str = "selector {\n    attack, // hard\n    patrol,\n}\n";

/// Returns the id of the first node with a head.
fn node(session: &Session, head: &str) -> u32 {
    let nodes: Vec<_> = session.document().trees.iter().flat_map(Tree::nodes).collect();
    nodes.iter().find(|node| node.head == head).unwrap_or_else(|| panic!("no {head}: {nodes:?}")).id
}

fn label(session: &Session, head: &str, label: &str) -> Operation {
    Operation::Label { node: node(session, head), label: Some(label.to_owned()) }
}

fn insert_after(session: &Session, head: &str, text: &str) -> Operation {
    Operation::Insert { text: text.to_owned(), at: At::After(node(session, head)) }
}
