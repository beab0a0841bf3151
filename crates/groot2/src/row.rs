//! A node as Groot2 knows it.

use bt_core::NodeId;
use bt_core::describe::Kind;

use crate::manner::Manner;
use crate::scope::Scope;

/// A node with a number.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The node, and the outermost of the decorators that are its attributes.
    pub(crate) node: NodeId,
    pub(crate) outer: NodeId,
    pub(crate) parent: Option<usize>,
    pub(crate) children: Vec<usize>,
    /// The row after the last one below this node.
    pub(crate) end: usize,
    pub(crate) element: String,
    pub(crate) title: String,
    pub(crate) attributes: Vec<(String, String)>,
    pub(crate) scripts: Vec<(String, String)>,
    pub(crate) kind: Kind,
    pub(crate) manner: Manner,
    /// What a nested tree is.
    pub(crate) tree: Option<Nested>,
}

/// A nested tree.
#[derive(Clone, Debug)]
pub(crate) struct Nested {
    /// The path of the instance.
    pub(crate) path: String,
    /// The names in it.
    pub(crate) scope: Scope,
    /// The values that it is passed.
    pub(crate) fixed: Vec<(String, String)>,
    /// What the names of its own variables start with.
    pub(crate) prefix: String,
}

/// Returns the number of a row.
pub(crate) fn uid_of(row: usize) -> u16 {
    u16::try_from(row + 1).unwrap_or(u16::MAX)
}
