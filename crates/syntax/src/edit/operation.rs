//! The operations on a document.

use serde::{Deserialize, Serialize};

/// A change of a document. Nodes and trees are identified by their ids.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "lowercase", deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Operation {
    /// Inserts the nodes of a text: `wait(secs(2))`, or several.
    Insert {
        text: String,
        at: At,
    },
    /// Deletes nodes with those below them. In sources and texts, comments above a node, after it in its line, and in a body without nodes stay above the
    /// next node; those in a body with nodes are deleted. In XML, the comments that belong to an element are deleted with it.
    Delete {
        nodes: Vec<u32>,
    },
    /// Inserts copies after the nodes.
    Duplicate {
        nodes: Vec<u32>,
    },
    Move {
        nodes: Vec<u32>,
        at: At,
    },
    /// Puts a node around neighbors: `cooldown(secs(2))`.
    Wrap {
        nodes: Vec<u32>,
        head: String,
    },
    /// Puts the children of a node in its place. They are disabled if the node was.
    Unwrap {
        node: u32,
    },
    /// Replaces the name and the arguments, and the label if `head` has one. Children and the note stay.
    Replace {
        node: u32,
        head: String,
    },
    /// Replaces an argument, by its index, or by its name if it is written with it or is that of a parameter of a word; `None` removes it.
    Argument {
        node: u32,
        #[serde(default)]
        #[cfg_attr(feature = "typescript", ts(optional = nullable))]
        index: Option<usize>,
        #[serde(default)]
        #[cfg_attr(feature = "typescript", ts(optional = nullable))]
        name: Option<String>,
        value: Option<String>,
    },
    /// Replaces the weight, the score or the pattern before a child.
    Annotate {
        node: u32,
        before: String,
    },
    Label {
        node: u32,
        label: Option<String>,
    },
    /// Replaces the comment above a node.
    Note {
        node: u32,
        text: String,
    },
    /// Disables nodes, which are then not part of the tree.
    Disable {
        nodes: Vec<u32>,
    },
    Enable {
        nodes: Vec<u32>,
    },
    /// Moves a node to a new tree, which is used in place of the node.
    Extract {
        node: u32,
        name: String,
    },
    /// Replaces the use of a tree with the nodes of the tree.
    Inline {
        node: u32,
    },
    /// Adds a tree, which is empty if `text` is missing.
    Create {
        name: String,
        #[serde(default)]
        #[cfg_attr(feature = "typescript", ts(optional = nullable))]
        text: Option<String>,
    },
    Rename {
        tree: u32,
        name: String,
    },
    /// Removes a tree that no other tree uses.
    Remove {
        tree: u32,
    },
}

/// A place of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum At {
    Before(u32),
    After(u32),
    /// In a list of a node, before the child with an index, or at its end.
    #[serde(untagged)]
    In {
        r#in: u32,
        #[serde(default)]
        list: usize,
        index: usize,
    },
    /// The root of an empty tree.
    #[serde(untagged)]
    Tree {
        tree: u32,
    },
}

/// Evaluates to the nodes that an operation changes, by shared or exclusive reference.
macro_rules! nodes {
    ($operation:expr, $one:path, $none:expr) => {
        match $operation {
            Operation::Delete { nodes }
            | Operation::Duplicate { nodes }
            | Operation::Move { nodes, .. }
            | Operation::Wrap { nodes, .. }
            | Operation::Disable { nodes }
            | Operation::Enable { nodes } => nodes,
            Operation::Unwrap { node }
            | Operation::Replace { node, .. }
            | Operation::Argument { node, .. }
            | Operation::Annotate { node, .. }
            | Operation::Label { node, .. }
            | Operation::Note { node, .. }
            | Operation::Extract { node, .. }
            | Operation::Inline { node } => $one(node),
            Operation::Insert { .. }
            | Operation::Create { .. }
            | Operation::Rename { .. }
            | Operation::Remove { .. } => $none,
        }
    };
}

impl Operation {
    /// Returns the nodes that the operation changes, without nodes that only identify a place.
    pub fn nodes(&self) -> &[u32] {
        nodes!(self, std::slice::from_ref, &[])
    }

    /// Replaces the ids of all nodes, and of all trees.
    pub(super) fn try_replace_ids<E>(
        &mut self,
        node: impl Fn(u32) -> Result<u32, E>,
        tree: impl Fn(u32) -> Result<u32, E>,
    ) -> Result<(), E> {
        let set_node = |id: &mut u32| node(*id).map(|new| *id = new);
        let set_tree = |id: &mut u32| tree(*id).map(|new| *id = new);
        let nodes: &mut [u32] = nodes!(self, std::slice::from_mut, &mut []);
        nodes.iter_mut().try_for_each(set_node)?;
        match self {
            Self::Insert { at, .. } | Self::Move { at, .. } => match at {
                At::Before(id) | At::After(id) | At::In { r#in: id, .. } => set_node(id),
                At::Tree { tree } => set_tree(tree),
            },
            Self::Rename { tree, .. } | Self::Remove { tree } => set_tree(tree),
            Self::Delete { .. }
            | Self::Duplicate { .. }
            | Self::Wrap { .. }
            | Self::Unwrap { .. }
            | Self::Replace { .. }
            | Self::Argument { .. }
            | Self::Annotate { .. }
            | Self::Label { .. }
            | Self::Note { .. }
            | Self::Disable { .. }
            | Self::Enable { .. }
            | Self::Extract { .. }
            | Self::Inline { .. }
            | Self::Create { .. } => Ok(()),
        }
    }

    /// Replaces the ids of all nodes and trees.
    pub(super) fn replace_ids(&mut self, new: impl Fn(u32) -> u32) {
        let replace = |id| Ok::<_, std::convert::Infallible>(new(id));
        let _ = self.try_replace_ids(replace, replace);
    }

    /// Returns the name of the operation, for a list of undoable operations.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Insert { .. } => "insert",
            Self::Delete { .. } => "delete",
            Self::Duplicate { .. } => "duplicate",
            Self::Move { .. } => "move",
            Self::Wrap { .. } => "wrap",
            Self::Unwrap { .. } => "unwrap",
            Self::Replace { .. } => "replace",
            Self::Argument { .. } => "change an argument",
            Self::Annotate { .. } => "change what is before a child",
            Self::Label { .. } => "label",
            Self::Note { .. } => "note",
            Self::Disable { .. } => "disable",
            Self::Enable { .. } => "enable",
            Self::Extract { .. } => "extract",
            Self::Inline { .. } => "inline",
            Self::Create { .. } => "create a tree",
            Self::Rename { .. } => "rename a tree",
            Self::Remove { .. } => "remove a tree",
        }
    }
}
