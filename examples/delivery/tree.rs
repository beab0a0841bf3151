//! The tree of the robots.

use bt_core::prelude::*;

use crate::leaves::{
    await_order, charge, drive, give_way, grasp, hand_over, has_parcel, low_battery, put_back, stand, stopped,
};
use crate::robot::{Place, Robot};

/// The tree of all robots.
#[subtree]
pub(crate) fn robot() -> impl Node<Robot> {
    tree! {
        selector {
            sequence "operator" { stopped, stand }
            mem_selector "work" {
                mem_sequence "charge" { low_battery, go_to(Place::Charger), charge }
                mem_sequence "deliver" {
                    await_order,
                    mem_selector "fetch" { has_parcel, mem_sequence { go_to(Place::Parcel), retry(2) { grasp } } }
                    go_to(Place::Dock),
                    hand_over,
                }
                put_back,
            }
        }
    }
}

/// Drives to a place, with three attempts.
#[subtree]
fn go_to(place: Place) -> impl Node<Robot> {
    tree! { retry(3) { mem_selector { timeout(secs(90)) { drive(place) } give_way } } }
}
