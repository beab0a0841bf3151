//! The components of a chibi.

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

/// The parameters that all chibis share.
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

/// The fixed traits of a chibi.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "inspector", derive(bevy_reflect::Reflect), reflect(Component))]
pub struct Role {
    /// Its favorite topic.
    pub topic: Topic,
    /// Whether it interrupts talks.
    pub is_meddler: bool,
    /// A number for its looks.
    pub looks: u8,
}

/// A topic of talks.
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

/// The content of a balloon.
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

/// The pose of a chibi.
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

/// The feelings and goals of a chibi, and how it looks. Only its own leaves and the player's hand change them.
#[derive(Component, Default, Debug)]
#[cfg_attr(feature = "inspector", derive(bevy_reflect::Reflect), reflect(Component))]
pub struct Mood {
    /// The balloon above its head.
    pub balloon: Option<Balloon>,
    /// Its pose.
    pub pose: Pose,
    /// From 0 to 1. Walking decreases it, sitting increases it.
    pub energy: f32,
    /// The chibi that it is going to meet.
    pub(crate) friend: Option<Entity>,
    /// The point that it is going to.
    pub(crate) spot: Vec2,
    /// The time until which it neither begins nor interrupts a talk.
    pub(crate) quiet_until: Duration,
    /// The time until which it looks for a talk, because the player has put it here.
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

/// A talk with another chibi, which has this component, too.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "inspector", derive(bevy_reflect::Reflect), reflect(Component))]
pub struct Talk {
    /// The other chibi.
    pub with: Entity,
    /// Whether it is the turn of this chibi.
    pub is_speaker: bool,
    /// The topic that the speaker has chosen.
    pub topic: Option<Topic>,
    /// How well the two get on; negative if badly.
    pub affection: i8,
}

/// Love for another chibi, which has this component, too.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "inspector", derive(bevy_reflect::Reflect), reflect(Component))]
pub struct Love {
    /// The other chibi.
    pub of: Entity,
    /// Whether the two have kissed.
    pub has_kissed: bool,
}

/// The player holds this chibi.
#[derive(Component, Clone, Copy, Debug)]
#[cfg_attr(feature = "inspector", derive(bevy_reflect::Reflect), reflect(Component))]
pub struct Held;
