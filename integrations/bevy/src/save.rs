//! Saving the memories of minds, and loading them.

use core::any::type_name;
use core::fmt;
use core::marker::PhantomData;
use core::time::Duration;

use bevy_app::App;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::InternedScheduleLabel;
use bevy_ecs::world::DeferredWorld;
use bevy_reflect::{Reflect, ReflectDeserialize, ReflectSerialize, TypePath};
use bevy_time::Time;
use bt_core::{Save, Shift, Tree as _};
use serde::{Deserialize, Serialize};

use crate::behavior::{Behavior, TreeOf};
use crate::mind::{IsKnown, Mind, MindMemory, warn_unless_known};
use crate::sets::TreeSystemsOf;
use crate::tick::Stored;

/// A behavior whose minds can be saved and loaded: all state of its tree implements serde's traits. See [`Save`].
///
/// The trait names the tree again, because the return type of [`Behavior::tree`] does not declare that the tree can be saved. [`TreePlugin::saves`] adds the
/// systems.
///
/// 1. Run the command [`SaveMinds`]. Each entity with a mind gets a [`SavedMind`].
/// 2. Save the `SavedMind` with your other components, also in Bevy's scenes: it implements `Serialize`, `Deserialize` and `Reflect`.
/// 3. Insert it into an entity without a [`Mind`], for example by loading the scene. The entity gets a mind that continues where it was.
///
/// ```
/// use bevy_app::prelude::*;
/// use bevy_ecs::prelude::*;
/// use bevy_reflect::TypePath;
/// use bt_bevy::bt_core::Save;
/// use bt_bevy::prelude::*;
/// use bt_bevy::{SaveBehavior, SaveMinds, SavedMind};
///
/// #[derive(Component)]
/// struct Step(u32);
///
/// #[derive(TypePath)]
/// struct Guard;
/// impl Behavior for Guard {
///     type Data = &'static mut Step;
///     type Params = ();
///     fn tree() -> impl TreeOf<Self> { Self::saved_tree() }
/// }
/// impl SaveBehavior for Guard {
///     fn saved_tree() -> impl TreeOf<Self> + Save {
///         tree! { for Agent<'_, '_, Guard>: mem_sequence { |guard: &mut Agent<Guard>| guard.data.0 += 1, run } }
///     }
/// }
/// fn app() -> App {
///     let mut app = App::new();
///     app.add_plugins((bevy_time::TimePlugin, TreePlugin::<Guard>::new().saves()));
///     app
/// }
///
/// let mut before = app();
/// let ann = before.world_mut().spawn((Mind::<Guard>::new(), Step(0))).id();
/// before.update();
/// SaveMinds.apply(before.world_mut());
/// let save = serde_json::to_string(before.world().get::<SavedMind<Guard>>(ann).unwrap())?;
///
/// let mut after = app();
/// let saved: SavedMind<Guard> = serde_json::from_str(&save)?;
/// let ann = after.world_mut().spawn((saved, Step(1))).id();
/// after.update();
/// assert_eq!(after.world().get::<Mind<Guard>>(ann).unwrap().status(), Some(Status::Running));
/// assert_eq!(after.world().get::<Step>(ann).unwrap().0, 1);        // the first step was not repeated
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// [`TreePlugin::saves`]: crate::TreePlugin::saves
#[diagnostic::on_unimplemented(
    message = "the minds of `{Self}` cannot be saved",
    label = "not a `SaveBehavior`",
    note = "write `impl SaveBehavior for {Self} {{ fn saved_tree() -> impl TreeOf<Self> + Save {{ … }} }}`, and let `tree` return `Self::saved_tree()`"
)]
pub trait SaveBehavior: Behavior + TypePath {
    /// Returns the tree. [`Behavior::tree`] must return it, too: `fn tree() -> impl TreeOf<Self> { Self::saved_tree() }`.
    fn saved_tree() -> impl TreeOf<Self> + Save;
}

/// A command that saves all minds whose behaviors are [saved](crate::TreePlugin::saves): their entities get a [`SavedMind`].
///
/// `SaveMinds.apply(world)` saves them at once, `commands.queue(SaveMinds)` when the commands are applied.
#[derive(Clone, Copy, Default, Debug)]
pub struct SaveMinds;

impl Command for SaveMinds {
    type Out = ();

    fn apply(self, world: &mut World) {
        let savers = world.get_resource::<Savers>().map(|savers| savers.0.clone()).unwrap_or_default();
        for save in savers {
            save(world);
        }
    }
}

/// The functions that save the minds of a behavior.
#[derive(Resource, Default)]
struct Savers(Vec<fn(&mut World)>);

/// The saved mind of an entity. See [`SaveBehavior`].
///
/// When it is inserted into an entity, it is loaded in the next run of the schedule, before trees are ticked, and then removed. The entity may have a [`Mind`] that was
/// never ticked, for example because another component requires it. If the mind was ticked, remove it first: otherwise nothing is loaded, and a warning is logged.
/// Removing a mind also removes the `SavedMind` of the entity.
///
/// - Its times are converted: a `wait` with 2 of 5 seconds left takes 2 more seconds, even if the clock starts again at 0.
/// - A running [`task`](crate::task()) or [`system`](crate::system()) starts again: the task is another entity, spawned by the first tick. Do not save the
///   entities of tasks.
/// - An [`Entity`] in the state of a custom leaf is not mapped to that of the loaded scene.
/// - If the structure of the tree has changed since, a warning is logged, and the tree starts from the beginning.
///
/// The memory is stored as `MessagePack`, with the names of fields.
#[derive(Component, Reflect, Serialize, Deserialize)]
#[reflect(Component, Serialize, Deserialize, Clone)]
#[component(on_add = warn_without_saving::<G>, on_insert = begin_loading::<G>)]
#[serde(bound = "")]
pub struct SavedMind<G: SaveBehavior> {
    memory: Vec<u8>,
    /// The time of the last run of the schedule.
    time: Duration,
    /// Whether it was just saved from the mind of its entity, so that it is not loaded there.
    #[reflect(ignore)]
    #[serde(skip)]
    is_of_mind: bool,
    #[reflect(ignore, clone)]
    #[serde(skip)]
    of: PhantomData<fn() -> G>,
}

/// An entity whose saved mind was inserted, and is not loaded yet.
#[derive(Component)]
struct Loading<G>(PhantomData<fn() -> G>);

impl<G: SaveBehavior> Clone for SavedMind<G> {
    fn clone(&self) -> Self {
        Self { memory: self.memory.clone(), time: self.time, is_of_mind: false, of: PhantomData }
    }
}

impl<G: SaveBehavior> fmt::Debug for SavedMind<G> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("SavedMind")
            .field("time", &self.time)
            .field("bytes", &self.memory.len())
            .finish_non_exhaustive()
    }
}

fn warn_without_saving<G: SaveBehavior>(world: DeferredWorld, context: HookContext) {
    let (entity, name) = (context.entity, type_name::<G>());
    warn_unless_known::<SavedMind<G>>(
        world,
        format_args!(
            "{entity} has a SavedMind<{name}>, but there is no TreePlugin::<{name}>::new().saves(): it is not loaded"
        ),
    );
}

fn begin_loading<G: SaveBehavior>(mut world: DeferredWorld, context: HookContext) {
    let entity = context.entity;
    let is_of_mind = world.get::<SavedMind<G>>(entity).is_some_and(|saved| saved.is_of_mind);
    if !(is_of_mind && world.entity(entity).contains::<Mind<G>>()) {
        world.commands().entity(entity).try_insert(Loading::<G>(PhantomData));
    }
}

/// Adds the systems that save and load the minds of a behavior.
pub(crate) fn build<G: SaveBehavior>(app: &mut App, schedule: InternedScheduleLabel) {
    fn add<G: SaveBehavior, N: TreeOf<G> + Save>(app: &mut App, schedule: InternedScheduleLabel, _: N) {
        assert!(
            app.world().contains_resource::<Stored<G, N>>(),
            "<{name} as Behavior>::tree does not return Self::saved_tree(); help: write `fn tree() -> impl TreeOf<Self> {{ Self::saved_tree() }}`",
            name = type_name::<G>()
        );
        app.init_resource::<IsKnown<SavedMind<G>>>().register_type::<SavedMind<G>>();
        app.add_observer(forget::<G>);
        app.world_mut().get_resource_or_init::<Savers>().0.push(save::<G, N>);
        let load = load::<G, N>.run_if(any_is_loaded::<G>).before(TreeSystemsOf::<G>::new());
        // The fingerprint of a tree is known when its files are loaded.
        #[cfg(feature = "asset")]
        let load =
            load.run_if(|trees: Option<Res<crate::TreeAssets>>| trees.is_none_or(|trees| trees.are_loaded::<G>()));
        app.add_systems(schedule, load);
    }
    add::<G, _>(app, schedule, G::saved_tree());
}

fn save<G: SaveBehavior, N: TreeOf<G> + Save>(world: &mut World) {
    let mut minds = world.query_filtered::<(Entity, &MindMemory<G, N>), Allow<Disabled>>();
    let stored = world.resource::<Stored<G, N>>();
    let (tree, time) = (&stored.tree, stored.last());
    // Until its files are loaded, a tree has not begun, and its fingerprint is another one.
    #[cfg(feature = "asset")]
    let has_begun = world.get_resource::<crate::TreeAssets>().is_none_or(crate::TreeAssets::are_loaded::<G>);
    #[cfg(not(feature = "asset"))]
    let has_begun = true;
    let saved = |memory| if has_begun { rmp_serde::to_vec_named(&tree.saved(memory)) } else { Ok(Vec::new()) };
    let saves: Vec<_> = minds.iter(world).map(|(entity, mind)| (entity, saved(&mind.memory))).collect();
    for (entity, memory) in saves {
        match memory {
            Ok(memory) => {
                let saved = SavedMind::<G> { memory, time, is_of_mind: true, of: PhantomData };
                world.entity_mut(entity).insert(saved);
            }
            Err(error) => log::error!("{entity}: the mind of {} cannot be saved: {error}", type_name::<G>()),
        }
    }
}

type Loaded<G> = (With<SavedMind<G>>, With<Loading<G>>, Allow<Disabled>);

fn any_is_loaded<G: SaveBehavior>(loaded: Query<(), Loaded<G>>) -> bool {
    !loaded.is_empty()
}

fn load<G: SaveBehavior, N: TreeOf<G> + Save>(world: &mut World, loaded: &mut QueryState<Entity, Loaded<G>>) {
    let entities: Vec<_> = loaded.iter(world).collect();
    let now = world.get_resource::<Time>().map(Time::elapsed).unwrap_or_default();
    for entity in entities {
        world.entity_mut(entity).remove::<Loading<G>>();
        if world.get::<Mind<G>>(entity).is_some_and(|mind| mind.status().is_some()) {
            let name = type_name::<G>();
            log::warn!(
                "{entity}: the SavedMind<{name}> is not loaded, because the mind of the entity was ticked; help: remove the mind before inserting the SavedMind"
            );
            continue;
        }
        let Some(saved) = world.entity_mut(entity).take::<SavedMind<G>>() else { continue };
        let tree = &world.resource::<Stored<G, N>>().tree;
        let mut memory = tree.memory();
        // Empty if the mind was saved before its tree had begun.
        if !saved.memory.is_empty()
            && let Err(error) = tree.load(&mut memory, &mut rmp_serde::Deserializer::from_read_ref(&saved.memory))
        {
            log::warn!("{entity}: the saved mind of {} is not loaded: {error}", type_name::<G>());
        }
        tree.shift(&mut memory, Shift::new(saved.time, now));
        // In this order: a mind that is inserted has a memory of its own.
        let mut entity = world.entity_mut(entity);
        entity.insert(Mind::<G>::new());
        if let Some(mut mind) = entity.get_mut::<MindMemory<G, N>>() {
            mind.memory = memory;
        }
    }
}

/// Removes what was saved of a mind that is removed, so that it is not loaded.
fn forget<G: SaveBehavior>(event: On<Remove<Mind<G>>>, mut commands: Commands) {
    commands.entity(event.entity).try_remove::<SavedMind<G>>();
}
