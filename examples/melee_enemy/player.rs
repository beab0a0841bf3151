//! The simulated player: approaches a student, gets hit, runs away, rests.

use bt_core::prelude::*;
use glam::Vec2;

use crate::world::{COURT, Mood, World};

/// The speed of the player.
pub(crate) const SPEED: f32 = 110.0;

/// The current plan of the simulated player.
#[derive(Clone, Copy, Debug)]
enum Plan {
    /// Stay away from all students.
    Rest { until: Duration },
    /// Stand still at a distance from a student.
    Watch { student: usize, until: Duration },
    /// Approach a student until it strikes.
    Tease { student: usize, hits: u32 },
    /// Wait for an angry student to approach.
    Lure,
    /// Run away, so that the student strikes the air and gives up.
    Sprint { way: Vec2, until: Duration },
}

/// The simulated player.
pub(crate) struct Autopilot {
    plan: Plan,
    random: fastrand::Rng,
}

impl Autopilot {
    pub(crate) fn new(seed: u64) -> Self {
        Self { plan: Plan::Rest { until: secs(25) }, random: fastrand::Rng::with_seed(seed ^ 0x5eed) }
    }

    /// Sets the heading of the player.
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

/// Returns the positions of the angry students.
fn angry(world: &World) -> impl Iterator<Item = Vec2> {
    world.students.iter().filter(|student| student.mood == Mood::Threatened).map(|student| student.position)
}

fn nearest_angry(world: &World, from: Vec2) -> f32 {
    angry(world).map(|angry| angry.distance(from)).fold(f32::MAX, f32::min)
}

/// Returns a plan to sprint in the direction that leads furthest from all angry students.
fn sprint(world: &World) -> Plan {
    const STRIDE: f32 = SPEED * 1.5;
    let there = |way: Vec2| world.player.position + way * STRIDE;
    let in_court = |way: &Vec2| there(*way).clamp(Vec2::ZERO, COURT) == there(*way);
    let ways = (0..32_u8).map(|way| Vec2::from_angle(f32::from(way) * std::f32::consts::TAU / 32.0)).filter(in_court);
    let gain = |way: &Vec2| nearest_angry(world, there(*way));
    let way = ways.max_by(|a, b| gain(a).total_cmp(&gain(b))).unwrap_or(Vec2::X);
    Plan::Sprint { way, until: world.now + millis(1500) }
}

/// Returns a heading away from all students within their comfort distance.
fn away_from_all(world: &World) -> Vec2 {
    const ROOM: f32 = 165.0;
    let position = world.player.position;
    let push = |from: Vec2| {
        let away = position - from;
        away.normalize_or(Vec2::X) * (ROOM - away.length()).max(0.0)
    };
    world.students.iter().map(|student| push(student.position)).sum::<Vec2>().clamp_length_max(SPEED)
}
