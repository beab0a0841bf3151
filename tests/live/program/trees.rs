//! Trees with trees in them.

use bt_core::prelude::*;

use crate::world::{Count, World, later, say};

#[subtree]
pub(crate) fn guard(from: f64) -> impl Node<World> {
    tree! { sequence { later(from), patrol("north"), say("stop") } }
}

#[subtree]
fn patrol(place: &'static str) -> impl Node<World> {
    tree! { sequence { say(place), say("left"), say("right") } }
}

pub(crate) fn counting() -> impl Node<World> {
    tree! { for World: selector { sequence { later(1000.0), say("late") } (Count) } }
}

pub(crate) fn waiting() -> impl Node<World> {
    tree! { for World: mem_sequence { wait(secs(3600)), repeat { say("awake") } } }
}

pub(crate) fn late() -> impl Node<World> {
    tree! { for World: say("dawn") }
}
