use std::sync::Mutex;

use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bt_bevy::prelude::*;

use crate::{app, update};

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

static LOG: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Logger;
impl log::Log for Logger {
    fn enabled(&self, _: &log::Metadata) -> bool {
        true
    }
    fn log(&self, record: &log::Record) {
        LOG.lock().expect("the log").push(record.args().to_string());
    }
    fn flush(&self) {}
}

#[test]
fn an_entity_that_is_never_ticked_is_reported_once() {
    let _ = log::set_logger(&Logger);
    log::set_max_level(log::LevelFilter::Warn);
    let warnings =
        || LOG.lock().expect("the log").iter().filter(|line| line.contains("Walker")).cloned().collect::<Vec<_>>();
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
    let _ = log::set_logger(&Logger);
    log::set_max_level(log::LevelFilter::Warn);
    let mut world = World::new();
    world.spawn(Mind::<Unplugged>::new());
    world.spawn(Mind::<Unplugged>::new());
    let log = LOG.lock().expect("the log");
    assert_eq!(log.iter().filter(|line| line.contains("there is no TreePlugin<")).count(), 1, "{log:?}");
}
