//! The player's hand: it picks a chibi or a bird up, carries it and puts it down.

use bevy_ecs::prelude::*;
use bevy_time::Time;
use bt_bevy::prelude::secs;
use glam::Vec2;

use crate::birds::Bird;
use crate::chibi::{Held, Mood, Role, Talk};
use crate::town::{Position, Town};

/// How far from a chibi or a bird the hand can be.
const REACH: f32 = 1.6;

/// Picks up the chibi or the bird that is nearest to a point of the park. The talk of a chibi ends. Returns whether one is there.
pub fn pick_up(world: &mut World, at: Vec2) -> bool {
    put_down(world);
    let mut all = world.query_filtered::<(Entity, &Position), Or<(With<Role>, With<Bird>)>>();
    let distance = |(_, position): &(Entity, &Position)| position.0.distance(at);
    let nearest = all.iter(world).min_by(|one, other| distance(one).total_cmp(&distance(other)));
    let Some(held) = nearest.filter(|one| distance(one) < REACH).map(|(one, _)| one) else { return false };
    let other = world.get::<Talk>(held).map(|talk| talk.with);
    for one in [Some(held), other].into_iter().flatten() {
        if let Ok(mut one) = world.get_entity_mut(one) {
            one.remove::<Talk>();
        }
    }
    world.entity_mut(held).insert(Held);
    true
}

/// Carries what is held to a point of the park. Does nothing if the hand is empty.
pub fn carry(world: &mut World, to: Vec2) {
    let to = world.resource::<Town>().inside(to);
    let mut held = world.query_filtered::<&mut Position, With<Held>>();
    for mut position in held.iter_mut(world) {
        position.0 = to;
    }
}

/// Puts down what is held. A chibi talks to whom it meets there; a meddler has forgotten what it wanted; a bird pecks there.
pub fn put_down(world: &mut World) {
    let now = world.resource::<Time>().elapsed();
    let mut held = world.query_filtered::<(Entity, Option<(&Role, &mut Mood)>), With<Held>>();
    let mut put = Vec::new();
    for (one, chibi) in held.iter_mut(world) {
        put.push(one);
        let Some((role, mut mood)) = chibi else { continue };
        if role.is_meddler {
            mood.quiet_until = now + secs(6);
        } else {
            (mood.dropped_until, mood.quiet_until) = (now + secs(3), now);
        }
    }
    for one in put {
        world.entity_mut(one).remove::<Held>();
    }
}
