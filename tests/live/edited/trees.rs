//! Trees that pages edit.

use bt_core::prelude::*;

use crate::world::{Count, World, hop, say};

/// What is between trees stays as it is:   also its spaces.
pub(crate) fn guard() -> impl Node<World> {
    tree! {
        // All around.
        for World: sequence "round" {
            say("north"), // first
            hop,
            patrol(),
        }
    }
}

#[subtree]
fn patrol() -> impl Node<World> {
    tree! { sequence { say("left"), say("right") } }
}

pub(crate) fn counting() -> impl Node<World> {
    tree! { for World: selector { (Count) } }
}

pub(crate) fn late() -> impl Node<World> {
    tree! { for World: sequence { say("dawn"), crate::world::later(0.0) } }
}
