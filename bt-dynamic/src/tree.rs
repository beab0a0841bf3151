//! A loaded tree: its nodes in pre-order.

use std::fmt;
use std::ops::Range;
use std::sync::Weak;

use bt_behavior3::TreeSpec;
use bt_core::describe::FileNode;
use bt_core::{Memory, NodeId, engine};
use bt_words::Word;

use crate::capabilities::Capabilities;
use crate::error::RunError;
use crate::memory::DynMemory;
use crate::op::NodeOp;
use crate::slot::Slot;

/// A tree that was loaded from a file: see the [crate](crate). A node like any other, over the context `C`.
///
/// An agent's memory of it is a [`DynMemory`]: flat, and part of saves. Loading a save of another file into it is refused by the
/// [fingerprint](bt_core::Tree::fingerprint), as for any other tree. A memory that was used with another tree, of which this one knows nothing, starts anew with its first tick;
/// what was open in it is not closed, since that tree is gone.
pub struct DynTree<C: ?Sized> {
    pub(crate) title: String,
    /// What the file says of the tree, without its nodes.
    pub(crate) header: TreeSpec,
    pub(crate) nodes: Vec<DynNode<C>>,
    /// The children of all nodes, one list after the other.
    pub(crate) children: Vec<u32>,
    /// How many words a memory has, and how many slots.
    pub(crate) words: usize,
    pub(crate) slots: usize,
    pub(crate) capabilities: Capabilities<C>,
    /// A hash of nodes and properties: memories are of one tree.
    pub(crate) version: u64,
    /// Its fingerprint, without what may be around it.
    pub(crate) structure: u64,
    /// The trees that were in its place before, as long as they exist.
    pub(crate) before: Vec<Weak<Self>>,
    /// The node that each id belongs to.
    pub(crate) owners: Vec<u32>,
}

/// A node of a loaded tree.
pub(crate) struct DynNode<C: ?Sized> {
    pub(crate) op: NodeOp<C>,
    /// Its word; `None` if it is one of the user's own.
    pub(crate) word: Option<Word>,
    /// Its id relative to the root's: leaves may be whole trees.
    pub(crate) at: u32,
    /// Its children in the list of all.
    pub(crate) children: Range<u32>,
    /// Where its words begin, and its slot, if it has one.
    pub(crate) first_word: u32,
    pub(crate) slot: Option<u32>,
    pub(crate) label: Option<String>,
    pub(crate) name: String,
    pub(crate) id: String,
    /// Name and properties in the file.
    pub(crate) spec: String,
    /// The same for descriptions, and what else the file says.
    pub(crate) file: FileNode,
}

impl<C: ?Sized> DynNode<C> {
    /// Its title in the file, or its name.
    pub(crate) fn title(&self) -> &str {
        self.label.as_ref().unwrap_or(&self.name)
    }

    /// All its slots: its own, and those of the attached leaves.
    pub(crate) fn slots(&self) -> impl Iterator<Item = u32> {
        self.slot.into_iter().chain(self.op.attachments().filter_map(|attachment| attachment.slot))
    }
}

impl<C: ?Sized> DynTree<C> {
    /// Its title in the file.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Returns the id that a node has in the file. The condition of a transition and the action of a service have that of the node that names them.
    pub fn file_id(&self, node: NodeId) -> Option<&str> {
        let owner = *self.owners.get(node.index())?;
        Some(self.nodes.get(owner as usize)?.id.as_str())
    }

    /// Returns what went wrong in the last tick, if anything did.
    pub fn error<'a>(&self, memory: &'a Memory<Self>) -> Option<&'a RunError> {
        engine::parts(memory).1.error.as_deref()
    }

    pub(crate) fn children_of(&self, node: &DynNode<C>) -> &[u32] {
        &self.children[node.children.start as usize..node.children.end as usize]
    }

    /// The memory of an agent that has not ticked yet.
    pub(crate) fn new_memory(&self) -> DynMemory {
        DynMemory {
            words: vec![0; self.words],
            slots: vec![Slot::Empty; self.slots],
            version: self.version,
            structure: self.structure,
            loaded: false,
            error: None,
        }
    }
}

impl<C: ?Sized> fmt::Debug for DynTree<C> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("DynTree")
            .field("title", &self.title)
            .field("nodes", &self.owners.len())
            .finish_non_exhaustive()
    }
}

/// An index as it is stored.
pub(crate) fn index(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
