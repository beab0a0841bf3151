//! A tree of every word: static here, and live in `tests/live`.

use bt_core::prelude::*;
use bt_core::{Save, Status};
use bt_tests::world::{World, act, check, entered, left, pick, score, share, span, times, told};
use bt_words::Word;

use crate::spec::{Args, How, On, Spec, StateSpec, TransitionSpec};

include!(concat!(env!("OUT_DIR"), "/every_word.rs"));

/// Returns the static tree.
#[must_use]
pub fn compiled() -> impl Node<World> + Save {
    every_word!()
}
