//! What was written last.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use bt_behavior3::Diagnostic;

use super::node::{Node, Open, Tree};

/// What was written last, for a document or another version of it.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// The lines of nodes that have changed since they were read, so that the next edit writes only those of others.
    pub(super) lines: Known,
    /// A text, and its trees.
    pub(super) read: Option<(String, Arc<[Tree]>)>,
}

/// The lines of nodes by their place; `None` if they cannot be written alone.
pub(super) type Known = HashMap<Place, (Vec<Arc<Node>>, Option<String>)>;

/// Where nodes are written: the first of them, by its address, their indentation, the delimiters around them, and the width of lines.
pub(super) type Place = (usize, (usize, bool), Open, usize);

/// Returns the trees of a text that was written, which are read once.
pub(super) fn trees_of(
    written: &Mutex<Written>,
    text: &str,
    read: impl FnOnce(&str) -> Result<Vec<Tree>, Diagnostic>,
) -> Result<Arc<[Tree]>, Diagnostic> {
    let mut written = written.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, trees)) = written.read.as_ref().filter(|(known, _)| known == text) {
        return Ok(Arc::clone(trees));
    }
    let trees: Arc<[Tree]> = read(text)?.into();
    written.read = Some((text.to_owned(), Arc::clone(&trees)));
    Ok(trees)
}
