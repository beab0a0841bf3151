//! A tree of every word: static here, and live in `tests/live`.

use bt_core::prelude::*;
use bt_core::{Save, Status};
use bt_tests::world::World;
use bt_words::Word;

use crate::spec::Spec;

include!(concat!(env!("OUT_DIR"), "/every_word.rs"));

/// Returns the static tree.
#[must_use]
pub fn compiled() -> impl Node<World> + Save {
    every_word!()
}
