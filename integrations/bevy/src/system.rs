//! Leaves that are systems.

use core::any::type_name;
use core::marker::PhantomData;

use bevy_ecs::prelude::*;
use bt_core::leaf::Leaf;
use bt_core::leaf::LeafShape;
use bt_core::{End, Outcome, Status};

use crate::behavior::{Agent, Behavior};
use crate::mind::Mind;
use crate::requests::{Owner, Request, Requests, Ticket};

/// A leaf that runs a system of Bevy, with the entity as its input. The system returns a [`Status`], a [`bool`], an
/// [`Outcome`], or nothing, which is a success.
///
/// The system may access anything, such as the [`World`], but it runs later: when the commands of the tick are applied. So the leaf is `Running` at
/// first, and returns the result in the next tick. While the system returns `Running`, it runs once per tick. If the leaf is halted before the commands are
/// applied, the system does not run. A later halt runs nothing: to clean up, write a leaf with `close`, or use [`task`](crate::task()), whose entity is despawned.
///
/// The system is a function or a closure without captures, whose first parameter is `In<Entity>`. Its `Local`s and its change detection belong to the system,
/// not to an entity. If the system cannot run, for example without a resource, the error is logged and the leaf returns `Error`.
///
/// A system can also return a `Result`, whose error is logged and ends the leaf with `Error`. Then the type of its success has to be named:
/// `system::<_, Status, _>(eat)`.
///
/// Prefer an ordinary function if it can access all that is needed: it is hundreds of times faster, and needs no second tick.
///
/// ```
/// use bevy_app::prelude::*;
/// use bevy_ecs::prelude::*;
/// use bt_bevy::prelude::*;
///
/// #[derive(Component)]
/// struct Hungry;
/// #[derive(Component)]
/// struct Apple;
///
/// fn eat(In(entity): In<Entity>, apples: Query<Entity, With<Apple>>, mut commands: Commands) -> bool {
///     let Some(apple) = apples.iter().next() else { return false };
///     commands.entity(apple).despawn();
///     commands.entity(entity).remove::<Hungry>();
///     true
/// }
///
/// struct Villager;
/// impl Behavior for Villager {
///     type Data = Has<Hungry>;
///     type Params = ();
///     fn tree() -> impl TreeOf<Self> {
///         tree! { for Agent<'_, '_, Villager>: sequence { is_hungry, system(eat) } }
///     }
/// }
/// fn is_hungry(villager: &Agent<Villager>) -> bool { villager.data }
///
/// let mut app = App::new();
/// app.add_plugins((bevy_time::TimePlugin, TreePlugin::<Villager>::new()));
/// app.world_mut().spawn(Apple);
/// let ann = app.world_mut().spawn((Mind::<Villager>::new(), Hungry)).id();
/// app.update();
/// assert!(!app.world().entity(ann).contains::<Hungry>());
/// ```
pub fn system<S, R, M>(system: S) -> SystemLeaf<S, R, M>
where
    S: IntoSystem<In<Entity>, R, M> + Clone + Send + Sync + 'static,
    R: SystemOutput,
    M: 'static,
{
    SystemLeaf { system, of: PhantomData }
}

/// A return type of a system that is a leaf: a [`Status`], an [`Outcome`], a [`bool`], or nothing, which is a success.
#[diagnostic::on_unimplemented(
    message = "a system that is a leaf cannot return `{Self}`",
    label = "not `Status`, `Outcome`, `bool` or `()`",
    note = "the system takes the entity as input, `In<Entity>`, and returns `Status`, `Outcome`, `bool` or `()`"
)]
pub trait SystemOutput: 'static {
    /// Returns the status of the leaf.
    fn status(self) -> Status;
}

impl SystemOutput for Status {
    fn status(self) -> Status {
        self
    }
}

impl SystemOutput for Outcome {
    fn status(self) -> Status {
        self.into()
    }
}

impl SystemOutput for bool {
    fn status(self) -> Status {
        self.into()
    }
}

impl SystemOutput for () {
    fn status(self) -> Status {
        Status::Success
    }
}

/// The leaf returned by [`system`].
pub struct SystemLeaf<S, R, M> {
    system: S,
    of: PhantomData<fn() -> (R, M)>,
}

impl<S: Clone, R, M> Clone for SystemLeaf<S, R, M> {
    fn clone(&self) -> Self {
        Self { system: self.system.clone(), of: PhantomData }
    }
}

impl<S, R, M> LeafShape for SystemLeaf<S, R, M> {
    type Open = TicketOfSystem;

    fn name(&self) -> &str {
        let name = type_name::<S>();
        name.rsplit("::").next().unwrap_or(name)
    }
}

/// The state of a running [`SystemLeaf`]. A save does not contain it: after loading, the system is run again.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct TicketOfSystem {
    /// `None` if it was loaded.
    #[cfg_attr(feature = "serialize", serde(skip))]
    ticket: Option<Ticket>,
}

/// Opens the request of a leaf that begins, or that was loaded.
fn opened<G: Behavior>(agent: &Agent<'_, '_, G>) -> Ticket {
    agent.requests.open_system(Owner::new::<G>(agent.entity))
}

impl<G: Behavior, S, R, M> Leaf<Agent<'_, '_, G>> for SystemLeaf<S, R, M>
where
    S: IntoSystem<In<Entity>, R, M> + Clone + Send + Sync + 'static,
    R: SystemOutput,
    M: 'static,
{
    fn open(&self, agent: &mut Agent<'_, '_, G>) -> TicketOfSystem {
        TicketOfSystem { ticket: Some(opened(agent)) }
    }

    fn tick(&self, open: &mut TicketOfSystem, agent: &mut Agent<'_, '_, G>) -> Status {
        let ticket = *open.ticket.get_or_insert_with(|| opened(agent));
        match agent.requests.get(ticket) {
            Some(Request::Answered(status)) if status != Status::Running => return status,
            Some(Request::Waiting) => return Status::Running,
            _ => {}
        }
        agent.requests.set(ticket, Request::Waiting);
        let (system, entity) = (self.system.clone(), agent.entity);
        agent.commands.queue(move |world: &mut World| {
            // A later command of the same tick may have halted the leaf.
            if world.resource::<Requests>().get(ticket) != Some(Request::Waiting) {
                return;
            }
            let status = match world.run_system_cached_with(system, entity) {
                Ok(result) => result.status(),
                Err(error) => {
                    let (system, name) = (type_name::<S>(), type_name::<G>());
                    log::error!("{entity}: the system {system}, a leaf of {name}, failed: {error}");
                    Status::Error
                }
            };
            world.resource::<Requests>().set(ticket, Request::Answered(status));
            if let Some(mut mind) = world.get_mut::<Mind<G>>(entity) {
                mind.bypass_change_detection().wake();
            }
        });
        Status::Running
    }

    fn close(&self, open: &mut TicketOfSystem, agent: &mut Agent<'_, '_, G>, _: End) {
        if let Some(ticket) = open.ticket {
            agent.requests.close(ticket);
        }
    }
}
