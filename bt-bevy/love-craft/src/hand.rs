//! The player's hand: it picks a chibi up, carries it and puts it down.

use bevy_ecs::prelude::*;
use bevy_time::Time;
use bt_bevy::prelude::secs;
use glam::Vec2;

use crate::chibi::{Held, Mood, Role, Talk};
use crate::town::{Position, Town};

/// How far from a chibi the hand can be.
const REACH: f32 = 1.6;

/// Picks up the chibi that is nearest to a point of the park. Its talk ends. Returns whether one is there.
pub fn pick_up(world: &mut World, at: Vec2) -> bool {
    put_down(world);
    let mut chibis = world.query_filtered::<(Entity, &Position), With<Role>>();
    let distance = |(_, position): &(Entity, &Position)| position.0.distance(at);
    let nearest = chibis.iter(world).min_by(|one, other| distance(one).total_cmp(&distance(other)));
    let Some(chibi) = nearest.filter(|one| distance(one) < REACH).map(|(chibi, _)| chibi) else { return false };
    let other = world.get::<Talk>(chibi).map(|talk| talk.with);
    for one in [Some(chibi), other].into_iter().flatten() {
        if let Ok(mut one) = world.get_entity_mut(one) {
            one.remove::<Talk>();
        }
    }
    world.entity_mut(chibi).insert(Held);
    true
}

/// Carries the chibi to a point of the park. Does nothing if the hand is empty.
pub fn carry(world: &mut World, to: Vec2) {
    let to = world.resource::<Town>().inside(to);
    let mut held = world.query_filtered::<&mut Position, With<Held>>();
    for mut position in held.iter_mut(world) {
        position.0 = to;
    }
}

/// Puts the chibi down. It talks to whom it meets there; a meddler has forgotten what it wanted.
pub fn put_down(world: &mut World) {
    let now = world.resource::<Time>().elapsed();
    let mut held = world.query_filtered::<(Entity, &Role, &mut Mood), With<Held>>();
    let mut put = Vec::new();
    for (chibi, role, mut mood) in held.iter_mut(world) {
        if role.is_meddler {
            mood.quiet_until = now + secs(6);
        } else {
            (mood.dropped_until, mood.quiet_until) = (now + secs(3), now);
        }
        put.push(chibi);
    }
    for chibi in put {
        world.entity_mut(chibi).remove::<Held>();
    }
}
