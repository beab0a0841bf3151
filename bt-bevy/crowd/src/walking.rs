//! Walking: a task that customers give to a system.

use bevy_ecs::prelude::*;
use bevy_time::Time;
use bt_bevy::prelude::*;
use glam::Vec2;

use crate::square::Position;

/// The speed of customers, per second.
const SPEED: f32 = 6.0;

/// The task of walking to a point or to another customer.
#[derive(Component, Clone, Copy)]
pub(crate) enum Walk {
    To(Vec2),
    After(Entity),
}

/// Moves all customers who walk.
pub(crate) fn walk(
    walks: Query<(Entity, &Walk, &ChildOf), Without<Done>>,
    mut positions: Query<&mut Position>,
    time: Res<Time>,
    mut commands: Commands,
) {
    for (task, walk, customer) in &walks {
        let (target, reach): (_, f32) = match *walk {
            Walk::To(point) => (Some(point), 0.1),
            Walk::After(other) => (positions.get(other).ok().map(|position| position.0), 1.5),
        };
        let (Some(target), Ok(mut position)) = (target, positions.get_mut(customer.parent())) else {
            commands.entity(task).insert(Done(Outcome::Failure));
            continue;
        };
        let way = target - position.0;
        position.0 += way.clamp_length_max(SPEED * time.delta_secs());
        if way.length() <= reach.max(SPEED * time.delta_secs()) {
            commands.entity(task).insert(Done(Outcome::Success));
        }
    }
}
