use bevy_ecs::prelude::*;
use bt_bevy::prelude::*;

use crate::{app, update};

#[derive(Component)]
struct Lamp(bool);
#[derive(Resource, Default)]
struct Seen(Vec<String>);

struct Switch;
impl Behavior for Switch {
    type Data = &'static Lamp;
    type Params = ();
    fn tree() -> impl TreeOf<Self> {
        tree! {
            for Agent<'_, '_, Switch>: machine {
                state off { run, is_on -> on }
                state on { run, |lamp: &Agent<Switch>| !lamp.data.0 -> off }
            }
        }
    }
}
fn is_on(lamp: &Agent<Switch>) -> bool {
    lamp.data.0
}

#[test]
fn changes_of_states_are_triggered() {
    let mut app = app(TreePlugin::<Switch>::new().trigger_states());
    app.init_resource::<Seen>().add_observer(|event: On<StateChanged<Switch>>, mut seen: ResMut<Seen>| {
        seen.0.push(format!("{} {}", event.machine, event.state));
    });
    let lamp = app.world_mut().spawn((Mind::<Switch>::new(), Lamp(false))).id();
    update(&mut app, 2);
    app.world_mut().entity_mut(lamp).insert(Lamp(true));
    update(&mut app, 2);
    assert_eq!(app.world().resource::<Seen>().0, ["#0 off", "#0 on"]);
}

#[test]
fn changes_of_states_have_the_label_of_the_machine() {
    struct Doors;
    impl Behavior for Doors {
        type Data = ();
        type Params = ();
        fn tree() -> impl TreeOf<Self> {
            tree! {
                for Agent<'_, '_, Doors>: parallel {
                    machine "front" { state closed { run } }
                    machine { state locked { run } }
                }
            }
        }
    }
    let mut app = app(TreePlugin::<Doors>::new().trigger_states());
    app.init_resource::<Seen>().add_observer(|event: On<StateChanged<Doors>>, mut seen: ResMut<Seen>| {
        seen.0.push(format!("{:?} {}", event.label, event.state));
    });
    app.world_mut().spawn(Mind::<Doors>::new());
    update(&mut app, 2);
    assert_eq!(app.world().resource::<Seen>().0, ["Some(\"front\") closed", "None locked"]);
}

struct Once;
impl Behavior for Once {
    type Data = ();
    type Params = ();
    fn tree() -> impl TreeOf<Self> {
        tree! { for Agent<'_, '_, Once>: mem_sequence { wait(millis(100)), fail } }
    }
}

#[test]
fn ends_are_triggered_for_the_entity() {
    let mut app = app(TreePlugin::<Once>::new().trigger_ends());
    app.init_resource::<Seen>();
    let observe = |event: On<TreeEnded<Once>>, mut commands: Commands, mut seen: ResMut<Seen>| {
        seen.0.push(format!("{:?}", event.status));
        commands.entity(event.entity).remove::<Mind<Once>>();
    };
    app.world_mut().spawn(Mind::<Once>::new()).observe(observe);
    update(&mut app, 5);
    assert_eq!(app.world().resource::<Seen>().0, ["Failure"], "the mind was removed");
}

#[derive(EntityEvent)]
struct Hit {
    entity: Entity,
}
#[derive(Component, Default)]
struct Ticks(u32);
struct Guard;
impl Behavior for Guard {
    type Data = &'static mut Ticks;
    type Params = ();
    fn tree() -> impl TreeOf<Self> {
        tree! { for Agent<'_, '_, Guard>: Rest }
    }
}
struct Rest;
#[leaf]
impl Leaf<Agent<'_, '_, Guard>> for Rest {
    type Open = ();
    fn wake(&self, (): &()) -> bt_bevy::bt_core::Wake {
        bt_bevy::bt_core::Wake::Event
    }
    fn tick(&self, (): &mut (), guard: &mut Agent<'_, '_, Guard>) -> Status {
        guard.data.0 += 1;
        Status::Running
    }
}

#[test]
fn an_event_wakes_a_sleeping_entity() {
    let mut app = app(TreePlugin::<Guard>::new().wakes_on::<Hit>());
    let [ann, bob] = [0, 1].map(|_| app.world_mut().spawn((Mind::<Guard>::new(), Ticks(0))).id());
    update(&mut app, 3);
    app.world_mut().trigger(Hit { entity: ann });
    update(&mut app, 3);
    app.world_mut().get_mut::<Mind<Guard>>(ann).expect("a mind").wake();
    update(&mut app, 3);
    let ticks = |entity| app.world().get::<Ticks>(entity).expect("ticks").0;
    assert_eq!((ticks(ann), ticks(bob)), (3, 1));
}
