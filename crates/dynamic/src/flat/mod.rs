//! A loaded tree as the engine runs it: its nodes in pre-order, without what they need of a context.

pub(crate) mod built_in;
pub(crate) mod cleanups;
pub(crate) mod code;
pub(crate) mod compile;
pub(crate) mod composites;
pub(crate) mod host;
pub(crate) mod memory;
pub(crate) mod node;
pub(crate) mod op;
pub(crate) mod packed;
pub(crate) mod region;
pub(crate) mod values;

use std::collections::BTreeMap;
use std::io;

use bt_behavior3::{Diagnostic, Node, NodeKind, Place, TreeSpec};
use bt_core::NodeId;
use bt_core::engine::{ErasedState, Fnv};
use serde_json::{Map, Value};

use crate::flat::code::Code;
use crate::flat::memory::LoadedMemory;
use crate::flat::node::LoadedNode;
use crate::flat::op::{NodeOp, index};
use crate::flat::region::RunWords;
use crate::nodes::shape::Shapes;

/// The source file that a tree follows.
pub(crate) struct Follows {
    pub(crate) file: &'static str,
    /// The texts and places of attached leaves, by their names.
    pub(crate) attached: BTreeMap<String, (String, Place)>,
}

/// A loaded tree without the nodes of the user and the context.
pub(crate) struct FlatTree {
    pub(crate) title: String,
    /// The source file that it follows, if it does.
    pub(crate) follows: Option<Follows>,
    /// The tree in the file, without its nodes.
    pub(crate) header: TreeSpec,
    pub(crate) nodes: Vec<LoadedNode>,
    /// What can never happen in it, and similar mistakes.
    pub(crate) warnings: Vec<Diagnostic>,
    /// The same nodes in the file.
    pub(crate) sources: Vec<Node>,
    /// [A hash](hash_of) of each node; 0 if the id is only a number in a text.
    pub(crate) hashes: Vec<u64>,
    /// The lists of children of all nodes, concatenated.
    pub(crate) children: Vec<u32>,
    /// The words of a memory that say what runs, which are the first.
    pub(crate) run_words: RunWords,
    /// The code of its regions.
    pub(crate) code: Code,
    /// Where a tick begins, if the root is the root of a region, which is then the first.
    pub(crate) entry: Option<u32>,
    /// The number of words and of slots in a memory.
    pub(crate) words: usize,
    pub(crate) slots: usize,
    /// A hash of nodes and properties, which identifies the tree of a memory.
    pub(crate) version: u64,
    /// Its fingerprint, without a surrounding tree.
    pub(crate) structure: u64,
    /// The node that each id belongs to.
    pub(crate) owners: Vec<u32>,
}

impl FlatTree {
    /// Returns a node of this tree in the file.
    pub(crate) fn source(&self, node: &LoadedNode) -> &Node {
        &self.sources[self.owners[node.at as usize] as usize]
    }

    /// Returns the id of the node in the file that an id belongs to.
    pub(crate) fn file_id(&self, node: NodeId) -> Option<&str> {
        let owner = *self.owners.get(node.index())?;
        Some(self.sources.get(owner as usize)?.id.as_str())
    }

    pub(crate) fn children_of(&self, node: &LoadedNode) -> &[u32] {
        node.children_in(&self.children)
    }

    /// Returns `true` if a node has the same id, name and properties as one of another tree; `false` also if its id is only a number in a text. It is faster than a
    /// comparison of texts, which are anywhere in memory.
    pub(crate) fn equals(&self, node: usize, other: &Self, there: usize) -> bool {
        self.hashes[node] != 0 && self.hashes[node] == other.hashes[there]
    }

    /// Returns `true` if the node at this index runs.
    #[inline]
    pub(crate) fn is_open(&self, node: usize, memory: &LoadedMemory) -> bool {
        self.nodes[node].place.is_open(&memory.words)
    }

    /// Returns what the memory of an agent contains that can be ticked at once: see [`LoadedMemory::ready`].
    #[inline(always)]
    pub(crate) const fn ready(&self, is_running: bool) -> u64 {
        self.version + is_running as u64
    }

    /// Returns `true` if a memory has the size of this tree's memories.
    pub(crate) fn fits(&self, kept: &LoadedMemory) -> bool {
        kept.words.len() == self.words && kept.slots.len() == self.slots
    }

    /// Returns the name of a leaf with state that is not part of saves. The memory belongs to this tree.
    pub(crate) fn unsaved_leaf(&self, memory: &LoadedMemory, shapes: &dyn Shapes) -> Option<&str> {
        let is_unsaved = |leaf, slot: Option<u32>| {
            slot.is_some_and(|slot| shapes.leaf(leaf).is_unsaved(&memory.slots[slot as usize]))
        };
        self.nodes.iter().find_map(|node| match &node.op {
            NodeOp::Leaf(leaf) => is_unsaved(*leaf, node.slot).then(|| self.source(node).name()),
            op => op.attachments().find(|attached| is_unsaved(attached.leaf, attached.slot)).map(|leaf| &*leaf.name),
        })
    }

    /// Returns the memory of an agent that has not been ticked yet.
    pub(crate) fn new_memory(&self) -> LoadedMemory {
        LoadedMemory {
            words: vec![0; self.words],
            slots: vec![ErasedState::Empty; self.slots],
            version: self.version,
            structure: self.structure,
            ready: 0,
            loaded: false,
            cleans_up: self.cleans_up(),
            error: None,
        }
    }
}

impl LoadedMemory {
    /// Marks the memory as ready to be ticked at once, unless the tick had an error.
    #[inline(always)]
    pub(crate) const fn ticked(&mut self, flat: &FlatTree, is_running: bool) {
        if self.error.is_none() {
            self.ready = flat.ready(is_running);
        }
    }
}

/// Returns the name of a node as it is compared with that of another, and a number for what else makes it what it is.
pub(crate) fn kind_and_name<'n>(source: &'n Node, op: &NodeOp) -> (usize, &'n str) {
    match (&source.kind, op) {
        // One word has several names.
        (NodeKind::Word(word, _), _) => (4 + *word as usize, ""),
        (NodeKind::Tree(name), _) => (3, name),
        (NodeKind::Own, NodeOp::Composite(_)) => (2, source.name()),
        (NodeKind::Own, NodeOp::Policy(_)) => (1, source.name()),
        (NodeKind::Own, _) => (0, source.name()),
    }
}

/// Returns a hash of the id, the name and the properties of a node.
pub(crate) fn hash_of(source: &Node, op: &NodeOp) -> u64 {
    let (mut hash, (kind, name)) = (Fnv::new(), kind_and_name(source, op));
    hash.write(&kind.to_le_bytes());
    for text in [&source.id, name] {
        hash.write(&index(text.len()).to_le_bytes());
        hash.write(text.as_bytes());
    }
    if !source.properties().is_empty() {
        add_properties(&mut hash, source.properties());
    }
    hash.finish()
}

/// Adds properties to a hash, as JSON.
pub(crate) fn add_properties(hash: &mut Fnv, properties: &Map<String, Value>) {
    struct Writer<'h>(&'h mut Fnv);
    impl io::Write for Writer<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.write(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    // Values of a file can always be written.
    let _ = serde_json::to_writer(Writer(hash), properties);
}
