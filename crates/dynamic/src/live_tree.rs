//! A node whose tree is replaced while agents run.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use bt_core::describe::{Kind, Visitor};
use bt_core::engine::Facts;
use bt_core::{Memory, Outcomes, engine};

use crate::error::RunError;
use crate::node::node_of_versions;
use crate::tree::LoadedTreeOf;
use crate::version::Form as _;
use crate::versions::{ChangeOf, Versions};
use bt_core::{ContextOf, Contexts, Single};

/// A node whose tree is replaced while agents run. Its methods are those of [`LiveTreeOf`].
pub type LiveTree<C> = LiveTreeOf<Single<C>>;

/// A node whose tree is replaced while agents run: for trees from other sources than [files](crate::FileTree), such as the assets of an engine.
///
/// Clones are handles to the same tree: keep one, and use the others as nodes. In the next tick after [`replace`](Self::replace), an agent migrates to the new
/// tree as described at [`LoadedTreeOf::reload`]. Migration works across the last 8 trees. Before the first tree, the node returns `Running` and sleeps until an event.
///
/// Several changes between two ticks of an agent are one change to it, from the tree of its last tick to the current one. A tick first ticks the cleanups
/// that a halt has left running, once more in the tree that they belong to, and then migrates. [`ChangeOf::apply`] migrates an agent at once.
///
/// ```
/// use bt_core::prelude::*;
/// use bt_dynamic::{LiveTree, Registry};
///
/// let mut registry = Registry::<u32>::new();
/// registry.add_leaf("Walk", |steps: &mut u32| { *steps += 1; Status::Running });
/// registry.add_leaf("Run", |steps: &mut u32| { *steps += 10; Status::Running });
/// let file = |leaf| format!(r#"{{ "root": "1", "nodes": {{ "1": {{ "name": "{leaf}" }} }} }}"#);
///
/// let live = LiveTree::<u32>::new();
/// let node = live.clone();
/// let tree = tree! { for u32: sequence { |steps: &u32| *steps < 20, node } };
///
/// let (mut steps, mut memory) = (0, tree.memory());
/// assert_eq!(tree.tick(&mut steps, &mut memory), Status::Running);
/// live.replace(registry.load(&file("Walk"))?);
/// tree.tick(&mut steps, &mut memory);
/// live.replace(registry.load(&file("Run"))?);
/// tree.tick(&mut steps, &mut memory);
/// assert_eq!(steps, 11);
/// # Ok::<(), bt_dynamic::LoadError>(())
/// ```
///
/// The ids of nodes after this one depend on the number of nodes of the current tree: a description from before a change does not match the ticks after the change.
/// Recordings to files and the inspector follow the change by themselves, with the next tick that they observe.
pub struct LiveTreeOf<F: Contexts>(Arc<RwLock<Option<Versions<LoadedTreeOf<F>>>>>);

impl<F: Contexts> LiveTreeOf<F> {
    /// Returns a node without a tree.
    pub fn new() -> Self {
        Self(Arc::new(RwLock::new(None)))
    }

    /// Returns a node with a tree, and the tree.
    pub(crate) fn of(tree: LoadedTreeOf<F>) -> (Self, Arc<LoadedTreeOf<F>>) {
        let versions = Versions::new(tree);
        let current = Arc::clone(&versions.current);
        (Self(Arc::new(RwLock::new(Some(versions)))), current)
    }

    /// Returns the current tree.
    pub fn tree(&self) -> Option<Arc<LoadedTreeOf<F>>> {
        let versions = self.0.read().unwrap_or_else(PoisonError::into_inner);
        versions.as_ref().map(|versions| Arc::clone(&versions.current))
    }

    /// Replaces the tree, for all clones. Returns the change; `None` for the first tree.
    pub fn replace(&self, tree: LoadedTreeOf<F>) -> Option<ChangeOf<F>> {
        let mut versions = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let change = match &mut *versions {
            Some(versions) => {
                let old = versions.replace(tree);
                Some(ChangeOf { old, new: Arc::clone(&versions.current) })
            }
            None => {
                *versions = Some(Versions::new(tree));
                None
            }
        };
        drop(versions);
        engine::count_replaced();
        change
    }

    /// Returns the error of the last tick, if there was one.
    pub fn error<'a>(&self, memory: &'a Memory<Self>) -> Option<&'a RunError> {
        engine::parts(memory).1.error.as_deref()
    }
}

impl<F: Contexts> Default for LiveTreeOf<F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<F: Contexts> Clone for LiveTreeOf<F> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<F: Contexts> fmt::Debug for LiveTreeOf<F> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("LiveTree").field(&self.tree()).finish()
    }
}

node_of_versions! {
    LiveTreeOf<F>, [F: Contexts], over F: ContextOf<'x, 'y, F>, ['x, 'y, F: Contexts], |this| this.tree();

    const RETURNS: Outcomes = Outcomes::ANY;
    const FACTS: Facts = LoadedTreeOf::<F>::FACTS;

    fn describe(&self, visitor: &mut dyn Visitor) {
        match self.tree() {
            Some(tree) => tree.describe(visitor),
            None => visitor.leaf::<Self>(Kind::Action, "not loaded", &[]),
        }
    }
}
