//! bevy_behave, on the version of Bevy that it is for.
#![allow(clippy::cast_precision_loss, clippy::cast_possible_wrap)]

#[path = "../../src/measure.rs"]
mod measure;

use bevy::ecs::schedule::ScheduleLabel as _;
use bevy::prelude::*;
use bevy_behave::prelude::*;
use measure::Case;

#[derive(Component, Default)]
struct Work {
    looks: u64,
    actions: u64,
}

#[derive(Component, Clone)]
struct Rest;
#[derive(Clone)]
struct IsEven;
#[derive(Clone)]
struct IsLast;
#[derive(Clone)]
struct One;
#[derive(Clone)]
struct Other;

fn is_even(event: On<BehaveTrigger<IsEven>>, works: Query<&Work>, mut commands: Commands) {
    let ctx = event.event().ctx();
    let is_even = works.get(ctx.target_entity()).is_ok_and(|work| work.looks.is_multiple_of(2));
    commands.trigger(if is_even { ctx.success() } else { ctx.failure() });
}

fn is_last(event: On<BehaveTrigger<IsLast>>, works: Query<&Work>, mut commands: Commands) {
    let ctx = event.event().ctx();
    let is_last = works.get(ctx.target_entity()).is_ok_and(|work| work.looks == u64::MAX);
    commands.trigger(if is_last { ctx.success() } else { ctx.failure() });
}

fn one(event: On<BehaveTrigger<One>>, mut works: Query<&mut Work>, mut commands: Commands) {
    let ctx = event.event().ctx();
    if let Ok(mut work) = works.get_mut(ctx.target_entity()) {
        work.looks += 1;
        work.actions += 1;
    }
    commands.trigger(ctx.success());
}

fn other(event: On<BehaveTrigger<Other>>, mut works: Query<&mut Work>, mut commands: Commands) {
    let ctx = event.event().ctx();
    if let Ok(mut work) = works.get_mut(ctx.target_entity()) {
        work.looks += 1;
        work.actions += 3;
        work.actions -= 2;
    }
    commands.trigger(ctx.success());
}

fn app(tree: fn() -> bevy_behave::prelude::Tree<Behave>, entities: u32) -> Box<dyn FnMut() -> u64> {
    let mut app = App::new();
    app.add_plugins((bevy::time::TimePlugin, BehavePlugin::new(Update.intern())));
    app.add_observer(is_even).add_observer(is_last).add_observer(one).add_observer(other);
    for _ in 0..entities {
        let entity = app.world_mut().spawn(Work::default()).id();
        app.world_mut().spawn((BehaveTree::new(tree()), ChildOf(entity)));
    }
    app.finish();
    app.cleanup();
    let mut works = app.world_mut().query::<&Work>();
    Box::new(move || {
        app.update();
        works.iter(app.world()).next().map_or(0, |work| work.actions * u64::from(entities))
    })
}

/// An app without trees.
fn bare() -> Box<dyn FnMut() -> u64> {
    let mut app = App::new();
    app.add_plugins(bevy::time::TimePlugin);
    app.finish();
    app.cleanup();
    let mut works = app.world_mut().query::<&Work>();
    Box::new(move || {
        app.update();
        works.iter(app.world()).next().map_or(0, |work| work.actions)
    })
}

fn main() {
    let name = "bevy_behave 0.5";
    let cases = [
        Case { name, situation: "idle", start: |entities| app(|| behave! { Behave::spawn(Rest) }, entities) },
        Case { name, situation: "waiting", start: |entities| app(|| behave! { Behave::Wait(1e6) }, entities) },
        Case {
            name,
            situation: "changing",
            start: |entities| {
                let tree = || {
                    behave! {
                        Behave::Forever => {
                            Behave::Fallback => {
                                Behave::Sequence => { Behave::trigger(IsEven), Behave::trigger(One) },
                                Behave::trigger(Other)
                            }
                        }
                    }
                };
                app(tree, entities)
            },
        },
        Case {
            name,
            situation: "falling",
            start: |entities| {
                let tree = || {
                    behave! {
                        Behave::Forever => {
                            Behave::Fallback => {
                                Behave::Sequence => { Behave::trigger(IsLast), Behave::trigger(IsLast), Behave::trigger(One) },
                                Behave::Sequence => { Behave::trigger(IsLast), Behave::trigger(One) },
                                Behave::trigger(Other)
                            }
                        }
                    }
                };
                app(tree, entities)
            },
        },
    ];
    measure::run(&cases, bare);
}
