//! A player that plays by itself: goes up to somebody, gets a beating, runs away, rests. For headless runs, and to watch.

use bt_core::prelude::*;
use glam::Vec2;

use crate::world::{COURT, Mood, World};

/// How fast the player goes.
pub(crate) const SPEED: f32 = 110.0;

/// What it is up to.
#[derive(Clone, Copy, Debug)]
enum Plan {
    /// Stay away from everybody.
    Rest { until: Duration },
    /// Stand about so far from a student.
    Watch { student: usize, until: Duration },
    /// Go up to a student until it strikes.
    Tease { student: usize, hits: u32 },
    /// Let whoever is angry come up and draw back.
    Lure,
    /// Run: who strikes into the air gives up.
    Sprint { way: Vec2, until: Duration },
}

/// A player that plays by itself.
pub(crate) struct Autopilot {
    plan: Plan,
    random: fastrand::Rng,
}

impl Autopilot {
    pub(crate) fn new(seed: u64) -> Self {
        Self { plan: Plan::Rest { until: secs(25) }, random: fastrand::Rng::with_seed(seed ^ 0x5eed) }
    }

    /// Decides where the player heads.
    pub(crate) fn steer(&mut self, world: &mut World) {
        let now = world.now;
        self.plan = match self.plan {
            Plan::Rest { until } if now >= until => {
                Plan::Watch { student: self.random.usize(0..world.students.len()), until: now + secs(12) }
            }
            Plan::Watch { student, until } if now >= until => Plan::Tease { student, hits: world.player.hits },
            Plan::Tease { hits, .. } if world.player.hits > hits => sprint(world),
            Plan::Sprint { until, .. } if now >= until => Plan::Lure,
            Plan::Lure if angry(world).next().is_none() => Plan::Rest { until: now + secs(20) },
            Plan::Lure if nearest_angry(world, world.player.position) < 20.0 => sprint(world),
            plan => plan,
        };
        let position = world.player.position;
        let towards = |to: Vec2| (to - position).clamp_length_max(1.0) * SPEED;
        world.player.heading = match self.plan {
            Plan::Rest { .. } => away_from_all(world),
            Plan::Watch { student, .. } => {
                let from = world.students[student].position;
                let away = (position - from).normalize_or(Vec2::X);
                towards(from + away * 115.0)
            }
            Plan::Tease { student, .. } => towards(world.students[student].position),
            Plan::Lure => Vec2::ZERO,
            Plan::Sprint { way, .. } => way * SPEED,
        };
    }
}

/// Where those are who are angry.
fn angry(world: &World) -> impl Iterator<Item = Vec2> {
    world.students.iter().filter(|student| student.mood == Mood::Threatened).map(|student| student.position)
}

fn nearest_angry(world: &World, from: Vec2) -> f32 {
    angry(world).map(|angry| angry.distance(from)).fold(f32::MAX, f32::min)
}

/// The way that leads furthest from everybody who is angry.
fn sprint(world: &World) -> Plan {
    const STRIDE: f32 = SPEED * 1.5;
    let there = |way: Vec2| world.player.position + way * STRIDE;
    let in_court = |way: &Vec2| there(*way).clamp(Vec2::ZERO, COURT) == there(*way);
    let ways = (0..32_u8).map(|way| Vec2::from_angle(f32::from(way) * std::f32::consts::TAU / 32.0)).filter(in_court);
    let gain = |way: &Vec2| nearest_angry(world, there(*way));
    let way = ways.max_by(|a, b| gain(a).total_cmp(&gain(b))).unwrap_or(Vec2::X);
    Plan::Sprint { way, until: world.now + millis(1500) }
}

/// Away from whoever is nearer than they like.
fn away_from_all(world: &World) -> Vec2 {
    const ROOM: f32 = 165.0;
    let position = world.player.position;
    let push = |from: Vec2| {
        let away = position - from;
        away.normalize_or(Vec2::X) * (ROOM - away.length()).max(0.0)
    };
    world.students.iter().map(|student| push(student.position)).sum::<Vec2>().clamp_length_max(SPEED)
}
