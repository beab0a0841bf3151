//! The plugin of a behavior.

use core::any::type_name;
use core::marker::PhantomData;

use bevy_app::{App, Last, Plugin, Update};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use bevy_ecs::system::{ScheduleSystem, SystemParamItem};

use crate::behavior::{Behavior, TreeOf};
use crate::events::StateNames;
#[cfg(feature = "asset")]
use crate::events::TreeReplaced;
use crate::mind::{IsKnown, Mind, MindMemory};
use crate::missing;
use crate::requests::Requests;
use crate::sets::{TreeSystems, TreeSystemsOf};
use crate::shared::SharedParams;
use crate::task;
use crate::tick::{self, Stored};

/// A plugin that ticks the trees of all entities with a [`Mind`] of this behavior. It needs Bevy's `TimePlugin`, which `DefaultPlugins` and `MinimalPlugins`
/// contain. Add this plugin before such entities are spawned. See [`Behavior`] for an example.
///
/// # Panics
///
/// Building the plugin panics if an entity already has such a mind. The first frame panics without `TimePlugin`.
pub struct TreePlugin<G: Behavior> {
    schedule: InternedScheduleLabel,
    seed: u64,
    triggers_ends: bool,
    triggers_states: bool,
    /// Adds the tree and the system that ticks it.
    add_tree: fn(&Self, &mut App),
    also: Vec<fn(&Self, &mut App)>,
    of: PhantomData<fn() -> G>,
}

impl<G: Behavior> TreePlugin<G> {
    /// Creates a plugin that ticks in `Update`.
    pub fn new() -> Self {
        Self {
            schedule: Update.intern(),
            seed: 0,
            triggers_ends: false,
            triggers_states: false,
            add_tree: |plugin, app| {
                fn add<G: Behavior, N: TreeOf<G>>(plugin: &TreePlugin<G>, app: &mut App, tree: N) {
                    plugin.add(app, tree);
                    plugin.add_ticking(app, tick::tick::<G, N>);
                }
                let tree = tree_of::<G>(app);
                add(plugin, app, tree);
            },
            also: Vec::new(),
            of: PhantomData,
        }
    }

    /// Ticks in another schedule, such as `FixedUpdate`.
    #[must_use]
    pub fn in_schedule(mut self, schedule: impl ScheduleLabel) -> Self {
        self.schedule = schedule.intern();
        self
    }

    /// Ticks on all threads of Bevy's compute pool, with the feature `multi_threaded`. The parameters must be [shared](SharedParams).
    ///
    /// Parallel ticks pay off from about ten thousand entities that are awake, or with slow leaves.
    #[must_use]
    pub fn parallel(mut self) -> Self
    where
        for<'w> SystemParamItem<'w, 'w, G::Params>: SharedParams,
    {
        self.add_tree = |plugin, app| {
            fn add<G: Behavior, N: TreeOf<G>>(plugin: &TreePlugin<G>, app: &mut App, tree: N)
            where
                for<'w> SystemParamItem<'w, 'w, G::Params>: SharedParams,
            {
                plugin.add(app, tree);
                plugin.add_ticking(app, tick::tick_parallel::<G, N>);
            }
            let tree = tree_of::<G>(app);
            add(plugin, app, tree);
        };
        self
    }

    /// Sets the seed of [`Agent::rng`](crate::Agent::rng). The default is 0.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Triggers [`TreeEnded`](crate::TreeEnded) after each tick whose status is not `Running`.
    #[must_use]
    pub fn trigger_ends(mut self) -> Self {
        self.triggers_ends = true;
        self
    }

    /// Triggers [`StateChanged`](crate::StateChanged) when a machine in the tree changes its state.
    #[must_use]
    pub fn trigger_states(mut self) -> Self {
        self.triggers_states = true;
        self
    }

    /// Wakes a sleeping entity when this event is triggered for it.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*;
    /// # use bt_bevy::prelude::*;
    /// # struct Guard;
    /// # impl Behavior for Guard {
    /// #     type Data = ();
    /// #     type Params = ();
    /// #     fn tree() -> impl TreeOf<Self> { tree! { for Agent<'_, '_, Guard>: succeed } }
    /// # }
    /// #[derive(EntityEvent)]
    /// struct Hit { entity: Entity }
    ///
    /// let plugin = TreePlugin::<Guard>::new().wakes_on::<Hit>();
    /// ```
    #[must_use]
    pub fn wakes_on<E: EntityEvent>(mut self) -> Self {
        self.also.push(|_, app| {
            app.add_observer(|event: On<E>, mut minds: Query<&mut Mind<G>>| {
                if let Ok(mut mind) = minds.get_mut(event.event_target()) {
                    mind.bypass_change_detection().wake();
                }
            });
        });
        self
    }

    /// Saves minds when the command [`SaveMinds`](crate::SaveMinds) is applied, and loads them from a [`SavedMind`](crate::SavedMind). See
    /// [`SaveBehavior`](crate::SaveBehavior).
    ///
    /// # Panics
    ///
    /// Building the plugin panics if [`Behavior::tree`] and [`SaveBehavior::saved_tree`](crate::SaveBehavior::saved_tree) return trees of different
    /// types.
    #[cfg(feature = "serialize")]
    #[must_use]
    pub fn saves(mut self) -> Self
    where
        G: crate::SaveBehavior,
    {
        self.also.push(|plugin, app| crate::save::build::<G>(app, plugin.schedule));
        self
    }

    fn add<N: TreeOf<G>>(&self, app: &mut App, tree: N) {
        let registered = app.try_register_required_components::<Mind<G>, MindMemory<G, N>>();
        assert!(
            registered.is_ok(),
            "TreePlugin<{name}> was added after an entity with Mind<{name}> had been spawned; help: add plugins first",
            name = type_name::<G>()
        );
        let states = self.triggers_states.then(|| StateNames::of(&tree));
        // Several behaviors of an entity draw different numbers.
        let seed = type_name::<G>().bytes().fold(self.seed, |seed, byte| tick::mixed(seed ^ u64::from(byte)));
        let triggers_ends = self.triggers_ends;
        app.insert_resource(Stored::<G, N>::new(tree, seed, triggers_ends, states));
        app.init_resource::<IsKnown<Mind<G>>>();
        app.add_observer(tick::halt::<G, N>).add_observer(tick::forget::<G, N>);
        #[cfg(feature = "asset")]
        app.add_observer(|_: On<TreeReplaced<G>>, mut stored: ResMut<Stored<G, N>>| {
            stored.states = stored.states.is_some().then(|| StateNames::of(&stored.tree));
        });
        #[cfg(feature = "inspector")]
        crate::inspector::build::<G, N>(app, self.schedule);
    }

    fn add_ticking<M>(&self, app: &mut App, system: impl IntoScheduleConfigs<ScheduleSystem, M>) {
        app.add_systems(self.schedule, system.in_set(TreeSystemsOf::<G>::new()).in_set(TreeSystems));
    }
}

/// Returns the tree of a behavior, and loads its files.
fn tree_of<G: Behavior>(app: &mut App) -> impl TreeOf<G> + use<G> {
    #[cfg(not(feature = "asset"))]
    let tree = (app, G::tree()).1;
    #[cfg(feature = "asset")]
    let tree = {
        let (tree, slots) = crate::asset::collected(G::tree);
        crate::asset::build::<G>(app, slots);
        tree
    };
    tree
}

impl<G: Behavior> Default for TreePlugin<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Behavior> Plugin for TreePlugin<G> {
    fn build(&self, app: &mut App) {
        if !app.world().contains_resource::<Requests>() {
            app.init_resource::<Requests>().add_observer(task::warn_done).add_observer(task::warn_end);
        }
        (self.add_tree)(self, app);
        app.add_systems(Last, missing::warn::<G>);
        app.add_systems(Last, missing::warn_untriggered::<G>(self.triggers_ends, self.triggers_states));
        app.add_observer(task::done::<G>).add_observer(task::ended::<G>).add_observer(task::removed::<G>);
        for also in &self.also {
            also(self, app);
        }
    }

    fn name(&self) -> &str {
        type_name::<Self>()
    }
}
