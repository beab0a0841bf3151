//! The sizes of trees with their nested trees, which are counted before any is expanded.

use crate::ports::size;
use crate::spec::NodeSpec;

/// The maximum number of nodes of a tree, including nested trees.
pub const MAX_NODES: usize = 1 << 18;
/// How many times the nodes and the text of its file a tree with its nested trees may have.
const MAX_GROWTH: usize = 8;
/// The number of nodes that a tree of any file may have.
const SMALL_NODES: usize = 4096;
/// The amount of text that a tree of any file may have, in bytes.
const SMALL_TEXT: usize = 1 << 20;
/// The maximum amount of text of a tree in bytes, including each use of a nested tree.
const MAX_TEXT: usize = 64 << 20;

/// A number of nodes and an amount of text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Size {
    pub(crate) nodes: usize,
    /// In bytes.
    pub(crate) text: usize,
}

impl Size {
    /// Returns the size of a node of a file.
    pub(crate) fn of(id: &str, node: &NodeSpec) -> Self {
        let properties = node.properties.iter().map(|(name, value)| name.len() + size(value)).sum::<usize>();
        let parameters = node.parameters.as_ref().map_or(0, size);
        Self { nodes: 1, text: id.len() + node.name.len() + node.more.len() + properties + parameters }
    }

    /// Returns `true` if a tree of any file may have this size.
    pub(crate) const fn is_small(self) -> bool {
        self.nodes <= SMALL_NODES && self.text <= SMALL_TEXT
    }

    /// Returns the maximum size of a tree in a file of this size.
    pub(crate) const fn limit(self) -> Self {
        const fn at_least(number: usize, least: usize, most: usize) -> usize {
            let number = number.saturating_mul(MAX_GROWTH);
            if number < least {
                least
            } else if number > most {
                most
            } else {
                number
            }
        }
        Self { nodes: at_least(self.nodes, SMALL_NODES, MAX_NODES), text: at_least(self.text, SMALL_TEXT, MAX_TEXT) }
    }

    /// Returns the error for a tree that is larger than this limit.
    pub(crate) fn exceeded_by(self, size: Self) -> Option<String> {
        let (what, unit, [limit, found], [least, most]) = if size.nodes > self.nodes {
            ("many nodes", "", [self.nodes, size.nodes], [SMALL_NODES, MAX_NODES])
        } else if size.text > self.text {
            ("much text", " bytes", [self.text, size.text], [SMALL_TEXT, MAX_TEXT])
        } else {
            return None;
        };
        Some(format!(
            "too {what}: expected at most {limit}{unit} with all nested trees, found {found}; note: the limit is \
             {MAX_GROWTH} times that of the file, at least {least}, at most {most}"
        ))
    }
}

impl std::ops::AddAssign for Size {
    fn add_assign(&mut self, other: Self) {
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.text = self.text.saturating_add(other.text);
    }
}
