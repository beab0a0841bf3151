//! A loaded tree: its nodes in pre-order.

use std::fmt;

use bt_behavior3::Diagnostic;
use bt_core::{Memory, NodeId, engine};

use crate::answers::parts::Parts;
use crate::error::RunError;
use crate::version::{Form, Version};
use bt_core::{Contexts, Single};

/// A tree loaded from a file, which is a node over the context `C`: see the [crate](crate). Its methods are those of [`LoadedTreeOf`].
pub type LoadedTree<C> = LoadedTreeOf<Single<C>>;

/// A tree loaded from a file, which is a node over each context of a family. [`LoadedTree`] is the one for a single context type.
///
/// The memory of an agent contains a [`LoadedMemory`](crate::LoadedMemory): flat, and part of saves. The [fingerprint](bt_core::Tree::fingerprint) rejects a save of another file, as for any tree. A memory
/// of an unknown tree is reset in the first tick with this tree. Its running nodes are not halted, since their tree is unknown.
pub struct LoadedTreeOf<F: Contexts> {
    pub(crate) version: Version<Self>,
}

impl<F: Contexts> Form for LoadedTreeOf<F> {
    type Nodes = Parts<F>;

    #[inline(always)]
    fn version(&self) -> &Version<Self> {
        &self.version
    }

    fn version_mut(&mut self) -> &mut Version<Self> {
        &mut self.version
    }
}

impl<F: Contexts> LoadedTreeOf<F> {
    /// Returns the title of the tree in the file.
    pub fn title(&self) -> &str {
        &self.version.flat.title
    }

    /// Returns the mistakes that do not prevent loading, such as a child that is never ticked, or a node that does nothing. The compiler
    /// reports the same mistakes in a `tree!`; see [`bt_core::check`] and [`Registry::deny`](crate::RegistryOf::deny).
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.version.flat.warnings
    }

    /// Returns the id of a node in the file. For the condition of a transition or the action of a service, returns the id of the node that names it.
    pub fn file_id(&self, node: NodeId) -> Option<&str> {
        self.version.flat.file_id(node)
    }

    /// Returns the error of the last tick, if there was one.
    pub fn error<'a>(&self, memory: &'a Memory<Self>) -> Option<&'a RunError> {
        engine::parts(memory).1.error.as_deref()
    }
}

impl<F: Contexts> fmt::Debug for LoadedTreeOf<F> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("LoadedTree")
            .field("title", &self.version.flat.title)
            .field("nodes", &self.version.flat.owners.len())
            .finish_non_exhaustive()
    }
}
