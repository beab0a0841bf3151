//! Levels: a number of couples within a time limit.

use std::time::Duration;

use bevy_ecs::prelude::*;
use bevy_time::Time;
use bt_bevy::prelude::*;
use glam::{Vec2, vec2};
use rand_core::Rng;
use rand_pcg::Pcg32;

use crate::birds::{Bird, Sparrow};
use crate::chibi::{Chibi, Mood, Role, Topic};
use crate::town::{Position, Town, fraction};
use crate::walking::Walk;

/// The time for a level.
const TIME: Duration = Duration::from_secs(90);
/// How long a result is shown.
const SHOWN: Duration = Duration::from_secs(3);

/// The level, and what the player has reached in it.
#[derive(Resource)]
pub struct Level {
    /// From 1. The level 0 is a crowd without an end.
    pub number: u32,
    /// The couples of this level.
    pub couples: u32,
    /// The couples of all levels.
    pub all_couples: u32,
    /// When the time is up.
    pub ends: Duration,
    /// Until when the result of the last level is shown, and whether it was reached.
    pub result: Option<(Duration, bool)>,
    townsfolk: usize,
    meddlers: usize,
    born: usize,
    rng: Pcg32,
}

impl Level {
    /// Starts the first level or, with a number of chibis, a crowd without an end.
    pub(crate) fn new(seed: u64, chibis: Option<usize>) -> Self {
        let mut level = Self {
            number: u32::from(chibis.is_none()),
            couples: 0,
            all_couples: 0,
            ends: TIME,
            result: None,
            townsfolk: 0,
            meddlers: 0,
            born: 0,
            rng: Pcg32::new(seed, 1),
        };
        match chibis {
            Some(chibis) => (level.townsfolk, level.meddlers) = (chibis - chibis / 12, chibis / 12),
            None => level.populate(),
        }
        level
    }

    /// Returns how many couples the level needs.
    pub const fn goal(&self) -> u32 {
        5 + 3 * self.number
    }

    /// Describes the level at a time.
    pub fn text(&self, now: Duration) -> String {
        if self.number == 0 {
            return format!("{} chibis, {} couples", self.chibis(), self.all_couples);
        }
        let left = self.ends.saturating_sub(now).as_secs();
        format!("level {}: {} of {} couples, {left} s", self.number, self.couples, self.goal())
    }

    /// Returns the chibis that the level needs.
    pub(crate) const fn chibis(&self) -> usize {
        self.townsfolk + self.meddlers
    }

    fn populate(&mut self) {
        let number = usize::try_from(self.number).unwrap_or(usize::MAX).min(30);
        (self.townsfolk, self.meddlers) = (10 + 4 * number, number);
    }

    /// Starts the next level, or restarts this one.
    fn begin(&mut self, was_reached: bool, now: Duration) {
        self.number += u32::from(was_reached);
        self.couples = 0;
        self.ends = now + TIME + SHOWN;
        self.result = Some((now + SHOWN, was_reached));
        self.populate();
    }

    /// Creates a chibi.
    pub(crate) fn chibi(&mut self, is_meddler: bool, at: Vec2) -> impl Bundle + use<> {
        // The first levels have few topics, so that many get on.
        let topics = if self.number == 0 { 6 } else { self.number + 2 }.min(6);
        let topic = Topic::ALL[usize::try_from(self.rng.next_u32() % topics).unwrap_or(0)];
        let looks = u8::try_from(self.rng.next_u32() % 251).unwrap_or(0);
        let mood = Mood { energy: 0.4 + 0.6 * fraction(&mut self.rng), ..Mood::default() };
        self.born += 1;
        let name = if is_meddler { format!("meddler {}", self.born) } else { format!("chibi {}", self.born) };
        let role = Role { topic, is_meddler, looks };
        (Mind::<Chibi>::new(), Position(at), role, mood, Walk::default(), Name::new(name))
    }
}

/// Places the chibis and the birds of the first level.
pub(crate) fn start(mut level: ResMut<Level>, town: Res<Town>, mut commands: Commands) {
    for index in 0..level.chibis() {
        let at = town.anywhere(&mut level.rng);
        let is_meddler = index < level.meddlers;
        commands.spawn(level.chibi(is_meddler, at));
    }
    for index in 0..5 + level.chibis() / 20 {
        let at = town.anywhere(&mut level.rng);
        let bird = (Mind::<Sparrow>::new(), Bird::default(), Position(at), Walk::default());
        commands.spawn((bird, Name::new(format!("bird {index}"))));
    }
}

/// Ends the level when its goal is reached or its time is up.
pub(crate) fn end(mut level: ResMut<Level>, time: Res<Time>) {
    let now = time.elapsed();
    if level.result.is_some_and(|(until, _)| until <= now) {
        level.result = None;
    }
    if level.number == 0 {
        return;
    }
    if level.couples >= level.goal() {
        level.begin(true, now);
    } else if now >= level.ends {
        level.begin(false, now);
    }
}

/// Missing chibis come through the gate.
pub(crate) fn arrive(mut level: ResMut<Level>, roles: Query<&Role>, town: Res<Town>, mut commands: Commands) {
    let meddlers = roles.iter().filter(|role| role.is_meddler).count();
    let is_meddler = meddlers < level.meddlers;
    if is_meddler || roles.iter().len() - meddlers < level.townsfolk {
        let beside = vec2(0.0, 3.0 * fraction(&mut level.rng) - 1.5);
        commands.spawn(level.chibi(is_meddler, town.gate() + beside));
    }
}
