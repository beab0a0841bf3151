//! Conditions.

use glam::Vec2;

use super::friend_at;
use crate::chibi::{Me, Pose};
use crate::talk::{BORED, CHARMED};
use crate::town::{ROOF, Site};

/// The distance within which friends are near each other.
pub(crate) const BESIDE: f32 = 1.7;
/// The distance within which a meddler interrupts a talk.
const MEDDLES: f32 = 2.0;

pub(crate) fn is_held(chibi: &Me) -> bool {
    chibi.is_held
}

pub(crate) fn is_raining(chibi: &Me) -> bool {
    chibi.params.weather.is_raining
}

pub(crate) fn is_sheltered(chibi: &Me) -> bool {
    let at = chibi.position.0;
    // Behind the tree, nobody would be seen.
    let is_under = |tree: Vec2| tree.distance(at) < ROOF && at.y > tree.y - 0.3;
    chibi.params.town.nearest(Site::Tree, at).is_some_and(is_under)
}

pub(crate) fn is_in_love(chibi: &Me) -> bool {
    chibi.love.is_some()
}

pub(crate) fn friend_is_near(chibi: &Me) -> bool {
    friend_at(chibi).is_some_and(|friend| friend.distance(chibi.position.0) < BESIDE)
}

pub(crate) fn is_in_talk(chibi: &Me) -> bool {
    chibi.talk.is_some()
}

pub(crate) fn meddler_is_near(chibi: &Me) -> bool {
    chibi.params.near.within(MEDDLES, chibi.position.0).any(|one| one.is_meddling)
}

pub(crate) fn is_charmed(chibi: &Me) -> bool {
    chibi.talk.is_some_and(|talk| talk.affection >= CHARMED)
}

pub(crate) fn is_bored(chibi: &Me) -> bool {
    chibi.talk.is_some_and(|talk| talk.affection <= BORED)
}

pub(crate) fn is_speaker(chibi: &Me) -> bool {
    chibi.talk.is_some_and(|talk| talk.is_speaker)
}

pub(crate) fn likes_topic(chibi: &Me) -> bool {
    chibi.talk.is_some_and(|talk| talk.topic == Some(chibi.role.topic))
}

pub(crate) fn is_meddler(chibi: &Me) -> bool {
    chibi.role.is_meddler
}

pub(crate) fn wants_quiet(chibi: &Me) -> bool {
    chibi.mood.quiet_until > chibi.now()
}

pub(crate) fn was_put_down(chibi: &Me) -> bool {
    chibi.mood.dropped_until > chibi.now()
}

/// A chibi that sits is tired until all energy is back.
pub(crate) fn is_tired(chibi: &Me) -> bool {
    let enough = if chibi.mood.pose == Pose::Sitting { 1.0 } else { 0.15 };
    chibi.mood.energy < enough
}
