//! The park: its size and its sites.

use bevy_ecs::prelude::*;
use glam::{Vec2, vec2};
use rand_core::Rng;
use rand_pcg::Pcg32;

/// The size of the park for a few dozen chibis.
const SIZE: Vec2 = vec2(48.0, 27.0);
/// The number of chibis for which the smallest park is large enough.
const ROOM_FOR: f32 = 48.0;
/// The distance between sites.
const PATCH: Vec2 = vec2(16.0, 13.5);
/// The distance from a tree within which chibis stay dry.
pub(crate) const ROOF: f32 = 2.6;

/// The position of a chibi or a bird.
#[derive(Component, Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "inspector", derive(bevy_reflect::Reflect), reflect(Component))]
pub struct Position(pub Vec2);

/// The kind of a site.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Site {
    /// A tree. Chibis below it stay dry.
    Tree,
    /// A bench.
    Bench,
    /// The way in and out.
    Gate,
}

/// The park.
#[derive(Resource)]
pub struct Town {
    /// Its size. The corner is at 0.
    pub size: Vec2,
    /// The factor by which its sides are longer than in the smallest park.
    pub scale: f32,
    /// The sites and their positions.
    pub sites: Vec<(Site, Vec2)>,
}

impl Town {
    /// Creates a park for a number of chibis: alternating trees and benches, and a gate.
    pub(crate) fn new(chibis: usize) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "a size")]
        let scale = (chibis as f32 / ROOM_FOR).sqrt().max(1.0);
        let size = SIZE * scale;
        let mut sites = vec![(Site::Gate, vec2(0.8, size.y / 2.0))];
        let mut at = PATCH / 2.0;
        let mut count = 0;
        while at.y < size.y {
            let site = if count % 2 == 0 { Site::Tree } else { Site::Bench };
            // Every other row is shifted.
            sites.push((site, at + vec2(if at.y > PATCH.y { 2.5 } else { 0.0 }, 0.0)));
            count += 1;
            at.x += PATCH.x;
            if at.x >= size.x {
                at = vec2(PATCH.x / 2.0, at.y + PATCH.y);
                count = usize::from(count % 2 == 1);
            }
        }
        Self { size, scale, sites }
    }

    /// Returns the nearest site of a kind.
    pub(crate) fn nearest(&self, site: Site, at: Vec2) -> Option<Vec2> {
        let distance = |other: &Vec2| other.distance_squared(at);
        self.all(site).min_by(|one, other| distance(one).total_cmp(&distance(other)))
    }

    /// Returns where the sites of a kind are.
    pub(crate) fn all(&self, site: Site) -> impl Iterator<Item = Vec2> {
        self.sites.iter().filter(move |(one, _)| *one == site).map(|(_, at)| *at)
    }

    /// Returns the gate.
    pub(crate) fn gate(&self) -> Vec2 {
        self.all(Site::Gate).next().unwrap_or_default()
    }

    /// Returns a random point.
    pub(crate) fn anywhere(&self, rng: &mut Pcg32) -> Vec2 {
        let margin = Vec2::ONE;
        margin + vec2(fraction(rng), fraction(rng)) * (self.size - 2.0 * margin)
    }

    /// Returns the point of the park that is nearest to another one.
    pub(crate) fn inside(&self, at: Vec2) -> Vec2 {
        at.clamp(Vec2::splat(0.5), self.size - 0.5)
    }
}

/// Returns a random number from 0 to 1.
pub(crate) fn fraction(rng: &mut Pcg32) -> f32 {
    f32::from(u16::try_from(rng.next_u32() >> 16).unwrap_or(0)) / 65536.0
}
