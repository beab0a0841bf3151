//! The leaves and conditions of the sheep.

use bt_core::prelude::*;

use crate::flock::{Sheep, Weights};

pub(crate) fn herded(sheep: &Sheep<'_>) -> bool {
    sheep.distance(sheep.sight.dog) < 60.0
}

pub(crate) fn predator_near(sheep: &Sheep<'_>) -> bool {
    sheep.distance(sheep.sight.wolf) < 70.0
}

/// Grazes, slightly apart from the others.
pub(crate) fn graze(sheep: &mut Sheep<'_>) -> Status {
    sheep.step(Weights { run: 0.0, near: 0.1, apart: 0.6, follow: 0.1, fear: 0.0, speed: 4.0 });
    Status::Running
}

/// Runs from the dog, together with the others.
#[action]
pub(crate) fn flock(sheep: &mut Sheep<'_>, haste: f32) -> Status {
    sheep.step(Weights { run: haste, near: 0.8, apart: 1.2, follow: 1.0, fear: 0.0, speed: 45.0 });
    Status::Running
}

/// Slows down to rest.
pub(crate) fn slow_down(sheep: &mut Sheep<'_>) -> Status {
    let speed = sheep.body.velocity.length();
    if speed < 5.0 {
        return Status::Success;
    }
    sheep.step(Weights { run: 0.0, near: 0.4, apart: 0.8, follow: 0.6, fear: 0.0, speed: speed * 0.93 });
    Status::Running
}

/// Runs from the wolf, regardless of the others.
pub(crate) fn run_away(sheep: &mut Sheep<'_>) -> Status {
    sheep.step(Weights { run: 0.3, near: 0.1, apart: 0.8, follow: 0.2, fear: 2.0, speed: 70.0 });
    Status::Running
}
