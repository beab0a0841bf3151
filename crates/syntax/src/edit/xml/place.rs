//! Where a node was read from.

use crate::edit::original::Original;

/// An element of a text, by where it begins. The text is that of the file, or was inserted.
#[derive(Clone, Debug)]
pub(in crate::edit) struct Source {
    pub(super) text: Original,
    pub(super) at: usize,
}

impl Source {
    /// Returns `true` for the element of a text that begins there.
    pub(super) fn is(&self, text: &str, at: usize) -> bool {
        self.text.as_ptr() == text.as_ptr() && self.at == at
    }
}

/// A node in whose place others are, and whose comments are written around them.
#[derive(Clone, Debug)]
pub(in crate::edit) struct Gone {
    pub(super) source: Source,
    /// Whether its begin or its end is here: with the first node in its place, or with the last.
    pub(super) is_begin: bool,
}
