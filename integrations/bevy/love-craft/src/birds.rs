//! Birds: they peck until a chibi comes too near, and fly to another place. The player can carry them away. Their tree is a state machine.

use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryData;
use bevy_ecs::system::SystemParam;
use bt_bevy::prelude::*;
use glam::Vec2;

use crate::chibi::Held;
use crate::near::Near;
use crate::town::{Position, Town, fraction};
use crate::walking::Walk;

/// The distance at which a chibi scares a bird.
const SCARES: f32 = 1.4;
const SPEED: f32 = 9.0;

/// A bird.
#[derive(Component, Default, Debug)]
#[cfg_attr(feature = "inspector", derive(bevy_reflect::Reflect), reflect(Component))]
pub struct Bird {
    /// What it does.
    pub flight: Flight,
    to: Vec2,
}

/// What a bird does.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "inspector", derive(bevy_reflect::Reflect))]
pub enum Flight {
    #[default]
    Standing,
    Pecking,
    Flying,
}

/// The behavior of birds.
pub(crate) struct Sparrow;

#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Body {
    position: &'static Position,
    walk: &'static mut Walk,
    bird: &'static mut Bird,
    is_held: Has<Held>,
}

#[derive(SystemParam)]
pub(crate) struct World<'w> {
    town: Res<'w, Town>,
    near: Res<'w, Near>,
}

type Me<'a, 'w> = Agent<'a, 'w, Sparrow>;

impl Behavior for Sparrow {
    type Data = Body;
    type Params = World<'static>;

    fn tree() -> impl TreeOf<Self> {
        tree! {
            for Me<'_, '_>: machine "bird" {
                state ground {
                    random_selector {
                        mem_sequence "peck" { peck, wait(millis(400)), stand, wait(millis(300)) }
                        mem_sequence "look" { stand, wait(millis(1500)) }
                    }
                    is_held -> hand,
                    is_scared -> air,
                }
                state air { mem_sequence { take_off, fly } is_held -> hand, success -> ground }
                state hand { flutter, !is_held -> ground }
            }
        }
    }
}

fn is_scared(bird: &Me) -> bool {
    bird.params.near.within(SCARES, bird.position.0).next().is_some()
}

fn is_held(bird: &Me) -> bool {
    bird.is_held
}

fn flutter(bird: &mut Me) -> Status {
    bird.bird.flight = Flight::Flying;
    Status::Running
}

fn peck(bird: &mut Me) {
    bird.bird.flight = Flight::Pecking;
}

fn stand(bird: &mut Me) {
    bird.bird.flight = Flight::Standing;
}

fn take_off(bird: &mut Me) {
    let town = bird.params.town.share();
    let (at, angle) = (bird.position.0, fraction(bird.rng()) * core::f32::consts::TAU);
    let way = Vec2::from_angle(angle) * 11.0;
    // Not against the edge of the park.
    let is_inside = town.inside(at + way) == at + way;
    bird.bird.to = town.inside(if is_inside { at + way } else { at - way });
    bird.bird.flight = Flight::Flying;
}

fn fly(bird: &mut Me) -> Status {
    let to = bird.bird.to;
    if bird.position.0 == to {
        bird.bird.flight = Flight::Standing;
        return Status::Success;
    }
    *bird.walk = Walk { to: Some(to), speed: SPEED };
    Status::Running
}
