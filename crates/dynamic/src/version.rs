//! A version of a tree: what the engine runs, with the nodes of the user, and the trees that it has replaced.

use std::sync::{Arc, Weak};

use bt_behavior3::Diagnostic;
use bt_core::describe::Visitor;

use crate::flat::FlatTree;
use crate::flat::memory::LoadedMemory;
use crate::matching::migration::Migrations;
use crate::nodes::shape::Shapes;

/// A tree that the engine runs, by what its nodes of the user are.
pub(crate) trait Form: Sized {
    type Nodes: Shapes;

    fn version(&self) -> &Version<Self>;
    fn version_mut(&mut self) -> &mut Version<Self>;
}

/// A version of a tree.
pub(crate) struct Version<T: Form> {
    pub(crate) flat: FlatTree,
    pub(crate) nodes: T::Nodes,
    /// How memories become memories of the tree that replaced this one.
    pub(crate) migrations: Migrations,
    /// The previous trees, while they exist.
    pub(crate) before: Vec<Weak<T>>,
}

/// The tree that a memory belongs to.
pub(crate) enum MemoryOwner<T> {
    /// The current tree.
    This,
    /// A previous tree.
    Before(Arc<T>),
    /// An unknown tree.
    Unknown,
}

impl<T: Form> Version<T> {
    pub(crate) fn new(flat: FlatTree, nodes: T::Nodes) -> Self {
        Self { flat, nodes, migrations: Migrations::default(), before: Vec::new() }
    }

    pub(crate) fn describe(&self, visitor: &mut dyn Visitor) {
        self.describe_with(&self.flat.warnings, visitor);
    }

    /// Describes the tree with these warnings, which are in the order of their nodes.
    pub(crate) fn describe_with(&self, mut warnings: &[Diagnostic], visitor: &mut dyn Visitor) {
        self.flat.show(0, &self.nodes, &mut warnings, visitor);
    }

    /// Returns the tree that a memory belongs to.
    pub(crate) fn owner_of(&self, kept: &LoadedMemory) -> MemoryOwner<T> {
        let fits = self.flat.fits(kept);
        if fits && kept.version == self.flat.version {
            return MemoryOwner::This;
        }
        // A loop, because iterators are compiled for each context.
        for before in &self.before {
            if let Some(before) = before.upgrade()
                && before.version().flat.version == kept.version
            {
                return MemoryOwner::Before(before);
            }
        }
        // A save of an earlier run of the program.
        let is_saved = kept.loaded && fits && kept.structure == self.flat.structure;
        if is_saved { MemoryOwner::This } else { MemoryOwner::Unknown }
    }
}
