use bevy_ecs::prelude::*;
use bt_bevy::bt_core::Wake;
use bt_bevy::prelude::*;

use crate::{app, logs, update};

#[derive(Component)]
struct IsTired(bool);
#[derive(Component)]
struct Walk;

struct Walker;
impl Behavior for Walker {
    type Data = &'static IsTired;
    type Params = ();
    fn tree() -> impl TreeOf<Self> {
        tree! { for Agent<'_, '_, Walker>: selector { is_tired, task(|_: &mut Agent<Walker>| Walk) } }
    }
}
fn is_tired(walker: &Agent<Walker>) -> bool {
    walker.data.0
}
fn walking() -> (bevy_app::App, Entity, Entity) {
    let mut app = app(TreePlugin::<Walker>::new());
    let walker = app.world_mut().spawn((Mind::<Walker>::new(), IsTired(false))).id();
    update(&mut app, 1);
    let task = task_of(&mut app).expect("the task is spawned in the first tick");
    assert_eq!(app.world().get::<ChildOf>(task).map(ChildOf::parent), Some(walker));
    assert_eq!(app.world().get::<Mind<Walker>>(walker).expect("a mind").status(), Some(Status::Running));
    (app, walker, task)
}

fn task_of(app: &mut bevy_app::App) -> Option<Entity> {
    app.world_mut().query_filtered::<Entity, With<Walk>>().iter(app.world()).next()
}

fn status(app: &bevy_app::App, walker: Entity) -> Option<Status> {
    app.world().get::<Mind<Walker>>(walker).expect("a mind").status()
}

#[test]
fn a_task_ends_with_a_component() {
    let (mut app, walker, task) = walking();
    app.world_mut().entity_mut(task).insert(Done(Outcome::Success));
    update(&mut app, 1);
    assert_eq!(status(&app, walker), Some(Status::Success));
    assert!(app.world().get_entity(task).is_err(), "the task is despawned");
}

#[test]
fn a_task_ends_with_an_event() {
    let (mut app, walker, task) = walking();
    app.world_mut().trigger(TaskEnd { task, outcome: Outcome::Failure });
    update(&mut app, 1);
    assert_eq!(status(&app, walker), Some(Status::Failure));
}

#[test]
fn a_task_that_is_despawned_has_failed() {
    let (mut app, walker, task) = walking();
    app.world_mut().despawn(task);
    update(&mut app, 1);
    assert_eq!(status(&app, walker), Some(Status::Failure));
    update(&mut app, 1);
    assert!(task_of(&mut app).is_some_and(|next| next != task), "the next run has its own task");
}

#[test]
fn an_entity_sleeps_during_a_task() {
    struct Only;
    impl Behavior for Only {
        type Data = ();
        type Params = ();
        fn tree() -> impl TreeOf<Self> {
            tree! { for Agent<'_, '_, Only>: task(|_: &mut Agent<Only>| Walk) }
        }
    }
    let mut app = app(TreePlugin::<Only>::new());
    let entity = app.world_mut().spawn(Mind::<Only>::new()).id();
    update(&mut app, 1);
    assert_eq!(app.world().get::<Mind<Only>>(entity).expect("a mind").due(), Wake::Event);
    let task = task_of(&mut app).expect("a task");
    app.world_mut().entity_mut(task).insert(Done(Outcome::Success));
    assert_eq!(app.world().get::<Mind<Only>>(entity).expect("a mind").due(), Wake::Next);
}

#[test]
fn a_halted_task_is_despawned() {
    let (mut app, walker, task) = walking();
    app.world_mut().entity_mut(walker).insert(IsTired(true));
    update(&mut app, 1);
    assert!(app.world().get_entity(task).is_err());
    assert_eq!(status(&app, walker), Some(Status::Success));

    let (mut app, walker, task) = walking();
    app.world_mut().entity_mut(walker).remove::<Mind<Walker>>();
    assert!(app.world().get_entity(task).is_err(), "with the mind");

    let (mut app, walker, task) = walking();
    app.world_mut().despawn(walker);
    assert!(app.world().get_entity(task).is_err(), "with the entity");
}

#[test]
fn the_end_of_a_halted_task_is_ignored() {
    let (mut app, walker, task) = walking();
    app.world_mut().entity_mut(walker).remove::<Mind<Walker>>();
    app.world_mut().trigger(TaskEnd { task, outcome: Outcome::Failure });
    update(&mut app, 1);
}

#[test]
fn no_task_is_left_if_its_agent_ends_in_the_same_run() {
    struct Brief;
    impl Behavior for Brief {
        type Data = ();
        type Params = ();
        fn tree() -> impl TreeOf<Self> {
            tree! { for Agent<'_, '_, Brief>: task(|_: &mut Agent<Brief>| Walk) }
        }
    }
    #[derive(Resource, Clone, Copy)]
    enum End {
        Despawn,
        Remove,
    }
    fn end(minds: Query<Entity, With<Mind<Brief>>>, end: Res<End>, mut commands: Commands) {
        for entity in &minds {
            match *end {
                End::Despawn => commands.entity(entity).despawn(),
                End::Remove => _ = commands.entity(entity).remove::<Mind<Brief>>(),
            }
        }
    }
    for how in [End::Despawn, End::Remove] {
        let mut app = app(TreePlugin::<Brief>::new());
        app.insert_resource(how);
        // Its commands are applied together with those of the tick, and before them.
        app.add_systems(bevy_app::Update, end.before_ignore_deferred(TreeSystems));
        app.world_mut().spawn(Mind::<Brief>::new());
        update(&mut app, 2);
        assert_eq!(task_of(&mut app), None);
    }
}

#[test]
fn a_disabled_task_ends() {
    let (mut app, walker, task) = walking();
    app.world_mut().entity_mut(task).insert(bevy_ecs::entity_disabling::Disabled);
    app.world_mut().entity_mut(task).insert(Done(Outcome::Success));
    update(&mut app, 1);
    assert_eq!(status(&app, walker), Some(Status::Success));
}

#[test]
fn no_task_is_left_if_its_agent_has_lost_its_data() {
    let (mut app, walker, _) = walking();
    app.world_mut().entity_mut(walker).remove::<IsTired>();
    app.world_mut().entity_mut(walker).remove::<Mind<Walker>>();
    update(&mut app, 1);
    assert_eq!(task_of(&mut app), None);
}

#[test]
fn the_end_of_an_entity_that_is_no_task_is_reported() {
    logs::keep();
    let (mut app, walker, task) = walking();
    app.world_mut().entity_mut(walker).insert(Done(Outcome::Success));
    app.world_mut().trigger(TaskEnd { task: walker, outcome: Outcome::Success });
    update(&mut app, 1);
    let warnings = || logs::with(&format!("for {walker}, which is not a task"));
    assert_eq!(warnings().len(), 2, "{:?}", warnings());
    assert_eq!(status(&app, walker), Some(Status::Running));
    // The end of a task is none, also if it comes twice.
    app.world_mut().trigger(TaskEnd { task, outcome: Outcome::Success });
    app.world_mut().trigger(TaskEnd { task, outcome: Outcome::Success });
    update(&mut app, 1);
    assert!(logs::with(&format!("for {task}, which is not a task")).is_empty());
}

#[test]
fn a_task_that_is_done_from_the_beginning_is_not_reported() {
    struct Quick;
    impl Behavior for Quick {
        type Data = ();
        type Params = ();
        fn tree() -> impl TreeOf<Self> {
            tree! { for Agent<'_, '_, Quick>: task(|_: &mut Agent<Quick>| (Walk, Done(Outcome::Success))) }
        }
    }
    logs::keep();
    let mut app = app(TreePlugin::<Quick>::new());
    let quick = app.world_mut().spawn(Mind::<Quick>::new()).id();
    update(&mut app, 1);
    let task = task_of(&mut app).expect("a task");
    update(&mut app, 1);
    assert_eq!(app.world().get::<Mind<Quick>>(quick).expect("a mind").status(), Some(Status::Success));
    assert!(logs::with(&format!("for {task}, which is not a task")).is_empty());
}
