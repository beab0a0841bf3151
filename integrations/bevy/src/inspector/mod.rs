//! Entities in the inspector's page.

mod component;

use core::any::type_name;
use core::fmt;
use core::marker::PhantomData;
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::sync::Arc;

use bevy_app::{App, Last, Plugin};
use bevy_ecs::prelude::*;
use bevy_ecs::reflect::AppTypeRegistry;
use bt_core::Tree as _;
use bt_core::describe::Description;
use bt_inspector::{Inspector, TreeKey};

use crate::behavior::{Behavior, TreeOf};
use crate::mind::Mind;
use crate::sets::TreeSystemsOf;
use crate::tick::Stored;
use crate::watch::{TreeInspector, WatchedMind};

/// A plugin that shows the trees of all entities in the [inspector](bt_inspector): a page in the browser, which draws their nodes, plays their past, and pauses
/// them.
///
/// The page lists entities by their [`Name`]. Next to the tree of the selected entity, it shows the components that are registered for reflection with
/// `#[reflect(Component)]`. They can be edited, unless the component is immutable, or a type in it cannot be deserialized by reflection; parts that are
/// not reflected stay as they are. An entity that the page pauses is skipped, while the app continues; a breakpoint stops the whole app.
///
/// ```no_run
/// # use bevy_app::prelude::*;
/// # use bt_bevy::prelude::*;
/// # struct Guard;
/// # impl Behavior for Guard {
/// #     type Data = ();
/// #     type Params = ();
/// #     fn tree() -> impl TreeOf<Self> { tree! { for Agent<'_, '_, Guard>: succeed } }
/// # }
/// App::new()
///     .add_plugins((bevy_time::TimePlugin, TreePlugin::<Guard>::new()))
///     .add_plugins(bt_bevy::TreeInspectorPlugin::default())          // http://127.0.0.1:7117
///     .run();
/// ```
///
/// If the address is in use, or no port of this machine is free, an error is logged, and the app continues without an inspector. In a browser, nothing is
/// served: see [`with`](Self::with).
#[derive(Clone, Default)]
pub struct TreeInspectorPlugin {
    address: Option<SocketAddr>,
    inspector: Option<Arc<Inspector>>,
}

impl TreeInspectorPlugin {
    /// Shows the entities in an inspector of the app, for example in one [without a server](Inspector::without_server) whose messages the app carries.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use bevy_app::prelude::*;
    /// use bt_bevy::TreeInspectorPlugin;
    /// use bt_bevy::bt_inspector::Inspector;
    ///
    /// let inspector = Arc::new(Inspector::without_server());
    /// App::new().add_plugins(TreeInspectorPlugin::with(Arc::clone(&inspector)));
    /// let page = inspector.connect();
    /// ```
    #[must_use]
    pub fn with(inspector: Arc<Inspector>) -> Self {
        Self { address: None, inspector: Some(inspector) }
    }

    /// Serves the page at this address. The default is port 7117 of this machine, or any free port if that is in use.
    ///
    /// # Panics
    ///
    /// Panics if `address` is not an address with a port, or its host name is unknown.
    #[must_use]
    pub fn at(address: &str) -> Self {
        let addresses = address.to_socket_addrs().map(|mut addresses| addresses.next());
        match addresses {
            Ok(address @ Some(_)) => Self { address, inspector: None },
            _ => panic!("`{address}` is not an address; help: write the address and a port, such as `127.0.0.1:7117`"),
        }
    }
}

impl fmt::Debug for TreeInspectorPlugin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("TreeInspectorPlugin").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Plugin for TreeInspectorPlugin {
    fn build(&self, app: &mut App) {
        if let Some(inspector) = &self.inspector {
            app.insert_resource(TreeInspector(Arc::clone(inspector)));
            return;
        }
        if let Some(inspector) = serve(self.address) {
            app.insert_resource(TreeInspector(Arc::new(inspector)));
        }
    }
}

/// Serves the pages. Logs why that is not possible.
#[cfg(not(target_family = "wasm"))]
fn serve(address: Option<SocketAddr>) -> Option<Inspector> {
    match address.map_or_else(Inspector::local, Inspector::serve) {
        Ok(inspector) => {
            eprintln!("inspector: {}", inspector.url());
            Some(inspector)
        }
        Err(error) => {
            let address = address.map_or_else(|| "this machine".to_owned(), |address| address.to_string());
            log::error!("the inspector cannot be served on {address}: {error}");
            None
        }
    }
}

#[cfg(target_family = "wasm")]
fn serve(_: Option<SocketAddr>) -> Option<Inspector> {
    log::error!("a browser cannot serve the inspector; help: use `TreeInspectorPlugin::with`");
    None
}

/// Adds the systems for a behavior. They run only with [`TreeInspectorPlugin`].
pub(crate) fn build<G: Behavior, N: TreeOf<G>>(app: &mut App, schedule: impl bevy_ecs::schedule::ScheduleLabel) {
    let is_inspected = resource_exists::<TreeInspector>;
    app.insert_resource(WatchedTree::<G> { registered: None, of: PhantomData });
    app.add_systems(schedule, attach::<G, N>.before(TreeSystemsOf::<G>::new()).run_if(is_inspected));
    app.add_observer(|event: On<Remove<Mind<G>>>, mut commands: Commands| {
        commands.entity(event.entity).try_remove::<WatchedMind<G>>();
    });
    #[cfg(feature = "asset")]
    app.add_observer(replace::<G, N>);
    app.add_systems(Last, show_components::<G>.run_if(is_inspected));
}

/// The tree of a behavior in the page.
#[derive(Resource)]
struct WatchedTree<G> {
    /// The tree as it was registered or replaced last.
    registered: Option<(TreeKey, Description)>,
    of: PhantomData<fn() -> G>,
}

fn short_name<G>() -> String {
    let name = type_name::<G>();
    name.rsplit("::").next().unwrap_or(name).to_owned()
}

/// Entities that are not watched yet.
type Unwatched<G> = (With<Mind<G>>, Without<WatchedMind<G>>);

fn attach<G: Behavior, N: TreeOf<G>>(
    inspector: Res<TreeInspector>,
    stored: Res<Stored<G, N>>,
    unwatched: Query<(Entity, Option<&Name>), Unwatched<G>>,
    mut tree: ResMut<WatchedTree<G>>,
    mut commands: Commands,
) {
    for (entity, name) in &unwatched {
        let register = || (inspector.0.tree(short_name::<G>(), &stored.tree), stored.tree.description());
        let key = tree.registered.get_or_insert_with(register).0.clone();
        let name = name.map_or_else(|| entity.to_string(), ToString::to_string);
        commands.entity(entity).insert(WatchedMind::<G>::new(inspector.0.agent(key, name)));
    }
}

/// Replaces the tree in the page when a part of it was reloaded.
#[cfg(feature = "asset")]
fn replace<G: Behavior, N: TreeOf<G>>(
    _: On<crate::TreeReplaced<G>>,
    inspector: Option<Res<TreeInspector>>,
    stored: Res<Stored<G, N>>,
    mut tree: ResMut<WatchedTree<G>>,
) {
    if let (Some(inspector), Some((key, description))) = (inspector, &mut tree.registered) {
        let new = stored.tree.description();
        inspector.0.replace(key, &stored.tree, &description.matching(&new));
        *description = new;
    }
}

/// Shows the components of selected entities, and applies the edits of pages.
fn show_components<G: Behavior>(world: &mut World, watched: &mut QueryState<(Entity, &WatchedMind<G>)>) {
    let is_selected = |(entity, watched): (Entity, &WatchedMind<G>)| watched.shows_values().then_some(entity);
    let selected: Vec<_> = watched.iter(world).filter_map(is_selected).collect();
    let Some(registry) = world.get_resource::<AppTypeRegistry>().cloned() else { return };
    for entity in selected {
        let Some(mut watched) = world.get_mut::<WatchedMind<G>>(entity).and_then(|mut watched| watched.take()) else {
            continue;
        };
        watched.show_mut(|values| component::show(world, entity, &registry.read(), values));
        if let Some(mut place) = world.get_mut::<WatchedMind<G>>(entity) {
            place.put(watched);
        }
    }
}
