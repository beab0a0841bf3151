use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bt_bevy::prelude::*;

use crate::{app, logs, update};

#[derive(Component)]
struct Legs;
struct Walker;
impl Behavior for Walker {
    type Data = &'static Legs;
    type Params = ();
    fn tree() -> impl TreeOf<Self> {
        tree! { for Agent<'_, '_, Walker>: run }
    }
}

#[test]
fn an_entity_that_is_never_ticked_is_reported_once() {
    logs::keep();
    let warnings = || logs::with("Walker");
    let mut app = app(TreePlugin::<Walker>::new());
    app.world_mut().spawn((Mind::<Walker>::new(), Legs));
    app.world_mut().spawn((Mind::<Walker>::new(), Disabled));
    update(&mut app, 300);
    assert!(warnings().is_empty());
    let entity = app.world_mut().spawn(Mind::<Walker>::new()).id();
    update(&mut app, 600);
    let expected = format!("{entity} has a Mind<behavior::missing::Walker>, but lacks a component of");
    assert!(matches!(&warnings()[..], [warning] if warning.starts_with(&expected)), "{:?}", warnings());
}

#[test]
fn a_mind_without_a_plugin_is_reported() {
    struct Unplugged;
    impl Behavior for Unplugged {
        type Data = ();
        type Params = ();
        fn tree() -> impl TreeOf<Self> {
            tree! { for Agent<'_, '_, Unplugged>: run }
        }
    }
    logs::keep();
    let mut world = World::new();
    world.spawn(Mind::<Unplugged>::new());
    world.spawn(Mind::<Unplugged>::new());
    assert_eq!(logs::with("there is no TreePlugin<").len(), 1);
}

#[test]
fn an_observer_of_events_that_are_not_triggered_is_reported_once() {
    struct Silent;
    impl Behavior for Silent {
        type Data = ();
        type Params = ();
        fn tree() -> impl TreeOf<Self> {
            tree! { for Agent<'_, '_, Silent>: succeed }
        }
    }
    logs::keep();
    let mut app = app(TreePlugin::<Silent>::new().trigger_states());
    update(&mut app, 300);
    assert!(logs::with("Silent>").is_empty());
    app.add_observer(|_: On<TreeEnded<Silent>>| ()).add_observer(|_: On<StateChanged<Silent>>| ());
    update(&mut app, 300);
    let warnings = logs::with("Silent>");
    assert!(
        matches!(&warnings[..], [warning] if warning.ends_with("help: write `TreePlugin::new().trigger_ends()`")),
        "{warnings:?}"
    );
}
