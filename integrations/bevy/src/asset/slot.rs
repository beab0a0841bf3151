//! The trees of a behavior that are loaded from files.

use std::cell::RefCell;
use std::sync::Arc;

use bevy_asset::AssetPath;
use bevy_ecs::world::World;
use bt_dynamic::{LiveTreeOf, LoadError};

use super::file::TreeFile;
use super::{Agents, TreeRegistry};
use crate::behavior::Behavior;
use crate::events::TreeReplaced;

/// A tree that is loaded from a file.
pub(crate) trait TreeSlot: Send + Sync {
    /// Returns the path of the file. Its label is the name of the tree in the file.
    fn path(&self) -> &AssetPath<'static>;
    fn is_loaded(&self) -> bool;
    fn replace(&self, file: &TreeFile) -> Result<(), LoadError>;
    /// Triggers the event that the tree was replaced.
    fn trigger(&self, world: &mut World);
}

struct Slot<G: Behavior> {
    path: AssetPath<'static>,
    registry: TreeRegistry<G>,
    live: LiveTreeOf<Agents<G>>,
}

impl<G: Behavior> TreeSlot for Slot<G> {
    fn path(&self) -> &AssetPath<'static> {
        &self.path
    }

    fn is_loaded(&self) -> bool {
        self.live.tree().is_some()
    }

    fn replace(&self, file: &TreeFile) -> Result<(), LoadError> {
        let tree = match file {
            TreeFile::Project(project) => self.registry.load_from(project, self.path.label()),
            #[cfg(feature = "text")]
            TreeFile::Text(text) => self.registry.load_from(&self.registry.read_tree(text)?, self.path.label()),
        };
        self.live.replace(tree?);
        Ok(())
    }

    fn trigger(&self, world: &mut World) {
        world.trigger(TreeReplaced::<G>::new());
    }
}

thread_local! {
    /// The slots that are created while a plugin builds the tree of its behavior.
    static CREATED: RefCell<Option<Vec<Arc<dyn TreeSlot>>>> = const { RefCell::new(None) };
}

/// Returns a node for the tree of a file.
pub(super) fn new<G: Behavior>(path: AssetPath<'static>, registry: TreeRegistry<G>) -> LiveTreeOf<Agents<G>> {
    let live = LiveTreeOf::new();
    CREATED.with_borrow_mut(|created| {
        if let Some(slots) = created {
            slots.push(Arc::new(Slot { path, registry, live: live.clone() }));
        }
    });
    live
}

/// Calls a function that creates a tree. Returns the tree, and the slots of its parts that are loaded from files.
pub(crate) fn collected<N>(tree: impl FnOnce() -> N) -> (N, Vec<Arc<dyn TreeSlot>>) {
    let before = CREATED.replace(Some(Vec::new()));
    let tree = tree();
    (tree, CREATED.replace(before).unwrap_or_default())
}
