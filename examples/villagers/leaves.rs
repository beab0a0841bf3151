//! The leaves of the tree.

use bt_core::prelude::*;
use serde::{Deserialize, Serialize};

use crate::village::{Activity, DELTA, Life, Place, SEASON, Season, WALK, WORKPLACE};

pub(crate) fn at_night(life: &Life<'_>) -> bool {
    !(6..22).contains(&life.hour())
}

pub(crate) fn at_work_time(life: &Life<'_>) -> bool {
    (8..17).contains(&life.hour())
}

#[condition]
pub(crate) fn hungry(life: &Life<'_>, more_than: f32) -> bool {
    life.villager.body.hunger > more_than
}

/// Returns whether the named entity is in range (cEntInRange of Engine22). Fails if there is no such entity.
#[condition]
pub(crate) fn ent_in_range(
    life: &Life<'_>,
    name: &'static str,
    #[param(default = 80.0, unit = "m")] distance: f32,
) -> bool {
    life.entity_named(name).is_some_and(|entity| entity.position.distance(life.villager.body.position) < distance)
}

/// Runs away from an entity until it is far. The entity is looked up when the run begins. Fails if it disappears.
pub(crate) struct Flee {
    from: &'static str,
    far: f32,
}

/// The id of the entity to flee from.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Fear(Option<u32>);

#[leaf]
impl Leaf<Life<'_>> for Flee {
    type Open = Fear;

    fn name(&self) -> &'static str {
        "flee"
    }

    fn open(&self, life: &mut Life<'_>) -> Fear {
        Fear(life.entity_named(self.from).map(|entity| entity.id))
    }

    fn tick(&self, fear: &mut Fear, life: &mut Life<'_>) -> Status {
        const RUN: f32 = 0.5; // average speed in m/s, including pauses in hiding places
        let Some(entity) = fear.0.and_then(|id| life.entity(id)) else { return Status::Failure };
        let from = entity.position;
        let body = &mut life.villager.body;
        body.activity = Activity::Fleeing;
        if body.position.distance(from) >= self.far {
            return Status::Success;
        }
        body.position += (body.position - from).normalize_or(glam::Vec2::X) * RUN * DELTA;
        Status::Running
    }
}

pub(crate) fn flee(from: &'static str, far: f32) -> Flee {
    Flee { from, far }
}

/// Walks to a place, passed as an argument or read from a board.
#[action]
pub(crate) fn go_to(life: &mut Life<'_>, #[input] place: Place) -> Status {
    let to = life.position_of(place);
    let body = &mut life.villager.body;
    if body.position.distance(to) < 1.0 {
        return Status::Success;
    }
    body.position += (to - body.position).clamp_length_max(WALK * DELTA);
    body.activity = Activity::Walking;
    Status::Running
}

pub(crate) fn sleep(life: &mut Life<'_>) -> Status {
    life.villager.body.activity = Activity::Sleeping;
    Status::Running
}

/// Eats for 30 minutes.
#[action]
pub(crate) fn eat(life: &mut Life<'_>, #[open] eaten: &mut f32) -> Status {
    let body = &mut life.villager.body;
    body.activity = Activity::Eating;
    *eaten += DELTA;
    if *eaten < 1800.0 {
        return Status::Running;
    }
    body.hunger = 0.0;
    body.ate += 1;
    Status::Success
}

pub(crate) fn dance(life: &mut Life<'_>) -> Status {
    life.villager.body.activity = Activity::Dancing;
    Status::Running
}

/// Works. In the fields, work randomly produces a meal, except in winter.
pub(crate) fn work(life: &mut Life<'_>) -> Status {
    let season = bt_core::board::look_up(&SEASON, life).copied();
    let on_the_fields = bt_core::board::look_up(&WORKPLACE, life) == Some(&Place::Fields);
    let one_in = match season {
        Some(Season::Spring) => 30,
        Some(Season::Summer) => 24,
        Some(Season::Autumn) => 16,
        Some(Season::Winter) | None => 0,
    };
    let body = &mut life.villager.body;
    body.activity = Activity::Working;
    if on_the_fields && one_in > 0 && draw(&mut body.rng, one_in) {
        body.produced += 1;
    }
    Status::Running
}

fn draw(rng: &mut rand_pcg::Pcg32, one_in: u32) -> bool {
    use bt_core::rand_core::Rng;
    rng.next_u32().is_multiple_of(one_in)
}

/// Performs an activity for a duration, measured in ticks (aWait of Engine22).
#[action]
pub(crate) fn spend(
    life: &mut Life<'_>,
    activity: Activity,
    #[param(unit = "s")] time: f32,
    #[open] spent: &mut f32,
) -> Status {
    life.villager.body.activity = activity;
    *spent += DELTA;
    if *spent < time { Status::Running } else { Status::Success }
}
