//! Talks and love. They change two chibis at once, so each step is a system.

use bevy_ecs::prelude::*;
use bevy_time::Time;
use bt_bevy::prelude::secs;

use crate::chibi::{Balloon, Held, Love, Mood, Pose, Role, Talk};
use crate::level::Level;
use crate::town::Position;

/// The affection at which chibis fall in love.
pub(crate) const CHARMED: i8 = 3;
/// The affection at which a chibi ends the talk.
pub(crate) const BORED: i8 = -2;

/// The distance at which chibis lose each other.
const LOST: f32 = 12.0;

type Free = (Without<Talk>, Without<Love>, Without<Held>);

/// Begins a talk with the friend, if both are free.
pub(crate) fn greet(
    In(me): In<Entity>,
    mut moods: Query<&mut Mood>,
    free: Query<&Role, Free>,
    time: Res<Time>,
    mut commands: Commands,
) -> bool {
    let Some(friend) = moods.get(me).ok().and_then(|mood| mood.friend) else { return false };
    let is_free = |one| free.get(one).is_ok_and(|role| !role.is_meddler);
    if friend == me || !is_free(me) || !is_free(friend) {
        return false;
    }
    for (one, with, is_speaker) in [(me, friend, true), (friend, me, false)] {
        if let Ok(mut mood) = moods.get_mut(one) {
            mood.show(Balloon::Hello, time.elapsed());
        }
        commands.entity(one).insert(Talk { with, is_speaker, topic: None, affection: 0 });
    }
    true
}

/// Ends the turn of a speaker: the listener likes the topic or not, and speaks next.
pub(crate) fn pass_on(In(me): In<Entity>, mut talks: Query<(&mut Talk, &Role)>) -> bool {
    let Some(with) = talks.get(me).ok().map(|(talk, _)| talk.with) else { return false };
    let Ok([(mut mine, _), (mut other, listener)]) = talks.get_many_mut([me, with]) else { return false };
    let change = if mine.topic == Some(listener.topic) { 1 } else { -1 };
    let affection = mine.affection.saturating_add(change);
    *mine = Talk { is_speaker: false, topic: None, affection, ..*mine };
    *other = Talk { is_speaker: true, topic: None, affection, ..*other };
    true
}

/// Ends the talk for both. For a while, they begin no other talk.
pub(crate) fn end_talk(
    In(me): In<Entity>,
    mut talks: Query<(&Talk, &mut Mood)>,
    time: Res<Time>,
    mut commands: Commands,
) {
    let with = talks.get(me).ok().map(|(talk, _)| talk.with);
    for one in [Some(me), with].into_iter().flatten() {
        if let Ok((_, mut mood)) = talks.get_mut(one) {
            mood.quiet_until = time.elapsed() + secs(3);
            commands.entity(one).remove::<Talk>();
        }
    }
}

/// Makes a talk love.
pub(crate) fn fall_in_love(
    In(me): In<Entity>,
    mut talks: Query<(&Talk, &mut Mood)>,
    time: Res<Time>,
    mut commands: Commands,
) -> bool {
    let Some(with) = talks.get(me).ok().map(|(talk, _)| talk.with) else { return false };
    if !talks.contains(with) {
        return false;
    }
    for (one, of) in [(me, with), (with, me)] {
        if let Ok((_, mut mood)) = talks.get_mut(one) {
            mood.show(Balloon::Heart, time.elapsed());
        }
        commands.entity(one).remove::<Talk>().insert(Love { of, has_kissed: false });
    }
    true
}

/// Kisses. The first kiss of a couple counts.
pub(crate) fn kiss(
    In(me): In<Entity>,
    mut lovers: Query<(&mut Love, &mut Mood)>,
    mut level: ResMut<Level>,
    time: Res<Time>,
) -> bool {
    let Some(beloved) = lovers.get(me).ok().map(|(love, _)| love.of) else { return false };
    let Ok(both) = lovers.get_many_mut([me, beloved]) else { return false };
    let is_first = !both[0].0.has_kissed;
    for (mut love, mut mood) in both {
        love.has_kissed = true;
        mood.pose = Pose::Kissing;
        mood.show(Balloon::Heart, time.elapsed());
    }
    if is_first {
        level.couples += 1;
        level.all_couples += 1;
    }
    true
}

/// Leaves the park, hand in hand.
pub(crate) fn leave(In(me): In<Entity>, lovers: Query<&Love>, mut commands: Commands) {
    let beloved = lovers.get(me).ok().map(|love| love.of);
    for one in [Some(me), beloved].into_iter().flatten() {
        commands.entity(one).try_despawn();
    }
}

/// Sets the topic of the speaker for both chibis.
pub(crate) fn hear(moods: Query<&Mood>, mut talks: Query<(Entity, &mut Talk)>) {
    for (me, mut talk) in &mut talks {
        let speaker = if talk.is_speaker { me } else { talk.with };
        if let Ok(Mood { balloon: Some(Balloon::Topic(topic)), .. }) = moods.get(speaker) {
            talk.topic = Some(*topic);
        }
    }
}

/// A talk ends when one of them has gone, or is too far away.
pub(crate) fn part(talks: Query<(Entity, &Talk, &Position)>, mut commands: Commands) {
    for (me, talk, position) in &talks {
        let is_here = |other: &Position| position.0.distance(other.0) < LOST;
        if !talks.get(talk.with).is_ok_and(|(_, other, at)| other.with == me && is_here(at)) {
            commands.entity(me).remove::<Talk>();
        }
    }
}
