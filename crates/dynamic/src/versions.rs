//! The versions of a tree.

use std::sync::Arc;

use bt_core::describe::Matching;
use bt_core::{Memory, NodeShape};

use crate::edit::migrate;
use crate::edit::migrated::Migrated;
use crate::flat::memory::LoadedMemory;
use crate::tree::LoadedTreeOf;
use crate::version::Form;
use bt_core::{ContextOf, Contexts, Single};

/// The maximum number of previous trees that are kept.
const MAX_BEFORE: usize = 8;

/// A tree, and the trees that it has replaced.
pub(crate) struct Versions<T> {
    pub(crate) current: Arc<T>,
    /// The previous trees, the latest first, for agents whose memory belongs to one of them.
    before: Vec<Arc<T>>,
}

/// A change of a loaded tree: the old tree and the new one.
pub type Change<C> = ChangeOf<Single<C>>;

/// A change of a loaded tree over a family of contexts: the old tree and the new one.
pub struct ChangeOf<F: Contexts> {
    /// The tree before the change.
    pub old: Arc<LoadedTreeOf<F>>,
    /// The tree after the change.
    pub new: Arc<LoadedTreeOf<F>>,
}

impl<F: Contexts> ChangeOf<F> {
    /// Migrates an agent to the new tree: see [`LoadedTreeOf::reload`]. The memory is that of the loaded tree, of a pointer to it, or of a
    /// [`LiveTree`](crate::LiveTree).
    pub fn apply<N: NodeShape<Open = (), Kept = LoadedMemory>>(
        &self,
        memory: &mut Memory<N>,
        ctx: &mut ContextOf<'_, '_, F>,
    ) -> Migrated {
        migrate(&*self.old, &self.new, memory, ctx)
    }

    /// Returns which nodes of the old tree are which nodes of the new one.
    #[must_use]
    pub fn matching(&self) -> Matching {
        self.old.matching(&self.new)
    }
}

impl<T: Form> Versions<T> {
    pub(crate) fn new(tree: T) -> Self {
        Self { current: Arc::new(tree), before: Vec::new() }
    }

    /// Replaces the current tree, and returns it. The memories of previous trees migrate in their next tick.
    pub(crate) fn replace(&mut self, mut tree: T) -> Arc<T> {
        self.before.insert(0, Arc::clone(&self.current));
        self.before.truncate(MAX_BEFORE);
        tree.version_mut().before = self.before.iter().map(Arc::downgrade).collect();
        std::mem::replace(&mut self.current, Arc::new(tree))
    }
}
