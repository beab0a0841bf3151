//! Events that ticks trigger.

use core::fmt;
use core::marker::PhantomData;
use std::collections::HashMap;
use std::sync::Arc;

use bevy_ecs::prelude::*;
use bt_core::describe::{Description, Kind};
use bt_core::{NodeId, NodeShape, Observer, Status};

use crate::behavior::Behavior;

/// Triggered for an entity after each tick whose status is not `Running`. See
/// [`TreePlugin::trigger_ends`](crate::TreePlugin::trigger_ends).
#[derive(EntityEvent)]
pub struct TreeEnded<G: Behavior> {
    /// The entity.
    pub entity: Entity,
    /// The status of the tree.
    pub status: Status,
    of: PhantomData<fn() -> G>,
}

impl<G: Behavior> TreeEnded<G> {
    pub(crate) fn new(entity: Entity, status: Status) -> Self {
        Self { entity, status, of: PhantomData }
    }
}

/// Triggered for an entity when a machine in its tree enters a state, including the first one. See
/// [`TreePlugin::trigger_states`](crate::TreePlugin::trigger_states).
///
/// ```
/// use bevy_app::prelude::*;
/// use bevy_ecs::prelude::*;
/// use bt_bevy::prelude::*;
///
/// #[derive(Component)]
/// struct IsLit(bool);
///
/// struct Lamp;
/// impl Behavior for Lamp {
///     type Data = &'static IsLit;
///     type Params = ();
///     fn tree() -> impl TreeOf<Self> {
///         tree! { for Agent<'_, '_, Lamp>: machine {
///             state off { run, is_lit -> on }
///             state on { run, !is_lit -> off }
///         } }
///     }
/// }
/// fn is_lit(lamp: &Agent<Lamp>) -> bool { lamp.data.0 }
///
/// let mut app = App::new();
/// app.add_plugins((bevy_time::TimePlugin, TreePlugin::<Lamp>::new().trigger_states()));
/// app.add_observer(|event: On<StateChanged<Lamp>>| println!("{} is {}", event.entity, event.state));
/// app.world_mut().spawn((Mind::<Lamp>::new(), IsLit(true)));
/// app.update();                                           // 3v0 is off
/// app.update();                                           // 3v0 is on
/// ```
#[derive(EntityEvent)]
pub struct StateChanged<G: Behavior> {
    /// The entity.
    pub entity: Entity,
    /// The machine.
    pub machine: NodeId,
    /// The label of the machine, if it has one.
    pub label: Option<Arc<str>>,
    /// The name of the state.
    pub state: Arc<str>,
    of: PhantomData<fn() -> G>,
}

/// Triggered when the tree of a behavior, or a part of it, was loaded from its file, for the first time or because the file has changed. See
/// [`tree_asset`](crate::tree_asset).
#[cfg(feature = "asset")]
#[derive(Event)]
pub struct TreeReplaced<G: Behavior>(PhantomData<fn() -> G>);

#[cfg(feature = "asset")]
impl<G: Behavior> TreeReplaced<G> {
    pub(crate) fn new() -> Self {
        Self(PhantomData)
    }
}

#[cfg(feature = "asset")]
impl<G: Behavior> fmt::Debug for TreeReplaced<G> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("TreeReplaced")
    }
}

impl<G: Behavior> fmt::Debug for TreeEnded<G> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("TreeEnded").field("entity", &self.entity).field("status", &self.status).finish()
    }
}

impl<G: Behavior> fmt::Debug for StateChanged<G> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entity, machine, label, state, .. } = self;
        out.debug_struct("StateChanged")
            .field("entity", entity)
            .field("machine", machine)
            .field("label", label)
            .field("state", state)
            .finish()
    }
}

/// The names of the machines of a tree.
pub(crate) struct StateNames(HashMap<NodeId, Machine>);

struct Machine {
    label: Option<Arc<str>>,
    states: Vec<Arc<str>>,
}

impl StateNames {
    pub(crate) fn of<N: NodeShape>(tree: &N) -> Self {
        let description = Description::of(tree);
        let names = |machine| description.children(machine).map(|state| state.name.as_str().into()).collect();
        let machines = description.nodes().iter().filter(|node| node.kind == Kind::Machine);
        let named = machines.map(|node| {
            let label = node.label.as_deref().map(Arc::from);
            (node.id, Machine { label, states: names(node.id) })
        });
        Self(named.collect())
    }
}

/// An observer that collects the transitions of a tick.
#[derive(Default)]
pub(crate) struct States(Vec<(NodeId, usize)>);

impl Observer for States {
    const INLINE: bool = false;

    fn state(&mut self, at: NodeId, state: usize) {
        self.0.push((at, state));
    }
}

impl States {
    pub(crate) fn trigger<G: Behavior>(&mut self, entity: Entity, names: &StateNames, commands: &mut Commands) {
        for (machine, state) in self.0.drain(..) {
            let Some(Machine { label, states }) = names.0.get(&machine) else { continue };
            if let Some(state) = states.get(state) {
                let (label, state) = (label.clone(), state.clone());
                commands.trigger(StateChanged::<G> { entity, machine, label, state, of: PhantomData });
            }
        }
    }
}
