//! The square: its places, and its customers.

use std::collections::VecDeque;
use std::time::Duration;

use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryData;
use bevy_ecs::system::SystemParam;
use glam::{Vec2, vec2};
use rand_core::Rng;
use rand_pcg::Pcg32;

/// The size of the square.
pub const SIZE: Vec2 = vec2(76.0, 20.0);
/// Where a customer is.
#[derive(Component, Clone, Copy)]
#[cfg_attr(feature = "inspector", derive(bevy_reflect::Reflect), reflect(Component))]
pub struct Position(pub Vec2);

/// What a customer has, feels and does.
#[derive(Component, Default)]
#[cfg_attr(feature = "inspector", derive(bevy_reflect::Reflect), reflect(Component))]
pub struct Customer {
    pub(crate) coins: u32,
    pub(crate) potions: u32,
    /// Grows from 0 to 1; then the customer wants a potion.
    pub(crate) longing: f32,
    pub(crate) friend: Option<Entity>,
    /// In love until this time.
    pub(crate) drunk_until: Duration,
    pub(crate) beloved: Option<Entity>,
    /// How often the customer was kissed.
    pub(crate) kisses: u32,
    pub(crate) is_single_by_choice: bool,
    /// What the customer does.
    pub doing: Doing,
}

/// What a customer is seen to do.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[cfg_attr(feature = "inspector", derive(bevy_reflect::Reflect))]
pub enum Doing {
    #[default]
    Wandering,
    Queueing,
    Drinking,
    Courting,
    Kissing,
    Working,
    Chatting,
    Sulking,
}

impl Doing {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Wandering,
        Self::Queueing,
        Self::Drinking,
        Self::Courting,
        Self::Kissing,
        Self::Working,
        Self::Chatting,
        Self::Sulking,
    ];
}

/// A customer who loves this one.
#[derive(Component)]
pub(crate) struct LovedBy(pub(crate) Entity);

/// The queue at the stall.
#[derive(Resource, Default)]
pub(crate) struct Queue(pub(crate) VecDeque<Entity>);

/// The potions that are left; the stall brews one every other second.
#[derive(Resource)]
pub(crate) struct Stock {
    pub(crate) potions: u32,
    pub(crate) sold: u32,
    pub(crate) kisses: u32,
}

/// The components of a customer that the tree accesses.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Body {
    pub(crate) position: &'static Position,
    pub(crate) me: &'static mut Customer,
    pub(crate) loved_by: Option<&'static LovedBy>,
}

/// What all customers share.
#[derive(SystemParam)]
pub(crate) struct Shared<'w, 's> {
    pub(crate) queue: ResMut<'w, Queue>,
    pub(crate) stock: ResMut<'w, Stock>,
    pub(crate) positions: Query<'w, 's, (Entity, &'static Position)>,
}

/// The behavior of customers.
pub(crate) struct Chibi;

/// The places that customers go to.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Stall,
    Fountain,
    Mill,
    Bench,
}

impl Place {
    /// All places, with their names.
    pub const ALL: [(Self, &'static str); 4] =
        [(Self::Stall, "stall"), (Self::Fountain, "fountain"), (Self::Mill, "mill"), (Self::Bench, "bench")];

    /// Returns where it is.
    pub const fn at(self) -> Vec2 {
        match self {
            Self::Stall => vec2(70.0, 10.0),
            Self::Fountain => vec2(38.0, 10.0),
            Self::Mill => vec2(5.0, 3.0),
            Self::Bench => vec2(20.0, 17.0),
        }
    }
}

/// Returns where the customer stands who is `index` places behind the first one.
pub(crate) fn in_line(index: usize) -> Vec2 {
    #[expect(clippy::cast_precision_loss, reason = "a queue is short")]
    let behind = index as f32 + 1.0;
    vec2(Place::Stall.at().x - 1.5 * behind, Place::Stall.at().y)
}

/// Returns a random point of the square.
pub(crate) fn anywhere(rng: &mut Pcg32) -> Vec2 {
    vec2(fraction(rng), fraction(rng)) * SIZE
}

/// Returns a random number from 0 to 1.
pub(crate) fn fraction(rng: &mut Pcg32) -> f32 {
    f32::from(u16::try_from(rng.next_u32() >> 16).unwrap_or(0)) / 65536.0
}
