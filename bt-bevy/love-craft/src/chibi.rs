//! What a chibi is made of: its components.

use std::time::Duration;

use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryData;
use bevy_ecs::system::SystemParam;
use bt_bevy::prelude::*;
use glam::Vec2;

use crate::birds::Bird;
use crate::near::Near;
use crate::town::{Position, Town};
use crate::walking::Walk;
use crate::weather::Weather;

/// How long a balloon lasts.
const LASTS: Duration = millis(1500);

/// The behavior of chibis.
pub(crate) struct Chibi;

/// A chibi in a tick.
pub(crate) type Me<'a, 'w> = Agent<'a, 'w, Chibi>;

/// The components of a chibi that its tree accesses.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Body {
    pub(crate) position: &'static Position,
    pub(crate) role: &'static Role,
    pub(crate) mood: &'static mut Mood,
    pub(crate) walk: &'static mut Walk,
    pub(crate) talk: Option<&'static Talk>,
    pub(crate) love: Option<&'static Love>,
    pub(crate) is_held: Has<Held>,
}

/// What all chibis see.
#[derive(SystemParam)]
pub(crate) struct World<'w, 's> {
    pub(crate) town: Res<'w, Town>,
    pub(crate) near: Res<'w, Near>,
    pub(crate) weather: Res<'w, Weather>,
    pub(crate) chibis: Query<'w, 's, &'static Position, With<Role>>,
    pub(crate) birds: Query<'w, 's, &'static Position, With<Bird>>,
}

impl SharedParams for World<'_, '_> {
    fn share(&self) -> Self {
        World {
            town: self.town.share(),
            near: self.near.share(),
            weather: self.weather.share(),
            chibis: self.chibis.share(),
            birds: self.birds.share(),
        }
    }
}

/// What a chibi is.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "inspector", derive(bevy_reflect::Reflect), reflect(Component))]
pub struct Role {
    /// What it likes to talk of.
    pub topic: Topic,
    /// Whether it interrupts the talks of others.
    pub is_meddler: bool,
    /// A number for its looks.
    pub looks: u8,
}

/// What chibis talk of.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "inspector", derive(bevy_reflect::Reflect))]
pub enum Topic {
    Music,
    Flowers,
    Cake,
    Stars,
    Ships,
    Cats,
}

impl Topic {
    /// All topics.
    pub const ALL: [Self; 6] = [Self::Music, Self::Flowers, Self::Cake, Self::Stars, Self::Ships, Self::Cats];
}

/// What a balloon shows.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "inspector", derive(bevy_reflect::Reflect))]
pub enum Balloon {
    Topic(Topic),
    Heart,
    Tears,
    Anger,
    Smile,
    Bored,
    Gossip,
    Hello,
    Rain,
    Seeds,
}

/// How a chibi stands.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[cfg_attr(feature = "inspector", derive(bevy_reflect::Reflect))]
pub enum Pose {
    #[default]
    Standing,
    Walking,
    Talking,
    Sitting,
    Kissing,
    Dangling,
}

/// What a chibi feels, wants and shows. Only its own leaves change it, and the player's hand.
#[derive(Component, Default, Debug)]
#[cfg_attr(feature = "inspector", derive(bevy_reflect::Reflect), reflect(Component))]
pub struct Mood {
    /// The balloon above its head.
    pub balloon: Option<Balloon>,
    /// How it stands.
    pub pose: Pose,
    /// From 0 to 1. Walking takes energy, sitting gives it.
    pub energy: f32,
    /// Whom it wants to meet.
    pub(crate) friend: Option<Entity>,
    /// Where it wants to go.
    pub(crate) spot: Vec2,
    /// Until when it begins no talk, and interrupts none.
    pub(crate) quiet_until: Duration,
    /// Until when it looks for a talk, because the player has put it here.
    pub(crate) dropped_until: Duration,
    /// When the balloon bursts.
    pub(crate) bursts: Duration,
}

impl Mood {
    /// Shows a balloon for a while.
    pub(crate) fn show(&mut self, balloon: Balloon, now: Duration) {
        (self.balloon, self.bursts) = (Some(balloon), now + LASTS);
    }
}

/// A talk with another chibi, who has this component, too.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "inspector", derive(bevy_reflect::Reflect), reflect(Component))]
pub struct Talk {
    /// The other one.
    pub with: Entity,
    /// Whether it is this one's turn.
    pub is_speaker: bool,
    /// What the speaker has said.
    pub topic: Option<Topic>,
    /// How well they get on.
    pub affection: i8,
}

/// Love for another chibi, who has this component, too.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "inspector", derive(bevy_reflect::Reflect), reflect(Component))]
pub struct Love {
    /// The other one.
    pub of: Entity,
    /// Whether they have kissed.
    pub has_kissed: bool,
}

/// The player holds this chibi.
#[derive(Component, Clone, Copy, Debug)]
#[cfg_attr(feature = "inspector", derive(bevy_reflect::Reflect), reflect(Component))]
pub struct Held;
