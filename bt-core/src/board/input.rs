//! Parameters that are a value or a variable.

use core::fmt;

use crate::board::entry::Value;
use crate::board::{HasBoard, Key, read};
use crate::status::Outcome;

/// A parameter that is a value or a [`Key`]: the type that stores an `#[input]` of [`#[action]`](macro@crate::action).
///
/// ```
/// use bt_core::prelude::*;
///
/// const SPEED: Key<u32> = Key::new("speed");
///
/// #[action]
/// fn go(board: &mut Board, #[input] speed: u32) { board.set(&Key::new("went"), speed) }
///
/// let tree = tree! { sequence { go(3), go(SPEED) } };
/// let mut board = Board::new();
/// assert_eq!(tree.tick(&mut board, &mut tree.memory()), Status::Failure);    // SPEED is not set
/// board.set(&SPEED, 5);
/// assert_eq!(tree.tick(&mut board, &mut tree.memory()), Status::Success);
/// assert_eq!(board.get(&Key::<u32>::new("went")), Some(&5));
/// assert_eq!(tree.description().lines()[2], "└─ go(speed: {speed})");
/// ```
#[derive(Clone)]
pub enum ValueOrKey<T> {
    /// A fixed value.
    Value(T),
    /// The value of a variable.
    Key(Key<T>),
}

impl<T: Value + Copy> ValueOrKey<T> {
    /// Returns the value in a context.
    ///
    /// # Errors
    ///
    /// Returns what the leaf returns instead: `Failure` if the variable is not set, and `Error` if it has another type,
    /// because two keys have the same name.
    pub fn read<C: HasBoard + ?Sized>(&self, ctx: &C) -> Result<T, Outcome> {
        match self {
            ValueOrKey::Value(value) => Ok(*value),
            ValueOrKey::Key(key) => read(key, ctx).copied(),
        }
    }
}

impl<T> From<T> for ValueOrKey<T> {
    fn from(value: T) -> Self {
        ValueOrKey::Value(value)
    }
}

impl From<&str> for ValueOrKey<alloc::string::String> {
    fn from(text: &str) -> Self {
        ValueOrKey::Value(text.into())
    }
}

impl<T> From<Key<T>> for ValueOrKey<T> {
    fn from(key: Key<T>) -> Self {
        ValueOrKey::Key(key)
    }
}

impl<T: fmt::Debug> fmt::Debug for ValueOrKey<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueOrKey::Value(value) => value.fmt(out),
            ValueOrKey::Key(key) => key.fmt(out),
        }
    }
}

/// Serializes a value as it is, and a variable as its name in braces, as in files.
#[cfg(feature = "serde")]
impl<T: serde::Serialize> serde::Serialize for ValueOrKey<T> {
    fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self {
            ValueOrKey::Value(value) => value.serialize(out),
            ValueOrKey::Key(key) => out.collect_str(&format_args!("{key:?}")),
        }
    }
}
