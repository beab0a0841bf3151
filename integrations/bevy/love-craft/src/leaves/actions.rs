//! Actions. Those that change two chibis are the systems of `talk`.

use core::f32::consts::PI;

use bt_bevy::prelude::*;
use glam::Vec2;
use rand_pcg::Pcg32;

use super::conditions::BESIDE;
use super::friend_at;
use crate::chibi::{Balloon, Love, Me, Pose, Topic};
use crate::near::Seen;
use crate::town::{ROOF, Site, fraction};
use crate::walking::Walk;

/// How far chibis see others, and birds.
const SIGHT: f32 = 14.0;
/// The distance within which a chibi that was put down looks for another one.
const HERE: f32 = 3.0;
/// The distance from which birds are fed.
const FROM_BIRDS: f32 = 2.2;

/// The purpose of a spot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Spot {
    Tree,
    Bench,
    Gate,
    Birds,
    Anywhere,
}

/// Kicks about in the player's hand.
pub(crate) fn dangle(chibi: &mut Me) -> Status {
    chibi.mood.pose = Pose::Dangling;
    Status::Running
}

/// Shows a balloon.
#[action]
pub(crate) fn show(chibi: &mut Me<'_, '_>, balloon: Balloon) {
    let now = chibi.now();
    chibi.mood.show(balloon, now);
}

/// Chooses a spot to walk to. Fails if there is none.
#[action]
pub(crate) fn choose(chibi: &mut Me<'_, '_>, spot: Spot) -> bool {
    let (at, town) = (chibi.position.0, chibi.params.town.share());
    let found = match spot {
        // In front of the tree, where it hides nobody.
        Spot::Tree => town.nearest(Site::Tree, at).map(|tree| tree + in_front(chibi.rng()) * (ROOF - 0.3)),
        Spot::Bench => town.nearest(Site::Bench, at).map(|bench| bench + Vec2::X * (fraction(chibi.rng()) - 0.5)),
        Spot::Gate => Some(town.gate()),
        Spot::Birds => {
            let birds = chibi.params.birds.iter().map(|position| position.0);
            let nearest = birds.min_by(|one, other| at.distance(*one).total_cmp(&at.distance(*other)));
            let bird = nearest.filter(|bird| at.distance(*bird) < SIGHT);
            bird.map(|bird| beside_bird(bird, at))
        }
        Spot::Anywhere => Some(town.anywhere(chibi.rng())),
    };
    if let Some(found) = found {
        chibi.mood.spot = town.inside(found);
    }
    found.is_some()
}

/// Returns the point from which a chibi that comes from `from` feeds a bird. `from` may be the position of the bird.
pub(crate) fn beside_bird(bird: Vec2, from: Vec2) -> Vec2 {
    bird + (from - bird).normalize_or(Vec2::Y) * FROM_BIRDS
}

/// Returns a random point in the front half of a circle with the radius 1.
fn in_front(rng: &mut Pcg32) -> Vec2 {
    Vec2::from_angle(fraction(rng) * PI) * fraction(rng).sqrt()
}

pub(crate) fn walk_to_spot(chibi: &mut Me) -> Status {
    let spot = chibi.mood.spot;
    if chibi.position.0.distance(spot) < 0.1 {
        return Status::Success;
    }
    walk(chibi, spot)
}

/// Fails if the friend has gone.
pub(crate) fn walk_to_friend(chibi: &mut Me) -> Status {
    let Some(friend) = friend_at(chibi) else { return Status::Failure };
    let at = chibi.position.0;
    if at.distance(friend) < BESIDE {
        return Status::Success;
    }
    // Beside the friend, on the side where this one comes from.
    let side = if at.x < friend.x { -1.0 } else { 1.0 };
    walk(chibi, friend + Vec2::X * side * (BESIDE - 0.4))
}

fn walk(chibi: &mut Me, to: Vec2) -> Status {
    let speed = if chibi.params.weather.is_raining { 5.5 } else { 3.2 };
    *chibi.walk = Walk { to: Some(to), speed };
    chibi.mood.pose = Pose::Walking;
    chibi.mood.energy = (chibi.mood.energy - 0.003).max(0.0);
    Status::Running
}

pub(crate) fn wait_for_sun(chibi: &mut Me) -> Status {
    chibi.mood.pose = Pose::Standing;
    let now = chibi.now();
    chibi.mood.show(Balloon::Rain, now);
    Status::Running
}

/// Forgets the friend and the love, and is quiet for a while.
pub(crate) fn forget(chibi: &mut Me) {
    chibi.mood.friend = None;
    chibi.mood.pose = Pose::Standing;
    chibi.mood.quiet_until = chibi.now() + secs(6);
    if chibi.love.is_some() {
        chibi.entity_commands().remove::<Love>();
    }
}

/// Finds a chibi that is free; for a chibi that was put down, only nearby.
pub(crate) fn find_friend(chibi: &mut Me) -> bool {
    let now = chibi.now();
    if chibi.mood.quiet_until > now || chibi.role.is_meddler {
        return false;
    }
    let reach = if chibi.mood.dropped_until > now { HERE } else { SIGHT };
    find(chibi, reach, |seen| seen.is_free)
}

/// Finds a chibi in a talk.
pub(crate) fn find_talk(chibi: &mut Me) -> bool {
    find(chibi, SIGHT, |seen| seen.is_talking)
}

/// Chooses a random chibi within reach.
fn find(chibi: &mut Me, reach: f32, is_meant: impl Fn(&Seen) -> bool) -> bool {
    let (me, at, near) = (chibi.entity, chibi.position.0, chibi.params.near.share());
    let mut count = 0;
    let mut found = None;
    for seen in near.within(reach, at).filter(|seen| seen.entity != me && is_meant(seen)) {
        count += 1;
        if chibi.rng().next_u32().is_multiple_of(count) {
            found = Some(seen.entity);
        }
    }
    chibi.mood.friend = found;
    found.is_some()
}

/// Speaks about its own topic.
pub(crate) fn say_favorite(chibi: &mut Me) {
    let topic = chibi.role.topic;
    say(chibi, topic);
}

/// Speaks about any topic.
pub(crate) fn say_something(chibi: &mut Me) {
    let topics = Topic::ALL;
    let index = usize::try_from(chibi.rng().next_u32()).unwrap_or(0) % topics.len();
    say(chibi, topics[index]);
}

fn say(chibi: &mut Me, topic: Topic) {
    let now = chibi.now();
    chibi.mood.pose = Pose::Talking;
    chibi.mood.show(Balloon::Topic(topic), now);
}

pub(crate) fn listen(chibi: &mut Me) -> Status {
    chibi.mood.pose = Pose::Standing;
    Status::Running
}

/// Sits until all energy is back.
pub(crate) fn sit(chibi: &mut Me) -> Status {
    chibi.mood.pose = Pose::Sitting;
    chibi.mood.energy = (chibi.mood.energy + 0.02).min(1.0);
    if chibi.mood.energy < 1.0 {
        return Status::Running;
    }
    chibi.mood.pose = Pose::Standing;
    Status::Success
}

/// Throws seeds to the birds. Fails if they have gone.
pub(crate) fn feed(chibi: &mut Me) -> bool {
    let (at, now) = (chibi.position.0, chibi.now());
    chibi.mood.pose = Pose::Standing;
    chibi.mood.show(Balloon::Seeds, now);
    chibi.params.birds.iter().any(|bird| bird.0.distance(at) < 2.0 * FROM_BIRDS)
}
