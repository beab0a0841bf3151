//! The limits of requests.

use bt_syntax::edit::{At, Document, Operation};

/// The maximum number of operations in a change.
const MAX_OPERATIONS: usize = 1000;
/// The maximum number of nodes that the operations of a change name. Each is searched for.
const MAX_NAMED: usize = 10_000;
/// The maximum size of a text in an operation, in bytes.
const MAX_TEXT: usize = 64 << 10;
/// The maximum number of nodes in a document that is changed.
const MAX_NODES: usize = 20_000;
/// The maximum size of the text of a document, in bytes, as that of its file.
pub(crate) const MAX_DOCUMENT: usize = 8 << 20;

/// Checks the number and the sizes of operations, before they are applied.
pub(super) fn check_operations(operations: &[Operation]) -> Result<(), String> {
    if operations.len() > MAX_OPERATIONS {
        return Err(format!("too many operations: found {}, the limit is {MAX_OPERATIONS}", operations.len()));
    }
    let named = operations.iter().map(check_operation).sum::<Result<usize, String>>()?;
    check_count(named)
}

/// Checks an operation. Returns the number of nodes that it names in a list.
pub(super) fn check_operation(operation: &Operation) -> Result<usize, String> {
    let (nodes, texts): (&[u32], Vec<&str>) = match operation {
        Operation::Insert { text, at: At::Before(_) | At::After(_) | At::In { .. } | At::Tree { .. } } => {
            (&[], vec![text])
        }
        Operation::Delete { nodes }
        | Operation::Duplicate { nodes }
        | Operation::Move { nodes, .. }
        | Operation::Disable { nodes }
        | Operation::Enable { nodes } => (nodes, Vec::new()),
        Operation::Wrap { nodes, head } => (nodes, vec![head]),
        Operation::Unwrap { .. } | Operation::Inline { .. } | Operation::Remove { .. } => (&[], Vec::new()),
        Operation::Replace { head, .. } => (&[], vec![head]),
        Operation::Argument { name, value, .. } => (&[], name.iter().chain(value).map(String::as_str).collect()),
        Operation::Annotate { before, .. } => (&[], vec![before]),
        Operation::Label { label, .. } => (&[], label.iter().map(String::as_str).collect()),
        Operation::Note { text, .. } => (&[], vec![text]),
        Operation::Create { name, text } => (&[], text.iter().chain([name]).map(String::as_str).collect()),
        Operation::Extract { name, .. } | Operation::Rename { name, .. } => (&[], vec![name]),
    };
    check_nodes(nodes)?;
    texts.into_iter().try_for_each(check_text)?;
    Ok(nodes.len())
}

fn check_count(nodes: usize) -> Result<(), String> {
    if nodes > MAX_NAMED {
        return Err(format!("too many nodes: found {nodes}, the limit is {MAX_NAMED}"));
    }
    Ok(())
}

/// Checks a list of nodes of a request.
pub(super) fn check_nodes(nodes: &[u32]) -> Result<(), String> {
    check_count(nodes.len())?;
    let mut sorted = nodes.to_vec();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("node {} is named twice", pair[0])),
        None => Ok(()),
    }
}

fn check_text(text: &str) -> Result<(), String> {
    if text.len() > MAX_TEXT {
        return Err(format!("the text is too long: {} bytes, the limit is {MAX_TEXT}", text.len()));
    }
    Ok(())
}

/// Checks the size of a document after each operation.
pub(super) fn check_document(document: &Document) -> Result<(), String> {
    let nodes: usize = document.trees.iter().map(|tree| tree.nodes().len()).sum();
    if nodes > MAX_NODES {
        return Err(format!("the document would have {nodes} nodes, the limit is {MAX_NODES}"));
    }
    Ok(())
}
