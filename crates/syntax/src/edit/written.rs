//! What was written last.

use std::collections::HashMap;
use std::sync::Arc;

use super::node::{Node, Open};

/// The lines of nodes that have changed since they were read, so that the next edit writes only those of others.
#[derive(Debug, Default)]
pub(super) struct Written(pub(super) HashMap<Place, (Vec<Arc<Node>>, Option<String>)>);

/// Where nodes are written: the first of them, by its address, their indentation, the delimiters around them, and the width of lines.
pub(super) type Place = (usize, (usize, bool), Open, usize);
