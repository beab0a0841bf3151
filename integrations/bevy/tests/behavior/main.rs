//! Trees in a Bevy app, one module per subject.

#[cfg(feature = "asset")]
mod assets;
mod events;
mod halting;
#[cfg(feature = "inspector")]
mod inspector;
mod logs;
mod missing;
mod parallel;
mod prelude;
#[cfg(feature = "serialize")]
mod saving;
mod sleeping;
mod systems;
mod tasks;
mod ticks;

use bevy_app::prelude::*;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bt_bevy::prelude::*;

/// Returns an app whose clock advances by 100 ms with each update. The first update is at time 0.
fn app<G: Behavior>(plugin: TreePlugin<G>) -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, plugin)).insert_resource(TimeUpdateStrategy::ManualDuration(millis(100)));
    app.finish();
    app
}

fn update(app: &mut App, times: u32) {
    for _ in 0..times {
        app.update();
    }
}
