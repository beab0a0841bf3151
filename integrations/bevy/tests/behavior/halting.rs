use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bt_bevy::prelude::*;

use crate::{app, update};

#[derive(Component)]
struct Motor(i32);
#[derive(Resource, Default)]
struct Stops(Vec<i32>);

struct Robot;
impl Behavior for Robot {
    type Data = &'static mut Motor;
    type Params = ResMut<'static, Stops>;
    fn tree() -> impl TreeOf<Self> {
        tree! { for Agent<'_, '_, Robot>: timeout(secs(9)) { Drive } }
    }
}

struct Drive;
#[leaf]
impl Leaf<Agent<'_, '_, Robot>> for Drive {
    type Open = ();
    fn open(&self, robot: &mut Agent<'_, '_, Robot>) {
        robot.data.0 = 5;
    }
    fn tick(&self, (): &mut (), _: &mut Agent<'_, '_, Robot>) -> Status {
        Status::Running
    }
    fn close(&self, (): &mut (), robot: &mut Agent<'_, '_, Robot>, end: End) {
        assert!(matches!(end, End::Halted(Cause::Stopped | Cause::TimedOut)));
        robot.params.0.push(robot.data.0);
        robot.data.0 = 0;
    }
}

fn running() -> (bevy_app::App, Entity) {
    let mut app = app(TreePlugin::<Robot>::new());
    app.init_resource::<Stops>();
    let entity = app.world_mut().spawn((Mind::<Robot>::new(), Motor(1))).id();
    update(&mut app, 2);
    assert_eq!(app.world().get::<Motor>(entity).expect("a motor").0, 5);
    (app, entity)
}

#[test]
fn removing_the_mind_halts_the_tree() {
    let (mut app, entity) = running();
    app.world_mut().entity_mut(entity).remove::<Mind<Robot>>();
    assert_eq!(app.world().get::<Motor>(entity).expect("a motor").0, 0);
    assert_eq!(app.world().resource::<Stops>().0, [5]);
    update(&mut app, 2);
    assert_eq!(app.world().resource::<Stops>().0, [5], "once");
    app.world_mut().entity_mut(entity).insert(Mind::<Robot>::new());
    update(&mut app, 1);
    assert_eq!(app.world().get::<Motor>(entity).expect("a motor").0, 5, "a new run");
}

#[test]
fn despawning_halts_the_tree_while_the_components_are_there() {
    let (mut app, entity) = running();
    app.world_mut().entity_mut(entity).insert(Disabled);
    app.world_mut().despawn(entity);
    assert_eq!(app.world().resource::<Stops>().0, [5]);
}

#[test]
fn the_tree_of_a_disabled_entity_stands_still() {
    let (mut app, entity) = running();
    app.world_mut().entity_mut(entity).insert(Disabled);
    update(&mut app, 200);
    assert!(app.world().resource::<Stops>().0.is_empty(), "it is neither halted nor ended by its timeout");
    app.world_mut().entity_mut(entity).remove::<Disabled>();
    update(&mut app, 1);
    assert_eq!(
        app.world().get::<Mind<Robot>>(entity).expect("a mind").status(),
        Some(Status::Failure),
        "20 s are over"
    );
}

#[test]
fn a_bundle_with_the_mind_and_its_data_halts_the_tree() {
    let (mut app, entity) = running();
    app.world_mut().entity_mut(entity).remove::<(Motor, Mind<Robot>)>();
    assert_eq!(app.world().resource::<Stops>().0, [5]);
}

#[test]
fn a_tree_without_its_data_stands_still() {
    let (mut app, entity) = running();
    app.world_mut().entity_mut(entity).remove::<Motor>();
    update(&mut app, 2);
    app.world_mut().entity_mut(entity).insert(Motor(7));
    update(&mut app, 1);
    assert_eq!(app.world().get::<Motor>(entity).expect("a motor").0, 7, "the run continues");
    app.world_mut().entity_mut(entity).remove::<Motor>();
    app.world_mut().despawn(entity);
    assert!(app.world().resource::<Stops>().0.is_empty(), "there is nothing that a leaf could be closed with");
}

#[test]
fn inserting_another_mind_starts_from_the_beginning() {
    let (mut app, entity) = running();
    app.world_mut().entity_mut(entity).insert(Mind::<Robot>::new());
    assert_eq!(app.world().resource::<Stops>().0, [5], "the first run is halted");
    update(&mut app, 1);
    assert_eq!(app.world().get::<Motor>(entity).expect("a motor").0, 5, "a new run");
    app.world_mut().entity_mut(entity).remove::<Mind<Robot>>();
    assert_eq!(app.world().resource::<Stops>().0, [5, 5]);
}

/// Brakes in three ticks after it was halted.
struct Train;
impl Behavior for Train {
    type Data = &'static mut Motor;
    type Params = ResMut<'static, Stops>;
    fn tree() -> impl TreeOf<Self> {
        tree! { for Agent<'_, '_, Train>: finally { drive, brake } }
    }
}

fn drive(train: &mut Agent<Train>) -> Status {
    train.data.0 = 3;
    Status::Running
}

fn brake(train: &mut Agent<Train>) -> Status {
    train.data.0 -= 1;
    let speed = train.data.0;
    train.params.0.push(speed);
    if speed > 0 { Status::Running } else { Status::Success }
}

fn train() -> (bevy_app::App, Entity) {
    let mut app = app(TreePlugin::<Train>::new());
    app.init_resource::<Stops>();
    let entity = app.world_mut().spawn((Mind::<Train>::new(), Motor(0))).id();
    update(&mut app, 1);
    (app, entity)
}

#[test]
fn an_entity_that_retires_is_despawned_after_its_cleanup() {
    let (mut app, entity) = train();
    app.world_mut().get_mut::<Mind<Train>>(entity).expect("a mind").retire();
    for speeds in [&[2][..], &[2, 1]] {
        update(&mut app, 1);
        assert_eq!(app.world().resource::<Stops>().0, speeds);
        assert!(app.world().get_entity(entity).is_ok());
    }
    update(&mut app, 1);
    assert_eq!(app.world().resource::<Stops>().0, [2, 1, 0]);
    assert!(app.world().get_entity(entity).is_err());
}

#[test]
fn an_entity_that_retires_while_nothing_runs_is_despawned_at_once() {
    let (mut app, _) = train();
    let entity = app.world_mut().spawn((Mind::<Train>::new(), Motor(0))).id();
    app.world_mut().get_mut::<Mind<Train>>(entity).expect("a mind").retire();
    update(&mut app, 1);
    assert!(app.world().get_entity(entity).is_err() && app.world().resource::<Stops>().0.is_empty());
}

#[test]
fn a_cleanup_of_an_entity_that_is_despawned_is_ticked_once() {
    let (mut app, entity) = train();
    app.world_mut().despawn(entity);
    update(&mut app, 3);
    assert_eq!(app.world().resource::<Stops>().0, [2]);
}

#[test]
fn a_cloned_entity_starts_from_the_beginning() {
    #[derive(Component, Clone)]
    struct Steps(u32);
    struct Walker;
    impl Behavior for Walker {
        type Data = &'static mut Steps;
        type Params = ();
        fn tree() -> impl TreeOf<Self> {
            tree! { for Agent<'_, '_, Walker>: mem_sequence { |walker: &mut Agent<Walker>| walker.data.0 += 1, run } }
        }
    }
    let mut app = app(TreePlugin::<Walker>::new());
    let entity = app.world_mut().spawn((Mind::<Walker>::new(), Steps(0))).id();
    update(&mut app, 2);
    let clone = app.world_mut().entity_mut(entity).clone_and_spawn();
    update(&mut app, 2);
    let steps = |entity| app.world().get::<Steps>(entity).expect("steps").0;
    assert_eq!((steps(entity), steps(clone)), (1, 2));
}
