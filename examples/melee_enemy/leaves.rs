//! The leaves of the tree.

use bt_core::describe::Param;
use bt_core::prelude::*;
use glam::{Vec2, vec2};

use crate::world::{COURT, DT, Enemy, EventKind, Kind, Mood, Thing};

/// The walking and running speed of a student.
const WALK: f32 = 30.0;
const RUN: f32 = 50.0;
/// The distance at which a target counts as reached.
const ARRIVED: f32 = 8.0;

/// Targets a random thing of these kinds within the radius. Fails if there is none.
#[action]
pub(crate) fn any_around(enemy: &mut Enemy<'_>, kinds: &'static [Kind], radius: f32) -> bool {
    let me = Thing { kind: Kind::Student, index: enemy.id };
    let near = |thing: &Thing| {
        *thing != me && enemy.world.position(*thing).is_some_and(|position| enemy.distance(position) <= radius)
    };
    let found: Vec<Thing> = kinds.iter().flat_map(|kind| enemy.world.things(*kind)).filter(near).collect();
    target_any(enemy, &found)
}

/// Targets a random thing of a kind within the radius that is attached to the same point as this student. Fails if there is none.
#[action]
pub(crate) fn any_around_attached(enemy: &mut Enemy<'_>, kind: Kind, to: Kind, radius: f32) -> bool {
    let attached = match to {
        Kind::MeetingPoint => enemy.me().attached,
        _ => None,
    };
    let id = enemy.id;
    let near = |thing: &Thing| {
        let student = &enemy.world.students[thing.index];
        thing.index != id
            && attached.is_some()
            && student.attached == attached
            && enemy.distance(student.position) <= radius
    };
    let found: Vec<Thing> = enemy.world.things(kind).filter(|thing| thing.kind == Kind::Student).filter(near).collect();
    target_any(enemy, &found)
}

fn target_any(enemy: &mut Enemy<'_>, found: &[Thing]) -> bool {
    let selected = enemy.world.random.choice(found).copied();
    if selected.is_some() {
        enemy.me().target = selected;
    }
    selected.is_some()
}

/// Walks to the target, or to the last wander point. Fails if there is neither. Calms down after walking for 1 s.
#[action]
pub(crate) fn move_to_point(enemy: &mut Enemy<'_>, #[open] walked: &mut f32) -> Status {
    let Some(to) = enemy.target().or(enemy.me().point) else { return Status::Failure };
    if enemy.distance(to) <= ARRIVED {
        return Status::Success;
    }
    enemy.go(to, WALK);
    *walked += DT;
    if *walked > 1.0 {
        enemy.make_face(Mood::Calm);
    }
    Status::Running
}

/// Chooses a random wander point near the spawn point.
#[action]
pub(crate) fn find_wander_point(enemy: &mut Enemy<'_>, radius: f32) {
    let angle = enemy.world.random.f32() * std::f32::consts::TAU;
    let far = enemy.world.random.f32().sqrt() * radius;
    let point = (enemy.me().spawn + Vec2::from_angle(angle) * far).clamp(vec2(10.0, 10.0), COURT - 10.0);
    enemy.me().target = None;
    enemy.me().point = Some(point);
    enemy.log(EventKind::Wanders);
}

/// Attaches this student to a thing of a kind within the radius. Fails if there is none.
#[action]
pub(crate) fn attach_to(enemy: &mut Enemy<'_>, kind: Kind, radius: f32) -> bool {
    let near = |thing: &Thing| enemy.world.position(*thing).is_some_and(|position| enemy.distance(position) <= radius);
    let Some(found) = enemy.world.things(kind).find(near) else { return false };
    enemy.me().attached = Some(found.index);
    enemy.log(EventKind::Attaches { to: found.index });
    true
}

/// Keeps the distance `room` from the other student until the end of the talk that follows.
#[action]
pub(crate) fn separate(enemy: &mut Enemy<'_>, room: f32) {
    enemy.me().room = Some(room);
}

/// Steps back from another student if it is nearer than the room that this one keeps.
fn keep_apart(enemy: &mut Enemy<'_>, other: Vec2) {
    let Some(room) = enemy.me().room.filter(|room| enemy.distance(other) < *room) else { return };
    let side = if enemy.id.is_multiple_of(2) { Vec2::X } else { Vec2::NEG_X };
    let away = (enemy.position() - other).normalize_or(side);
    enemy.go(other + away * room, WALK);
}

/// Lifts the targeted box for 0.5 s to 1.5 s, and clears the target at the end.
pub(crate) struct TkLift;

#[derive(Clone, Copy)]
pub(crate) struct Lifting {
    thing: Option<Thing>,
    until: Duration,
}

#[leaf]
impl Leaf<Enemy<'_>> for TkLift {
    type Open = Lifting;

    fn name(&self) -> &'static str {
        "tk_lift"
    }

    fn open(&self, enemy: &mut Enemy<'_>) -> Lifting {
        let thing = enemy.me().target.filter(|thing| thing.kind == Kind::Box);
        if let Some(Thing { index, .. }) = thing {
            enemy.log(EventKind::Lifts { which: index });
        }
        Lifting { thing, until: enemy.now() + millis(enemy.world.random.u64(500..1500)) }
    }

    fn tick(&self, lifting: &mut Lifting, enemy: &mut Enemy<'_>) -> Status {
        const LIFT: f32 = 50.0;
        let Some(Thing { index, .. }) = lifting.thing else { return Status::Failure };
        let lifted = &mut enemy.world.boxes[index];
        lifted.height += LIFT * DT;
        let position = lifted.position;
        enemy.turn_to(position);
        if enemy.now() < lifting.until { Status::Running } else { Status::Success }
    }

    fn close(&self, lifting: &mut Lifting, enemy: &mut Enemy<'_>, _: End) {
        if let Some(thing) = lifting.thing {
            enemy.forget(thing);
            enemy.log(EventKind::Drops { which: thing.index });
        }
    }
}

pub(crate) fn tk_lift() -> TkLift {
    TkLift
}

/// Turns to the target and talks to it, starting after 0.5 s. Succeeds after `time`, also if the other student leaves.
pub(crate) struct Talk {
    time: Duration,
}

#[derive(Clone, Copy)]
pub(crate) struct Talking {
    to: Option<Thing>,
    since: Duration,
}

#[leaf]
impl Leaf<Enemy<'_>> for Talk {
    type Open = Talking;

    fn name(&self) -> &'static str {
        "talk"
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[Param::new("time", &self.time)]);
    }

    fn open(&self, enemy: &mut Enemy<'_>) -> Talking {
        Talking { to: enemy.me().target.filter(|thing| thing.kind == Kind::Student), since: enemy.now() }
    }

    fn tick(&self, talking: &mut Talking, enemy: &mut Enemy<'_>) -> Status {
        let Some(Thing { index, .. }) = talking.to else { return Status::Failure };
        let position = enemy.world.students[index].position;
        keep_apart(enemy, position);
        enemy.turn_to(position);
        let talked = enemy.now().saturating_sub(talking.since);
        if talked >= millis(500) && enemy.me().talks_to.is_none() {
            enemy.me().talks_to = Some(index);
            enemy.log(EventKind::Talks { to: index });
        }
        if talked < self.time { Status::Running } else { Status::Success }
    }

    fn close(&self, talking: &mut Talking, enemy: &mut Enemy<'_>, _: End) {
        let me = enemy.me();
        (me.talks_to, me.attached, me.room) = (None, None, None);
        if let Some(other) = talking.to {
            enemy.forget(other);
        }
    }
}

pub(crate) fn talk(time: Duration) -> Talk {
    Talk { time }
}

/// Looks at the player suspiciously for 3 s.
pub(crate) struct Suspicious;

#[leaf]
impl Leaf<Enemy<'_>> for Suspicious {
    type Open = Duration; // start time

    fn name(&self) -> &'static str {
        "suspicious"
    }

    fn open(&self, enemy: &mut Enemy<'_>) -> Duration {
        enemy.me().attached = None;
        enemy.make_face(Mood::Suspicious);
        enemy.now()
    }

    fn tick(&self, since: &mut Duration, enemy: &mut Enemy<'_>) -> Status {
        let player = enemy.world.player.position;
        enemy.turn_to(player);
        if enemy.now().saturating_sub(*since) < secs(3) { Status::Running } else { Status::Success }
    }
}

pub(crate) fn suspicious() -> Suspicious {
    Suspicious
}

pub(crate) fn unsuspicious(enemy: &mut Enemy<'_>) {
    enemy.make_face(Mood::Calm);
}

/// Shows an angry face.
pub(crate) fn threatened(enemy: &mut Enemy<'_>) {
    enemy.me().attached = None;
    enemy.make_face(Mood::Threatened);
}

pub(crate) fn unthreatened(enemy: &mut Enemy<'_>) {
    enemy.make_face(Mood::Calm);
}

/// Runs after the player. Always succeeds.
pub(crate) fn chase(enemy: &mut Enemy<'_>) {
    const AT_ARMS_LENGTH: f32 = 15.0;
    let player = enemy.world.player.position;
    enemy.turn_to(player);
    if enemy.distance(player) > AT_ARMS_LENGTH {
        enemy.go(player, RUN);
    }
}

/// Prepares for 1 s, then hits the player if still in reach. Succeeds either way.
#[action]
pub(crate) fn melee_attack(enemy: &mut Enemy<'_>, #[open(enemy.now())] since: &mut Duration) -> Status {
    const REACH: f32 = 30.0;
    enemy.me().fought = Some(enemy.now());
    if enemy.now().saturating_sub(*since) < secs(1) {
        return Status::Running;
    }
    if enemy.distance(enemy.world.player.position) <= REACH {
        enemy.world.player.hits += 1;
        enemy.log(EventKind::Strikes);
    }
    Status::Success
}
