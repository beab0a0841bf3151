//! A loaded tree: its nodes in pre-order.

use std::fmt;
use std::sync::{Arc, Mutex, Weak};

use bt_behavior3::{Diagnostic, Node, TreeSpec};
use bt_core::{Memory, NodeId, engine};

use crate::capabilities::Capabilities;
use crate::code::Code;
use crate::error::RunError;
use crate::memory::LoadedMemory;
use crate::migration::Migration;
use crate::op::LoadedNode;
use crate::region::Places;
use bt_core::engine::ErasedState;
use bt_core::{Contexts, Single};

/// A tree loaded from a file, which is a node over the context `C`: see the [crate](crate). Its methods are those of [`LoadedTreeOf`].
pub type LoadedTree<C> = LoadedTreeOf<Single<C>>;

/// A tree loaded from a file, which is a node over each context of a family. [`LoadedTree`] is the one for a single context type.
///
/// The memory of an agent contains a [`LoadedMemory`]: flat, and part of saves. The [fingerprint](bt_core::Tree::fingerprint) rejects a save of another file, as for any tree. A memory
/// of an unknown tree is reset in the first tick with this tree. Its running nodes are not halted, since their tree is unknown.
pub struct LoadedTreeOf<F: Contexts> {
    pub(crate) title: String,
    /// The tree in the file, without its nodes.
    pub(crate) header: TreeSpec,
    pub(crate) nodes: Vec<LoadedNode<F>>,
    /// What can never happen in it, and similar mistakes.
    pub(crate) warnings: Vec<Diagnostic>,
    /// The same nodes in the file.
    pub(crate) sources: Vec<Node>,
    /// The lists of children of all nodes, concatenated.
    pub(crate) children: Vec<u32>,
    /// What is part of which region.
    pub(crate) places: Places,
    /// The code of its regions.
    pub(crate) code: Code<F>,
    /// The number of words and of slots in a memory.
    pub(crate) words: usize,
    pub(crate) slots: usize,
    pub(crate) capabilities: Capabilities<F>,
    /// A hash of nodes and properties, which identifies the tree of a memory.
    pub(crate) version: u64,
    /// Its fingerprint, without a surrounding tree.
    pub(crate) structure: u64,
    /// How memories become memories of the tree that replaced this one.
    pub(crate) migration: Mutex<Option<Arc<Migration>>>,
    /// The previous trees, while they exist.
    pub(crate) before: Vec<Weak<Self>>,
    /// The node that each id belongs to.
    pub(crate) owners: Vec<u32>,
}

impl<F: Contexts> LoadedTreeOf<F> {
    /// Returns its title in the file.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Returns the mistakes in it that do not prevent loading: what can never happen, such as a child that is never ticked, and nodes that do
    /// nothing. They are those that the compiler reports for a `tree!`; see [`bt_core::check`] and
    /// [`Registry::deny`](crate::RegistryOf::deny).
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// Returns the id of a node in the file. For the condition of a transition or the action of a service, returns the id of the node that names it.
    pub fn file_id(&self, node: NodeId) -> Option<&str> {
        let owner = *self.owners.get(node.index())?;
        Some(self.sources.get(owner as usize)?.id.as_str())
    }

    /// Returns a node of this tree in the file.
    pub(crate) fn source(&self, node: &LoadedNode<F>) -> &Node {
        &self.sources[self.owners[node.at as usize] as usize]
    }

    /// Returns the error of the last tick, if there was one.
    pub fn error<'a>(&self, memory: &'a Memory<Self>) -> Option<&'a RunError> {
        engine::parts(memory).1.error.as_deref()
    }

    pub(crate) fn children_of(&self, node: &LoadedNode<F>) -> &[u32] {
        node.children_in(&self.children)
    }

    /// Returns `true` if the node at this index runs.
    pub(crate) fn is_open(&self, node: usize, memory: &LoadedMemory) -> bool {
        self.places.is_open(node, self.nodes[node].end, &memory.words)
    }

    /// Returns the memory of an agent that has not been ticked yet.
    pub(crate) fn new_memory(&self) -> LoadedMemory {
        LoadedMemory {
            words: vec![0; self.words],
            slots: vec![ErasedState::Empty; self.slots],
            version: self.version,
            structure: self.structure,
            loaded: false,
            error: None,
        }
    }
}

impl<F: Contexts> fmt::Debug for LoadedTreeOf<F> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("LoadedTree")
            .field("title", &self.title)
            .field("nodes", &self.owners.len())
            .finish_non_exhaustive()
    }
}
