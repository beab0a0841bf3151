//! A node whose tree is replaced while agents run.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use bt_core::describe::{Info, Kind, Name, Visitor};
use bt_core::engine::Facts;
use bt_core::{
    CleanUp, Memory, Node, NodeId, NodeShape, Observer, Outcomes, Step, Wake, engine,
    protocol::{Foreseen, Interrupt, NodeState, StateVisitor, Visit, WakeVisit},
};

use crate::error::RunError;
use crate::flat::memory::LoadedMemory;
use crate::tree::LoadedTreeOf;
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

impl<F: Contexts> NodeShape for LiveTreeOf<F> {
    type Open = ();
    type Kept = LoadedMemory;
    const RETURNS: Outcomes = Outcomes::ANY;
    const FACTS: Facts = LoadedTreeOf::<F>::FACTS;
    const COUNT: Option<u32> = None;

    fn count(&self) -> u32 {
        self.tree().map_or(1, |tree| tree.count())
    }

    #[inline(always)]
    fn cleans_up(&self, kept: &LoadedMemory) -> bool {
        kept.cleans_up
    }

    fn walk(&self, at: NodeId, state: NodeState<'_, (), LoadedMemory>, visitor: &mut dyn StateVisitor) {
        if let Some(tree) = self.tree() {
            tree.walk(at, state, visitor);
        }
    }

    fn unsaved_leaf(&self, kept: &LoadedMemory) -> Option<String> {
        self.tree()?.unsaved_leaf(kept)
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        match self.tree() {
            Some(tree) => tree.describe(visitor),
            None => {
                let name = Name::Known("not loaded");
                visitor.leaf_of::<(Self::Open, Self::Kept)>(&Info {
                    kind: Kind::Action,
                    name,
                    returns: Self::RETURNS,
                    params: &[],
                });
            }
        }
    }
}

impl<'x, 'y, F: Contexts> Node<ContextOf<'x, 'y, F>> for LiveTreeOf<F> {
    fn start<O: Observer>(
        &self,
        at: NodeId,
        kept: &mut LoadedMemory,
        visit: &mut Visit<'_, ContextOf<'x, 'y, F>, O>,
    ) -> Step<()> {
        match self.tree() {
            Some(tree) => tree.start(at, kept, visit),
            None => Step::Running(()),
        }
    }

    fn resume<O: Observer>(
        &self,
        at: NodeId,
        open: &mut (),
        kept: &mut LoadedMemory,
        visit: &mut Visit<'_, ContextOf<'x, 'y, F>, O>,
    ) -> Step<()> {
        match self.tree() {
            Some(tree) => tree.resume(at, open, kept, visit),
            None => Step::Running(()),
        }
    }

    fn open_replaced(
        &self,
        at: NodeId,
        kept: &mut LoadedMemory,
        visit: &mut Visit<'_, ContextOf<'x, 'y, F>, ()>,
    ) -> Option<()> {
        self.tree().map_or(Some(()), |tree| tree.open_replaced(at, kept, visit))
    }

    fn interrupt<O: Observer>(
        &self,
        at: NodeId,
        open: &mut (),
        kept: &mut LoadedMemory,
        how: Interrupt,
        visit: &mut Visit<'_, ContextOf<'x, 'y, F>, O>,
    ) {
        if let Some(tree) = self.tree() {
            tree.interrupt(at, open, kept, how, visit);
        }
    }

    fn visit_cleanups<O: Observer>(
        &self,
        at: NodeId,
        kept: &mut LoadedMemory,
        how: CleanUp,
        visit: &mut Visit<'_, ContextOf<'x, 'y, F>, O>,
    ) {
        if let Some(tree) = self.tree() {
            tree.visit_cleanups(at, kept, how, visit);
        }
    }

    fn wake_cleanups(&self, kept: &LoadedMemory, visit: &mut WakeVisit<'_, ContextOf<'x, 'y, F>>) -> Wake {
        self.tree().map_or(Wake::Event, |tree| tree.wake_cleanups(kept, visit))
    }

    fn wake(&self, open: &(), kept: &LoadedMemory, visit: &mut WakeVisit<'_, ContextOf<'x, 'y, F>>) -> Wake {
        self.tree().map_or(Wake::Event, |tree| tree.wake(open, kept, visit))
    }

    fn foresee(&self, kept: &LoadedMemory, ctx: &mut ContextOf<'x, 'y, F>, event: bool) -> Foreseen {
        self.tree()?.foresee(kept, ctx, event)
    }
}
