//! A valid tree.

use serde_json::{Map, Value};

use crate::diagnostic::Diagnostic;
use crate::format::TreeSpec;
use crate::kind::NodeKind;

/// A valid tree: all its nodes in pre-order, the root first.
#[derive(Clone, PartialEq, Debug)]
pub struct Checked {
    /// The tree's title.
    pub title: String,
    /// The tree in the file, without its nodes.
    pub tree: TreeSpec,
    /// The nodes.
    pub nodes: Vec<Node>,
}

/// A node of a [`Checked`] tree.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// Its id in the file. In a nested tree, prefixed with the ids of the nodes that contain the tree: `a/b`.
    pub id: String,
    /// The id of its node in the file. If a name means several words, all their nodes have the same origin.
    pub origin: String,
    /// Its name in the file.
    pub name: String,
    /// Its title in the editor, if it differs from the name.
    pub title: Option<String>,
    /// Its kind.
    pub kind: NodeKind,
    /// Whether the file declares it as a condition.
    pub is_condition: bool,
    /// Its properties in the file, including its `parameters`.
    pub properties: Map<String, Value>,
    /// Its other fields in the file: title, description, coordinates, ….
    pub more: Map<String, Value>,
    /// The index of its parent.
    pub parent: Option<usize>,
    /// The indices of its children, in order.
    pub children: Vec<usize>,
}

impl Node {
    /// Returns an error about this node.
    pub fn diagnostic(&self, reason: String) -> Diagnostic {
        let title = self.title.as_ref().unwrap_or(&self.name).clone();
        Diagnostic { id: self.id.clone(), title, reason }
    }
}
