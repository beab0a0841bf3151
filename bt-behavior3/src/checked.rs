//! A tree in which nothing is wrong.

use serde_json::{Map, Value};

use crate::fault::Fault;
use crate::format::TreeSpec;
use crate::kind::NodeKind;

/// A tree in which nothing is wrong: all its nodes in pre-order, the root first.
#[derive(Clone, PartialEq, Debug)]
pub struct Checked {
    /// The tree's title.
    pub title: String,
    /// What the file says of the tree, without its nodes.
    pub tree: TreeSpec,
    /// The nodes.
    pub nodes: Vec<Node>,
}

/// A node of a [`Checked`] tree.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// Its id in the file; within a tree that is a node of another, after the ids of the nodes that lead there: `a/b`.
    pub id: String,
    /// The id of the node of the file that it comes of: where a name stands for several words, one below the other, all have the same.
    pub origin: String,
    /// What it is called in the file.
    pub name: String,
    /// Its title in the editor, if that is not its name.
    pub title: Option<String>,
    /// What it is.
    pub kind: NodeKind,
    /// Whether the file says that it is a condition.
    pub is_condition: bool,
    /// Its properties as the file has them, with its `parameters`.
    pub properties: Map<String, Value>,
    /// What else the file says of it: title, description, coordinates, ….
    pub more: Map<String, Value>,
    /// The index of the node that it hangs under.
    pub parent: Option<usize>,
    /// The indices of its children, in order.
    pub children: Vec<usize>,
}

impl Node {
    /// Something that is wrong with this node.
    pub fn fault(&self, reason: String) -> Fault {
        let title = self.title.as_ref().unwrap_or(&self.name).clone();
        Fault { id: self.id.clone(), title, reason }
    }
}
