//! The guard of the first example, with a tree from the file `assets/guard.b3.json`. With `--watch`, it runs until it is stopped: edit the file meanwhile.
//!
//! ```sh
//! cargo run --example asset --features asset
//! cargo run --example asset --features asset,bevy_asset/file_watcher -- --watch
//! ```

use bevy_app::{ScheduleRunnerPlugin, TaskPoolPlugin, prelude::*};
use bevy_asset::AssetPlugin;
use bevy_ecs::prelude::*;
use bt_bevy::prelude::*;
use bt_bevy::{TreeAssets, TreeReplaced, tree_asset, tree_registry};

#[derive(Component)]
struct Health(u32);

#[derive(Component)]
struct Position(f32);

struct Guard;

impl Behavior for Guard {
    type Data = (&'static Health, &'static mut Position);
    type Params = ();
    fn tree() -> impl TreeOf<Self> {
        let mut registry = tree_registry();
        registry.add::<walk>("Walk").add_leaf("IsHurt", is_hurt).add_leaf("RunAway", run_away);
        tree_asset("guard.b3.json", registry)
    }
}

fn is_hurt(guard: &Agent<Guard>) -> bool {
    guard.data.0.0 < 3
}

fn run_away(guard: &mut Agent<Guard>) -> Status {
    guard.data.1.0 -= 2.0;
    Status::Running
}

#[action]
fn walk(guard: &mut Agent<'_, '_, Guard>, to: f32) -> Status {
    let position = &mut guard.data.1.0;
    let way = to - *position;
    *position += way.clamp(-1.0, 1.0);
    if way.abs() <= 1.0 { Status::Success } else { Status::Running }
}

fn print(
    position: Single<&Position>,
    mut frame: Local<u32>,
    is_watching: Res<IsWatching>,
    mut exit: MessageWriter<AppExit>,
) {
    println!("{:2}  {:5.1}", *frame, position.0);
    *frame += 1;
    if *frame == 24 && !is_watching.0 {
        exit.write(AppExit::Success);
    }
}

#[derive(Resource)]
struct IsWatching(bool);

fn main() -> AppExit {
    App::new()
        .add_plugins((
            TaskPoolPlugin::default(),
            AssetPlugin::default(),
            bevy_time::TimePlugin,
            bevy_log::LogPlugin::default(),
        ))
        .add_plugins((TreePlugin::<Guard>::new(), ScheduleRunnerPlugin::run_loop(millis(100))))
        .insert_resource(IsWatching(std::env::args().any(|argument| argument == "--watch")))
        .add_systems(Startup, |mut commands: Commands| {
            commands.spawn((Mind::<Guard>::new(), Health(9), Position(0.0)));
        })
        .add_systems(Update, print.after(TreeSystems).run_if(|trees: Res<TreeAssets>| trees.are_loaded::<Guard>()))
        .add_observer(|_: On<TreeReplaced<Guard>>| println!("loaded the tree"))
        .run()
}
