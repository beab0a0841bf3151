//! Leaves whose work is done by other systems.

use core::marker::PhantomData;

use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bt_core::leaf::Leaf;
use bt_core::leaf::LeafShape;
use bt_core::{End, Outcome, Status, Wake};

use crate::behavior::{Agent, Behavior};
use crate::mind::Mind;
use crate::requests::{Owner, Request, Requests, Ticket};

/// A leaf that spawns an entity with a bundle, and runs until that entity is [`Done`].
///
/// The entity is a child of the agent. Other systems find it by its components, do the work, and insert [`Done`] or trigger [`TaskEnd`]. When the leaf
/// ends or is halted, the entity is despawned. If anything else despawns the task, the leaf fails. The bundle must not contain `ChildOf`.
///
/// In drawings and in the inspector the leaf has the name of the bundle's type, or `task` if the bundle is a tuple.
///
/// The agent sleeps while it waits for a task, unless another part of its tree is awake.
///
/// ```
/// use bevy_app::prelude::*;
/// use bevy_ecs::prelude::*;
/// use bt_bevy::prelude::*;
///
/// #[derive(Component)]
/// struct Position(f32);
/// #[derive(Component)]
/// struct WalkTo(f32);
///
/// struct Guard;
/// impl Behavior for Guard {
///     type Data = &'static Position;
///     type Params = ();
///     fn tree() -> impl TreeOf<Self> {
///         tree! { for Agent<'_, '_, Guard>: sequence { task(|_: &mut Agent<Guard>| WalkTo(2.0)), succeed } }
///     }
/// }
///
/// fn walk(tasks: Query<(Entity, &WalkTo, &ChildOf)>, mut positions: Query<&mut Position>, mut commands: Commands) {
///     for (task, target, agent) in &tasks {
///         let Ok(mut position) = positions.get_mut(agent.parent()) else { continue };
///         position.0 += 1.0;
///         if position.0 >= target.0 {
///             commands.entity(task).insert(Done(Outcome::Success));
///         }
///     }
/// }
///
/// let mut app = App::new();
/// app.add_plugins((bevy_time::TimePlugin, TreePlugin::<Guard>::new())).add_systems(Update, walk.after(TreeSystems));
/// let ann = app.world_mut().spawn((Mind::<Guard>::new(), Position(0.0))).id();
/// for _ in 0..3 {
///     app.update();
/// }
/// assert_eq!(app.world().get::<Position>(ann).unwrap().0, 2.0);
/// assert_eq!(app.world().get::<Mind<Guard>>(ann).unwrap().status(), Some(Status::Success));
/// ```
pub fn task<F, B: Bundle>(bundle: F) -> Task<F, B> {
    Task { bundle, of: PhantomData }
}

/// The leaf returned by [`task`].
pub struct Task<F, B> {
    bundle: F,
    of: PhantomData<fn() -> B>,
}

impl<F: Clone, B> Clone for Task<F, B> {
    fn clone(&self) -> Self {
        Self { bundle: self.bundle.clone(), of: PhantomData }
    }
}

/// The result of a task: insert it into the entity of the task. The bundle of the task may already contain it. If it is inserted several times before the agent
/// is ticked, the last one counts.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Done(pub Outcome);

/// An event that ends a task, like inserting [`Done`].
///
/// ```
/// # use bevy_ecs::prelude::*;
/// # use bt_bevy::prelude::*;
/// # #[derive(Component)] struct WalkTo(f32);
/// # #[derive(EntityEvent)] struct Arrived { entity: Entity }
/// fn arrived(event: On<Arrived>, mut commands: Commands) {
///     commands.trigger(TaskEnd { task: event.entity, outcome: Outcome::Success });
/// }
/// ```
#[derive(EntityEvent, Clone, Copy, PartialEq, Eq, Debug)]
pub struct TaskEnd {
    /// The entity of the task.
    #[event_target]
    pub task: Entity,
    /// The result of the leaf.
    pub outcome: Outcome,
}

/// The agent that waits for a task.
#[derive(Component)]
#[require(IsTask)]
pub(crate) struct TaskOf<G: Behavior>(Entity, PhantomData<fn() -> G>);

/// An entity that is a task of any behavior.
#[derive(Component, Default)]
pub(crate) struct IsTask;

/// The state of a running [`Task`]: its entity. A save does not contain it: a loaded task starts again, with another entity.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub struct TaskEntity {
    #[cfg_attr(feature = "serialize", serde(skip, default = "no_entity"))]
    task: Entity,
}

/// The entity of a task that was loaded.
#[cfg(feature = "serialize")]
fn no_entity() -> Entity {
    Entity::PLACEHOLDER
}

impl<F, B> LeafShape for Task<F, B> {
    type Open = TaskEntity;

    fn wake(&self, _: &TaskEntity) -> Wake {
        Wake::Event
    }

    /// Returns the name of the bundle, or `task` if it is a tuple.
    fn name(&self) -> &'static str {
        let path = core::any::type_name::<B>();
        let path = path.split_once('<').map_or(path, |(path, _)| path);
        let name = path.rsplit("::").next().unwrap_or(path);
        if path.starts_with('(') { "task" } else { name }
    }
}

impl<G: Behavior, F, B: Bundle> Leaf<Agent<'_, '_, G>> for Task<F, B>
where
    F: Fn(&mut Agent<'_, '_, G>) -> B,
{
    fn open(&self, agent: &mut Agent<'_, '_, G>) -> TaskEntity {
        let bundle = (self.bundle)(agent);
        let task = agent.commands.spawn_empty().id();
        agent.requests.open_task(Owner::new::<G>(agent.entity), task);
        let components = (bundle, ChildOf(agent.entity), TaskOf::<G>(agent.entity, PhantomData));
        agent.commands.queue(move |world: &mut World| {
            // An earlier command may have halted the leaf.
            let is_open = world.resource::<Requests>().get(Ticket::Task(task)).is_some();
            if let Ok(mut task) = world.get_entity_mut(task) {
                if is_open {
                    task.insert(components);
                } else {
                    task.despawn();
                }
            }
        });
        TaskEntity { task }
    }

    fn tick(&self, open: &mut TaskEntity, agent: &mut Agent<'_, '_, G>) -> Status {
        if open.task == Entity::PLACEHOLDER {
            *open = self.open(agent);
        }
        match agent.requests.get(Ticket::Task(open.task)) {
            Some(Request::Answered(status)) => status,
            Some(Request::New | Request::Waiting) => Status::Running,
            None => Status::Failure,
        }
    }

    fn close(&self, open: &mut TaskEntity, agent: &mut Agent<'_, '_, G>, _: End) {
        agent.requests.close(Ticket::Task(open.task));
        if let Ok(mut task) = agent.commands.get_entity(open.task) {
            task.try_despawn();
        }
    }
}

/// What ends a task: the tasks of a behavior, also disabled ones, and the minds that wait for them.
#[derive(SystemParam)]
pub(crate) struct Tasks<'w, 's, G: Behavior> {
    agents: Query<'w, 's, &'static TaskOf<G>, Allow<Disabled>>,
    minds: Query<'w, 's, &'static mut Mind<G>, Allow<Disabled>>,
    requests: Res<'w, Requests>,
}

impl<G: Behavior> Tasks<'_, '_, G> {
    /// Ends a task, if the entity is one of this behavior.
    fn end(&mut self, task: Entity, outcome: Outcome) {
        if let Ok(of) = self.agents.get(task)
            && self.requests.set(Ticket::Task(task), Request::Answered(outcome.into()))
            && let Ok(mut mind) = self.minds.get_mut(of.0)
        {
            mind.bypass_change_detection().wake();
        }
    }
}

/// Ends a task into whose entity a [`Done`] was inserted.
pub(crate) fn done<G: Behavior>(event: On<Insert<Done>>, done: Query<&Done, Allow<Disabled>>, mut tasks: Tasks<G>) {
    if let Ok(done) = done.get(event.entity) {
        tasks.end(event.entity, done.0);
    }
}

/// Ends a task for which a [`TaskEnd`] was triggered.
pub(crate) fn ended<G: Behavior>(event: On<TaskEnd>, mut tasks: Tasks<G>) {
    tasks.end(event.task, event.outcome);
}

/// A task that anything other than its leaf despawns has failed.
pub(crate) fn removed<G: Behavior>(event: On<Remove<TaskOf<G>>>, mut tasks: Tasks<G>) {
    if tasks.requests.get(Ticket::Task(event.entity)) == Some(Request::Waiting) {
        tasks.end(event.entity, Outcome::Failure);
    }
}

/// The entities that are no task.
type NoTasks<'w, 's> = Query<'w, 's, (), (Without<IsTask>, Allow<Disabled>)>;

/// Warns if a [`Done`] is inserted into an entity that is not a task.
pub(crate) fn warn_done(event: On<Insert<Done>>, entities: NoTasks, requests: Res<Requests>) {
    warn_no_task(event.entity, "Done", &entities, &requests);
}

/// Warns if a [`TaskEnd`] is triggered for an entity that is not a task.
pub(crate) fn warn_end(event: On<TaskEnd>, entities: NoTasks, requests: Res<Requests>) {
    warn_no_task(event.task, "TaskEnd", &entities, &requests);
}

fn warn_no_task(entity: Entity, what: &str, entities: &NoTasks, requests: &Requests) {
    // The bundle of a task, inserted before the entity is marked as one, may contain a `Done`.
    if entities.contains(entity) && requests.get(Ticket::Task(entity)).is_none() {
        log::warn!(
            "{what} for {entity}, which is not a task, has no effect; help: use the entity of the task, which is a child of the agent"
        );
    }
}
