//! The weather: now and then it rains.

use std::time::Duration;

use bevy_ecs::prelude::*;
use bevy_time::Time;
use bt_bevy::prelude::secs;
use rand_pcg::Pcg32;

use crate::town::fraction;

/// The weather.
#[derive(Resource)]
pub struct Weather {
    /// Whether it rains.
    pub is_raining: bool,
    changes: Duration,
    rng: Pcg32,
}

impl Weather {
    pub(crate) fn new(seed: u64) -> Self {
        Self { is_raining: false, changes: secs(30), rng: Pcg32::new(seed, 2) }
    }
}

/// Starts the rain, and ends it.
pub(crate) fn change(mut weather: ResMut<Weather>, time: Res<Time>) {
    if time.elapsed() < weather.changes {
        return;
    }
    let is_raining = !weather.is_raining;
    let least = if is_raining { 8.0 } else { 30.0 };
    let lasts = Duration::from_secs_f32(least * (1.0 + fraction(&mut weather.rng)));
    *weather = Weather { is_raining, changes: time.elapsed() + lasts, rng: weather.rng.clone() };
}
