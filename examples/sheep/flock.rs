//! The meadow: the sheep, the dog and the wolf.

use glam::{Vec2, vec2};

/// The size of the meadow.
pub(crate) const MEADOW: Vec2 = vec2(400.0, 240.0);
/// The duration of a tick in seconds.
pub(crate) const DT: f32 = 0.05;

/// The body of a sheep.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub(crate) struct Body {
    pub(crate) position: Vec2,
    pub(crate) velocity: Vec2,
}

/// The state that all sheep see: that after the previous tick.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sight {
    pub(crate) sheep: Vec<Body>,
    pub(crate) dog: Option<Vec2>,
    pub(crate) wolf: Option<Vec2>,
}

/// The context of the machine: a sheep in the flock.
pub(crate) struct Sheep<'f> {
    pub(crate) body: &'f mut Body,
    pub(crate) me: usize,
    pub(crate) sight: &'f Sight,
}

/// The weights of the steering behaviors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights {
    /// Flee from the dog.
    pub(crate) run: f32,
    /// Move to the center of the neighbors.
    pub(crate) near: f32,
    /// Keep a distance from near neighbors.
    pub(crate) apart: f32,
    /// Align with the velocity of the neighbors.
    pub(crate) follow: f32,
    /// Flee from the wolf.
    pub(crate) fear: f32,
    /// The maximum speed.
    pub(crate) speed: f32,
}

impl Sheep<'_> {
    pub(crate) fn distance(&self, to: Option<Vec2>) -> f32 {
        to.map_or(f32::INFINITY, |to| to.distance(self.body.position))
    }

    /// Moves one step according to the weights, as in boids.
    pub(crate) fn step(&mut self, weights: Weights) {
        const SIGHT: f32 = 40.0;
        const ROOM: f32 = 9.0;
        const AGILITY: f32 = 90.0;
        let here = self.body.position;
        let (mut middle, mut way, mut apart, mut seen) = (Vec2::ZERO, Vec2::ZERO, Vec2::ZERO, 0.0_f32);
        for (index, other) in self.sight.sheep.iter().enumerate() {
            let (to, distance) = (other.position - here, other.position.distance(here));
            if index == self.me || distance > SIGHT {
                continue;
            }
            middle += other.position;
            way += other.velocity;
            seen += 1.0;
            if distance < ROOM {
                // Two sheep at the same position separate by their indices.
                let way = to.try_normalize().unwrap_or(if index < self.me { Vec2::X } else { -Vec2::X });
                apart -= way * (1.0 - distance / ROOM);
            }
        }
        let seen = seen.max(1.0);
        let away = |from: Option<Vec2>| from.map_or(Vec2::ZERO, |from| (here - from).normalize_or_zero());
        let near = if middle == Vec2::ZERO { Vec2::ZERO } else { (middle / seen - here) / SIGHT };
        let will = away(self.sight.dog) * weights.run
            + near * weights.near
            + apart * weights.apart
            + way / seen / 60.0 * weights.follow
            + away(self.sight.wolf) * weights.fear
            + fence(here);
        let velocity = self.body.velocity * 0.92 + will * AGILITY * DT;
        self.body.velocity = velocity.clamp_length_max(weights.speed);
        self.body.position = (here + self.body.velocity * DT).clamp(Vec2::ZERO, MEADOW);
    }
}

/// Returns a force inwards near the edge of the meadow.
fn fence(here: Vec2) -> Vec2 {
    const NEAR: f32 = 20.0;
    let low = ((Vec2::splat(NEAR) - here) / NEAR).max(Vec2::ZERO);
    let high = ((here - (MEADOW - NEAR)) / NEAR).max(Vec2::ZERO);
    (low - high) * 2.0
}
