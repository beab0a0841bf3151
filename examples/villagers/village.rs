//! The village, its people, and the context of the tree.

use bt_core::prelude::*;
use bt_core::rand_core::{Rng, SeedableRng};
use glam::{Vec2, vec2};
use rand_pcg::Pcg32;
use serde::{Deserialize, Serialize};

/// The duration of a tick: 5 minutes.
pub(crate) const TICK: Duration = Duration::from_secs(5 * 60);
/// The duration of a tick in seconds.
pub(crate) const DELTA: f32 = 300.0;
/// The walking speed of a villager in m/s.
pub(crate) const WALK: f32 = 1.2;

/// The season, on the shared board.
pub(crate) const SEASON: Key<Season> = Key::saved("season");
/// The reason why the bell rings, on the shared board.
pub(crate) const BELL: Key<Bell> = Key::saved("bell");
/// The number of stored meals, on the shared board. It may become negative by the meals eaten in one tick.
pub(crate) const FOOD: Key<i64> = Key::saved("food");
/// The workplace: the default on the shared board, exceptions on villagers' own boards.
pub(crate) const WORKPLACE: Key<Place> = Key::saved("workplace");
/// Whether work is off: the default on the shared board, exceptions on villagers' own boards.
pub(crate) const DAY_OFF: Key<bool> = Key::saved("day off");

/// Returns a duration of hours.
pub(crate) const fn hours(hours: u64) -> Duration {
    Duration::from_secs(hours * 60 * 60)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Season {
    Spring,
    Summer,
    Autumn,
    Winter,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Bell {
    Silent,
    Festival,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Place {
    Home,
    Fields,
    Smithy,
    Tavern,
    Square,
    River,
}

/// The activity of a villager.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(crate) enum Activity {
    Sleeping,
    Working,
    Eating,
    Dancing,
    Chatting,
    Strolling,
    Fishing,
    Walking,
    Fleeing,
    Nothing,
}

/// All activities, in order.
pub(crate) const ACTIVITIES: [Activity; 10] = [
    Activity::Sleeping,
    Activity::Working,
    Activity::Eating,
    Activity::Dancing,
    Activity::Chatting,
    Activity::Strolling,
    Activity::Fishing,
    Activity::Walking,
    Activity::Fleeing,
    Activity::Nothing,
];

/// A villager: its body and its own board.
#[derive(Clone)]
pub(crate) struct Villager {
    pub(crate) body: Body,
    pub(crate) board: Board,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Body {
    pub(crate) home: Vec2,
    pub(crate) position: Vec2,
    pub(crate) hunger: f32,
    pub(crate) activity: Activity,
    pub(crate) rng: Pcg32,
    /// The meals eaten and produced since the last settlement.
    pub(crate) ate: u32,
    pub(crate) produced: u32,
}

/// A temporary entity with a name and a unique id.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Entity {
    pub(crate) id: u32,
    pub(crate) name: String,
    pub(crate) position: Vec2,
    pub(crate) leaves_at: Duration,
}

/// The state that all villagers share.
pub(crate) struct Village {
    pub(crate) now: Duration,
    pub(crate) board: Board,
    pub(crate) entities: Vec<Entity>,
}

/// The context of the tree: a villager in the village.
pub(crate) struct Life<'v> {
    pub(crate) villager: &'v mut Villager,
    pub(crate) village: &'v Village,
}

impl Clock for Life<'_> {
    fn now(&self) -> Duration {
        self.village.now
    }
}

impl Random for Life<'_> {
    type Rng = Pcg32;

    fn rng(&mut self) -> &mut Pcg32 {
        &mut self.villager.body.rng
    }
}

impl HasBoard for Life<'_> {
    fn board(&self) -> &Board {
        &self.villager.board
    }

    fn board_mut(&mut self) -> &mut Board {
        &mut self.villager.board
    }

    fn shared_board(&self) -> Option<&Board> {
        Some(&self.village.board)
    }
}

impl Life<'_> {
    /// Returns the hour of the day.
    pub(crate) fn hour(&self) -> u64 {
        hour(self.village.now)
    }

    /// Returns the position of a place for this villager.
    pub(crate) fn position_of(&self, place: Place) -> Vec2 {
        match place {
            Place::Home => self.villager.body.home,
            Place::Fields => vec2(1000.0, 500.0),
            Place::Smithy => vec2(450.0, 450.0),
            Place::Tavern => vec2(500.0, 550.0),
            Place::Square => vec2(500.0, 500.0),
            Place::River => vec2(200.0, 1000.0),
        }
    }

    pub(crate) fn entity(&self, id: u32) -> Option<&Entity> {
        self.village.entities.iter().find(|entity| entity.id == id)
    }

    pub(crate) fn entity_named(&self, name: &str) -> Option<&Entity> {
        self.village.entities.iter().find(|entity| entity.name == name)
    }
}

/// Returns the hour of the day.
pub(crate) fn hour(now: Duration) -> u64 {
    now.as_secs() / 3600 % 24
}

impl Village {
    /// Creates a village at 5:00 on the first day of spring.
    pub(crate) fn new(people: usize) -> Self {
        let mut board = Board::new();
        board.define(&SEASON, Season::Spring);
        board.define(&BELL, Bell::Silent);
        board.define(&FOOD, i64::try_from(people).unwrap_or(i64::MAX).saturating_mul(3));
        board.define(&WORKPLACE, Place::Fields);
        board.define(&DAY_OFF, false);
        Self { now: hours(5), board, entities: Vec::new() }
    }
}

impl Villager {
    /// Creates a newcomer. One in 10 is a smith, one in 20 is retired.
    pub(crate) fn new(seed: u64) -> Self {
        let mut rng = Pcg32::seed_from_u64(seed);
        let mut below = |bound: u16| f32::from(u16::try_from(rng.next_u32() % u32::from(bound)).unwrap_or(0));
        let home = vec2(below(1000), below(1000));
        let (smith, retired) = (below(10) < 1.0, below(20) < 1.0);
        let hunger = below(100) / 100.0;
        let mut board = own_board();
        if smith {
            board.set(&WORKPLACE, Place::Smithy);
        }
        if retired {
            board.set(&DAY_OFF, true);
        }
        let body = Body { home, position: home, hunger, activity: Activity::Nothing, rng, ate: 0, produced: 0 };
        Self { body, board }
    }
}

/// Creates a board for a villager without values, so that lookups fall back to the shared board.
pub(crate) fn own_board() -> Board {
    let mut board = Board::new();
    // Set and unset the keys to register their types for loading.
    board.set(&WORKPLACE, Place::Fields);
    board.unset(&WORKPLACE);
    board.set(&DAY_OFF, false);
    board.unset(&DAY_OFF);
    board
}
