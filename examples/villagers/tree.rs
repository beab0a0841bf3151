//! The tree of the villagers.

use bt_core::board::compare;
use bt_core::prelude::*;

use crate::leaves::{at_night, at_work_time, dance, eat, ent_in_range, flee, go_to, hungry, sleep, spend, work};
use crate::village::{Activity, BELL, Bell, DAY_OFF, FOOD, Life, Place, WORKPLACE, hours};

/// The tree of all villagers. `Save` in the return type makes its memory savable during a run.
#[subtree]
pub(crate) fn villager() -> impl Node<Life<'_>> + Save {
    tree! {
        selector "villager" {
            mem_sequence "wolf" { ent_in_range::with_defaults("wolf"), flee("wolf", 150.0) }
            sequence "night" { at_night, go_to(Place::Home), sleep }
            sequence "meal" {
                hungry(0.6),
                compare(FOOD, |food| *food > 0),
                cooldown(hours(3)) { mem_sequence { go_to(Place::Tavern), eat } }
            }
            sequence "festival" { compare(BELL, |bell| *bell == Bell::Festival), go_to(Place::Square), dance }
            sequence "work" { at_work_time, compare(DAY_OFF, |off| !*off), go_to(WORKPLACE), work }
            leisure,
        }
    }
}

/// The behavior of an idle villager: a random leisure activity.
#[subtree]
fn leisure() -> impl Node<Life<'_>> + Save {
    tree! {
        random_selector {
            3 => mem_sequence "chat" { go_to(Place::Tavern), spend(Activity::Chatting, 3600.0) }
            2 => mem_sequence "stroll" { go_to(Place::Square), spend(Activity::Strolling, 1800.0) }
            1 => cooldown(hours(20)) { mem_sequence "fish" { go_to(Place::River), spend(Activity::Fishing, 7200.0) } }
        }
    }
}
