//! What was written last.

use std::collections::HashMap;
use std::sync::Arc;

use super::node::{Node, Open, Tree};

/// What was written last, for a document or another version of it.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// The lines of nodes that have changed since they were read, so that the next edit writes only those of others.
    pub(super) lines: HashMap<Place, (Vec<Arc<Node>>, Option<String>)>,
    /// A text, and its trees.
    pub(super) read: Option<(String, Arc<[Tree]>)>,
}

/// Where nodes are written: the first of them, by its address, their indentation, the delimiters around them, and the width of lines.
pub(super) type Place = (usize, (usize, bool), Open, usize);
