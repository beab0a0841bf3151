use bevy_app::prelude::*;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_ecs::reflect::ReflectComponent;
use bevy_reflect::serde::{TypedReflectDeserializer, TypedReflectSerializer};
use bevy_reflect::{FromReflect as _, TypePath, TypeRegistry};
use bt_bevy::bt_core::Save;
use bt_bevy::prelude::*;
use bt_bevy::{SaveBehavior, SaveMinds, SavedMind};
use serde::de::DeserializeSeed as _;

use crate::{app, logs, update};

#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
struct Steps(u32);

#[derive(TypePath)]
struct Guard;
impl Behavior for Guard {
    type Data = &'static mut Steps;
    type Params = ();
    fn tree() -> impl TreeOf<Self> {
        Self::saved_tree()
    }
}
impl SaveBehavior for Guard {
    fn saved_tree() -> impl TreeOf<Self> + Save {
        tree! { for Agent<'_, '_, Guard>: mem_sequence { step, wait(millis(500)), step, run } }
    }
}
fn step(guard: &mut Agent<Guard>) {
    guard.data.0 += 1;
}

fn saving<G: SaveBehavior>() -> App {
    app(TreePlugin::<G>::new().saves())
}

fn steps(app: &App, entity: Entity) -> u32 {
    app.world().get::<Steps>(entity).expect("steps").0
}

/// Saves all minds and returns that of an entity.
fn saved<G: SaveBehavior>(app: &mut App, entity: Entity) -> SavedMind<G> {
    SaveMinds.apply(app.world_mut());
    app.world().get::<SavedMind<G>>(entity).expect("a saved mind").clone()
}

/// A guard who has waited for 300 of 500 ms at second 1.
fn waiting() -> (App, Entity) {
    let mut app = saving::<Guard>();
    update(&mut app, 7);
    let guard = app.world_mut().spawn((Mind::<Guard>::new(), Steps(0))).id();
    update(&mut app, 4);
    assert_eq!(steps(&app, guard), 1);
    (app, guard)
}

#[test]
fn a_wait_continues_when_the_clock_starts_again() {
    let (mut before, guard) = waiting();
    let save = saved::<Guard>(&mut before, guard);
    let mut after = saving::<Guard>();
    let guard = after.world_mut().spawn((save, Steps(1))).id();
    update(&mut after, 2);
    assert_eq!(steps(&after, guard), 1, "at 100 ms");
    update(&mut after, 1);
    assert_eq!(steps(&after, guard), 2, "at 200 ms");
    assert!(!after.world().entity(guard).contains::<SavedMind<Guard>>(), "it is loaded once");
}

#[test]
fn a_saved_mind_is_serialized_by_serde() {
    let (mut before, guard) = waiting();
    let save = serde_json::to_string(&saved::<Guard>(&mut before, guard)).expect("a save");
    let mut after = saving::<Guard>();
    let save: SavedMind<Guard> = serde_json::from_str(&save).expect("a saved mind");
    let guard = after.world_mut().spawn((save, Steps(1))).id();
    update(&mut after, 3);
    assert_eq!(steps(&after, guard), 2);
}

/// What Bevy's scenes do with a component.
#[test]
fn a_saved_mind_is_reflected() {
    let (mut before, guard) = waiting();
    let save = saved::<Guard>(&mut before, guard);
    let mut registry = TypeRegistry::default();
    registry.register::<SavedMind<Guard>>();
    let json = serde_json::to_string(&TypedReflectSerializer::new(&save, &registry)).expect("a save");

    let mut after = saving::<Guard>();
    let types = after.world().resource::<AppTypeRegistry>().clone();
    let types = types.read();
    let registration = types.get(core::any::TypeId::of::<SavedMind<Guard>>()).expect("the plugin registers the type");
    let value = TypedReflectDeserializer::new(registration, &types)
        .deserialize(&mut serde_json::Deserializer::from_str(&json))
        .expect("a value");
    assert!(SavedMind::<Guard>::from_reflect(value.as_ref()).is_some());
    let mut guard = after.world_mut().spawn(Steps(1));
    let component = registration.data::<ReflectComponent>().expect("a component");
    component.insert(&mut guard, value.as_ref(), &types);
    let guard = guard.id();
    drop(types);
    update(&mut after, 3);
    assert_eq!(steps(&after, guard), 2);
}

#[test]
fn a_mind_is_loaded_in_place_of_one_that_was_removed() {
    let (mut app, guard) = waiting();
    let save = saved::<Guard>(&mut app, guard);
    update(&mut app, 5);
    assert_eq!(steps(&app, guard), 2);
    app.world_mut().entity_mut(guard).remove::<Mind<Guard>>().insert((save, Steps(1)));
    update(&mut app, 2);
    assert_eq!(steps(&app, guard), 1, "100 ms after the load");
    update(&mut app, 1);
    assert_eq!(steps(&app, guard), 2, "200 ms after the load");
}

#[test]
fn saving_changes_no_run() {
    let (mut app, guard) = waiting();
    let save = saved::<Guard>(&mut app, guard);
    update(&mut app, 2);
    assert_eq!(steps(&app, guard), 2);
    app.world_mut().entity_mut(guard).insert(save);
    update(&mut app, 5);
    assert_eq!(steps(&app, guard), 2, "it is not loaded over a mind");
}

#[test]
fn removing_a_mind_removes_what_was_saved() {
    let (mut app, guard) = waiting();
    saved::<Guard>(&mut app, guard);
    app.world_mut().entity_mut(guard).remove::<Mind<Guard>>();
    assert!(!app.world().entity(guard).contains::<SavedMind<Guard>>());
    update(&mut app, 2);
    assert!(!app.world().entity(guard).contains::<Mind<Guard>>());
}

#[test]
fn disabled_entities_are_saved_and_loaded() {
    let (mut before, guard) = waiting();
    before.world_mut().entity_mut(guard).insert(Disabled);
    let save = saved::<Guard>(&mut before, guard);
    let mut after = saving::<Guard>();
    let guard = after.world_mut().spawn((save, Steps(1), Disabled)).id();
    update(&mut after, 1);
    assert!(after.world().entity(guard).contains::<Mind<Guard>>());
    after.world_mut().entity_mut(guard).remove::<Disabled>();
    update(&mut after, 2);
    assert_eq!(steps(&after, guard), 2);
}

#[test]
fn a_save_of_another_tree_starts_from_the_beginning() {
    #[derive(TypePath)]
    struct Changed;
    impl Behavior for Changed {
        type Data = &'static mut Steps;
        type Params = ();
        fn tree() -> impl TreeOf<Self> {
            Self::saved_tree()
        }
    }
    impl SaveBehavior for Changed {
        fn saved_tree() -> impl TreeOf<Self> + Save {
            tree! { for Agent<'_, '_, Changed>: mem_sequence { |agent: &mut Agent<Changed>| agent.data.0 += 10, run } }
        }
    }
    let (mut before, guard) = waiting();
    let save = serde_json::to_string(&saved::<Guard>(&mut before, guard)).expect("a save");
    let broken = save.replace("\"memory\":[", "\"memory\":[0,");
    for save in [save, broken] {
        let mut after = saving::<Changed>();
        let save: SavedMind<Changed> = serde_json::from_str(&save).expect("a saved mind");
        let guard = after.world_mut().spawn((save, Steps(0))).id();
        update(&mut after, 2);
        assert_eq!(steps(&after, guard), 10);
    }
}

#[derive(Component)]
struct Walk;
#[derive(TypePath)]
struct Walker;
impl Behavior for Walker {
    type Data = ();
    type Params = ();
    fn tree() -> impl TreeOf<Self> {
        Self::saved_tree()
    }
}
impl SaveBehavior for Walker {
    fn saved_tree() -> impl TreeOf<Self> + Save {
        tree! { for Agent<'_, '_, Walker>: parallel { task(|_: &mut Agent<Walker>| Walk), system(look) } }
    }
}
#[derive(Resource, Default)]
struct Looks(u32);
fn look(_: In<Entity>, mut looks: ResMut<Looks>) -> Status {
    looks.0 += 1;
    if looks.0 >= 3 { Status::Success } else { Status::Running }
}

#[test]
fn tasks_and_systems_begin_again() {
    let mut before = saving::<Walker>();
    before.init_resource::<Looks>();
    let walker = before.world_mut().spawn(Mind::<Walker>::new()).id();
    update(&mut before, 1);
    let save = serde_json::to_string(&saved::<Walker>(&mut before, walker)).expect("a save");

    let mut after = saving::<Walker>();
    after.init_resource::<Looks>();
    // The task of another walker must not be taken for the one that was saved.
    after.world_mut().spawn(Mind::<Walker>::new());
    update(&mut after, 1);
    let save: SavedMind<Walker> = serde_json::from_str(&save).expect("a saved mind");
    let walker = after.world_mut().spawn(save).id();
    update(&mut after, 1);
    let mut tasks = after.world_mut().query_filtered::<(Entity, &ChildOf), With<Walk>>();
    let tasks: Vec<_> = tasks.iter(after.world()).filter(|(_, of)| of.parent() == walker).collect();
    let [(task, _)] = tasks[..] else { panic!("one task, not {}", tasks.len()) };
    assert_eq!(after.world().resource::<Looks>().0, 3);
    update(&mut after, 1);
    after.world_mut().entity_mut(task).insert(Done(Outcome::Success));
    update(&mut after, 1);
    assert_eq!(after.world().get::<Mind<Walker>>(walker).expect("a mind").status(), Some(Status::Success));
}

#[test]
fn a_loaded_task_that_was_not_ticked_is_halted() {
    let mut before = saving::<Walker>();
    before.init_resource::<Looks>();
    let walker = before.world_mut().spawn(Mind::<Walker>::new()).id();
    update(&mut before, 1);
    let save = saved::<Walker>(&mut before, walker);
    let mut after = saving::<Walker>();
    let walker = after.world_mut().spawn((save, Disabled)).id();
    update(&mut after, 1);
    after.world_mut().despawn(walker);
    update(&mut after, 1);
    assert_eq!(after.world_mut().query_filtered::<Entity, With<Walk>>().iter(after.world()).count(), 0);
}

#[test]
#[should_panic(expected = "does not return Self::saved_tree()")]
fn both_functions_return_the_same_tree() {
    #[derive(TypePath)]
    struct Torn;
    impl Behavior for Torn {
        type Data = ();
        type Params = ();
        fn tree() -> impl TreeOf<Self> {
            tree! { for Agent<'_, '_, Torn>: succeed }
        }
    }
    impl SaveBehavior for Torn {
        fn saved_tree() -> impl TreeOf<Self> + Save {
            tree! { for Agent<'_, '_, Torn>: run }
        }
    }
    drop(saving::<Torn>());
}

#[test]
fn a_save_is_loaded_beside_a_mind_that_another_component_requires() {
    #[derive(Component, Default)]
    #[require(Mind<Guard>)]
    struct Enemy;
    let (mut before, guard) = waiting();
    let save = saved::<Guard>(&mut before, guard);
    let mut after = saving::<Guard>();
    let guard = after.world_mut().spawn((Enemy, save, Steps(1))).id();
    update(&mut after, 3);
    assert_eq!(steps(&after, guard), 2, "at 200 ms");
    assert!(!after.world().entity(guard).contains::<SavedMind<Guard>>());
}

#[test]
fn a_save_beside_a_mind_that_was_ticked_is_reported() {
    logs::keep();
    let (mut app, guard) = waiting();
    let save = saved::<Guard>(&mut app, guard);
    update(&mut app, 1);
    let warnings = || logs::with(&format!("{guard}: the SavedMind<"));
    assert!(warnings().is_empty(), "saving alone is no reason");
    app.world_mut().entity_mut(guard).insert(save);
    update(&mut app, 2);
    assert!(
        matches!(&warnings()[..], [warning] if warning.contains("the mind of the entity was ticked")),
        "{:?}",
        warnings()
    );
    assert_eq!(steps(&app, guard), 2, "its run goes on");
}
