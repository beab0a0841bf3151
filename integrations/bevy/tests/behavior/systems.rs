use bevy_ecs::prelude::*;
use bt_bevy::prelude::*;

use crate::{app, update};

#[derive(Component)]
struct Fuel(u32);
#[derive(Component)]
struct IsStopped(bool);
#[derive(Resource, Default)]
struct Runs(u32);

struct Rocket;
impl Behavior for Rocket {
    type Data = &'static IsStopped;
    type Params = ();
    fn tree() -> impl TreeOf<Self> {
        tree! { for Agent<'_, '_, Rocket>: selector { is_stopped, mem_sequence { system(burn), system(is_empty) } } }
    }
}
fn is_stopped(rocket: &Agent<Rocket>) -> bool {
    rocket.data.0
}
fn burn(In(entity): In<Entity>, mut fuel: Query<&mut Fuel>, mut runs: ResMut<Runs>) -> Status {
    runs.0 += 1;
    let Ok(mut fuel) = fuel.get_mut(entity) else { return Status::Failure };
    fuel.0 -= 1;
    if fuel.0 > 0 { Status::Running } else { Status::Success }
}
fn is_empty(In(entity): In<Entity>, world: &mut World) -> bool {
    world.get::<Fuel>(entity).is_some_and(|fuel| fuel.0 == 0)
}

#[test]
fn a_system_runs_once_per_tick_until_it_has_ended() {
    let mut app = app(TreePlugin::<Rocket>::new());
    app.init_resource::<Runs>();
    let rocket = app.world_mut().spawn((Mind::<Rocket>::new(), Fuel(3), IsStopped(false))).id();
    for left in [2, 1, 0] {
        update(&mut app, 1);
        assert_eq!(app.world().get::<Fuel>(rocket).expect("fuel").0, left);
        assert_eq!(app.world().get::<Mind<Rocket>>(rocket).expect("a mind").status(), Some(Status::Running));
    }
    // The last result of `burn` is returned in this tick, that of `is_empty` in the next one.
    update(&mut app, 2);
    assert_eq!(app.world().get::<Mind<Rocket>>(rocket).expect("a mind").status(), Some(Status::Success));
    assert_eq!(app.world().resource::<Runs>().0, 3);
}

#[test]
fn a_system_whose_leaf_is_halted_does_not_run() {
    let mut app = app(TreePlugin::<Rocket>::new());
    app.init_resource::<Runs>();
    let rocket = app.world_mut().spawn((Mind::<Rocket>::new(), Fuel(3), IsStopped(false))).id();
    update(&mut app, 1);
    app.world_mut().entity_mut(rocket).insert(IsStopped(true));
    update(&mut app, 3);
    assert_eq!(app.world().resource::<Runs>().0, 1);
    app.world_mut().despawn(rocket);
    update(&mut app, 1);
}

#[test]
fn a_system_that_cannot_run_is_an_error() {
    let mut app = app(TreePlugin::<Rocket>::new());
    // The resource of `burn` is missing.
    let rocket = app.world_mut().spawn((Mind::<Rocket>::new(), Fuel(3), IsStopped(false))).id();
    update(&mut app, 2);
    assert_eq!(app.world().get::<Mind<Rocket>>(rocket).expect("a mind").status(), Some(Status::Error));
}

#[test]
fn a_system_can_return_a_result() {
    struct Reader;
    impl Behavior for Reader {
        type Data = ();
        type Params = ();
        fn tree() -> impl TreeOf<Self> {
            tree! { for Agent<'_, '_, Reader>: system::<_, Status, _>(read) }
        }
    }
    fn read(_: In<Entity>, mut runs: ResMut<Runs>) -> Result<Status> {
        runs.0 += 1;
        if runs.0 == 1 { Ok(Status::Failure) } else { Err("unreadable")? }
    }
    let mut app = app(TreePlugin::<Reader>::new());
    app.init_resource::<Runs>();
    let reader = app.world_mut().spawn(Mind::<Reader>::new()).id();
    let status = |app: &bevy_app::App| app.world().get::<Mind<Reader>>(reader).expect("a mind").status();
    update(&mut app, 2);
    assert_eq!(status(&app), Some(Status::Failure));
    update(&mut app, 2);
    assert_eq!(status(&app), Some(Status::Error));
}

#[test]
fn a_system_can_return_nothing() {
    struct Counter;
    impl Behavior for Counter {
        type Data = ();
        type Params = ();
        fn tree() -> impl TreeOf<Self> {
            tree! { for Agent<'_, '_, Counter>: mem_sequence { system(count), system(fails) } }
        }
    }
    fn count(_: In<Entity>, mut runs: ResMut<Runs>) {
        runs.0 += 1;
    }
    fn fails(_: In<Entity>) -> Outcome {
        Outcome::Failure
    }
    let mut app = app(TreePlugin::<Counter>::new());
    app.init_resource::<Runs>();
    let counter = app.world_mut().spawn(Mind::<Counter>::new()).id();
    update(&mut app, 3);
    assert_eq!(app.world().get::<Mind<Counter>>(counter).expect("a mind").status(), Some(Status::Failure));
    assert_eq!(app.world().resource::<Runs>().0, 1);
}
