//! Walking: a leaf sets its target in each tick, and a system moves all walkers.

use bevy_ecs::prelude::*;
use bevy_time::Time;
use glam::Vec2;

use crate::town::Position;

/// The target of a chibi or a bird in this tick. When a leaf is halted, walking stops, because the target is no longer set.
#[derive(Component, Default, Debug)]
pub(crate) struct Walk {
    pub(crate) to: Option<Vec2>,
    /// Units per second.
    pub(crate) speed: f32,
}

/// Moves all that walk.
pub(crate) fn walk(mut walks: Query<(&mut Walk, &mut Position)>, time: Res<Time>) {
    for (mut walk, mut position) in &mut walks {
        let Some(to) = walk.bypass_change_detection().to.take() else { continue };
        let way = to - position.0;
        position.0 += way.clamp_length_max(walk.speed * time.delta_secs());
    }
}
