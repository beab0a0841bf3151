//! The game as a plugin.

use std::time::Duration;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use bevy_time::Time;
use bt_bevy::prelude::*;

use crate::birds::Sparrow;
use crate::chibi::{Chibi, Mood};
use crate::level::{self, Level};
use crate::near::{self, Near};
use crate::talk;
use crate::town::Town;
use crate::walking;
use crate::weather::{self, Weather};

/// The duration of a tick.
pub const TICK: Duration = Duration::from_millis(100);

/// The chibis, and what happens around them. It needs Bevy's `TimePlugin`, and a schedule that runs once per [`TICK`].
pub struct Game {
    seed: u64,
    chibis: Option<usize>,
    schedule: InternedScheduleLabel,
}

impl Game {
    /// Creates a game that ticks in `Update`.
    pub fn new(seed: u64) -> Self {
        Self { seed, chibis: None, schedule: Update.intern() }
    }

    /// Sets the number of chibis, and turns off levels.
    #[must_use]
    pub fn crowd(self, chibis: usize) -> Self {
        Self { chibis: Some(chibis), ..self }
    }

    /// Ticks in another schedule.
    #[must_use]
    pub fn in_schedule(self, schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern(), ..self }
    }
}

impl Plugin for Game {
    fn build(&self, app: &mut App) {
        let Self { seed, chibis, schedule } = *self;
        app.add_plugins(TreePlugin::<Chibi>::new().seed(seed).in_schedule(schedule));
        app.add_plugins(TreePlugin::<Sparrow>::new().seed(seed).in_schedule(schedule));
        #[cfg(feature = "inspector")]
        app.register_type::<crate::Position>()
            .register_type::<crate::Role>()
            .register_type::<Mood>()
            .register_type::<crate::Talk>()
            .register_type::<crate::Love>()
            .register_type::<crate::Bird>();
        let level = Level::new(seed, chibis);
        // The levels grow, the park does not.
        app.insert_resource(Town::new(level.chibis())).insert_resource(level);
        app.init_resource::<Near>().insert_resource(Weather::new(seed));
        app.add_systems(Startup, level::start);
        // In one order, so that a run with a seed repeats on all threads.
        app.add_systems(schedule, (weather::change, talk::part, talk::hear, near::look).chain().before(TreeSystems));
        app.add_systems(schedule, (walking::walk, burst, level::end, level::arrive).chain().after(TreeSystems));
    }
}

/// Balloons do not last.
fn burst(mut moods: Query<&mut Mood>, time: Res<Time>) {
    for mut mood in &mut moods {
        if mood.balloon.is_some() && mood.bursts <= time.elapsed() {
            mood.balloon = None;
        }
    }
}
