//! A grid of all chibis by position, to find chibis near a point.

use std::collections::HashMap;

use bevy_ecs::prelude::*;
use bevy_time::Time;
use glam::{IVec2, Vec2};

use crate::chibi::{Held, Love, Mood, Role, Talk};
use crate::town::Position;

/// The width of a cell.
const CELL: f32 = 4.0;

/// A chibi as others see it.
pub(crate) struct Seen {
    pub(crate) entity: Entity,
    pub(crate) at: Vec2,
    /// Whether it interrupts the talks near it.
    pub(crate) is_meddling: bool,
    pub(crate) is_talking: bool,
    /// Neither a meddler, nor in a talk or in love.
    pub(crate) is_free: bool,
}

/// All chibis that stand on the ground, by cell. A system builds it before the trees are ticked.
#[derive(Resource, Default)]
pub(crate) struct Near {
    cells: HashMap<IVec2, Vec<Seen>>,
}

impl Near {
    /// Returns the chibis within a distance.
    pub(crate) fn within(&self, distance: f32, at: Vec2) -> impl Iterator<Item = &Seen> {
        let [from, to] = [cell(at - distance), cell(at + distance)];
        let cells = (from.y..=to.y).flat_map(move |y| (from.x..=to.x).map(move |x| IVec2::new(x, y)));
        let is_near = move |seen: &&Seen| seen.at.distance_squared(at) <= distance * distance;
        cells.filter_map(|cell| self.cells.get(&cell)).flatten().filter(is_near)
    }
}

fn cell(at: Vec2) -> IVec2 {
    (at / CELL).floor().as_ivec2()
}

type Visible<'w> = (Entity, &'w Position, &'w Role, &'w Mood, Has<Talk>, Has<Love>);

/// Adds all chibis.
pub(crate) fn look(mut near: ResMut<Near>, chibis: Query<Visible, Without<Held>>, time: Res<Time>) {
    near.cells.values_mut().for_each(Vec::clear);
    for (entity, position, role, mood, is_talking, is_in_love) in &chibis {
        let is_free = !(role.is_meddler || is_talking || is_in_love);
        let is_meddling = role.is_meddler && mood.quiet_until <= time.elapsed();
        let seen = Seen { entity, at: position.0, is_meddling, is_talking, is_free };
        near.cells.entry(cell(position.0)).or_default().push(seen);
    }
}
