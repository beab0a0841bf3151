//! The warehouse: its stations, and the orders for robots.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use glam::{Vec2, vec2};

/// The size of the warehouse, in meters.
pub(crate) const SIZE: Vec2 = vec2(200.0, 100.0);

const DOCKS: u8 = 10;
const CHARGERS: u8 = 20;
const AISLES: u8 = 10;
const SHELVES_OF_AN_AISLE: u8 = 12;

/// What an order is about: a parcel, where it lies, and the dock where it has to be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Order {
    pub(crate) parcel: Vec2,
    pub(crate) dock: Vec2,
}

impl Order {
    /// Returns an order for a random parcel on a shelf.
    pub(crate) fn random(rng: &mut fastrand::Rng) -> Self {
        let aisle = f32::from(rng.u8(1..=AISLES)) / f32::from(AISLES + 1);
        let shelf = f32::from(rng.u8(1..=SHELVES_OF_AN_AISLE)) / f32::from(SHELVES_OF_AN_AISLE + 1);
        Self { parcel: SIZE * vec2(aisle, shelf), dock: random_dock(rng) }
    }
}

/// Returns a dock. Docks are on the left side.
pub(crate) fn random_dock(rng: &mut fastrand::Rng) -> Vec2 {
    SIZE * vec2(0.0, (f32::from(rng.u8(..DOCKS)) + 0.5) / f32::from(DOCKS))
}

/// Returns the charger that is nearest to a position. Chargers are on the right side.
pub(crate) fn nearest_charger(from: Vec2) -> Vec2 {
    let charger = |number: u8| SIZE * vec2(1.0, (f32::from(number) + 0.5) / f32::from(CHARGERS));
    let chargers = (0..CHARGERS).map(charger);
    chargers.min_by(|one, other| from.distance(*one).total_cmp(&from.distance(*other))).unwrap_or(from)
}

/// The orders, which all robots share.
#[derive(Default)]
pub(crate) struct Orders {
    /// The orders that no robot has.
    pub(crate) open: VecDeque<Order>,
    /// The robots that have begun to wait for an order, in this order. Some of them may not wait any more.
    pub(crate) waiting: VecDeque<usize>,
}

/// Locks a mutex. No lock is held while a function that may panic is called.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
