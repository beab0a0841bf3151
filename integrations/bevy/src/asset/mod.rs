//! Trees from files, as assets of Bevy.

mod file;
mod registry;
mod slot;

use core::any::{TypeId, type_name};
use core::fmt;
use std::sync::Arc;

use bevy_app::{App, Plugin, PreUpdate};
use bevy_asset::{AssetApp as _, AssetEvent, AssetPath, AssetServer, Assets, Handle};
use bevy_ecs::prelude::*;
use bt_core::Save;
#[cfg(feature = "text")]
pub use file::TreeTextLoader;
pub use file::{TreeFile, TreeFileLoader};
pub use registry::{Agents, TreeRegistry, tree_registry};
pub(crate) use slot::collected;

use crate::behavior::{Behavior, TreeOf};
use crate::events::TreeReplaced;
use crate::mind::Mind;
use slot::TreeSlot;

/// Returns a tree that is loaded as an asset, from a file of the Behavior3 editor, or with the feature `text` from a `.bt` file, the text of a `tree!`. The tree is
/// reloaded when the file changes, if Bevy's feature `file_watcher` is on.
///
/// The path is relative to the folder of assets, as for all assets. The file is a tree, or a project: `npcs.b3.json#guard` is the tree with the title or id `guard`, and
/// `npcs.b3.json` the tree that was open last in the editor. In a text, `npcs.bt` is the first tree, and `npcs.bt#guard` the tree with the name `guard` after `tree`. The
/// registry maps the names in the file to leaves.
///
/// ```no_run
/// use bevy_app::prelude::*;
/// use bevy_ecs::prelude::*;
/// use bt_bevy::prelude::*;
/// use bt_bevy::{tree_asset, tree_registry};
///
/// #[derive(Component)]
/// struct Position(f32);
///
/// struct Guard;
/// impl Behavior for Guard {
///     type Data = &'static mut Position;
///     type Params = ();
///     fn tree() -> impl TreeOf<Self> {
///         let mut registry = tree_registry();
///         registry.add::<walk>("Walk").add_leaf("IsHome", is_home);
///         tree_asset("guard.b3.json", registry)
///     }
/// }
///
/// #[action]
/// fn walk(guard: &mut Agent<'_, '_, Guard>, meters: f32) { guard.data.0 += meters }
/// fn is_home(guard: &Agent<Guard>) -> bool { guard.data.0 == 0.0 }
///
/// App::new()
///     .add_plugins((bevy_time::TimePlugin, bevy_asset::AssetPlugin::default()))      // DefaultPlugins contains both
///     .add_plugins(TreePlugin::<Guard>::new())
///     .run();
/// ```
///
/// - The tree can also be a part of a `tree!`: `tree! { for Agent<'_, '_, Guard>: selector { flee, tree_asset("patrol.b3.json", registry()) } }`.
/// - Until the file is loaded, the tree is `Running` and sleeps.
/// - When the file changes, [`TreeReplaced`] is triggered, and all minds of the behavior wake. Nodes that are in both trees keep running: see
///   [`LoadedTreeOf::reload`](bt_dynamic::LoadedTreeOf::reload).
/// - If the file is missing at the start, an error is logged. So are all errors in a file: those of its structure, or if there are none, those of its properties.
///   Errors in a text have a line and column. The previous tree stays, also if the file is removed.
/// - Saved minds are loaded after the file.
///
/// The file is loaded only if the tree is a part of the one that [`Behavior::tree`] returns to [`TreePlugin`](crate::TreePlugin).
///
/// # Panics
///
/// Building the `TreePlugin` panics unless Bevy's `AssetPlugin` was added before.
pub fn tree_asset<G: Behavior>(
    path: impl Into<AssetPath<'static>>,
    registry: TreeRegistry<G>,
) -> impl TreeOf<G> + Save + Clone {
    slot::new(path.into(), registry)
}

/// The trees of an app that are loaded from files: see [`tree_asset`]. This resource exists if there are any.
#[derive(Resource, Default)]
pub struct TreeAssets(Vec<TreeAsset>);

impl TreeAssets {
    /// Returns whether all files of the tree of a behavior have been loaded.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*;
    /// # use bt_bevy::{Behavior, TreeAssets};
    /// fn can_begin<G: Behavior>(trees: Res<TreeAssets>) -> bool {
    ///     trees.are_loaded::<G>()
    /// }
    /// ```
    pub fn are_loaded<G: Behavior>(&self) -> bool {
        self.0.iter().all(|asset| asset.behavior != TypeId::of::<G>() || asset.slot.is_loaded())
    }
}

impl fmt::Debug for TreeAssets {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let files = self.0.iter().map(|asset| (asset.slot.path(), asset.slot.is_loaded()));
        out.debug_map().entries(files).finish()
    }
}

struct TreeAsset {
    slot: Arc<dyn TreeSlot>,
    handle: Handle<TreeFile>,
    behavior: TypeId,
    /// The name of the behavior.
    name: &'static str,
}

/// Loads the files of a behavior.
pub(crate) fn build<G: Behavior>(app: &mut App, slots: Vec<Arc<dyn TreeSlot>>) {
    if slots.is_empty() {
        return;
    }
    if !app.is_plugin_added::<TreeFiles>() {
        app.add_plugins(TreeFiles);
    }
    let Some(server) = app.world().get_resource::<AssetServer>().cloned() else {
        panic!(
            "TreePlugin<{}> loads a tree from a file, but there are no assets; help: add `DefaultPlugins` or `bevy_asset::AssetPlugin` before it",
            type_name::<G>()
        )
    };
    let mut assets = app.world_mut().resource_mut::<TreeAssets>();
    assets.0.extend(slots.into_iter().map(|slot| {
        let handle = server.load(slot.path().clone().without_label().into_owned());
        TreeAsset { slot, handle, behavior: TypeId::of::<G>(), name: type_name::<G>() }
    }));
    app.add_observer(|_: On<TreeReplaced<G>>, mut minds: Query<&mut Mind<G>>| {
        minds.iter_mut().for_each(|mut mind| mind.bypass_change_detection().wake());
    });
}

/// The asset type of the files.
struct TreeFiles;

impl Plugin for TreeFiles {
    fn build(&self, app: &mut App) {
        if app.world().contains_resource::<AssetServer>() {
            app.init_asset::<TreeFile>().register_asset_loader(TreeFileLoader);
            #[cfg(feature = "text")]
            app.register_asset_loader(TreeTextLoader);
            app.init_resource::<TreeAssets>().add_systems(PreUpdate, replace_trees);
        }
    }
}

/// Replaces the trees whose files were loaded.
fn replace_trees(
    mut events: MessageReader<AssetEvent<TreeFile>>,
    files: Res<Assets<TreeFile>>,
    assets: Res<TreeAssets>,
    mut commands: Commands,
) {
    for event in events.read() {
        let (AssetEvent::Added { id } | AssetEvent::Modified { id }) = event else { continue };
        for asset in assets.0.iter().filter(|asset| asset.handle.id() == *id) {
            let Some(file) = files.get(*id) else { continue };
            match asset.slot.replace(file) {
                Ok(()) => {
                    let slot = Arc::clone(&asset.slot);
                    commands.queue(move |world: &mut World| slot.trigger(world));
                }
                Err(error) => {
                    let (path, name) = (asset.slot.path(), asset.name);
                    for error in error.to_string().lines() {
                        log::error!("{path}: the tree of {name} stays as it is: {error}");
                    }
                }
            }
        }
    }
}
